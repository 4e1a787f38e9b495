"""Markdown: the source without its front matter is the text; headings, lists, fences, tables are blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from findspot.model import Block, BlockKind, ExtractedDocument, Table
from findspot_extraction.readers.stamps import READER_STAMPS

from .decoding import decode
from .front_matter import front_matter
from .lines import Lines
from .markdown_tables import table_row
from .markdown_words import plain_words
from .reader import ReadLimits, Source, check_length

_ATTRIBUTES = re.compile(r"\s*\{\s*[#.:][^{}]*\}\s*$")
_CAPTION = re.compile(
    r"(?:Table|Tab\.|Tabelle|Tableau|Tabla|Tabella|Figure|Fig\.)\s+[\w.-]{1,12}[.:\u2013-]", re.I
)
_FENCE_WORD = re.compile(r"\{?\s*\.?([^\s,{}:;]+)")
_NESTING = 100
"""Containers inside each other that are told apart: deeper ones are text of the last."""


class MarkdownReader:
    """Reads CommonMark with tables and footnotes. A block takes whole lines; quotes hold no headings."""

    stamp = READER_STAMPS["markdown"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Every source is valid Markdown: nothing here fails on content but its length."""
        decoded = decode(source.data, language=source.language)
        check_length(decoded.text, limits)
        front = front_matter(decoded.text)
        text = decoded.text[front.end :]
        blocks = read_blocks(text) if text.strip() else ()
        first = next(
            (b.title for b in blocks if b.kind is BlockKind.HEADING and b.level == 1 and b.title), ""
        )
        stated = front.metadata.get("lang", "") or front.metadata.get("language", "")
        return ExtractedDocument(
            text=text if text.strip() else "",
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=" ".join(front.metadata.get("title", "").split()) or first,
            language=source.language or stated,
            blocks=blocks,
            metadata=front.metadata,
            warnings=decoded.warnings + front.warnings,
            extractor_stamp=self.stamp,
        )


READER = MarkdownReader()


def read_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a source, ordered and apart; together they hold every non-blank line."""
    lines = Lines.of(text)
    environment: dict[str, object] = {}
    tokens = _parser().parse(text, environment)
    walk = _Walk(lines, environment)
    for index, token in enumerate(tokens):
        walk.visit(token, tokens, index)
    return _with_captions(text, _with_rest(lines, walk.leaves))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table").use(footnote_plugin)
    # Blocks only: inline marks are parsed for headings and column names alone, which is several times faster.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A block with the lines (half open) that it takes."""

    block: Block
    first: int
    end: int


