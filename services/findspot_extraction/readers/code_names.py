"""The name of a definition, and the scopes that the definition itself states, from its syntax node."""

from __future__ import annotations

import re

from tree_sitter import Node

_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_FUNCTIONS = frozenset(
    (
        "arrow_function",
        "function_expression",
        "function",
        "generator_function",
        "class",
    )
)
# Without a body these only mention a type, or name what the rest of the file is in.
_NEED_BODY = frozenset(
    ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier", "namespace_definition")
)


def names_of(node: Node) -> tuple[str, ...] | None:
    """The names from the outermost that the node states to its own: `void Server::start()` gives both.

    None when the node defines nothing (`struct point p;`, `let n = 1`); empty for a nameless scope.
    """
    kind = node.type
    if kind in _NEED_BODY and node.child_by_field_name("body") is None:
        return None
    if kind in ("lexical_declaration", "variable_declaration"):
        return _variable(node)
    if kind == "expression_statement":
        return _assigned(node)
    if kind in ("function_definition", "type_definition") and node.child_by_field_name("declarator"):
        return _declared(node)
    if kind == "method_declaration" and node.child_by_field_name("receiver"):
        return (*_receiver(node), *_field(node, "name"))
    if kind == "impl_item":
        return _field(node, "type")
    if kind in ("operator_declaration", "conversion_operator_declaration", "indexer_declaration"):
        return _field(node, "operator") or _field(node, "type") or ("this",)
    return _field(node, "name") or (("self",) if kind == "singleton_class" else ())


def _field(node: Node, name: str) -> tuple[str, ...]:
    child = node.child_by_field_name(name)
    return _split(_words(child)) if child is not None else ()


def _words(node: Node) -> str:
    return (node.text or b"").decode("utf-8", errors="replace")


def _split(words: str) -> tuple[str, ...]:
    """`ns::Type<T>::method` gives its three names without type arguments."""
    before = ""
    while before != words:
        before, words = words, _ARGUMENTS.sub("", words)
    parts = words.replace("\\", "::").replace(".", "::").split("::")
    return tuple(" ".join(part.strip("\"'").split()) for part in parts if part.strip())


def _variable(node: Node) -> tuple[str, ...] | None:
    declarators = [child for child in node.named_children if child.type == "variable_declarator"]
    if len(declarators) != 1:
        return None
    value = declarators[0].child_by_field_name("value")
    return _field(declarators[0], "name") if value is not None and value.type in _FUNCTIONS else None


def _assigned(node: Node) -> tuple[str, ...] | None:
    """`exports.read = function () {}` and `Point.prototype.add = (p) => ...` define what they assign."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None or inner.type != "assignment_expression":
        return None
    value = inner.child_by_field_name("right")
    if value is None or value.type not in _FUNCTIONS:
        return None
    names = tuple(part for part in _field(inner, "left") if part not in ("exports", "module", "prototype"))
    return names or ("exports",)


def _declared(node: Node) -> tuple[str, ...]:
    """Through pointers, references and parameter lists of a C declarator to its name."""
    current = node
    for _ in range(64):
        inner = current.child_by_field_name("declarator")
        if inner is None and current.type in ("reference_declarator", "parenthesized_declarator"):
            inner = current.named_children[-1] if current.named_children else None
        if inner is None:
            break
        current = inner
    return _split(_words(current))


def _receiver(node: Node) -> tuple[str, ...]:
    receiver = node.child_by_field_name("receiver")
    words = _words(receiver).strip("() \t") if receiver is not None else ""
    return _split(words.split()[-1].lstrip("*&")) if words else ()
