"""What counts as a definition in each programming language, in the node names of its tree-sitter grammar."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from tree_sitter import Language


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar of one language and the roles of its nodes."""

    module: str
    leaves: frozenset[str]
    """Definitions that are kept whole: functions, methods, types without members of their own."""
    containers: frozenset[str]
    """Definitions that hold others: classes, modules, implementations."""
    wrappers: frozenset[str] = frozenset()
    """Nodes around one definition that belong to it: decorators, `export`, `template<...>`."""
    transparent: frozenset[str] = frozenset()
    """Nodes that are searched and name nothing: bodies, conditional compilation."""
    leading: frozenset[str] = field(default_factory=lambda: frozenset(("comment",)))
    """Nodes right before a definition that belong to it: comments, attributes."""
    function: str = "language"
    """The function of the module that gives the language."""


_C_LEAVES = "function_definition enum_specifier type_definition preproc_function_def"
_C_PREPROCESSOR = "preproc_ifdef preproc_if preproc_else preproc_elif preproc_elifdef linkage_specification"
_JS_LEAVES = "function_declaration generator_function_declaration method_definition"
_JS_VALUES = "lexical_declaration variable_declaration expression_statement"
_TS = Grammar(
    "tree_sitter_typescript",
    _names(
        f"{_JS_LEAVES} {_JS_VALUES} interface_declaration type_alias_declaration enum_declaration"
        " function_signature"
    ),
    _names("class_declaration abstract_class_declaration class internal_module module"),
    _names("export_statement ambient_declaration"),
    _names("class_body statement_block ERROR"),
    function="language_typescript",
)
_TSX = Grammar(_TS.module, _TS.leaves, _TS.containers, _TS.wrappers, _TS.transparent, function="language_tsx")

GRAMMARS: dict[str, Grammar] = {
    "python": Grammar(
        "tree_sitter_python",
        _names("function_definition"),
        _names("class_definition"),
        _names("decorated_definition"),
        _names(
            "block if_statement elif_clause else_clause try_statement except_clause finally_clause"
            " with_statement ERROR"
        ),
    ),
    "javascript": Grammar(
        "tree_sitter_javascript",
        _names(f"{_JS_LEAVES} {_JS_VALUES}"),
        _names("class_declaration class"),
        _names("export_statement"),
        _names("class_body statement_block ERROR"),
    ),
    "typescript": _TS,
    "tsx": _TSX,
    "rust": Grammar(
        "tree_sitter_rust",
        _names(
            "function_item function_signature_item struct_item enum_item union_item type_item const_item"
            " static_item macro_definition"
        ),
        _names("impl_item trait_item mod_item"),
        transparent=_names("declaration_list foreign_mod_item ERROR"),
        leading=_names("line_comment block_comment attribute_item"),
    ),
    "go": Grammar(
        "tree_sitter_go",
        _names("function_declaration method_declaration type_spec type_alias"),
        frozenset(),
        _names("type_declaration"),
        _names("ERROR"),
    ),
    "java": Grammar(
        "tree_sitter_java",
        _names("method_declaration constructor_declaration compact_constructor_declaration"),
        _names(
            "class_declaration interface_declaration enum_declaration record_declaration"
            " annotation_type_declaration"
        ),
        transparent=_names("class_body interface_body enum_body enum_body_declarations ERROR"),
        leading=_names("line_comment block_comment"),
    ),
    "c": Grammar(
        "tree_sitter_c",
        _names(f"{_C_LEAVES} struct_specifier union_specifier"),
        frozenset(),
        _names("declaration"),
        _names(f"{_C_PREPROCESSOR} declaration_list ERROR"),
    ),
    "cpp": Grammar(
        "tree_sitter_cpp",
        _names(f"{_C_LEAVES} alias_declaration concept_definition"),
        _names("class_specifier struct_specifier union_specifier namespace_definition"),
        _names("declaration template_declaration"),
        _names(f"{_C_PREPROCESSOR} declaration_list field_declaration_list field_declaration ERROR"),
    ),
    "c_sharp": Grammar(
        "tree_sitter_c_sharp",
        _names(
            "method_declaration constructor_declaration destructor_declaration property_declaration"
            " operator_declaration conversion_operator_declaration indexer_declaration event_declaration"
            " enum_declaration delegate_declaration"
        ),
        _names(
            "class_declaration struct_declaration interface_declaration record_declaration"
            " namespace_declaration"
        ),
        transparent=_names("declaration_list preproc_if preproc_else preproc_elif ERROR"),
    ),
    "ruby": Grammar(
        "tree_sitter_ruby",
        _names("method singleton_method"),
        _names("class module singleton_class"),
        transparent=_names("body_statement ERROR"),
    ),
    "php": Grammar(
        "tree_sitter_php",
        _names("function_definition method_declaration"),
        _names(
            "class_declaration interface_declaration trait_declaration enum_declaration namespace_definition"
        ),
        transparent=_names("declaration_list enum_declaration_list compound_statement ERROR"),
        function="language_php",
    ),
    "bash": Grammar("tree_sitter_bash", _names("function_definition"), frozenset()),
}


@cache
def language(name: str) -> Language:
    """The compiled grammar by its name in `GRAMMARS`; its module is imported on first use."""
    grammar = GRAMMARS[name]
    return Language(getattr(import_module(grammar.module), grammar.function)())