class _Walk:
    """One pass over the block tokens, keeping what encloses the current one."""

    def __init__(self, lines: Lines, environment: dict[str, object]) -> None:
        self.lines = lines
        self.environment = environment
        self.leaves: list[_Leaf] = []
        self.containers: list[tuple[str, int]] = []

    def visit(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        """Take one token: containers are remembered, leaves become blocks."""
        if token.type in ("blockquote_open", "list_item_open", "footnote_reference_open"):
            self.containers.append((token.type, token.map[0] if token.map else -1))
        elif token.type in ("blockquote_close", "list_item_close", "footnote_reference_close"):
            self.containers.pop()
        elif token.map is None:
            return
        elif token.type == "heading_open":
            self._heading(token, tokens[index + 1])
        elif token.type in ("paragraph_open", "html_block"):
            self._add(token, self._prose_kind(), level=self._list_depth())
        elif token.type in ("fence", "code_block"):
            self._add(token, BlockKind.CODE, language=_fence_language(token.info))
        elif token.type == "table_open":
            self._table(token, tokens, index)

    def _prose_kind(self) -> BlockKind:
        kinds = {kind for kind, _ in self.containers}
        if "footnote_reference_open" in kinds:
            return BlockKind.FOOTNOTE
        if "blockquote_open" in kinds:
            return BlockKind.QUOTE
        return BlockKind.LIST_ITEM if self.containers else BlockKind.PARAGRAPH

    def _list_depth(self) -> int:
        if self._prose_kind() is not BlockKind.LIST_ITEM:
            return 0
        return sum(kind == "list_item_open" for kind, _ in self.containers)

    def _heading(self, token: Token, inline: Token) -> None:
        if self.containers:
            # A heading in a quote or a list item names that piece, not what comes after it.
            self._add(token, self._prose_kind(), level=self._list_depth())
            return
        title = plain_words(inline.content, self.environment)
        self._add(token, BlockKind.HEADING, level=int(token.tag[1:]), title=_ATTRIBUTES.sub("", title))

    def _table(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        columns: list[str] = []
        numbers: list[int] = []
        for inner in tokens[index + 1 :]:
            if inner.type == "table_close":
                break
            if inner.type == "tr_open" and inner.map:
                numbers.append(inner.map[0])
            elif inner.type == "inline" and len(numbers) == 1:
                columns.append(plain_words(inner.content, self.environment))
        visible = (number for number in numbers if not self.lines.is_blank(number))
        rows = tuple(table_row(self.lines, number, self.containers) for number in visible)
        self._add(token, BlockKind.TABLE, table=Table(tuple(columns), rows, header_rows=1))

    def _add(
        self,
        token: Token,
        kind: BlockKind,
        *,
        level: int = 0,
        title: str = "",
        language: str = "",
        table: Table | None = None,
    ) -> None:
        assert token.map is not None
        first, end = token.map
        end = min(end, len(self.lines))
        while end > first and self.lines.is_blank(end - 1):
            end -= 1
        if end == first:
            # White space that the format does not know as such, a no-break space: nothing to see.
            return
        start, stop = _whole_lines(self.lines, first, end, keep_indent=kind is BlockKind.CODE)
        block = Block(kind, start, stop, level=level, title=title, language=language, table=table)
        self.leaves.append(_Leaf(block, first, end))


def _whole_lines(lines: Lines, first: int, end: int, *, keep_indent: bool) -> tuple[int, int]:
    line = lines.line(first)
    indent = 0 if keep_indent else len(line) - len(line.lstrip())
    last = lines.line(end - 1)
    return lines.starts[first] + indent, lines.starts[end - 1] + len(last.rstrip())


def _with_rest(lines: Lines, leaves: Sequence[_Leaf]) -> list[Block]:
    """Lines that no leaf took (rules, link definitions, quote marks) become blocks of their own."""
    blocks: list[Block] = []
    taken = 0
    for leaf in sorted(leaves, key=lambda leaf: leaf.first):
        if leaf.first < taken:
            continue
        _rest(lines, taken, leaf.first, blocks)
        blocks.append(leaf.block)
        taken = leaf.end
    _rest(lines, taken, len(lines), blocks)
    return blocks


def _rest(lines: Lines, first: int, end: int, blocks: list[Block]) -> None:
    run: list[int] = []
    for number in (*range(first, end), -1):
        words = lines.line(number).strip() if number >= 0 else ""
        only_marks = bool(words) and not words.strip("> \t")
        if only_marks and not run and blocks and blocks[-1].kind is BlockKind.QUOTE:
            blocks[-1] = replace(blocks[-1], end=lines.starts[number] + len(lines.line(number).rstrip()))
        elif words:
            run.append(number)
        elif run:
            start, stop = _whole_lines(lines, run[0], run[-1] + 1, keep_indent=False)
            kind = BlockKind.QUOTE if lines.line(run[0]).lstrip().startswith(">") else BlockKind.PARAGRAPH
            blocks.append(Block(kind, start, stop))
            run = []


def _with_captions(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """A paragraph like `Table 4: levels` right before or after a table is its caption."""
    found = list(blocks)
    for index, block in enumerate(found):
        if block.table is None:
            continue
        for beside in (index - 1, index + 1):
            if not 0 <= beside < len(found) or found[beside].kind is not BlockKind.PARAGRAPH:
                continue
            words = text[found[beside].start : found[beside].end]
            if len(words) <= 300 and _CAPTION.match(words.lstrip("*_ ")):
                found[beside] = replace(found[beside], kind=BlockKind.CAPTION)
                found[index] = replace(block, table=replace(block.table, caption=plain_words(words, {})))
                break
    return tuple(found)


def _fence_language(info: str) -> str:
    word = _FENCE_WORD.match(info.strip())
    return word.group(1) if word else ""
