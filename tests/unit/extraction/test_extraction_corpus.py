"""Real files of every format that is read here: the invariants hold, and what the format says is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from reading_checks import REGISTRY, cells, headings, read

from findspot.errors import FindspotError
from findspot.model import BlockKind
from findspot_extraction.readers.decoding import decode
from findspot_extraction.readers.front_matter import front_matter

_NOT_HERE = frozenset(("pdf",))
_CONTAINERS = frozenset(("docx", "pptx", "xlsx", "xls", "ods", "epub"))
"""Formats that a file may fail to be: some of the real ones are damaged or hostile on purpose."""
_REFUSALS = ("DOCUMENT_CORRUPT", "DOCUMENT_ENCRYPTED", "DOCUMENT_TOO_LARGE")


def readable(files: list[Path], *names: str) -> list[Path]:
    """The files of the types named; of all that are read here when none is."""
    found = []
    for file in files:
        row = REGISTRY.by_file_name(file.name)
        if (
            row is not None
            and row.readable
            and row.name not in _NOT_HERE
            and (not names or row.name in names)
        ):
            found.append(file)
    if not found:
        pytest.skip(f"no file of {', '.join(names) or 'a type that is read here'} among the real files")
    return found


def test_every_file_reads_and_a_tenth_reads_twice_alike(real_files: list[Path]) -> None:
    refused = contained = 0
    for number, file in enumerate(readable(real_files)):
        data = file.read_bytes()
        row = REGISTRY.by_file_name(file.name)
        assert row is not None
        contained += row.name in _CONTAINERS
        try:
            document = read(data, file.name)
        except FindspotError as refusal:
            if row.name not in _CONTAINERS or refusal.reason.name not in _REFUSALS:
                raise
            refused += 1
            continue
        assert document.extractor_stamp
        if number % 10 == 0:
            assert read(data, file.name) == document
    assert refused * 3 <= contained


def test_headings_of_markdown_are_those_of_the_format(real_files: list[Path]) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    for file in readable(real_files, "markdown")[::5]:
        text = decode(file.read_bytes()).text
        tokens = parser.parse(text[front_matter(text).end :])
        levels = [int(token.tag[1:]) for token in tokens if token.type == "heading_open" and token.level == 0]
        assert [level for level, _ in headings(read(text, file.name))] == levels, file.name


def test_cells_of_markdown_are_those_of_the_format(real_files: list[Path]) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    for file in readable(real_files, "markdown")[1::5]:
        document = read(file.read_bytes(), file.name)
        inside = False
        wanted: list[list[str]] = []
        for token in parser.parse(document.text):
            inside = token.type == "table_open" or (inside and token.type != "table_close")
            if inside and token.type == "tr_open":
                wanted.append([])
            elif inside and token.type == "inline":
                wanted[-1].append(token.content)
        found = [row for block in document.blocks if block.table for row in cells(document, block)]
        assert len(found) == len(wanted)
        for row, expected in zip(found, wanted, strict=True):
            # The format pads short rows and cuts long ones; here they stay as they are.
            padded = [cell.replace("\\|", "|") for cell in row] + [""] * len(expected)
            assert padded[: len(expected)] == expected, file.name


def test_code_keeps_every_character_and_finds_definitions(real_files: list[Path]) -> None:
    defined = 0
    for file in readable(real_files, "python", "rust", "java", "go", "cpp", "javascript"):
        document = read(file.read_bytes(), file.name)
        assert document.text == decode(file.read_bytes()).text
        defined += any(block.kind is BlockKind.DEFINITION for block in document.blocks)
    assert defined


def test_other_files_are_refused_by_name_or_not_at_all(real_files: list[Path]) -> None:
    for file in real_files:
        row = REGISTRY.by_file_name(file.name)
        if row is not None and not row.readable:
            with pytest.raises(FindspotError) as caught:
                read(file.read_bytes(), file.name)
            assert caught.value.reason.name in ("UNSUPPORTED_TYPE", "DOCUMENT_ENCRYPTED")
