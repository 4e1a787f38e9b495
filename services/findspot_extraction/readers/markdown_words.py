"""The words of a line of Markdown: what a heading or a column is called, without its marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

_MARKS = re.compile(r"[\\`*_~\[\]!<>&^\n]")


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("strikethrough").use(footnote_plugin)


def plain_words(source: str, environment: dict[str, object]) -> str:
    """Markdown without its marks: links and images leave their words, tags nothing, entities decode."""
    if not _MARKS.search(source):
        return " ".join(source.split())
    pieces: list[str] = []
    for token in _inline_parser().parseInline(source, dict(environment)):
        _collect(token.children or (), pieces)
    return " ".join("".join(pieces).split())


def _collect(tokens: Sequence[Token], pieces: list[str]) -> None:
    for token in tokens:
        if token.type in ("text", "code_inline", "text_special"):
            pieces.append(token.content)
        elif token.type in ("softbreak", "hardbreak") or token.content.lower().startswith("<br"):
            pieces.append(" ")
        elif token.type == "image":
            _collect(token.children or (), pieces)
