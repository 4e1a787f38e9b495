"""Source code: the decoded file is the text; its definitions, and the code between them, are the blocks.

Blocks are flat and in order. A function is one DEFINITION block. A class is a DEFINITION block that ends
where its first member begins, then the blocks of its members one level deeper, and CODE blocks with the path
of the class for what stands between and after them. So the blocks whose `symbol_path` begins with the path of
a class are the whole class. CODE blocks without a path are imports and statements of the file itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from tree_sitter import Parser

from findspot.model import Block, BlockKind, ExtractedDocument, Notice
from findspot_extraction.readers.stamps import READER_STAMPS

from .code_definitions import Definition, definitions, indent_start
from .code_grammars import GRAMMARS, language
from .decoding import decode
from .reader import ReadLimits, Source, check_length

_LARGEST_PARSED = 4_000_000
"""Bytes. A syntax tree takes a hundred times the memory of its source; what people write is far below this."""


class CodeReader:
    """Reads the languages of `code_grammars`. A file with syntax errors is read as far as it parses."""

    stamp = READER_STAMPS["code"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Fails on nothing but length: where the grammar is lost, text stays in code blocks."""
        decoded = decode(source.data, language=source.language)
        check_length(decoded.text, limits)
        profile = source.profile
        text = decoded.text if decoded.text.strip() else ""
        blocks, warnings = read_code(text, profile.grammar) if text else ((), ())
        return ExtractedDocument(
            text=text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=profile.category,
            blocks=blocks,
            warnings=decoded.warnings + warnings,
            extractor_stamp=self.stamp,
        )


READER = CodeReader()


def read_code(text: str, grammar: str) -> tuple[tuple[Block, ...], tuple[Notice, ...]]:
    """Blocks over every non-blank character of a source, and a notice when it does not parse wholly, or is too long."""
    source = text.encode()
    if len(source) > _LARGEST_PARSED:
        writer = _Writer(text, source, grammar)
        writer.region(0, len(source), (), ())
        return writer.placed(), (
            Notice(
                "CODE_NOT_PARSED",
                f"The code has {len(source):,} bytes; definitions are looked for in up to {_LARGEST_PARSED:,}. "
                "Its text is whole.",
            ),
        )
    tree = Parser(language(grammar)).parse(source)
    found = definitions(tree.root_node, source, GRAMMARS[grammar])
    writer = _Writer(text, source, grammar)
    writer.region(0, len(source), found, ())
    notice = Notice(
        "SYNTAX_ERRORS", f"The file does not parse wholly as {grammar}: definitions may be missing."
    )
    return writer.placed(), (notice,) if tree.root_node.has_error else ()


class _Writer:
    """Cuts byte ranges into blocks, then turns all byte offsets into code points at once."""

    def __init__(self, text: str, source: bytes, grammar: str) -> None:
        self.text = text
        self.source = source
        self.grammar = grammar
        self.blocks: list[Block] = []

    def region(
        self, start: int, end: int, inner: Sequence[Definition], path: tuple[str, ...], level: int = 1
    ) -> None:
        """Everything between two offsets: definitions, and the code around them under `path`."""
        position = start
        for definition in inner:
            first = max(definition.start, position)
            last = min(definition.end, end)
            if last <= first:
                continue
            self._block(BlockKind.CODE, position, first, path, 0)
            self._definition(definition, first, last, path, level)
            position = last
        self._block(BlockKind.CODE, position, end, path, 0)

    def _definition(
        self, definition: Definition, start: int, end: int, outer: tuple[str, ...], level: int
    ) -> None:
        path = outer + definition.names
        head = definition.inner[0].start if definition.inner else end
        head = min(max(head, start), end)
        self._block(BlockKind.DEFINITION, start, head, path, level)
        if definition.inner:
            self.region(head, end, definition.inner, path, level + 1)

    def _block(self, kind: BlockKind, start: int, end: int, path: tuple[str, ...], level: int) -> None:
        words = self.source[start:end]
        if not words.decode().strip():
            return
        first = start + len(words) - len(words.lstrip())
        line = indent_start(first, self.source)
        first = first if line is None else max(start, line)
        end = start + len(words.rstrip())
        title = path[-1] if path and kind is BlockKind.DEFINITION else ""
        self.blocks.append(
            Block(kind, first, end, level=level, title=title, language=self.grammar, symbol_path=path)
        )

    def placed(self) -> tuple[Block, ...]:
        """The blocks with their ranges in code points."""
        if self.text.isascii():
            return tuple(self.blocks)
        offsets = sorted({offset for block in self.blocks for offset in (block.start, block.end)})
        points: list[int] = []
        position = count = 0
        for offset in offsets:
            count += len(self.source[position:offset].decode())
            points.append(count)
            position = offset

        def point(offset: int) -> int:
            return points[bisect_left(offsets, offset)]

        return tuple(
            Block(
                block.kind,
                point(block.start),
                point(block.end),
                level=block.level,
                title=block.title,
                language=block.language,
                symbol_path=block.symbol_path,
            )
            for block in self.blocks
        )
