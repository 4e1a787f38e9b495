"""The definitions of a source file, from its syntax tree: names, depth and byte ranges, outermost first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from .code_grammars import Grammar
from .code_names import names_of

_DEEPEST = 150
"""Nodes inside each other that are searched; what is deeper stays inside its last definition."""
_TRAILING = frozenset((";", ","))


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition. Its range begins with its comments and decorators and ends with its own last line."""

    names: tuple[str, ...]
    start: int
    end: int
    inner: tuple[Definition, ...] = ()


def definitions(root: Node, source: bytes, grammar: Grammar) -> tuple[Definition, ...]:
    """All definitions below a node in order; those of a class or module are inside it. Offsets are bytes."""
    return tuple(_find(root, source, grammar, 0))


def _find(node: Node, source: bytes, grammar: Grammar, depth: int) -> Iterator[Definition]:
    siblings = node.children
    for index, child in enumerate(siblings):
        inner, names = _defined(child, grammar, 0)
        if inner is not None and names is not None:
            start = _start(siblings, index, source, grammar)
            end = _end(siblings, index, grammar)
            below: tuple[Definition, ...] = ()
            if inner.type in grammar.containers and depth < _DEEPEST:
                below = tuple(_find(inner, source, grammar, depth + 1))
            yield Definition(names, start, end, below)
        elif depth < _DEEPEST and child.type in (grammar.transparent | grammar.wrappers):
            yield from _find(child, source, grammar, depth + 1)


def _defined(node: Node, grammar: Grammar, depth: int) -> tuple[Node | None, tuple[str, ...] | None]:
    """The node that makes the definition, through what is wrapped around it, and its names."""
    kind = node.type if node.is_named else ""
    if kind in grammar.leaves or kind in grammar.containers:
        names = names_of(node)
        if names is not None:
            return node, names
    if kind == "expression_statement" or kind in grammar.wrappers:
        found = [_defined(child, grammar, depth + 1) for child in node.named_children if depth < 8]
        found = [(inner, names) for inner, names in found if inner is not None]
        if len(found) == 1:
            return found[0]
        if not found and kind == "export_statement" and node.child_by_field_name("value") is not None:
            return node, ("default",)
    return None, None


def _start(siblings: Sequence[Node], index: int, source: bytes, grammar: Grammar) -> int:
    """Back over the comments and attributes that stand right above, then over the indentation."""
    first = siblings[index]
    for number in range(index - 1, -1, -1):
        before = siblings[number]
        if before.type not in grammar.leading or indent_start(before.start_byte, source) is None:
            break
        if source[before.start_byte : before.start_byte + 3] == b"//!":
            break
        between = source[before.end_byte : first.start_byte]
        ends_with_line = source[before.end_byte - 1 : before.end_byte] == b"\n"
        if between.count(b"\n") + ends_with_line > 1:
            break
        first = before
    line = indent_start(first.start_byte, source)
    return first.start_byte if line is None else line


def indent_start(position: int, source: bytes) -> int | None:
    """Where the line begins when there is only white space before the position on it; else None."""
    while position > 0 and source[position - 1] in b" \t\x0b\x0c":
        position -= 1
    return position if position == 0 or source[position - 1] in b"\r\n" else None


def _end(siblings: Sequence[Node], index: int, grammar: Grammar) -> int:
    """Forward over a semicolon or a comment on the last line."""
    last = siblings[index]
    for after in siblings[index + 1 : index + 4]:
        closes = after.type in _TRAILING or after.type in grammar.leading
        if not closes or after.start_point.row != last.end_point.row or last.end_point.column == 0:
            break
        last = after
    return last.end_byte
