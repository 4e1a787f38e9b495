"""Jupyter notebooks: cells in order, Markdown with its structure, code in the language of the kernel.

Outputs are left out and counted in a warning: they repeat what the code and the prose around it say, are often
pictures, and change with every run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from findspot.model import Block, BlockKind, ExtractedDocument, Notice
from findspot_extraction.readers.stamps import READER_STAMPS

from .decoding import decode
from .joining import Joining
from .lines import paragraphs
from .markdown import read_blocks
from .reader import ReadLimits, Source, corrupt
from .rendering import one_line


class NotebookReader:
    """Reads formats 3 and 4 of notebooks. Raises DOCUMENT_CORRUPT where the file is no notebook."""

    stamp = READER_STAMPS["notebook"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """The text is the sources of the cells, an empty line between them."""
        decoded = decode(source.data, language=source.language)
        notebook = _parsed(decoded.text)
        language = _language(notebook)
        out = Joining(limits)
        outputs = 0
        for cell in _cells(notebook):
            outputs += len(_list(cell.get("outputs")))
            text, blocks = _read_cell(cell, language)
            out.add(text, blocks)
        stated = notebook.get("metadata")
        title = stated.get("title") if isinstance(stated, Mapping) else None
        first = (b.title for b in out.blocks if b.kind is BlockKind.HEADING and b.level == 1 and b.title)
        metadata = {"kernel_language": language} if language else {}
        return ExtractedDocument(
            text=out.text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=one_line(_valid(title)) if isinstance(title, str) and title.strip() else next(first, ""),
            language=source.language,
            blocks=tuple(out.blocks),
            metadata=metadata,
            warnings=decoded.warnings + _notices(outputs),
            extractor_stamp=self.stamp,
        )


READER = NotebookReader()


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise corrupt(f"The notebook is no valid JSON: {problem}.") from problem
    if not isinstance(notebook, Mapping) or not ("cells" in notebook or "worksheets" in notebook):
        raise corrupt("The JSON is no notebook: it has neither cells nor worksheets.")
    return notebook


def _cells(notebook: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    sheets = [notebook, *_list(notebook.get("worksheets"))]
    for sheet in sheets:
        for cell in _list(sheet.get("cells")) if isinstance(sheet, Mapping) else ():
            if isinstance(cell, Mapping):
                yield cell


def _read_cell(cell: Mapping[str, Any], language: str) -> tuple[str, tuple[Block, ...]]:
    kind = cell.get("cell_type")
    text = _source(cell.get("source", cell.get("input", "")))
    if not text.strip():
        return "", ()
    if kind == "code":
        text = text.strip("\r\n")
        stated = cell.get("language")
        named = language or (stated if isinstance(stated, str) else "")
        return text, (Block(BlockKind.CODE, 0, len(text.rstrip()), language=named),)
    if kind == "heading":
        words, level = one_line(text), cell.get("level", 1)
        depth = level if isinstance(level, int) and 1 <= level <= 6 else 1
        return words, (Block(BlockKind.HEADING, 0, len(words), level=depth, title=words),)
    if kind == "markdown":
        return text, read_blocks(text)
    return text, tuple(Block(BlockKind.PARAGRAPH, start, end) for start, end in paragraphs(text))


def _source(value: object) -> str:
    if isinstance(value, str):
        return _valid(value)
    return _valid("".join(line for line in _list(value) if isinstance(line, str)))


def _valid(words: str) -> str:
    """JSON may name halves of pairs by themselves, which no text may hold."""
    return words.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")


def _language(notebook: Mapping[str, Any]) -> str:
    metadata = notebook.get("metadata")
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        stated = metadata.get(part) if isinstance(metadata, Mapping) else None
        name = stated.get(key) if isinstance(stated, Mapping) else None
        if isinstance(name, str) and name.strip():
            return one_line(_valid(name)).lower()
    return ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _notices(outputs: int) -> tuple[Notice, ...]:
    if not outputs:
        return ()
    return (Notice("OUTPUTS_LEFT_OUT", f"{outputs:,} outputs of cells are not part of the text."),)
