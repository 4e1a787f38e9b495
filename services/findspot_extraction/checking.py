"""The last look at what a reader returned: nothing that cannot travel, nothing absurdly long where words belong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from findspot.model import Block, BlockKind, ExtractedDocument, Notice

# PostgreSQL takes no U+0000, and no encoding takes half a surrogate pair.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_LONGEST_TITLE = 1_000
_LONGEST_COLUMNS = 100_000
_LONGEST_VALUE = 20_000
_MOST_ENTRIES = 1_000


def checked(document: ExtractedDocument) -> ExtractedDocument:
    """The same document; what had to be changed is told in its warnings. Ranges never change."""
    text, replaced = _valid(document.text)
    blocks, too_long = _blocks(document.blocks)
    metadata, left_out = _metadata(document.metadata)
    title = _valid(document.title)[0]
    if len(title) > _LONGEST_TITLE:
        title, too_long = "", too_long + 1
    notices = list(document.warnings)
    if replaced:
        said = f"{replaced:,} characters that no text can hold (U+0000, halves of pairs) became U+FFFD."
        notices.append(Notice("INVALID_CHARACTERS", said))
    if too_long:
        notices.append(
            Notice("TITLE_TOO_LONG", f"{too_long:,} titles or column names are text only: too long.")
        )
    if left_out:
        notices.append(
            Notice("METADATA_CUT", f"{left_out:,} entries of the metadata were too long or too many.")
        )
    return replace(
        document, text=text, title=title, blocks=blocks, metadata=metadata, warnings=tuple(notices)
    )


def _valid(words: str) -> tuple[str, int]:
    """U+0000 and a lone surrogate become U+FFFD, length for length."""
    if words.isascii() and "\0" not in words:
        return words, 0
    return _UNSTORABLE.subn("\ufffd", words)


def _blocks(blocks: tuple[Block, ...]) -> tuple[tuple[Block, ...], int]:
    found = tuple(map(_bounded, blocks))
    changed = sum(new is not old for new, old in zip(found, blocks, strict=True))
    kept = found if changed else blocks
    return tuple(map(_with_valid_names, kept)), changed


def _with_valid_names(block: Block) -> Block:
    table = block.table
    names = (block.title, *block.symbol_path, *((table.caption, *table.columns) if table is not None else ()))
    if not any(_valid(name)[1] for name in names):
        return block
    if table is not None:
        columns = tuple(_valid(column)[0] for column in table.columns)
        table = replace(table, caption=_valid(table.caption)[0], columns=columns)
    symbols = tuple(_valid(symbol)[0] for symbol in block.symbol_path)
    return replace(block, title=_valid(block.title)[0], symbol_path=symbols, table=table)


def _bounded(block: Block) -> Block:
    if len(block.title) > _LONGEST_TITLE or sum(map(len, block.symbol_path)) > 4 * _LONGEST_TITLE:
        kind = BlockKind.CODE if block.kind is BlockKind.DEFINITION else BlockKind.PARAGRAPH
        return replace(block, kind=kind, level=0, title="", symbol_path=())
    if len(block.language) > _LONGEST_TITLE:
        return replace(block, language="")
    table = block.table
    if table is not None and sum(map(len, table.columns)) + len(table.caption) > _LONGEST_COLUMNS:
        return replace(block, table=replace(table, columns=(), header_rows=0, caption=""))
    return block


def _metadata(metadata: Mapping[str, str]) -> tuple[Mapping[str, str], int]:
    kept = {
        _valid(key)[0]: _valid(value)[0]
        for key, value in list(metadata.items())[:_MOST_ENTRIES]
        if len(key) <= _LONGEST_TITLE and len(value) <= _LONGEST_VALUE
    }
    return kept, len(metadata) - len(kept)
