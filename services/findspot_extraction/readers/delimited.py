"""CSV and TSV: one table, rendered a row a line, with the column names found in the file."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from findspot.model import BlockKind, ExtractedDocument, Notice
from findspot_extraction.readers.stamps import READER_STAMPS

from .decoding import decode
from .reader import ReadLimits, Source, check_length
from .rendering import Rendering, one_line

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_RECORDS = 100
_SAMPLE_CHARACTERS = 65_536
_STATED = re.compile(r"sep=(.)(?:\r\n|\r|\n)", re.I)
_NUMBER = re.compile(r"[-+(]?[$€£]?\d[\d.,' ]*(?:[eE][-+]?\d+)?\s*[%)]?")
_YEAR = re.compile(r"(?:19|20)\d\d")

# The module's own limit of 128 KiB a field would refuse files that the size limit lets in.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class _Parsed:
    rows: list[list[str]]
    warnings: tuple[Notice, ...] = ()


class DelimitedReader:
    """Reads values separated by comma, semicolon, tab or bar, with quotes as spreadsheets write them."""

    stamp = READER_STAMPS["delimited"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Ragged rows stay as they are; unbalanced quotes are read as characters, with a warning."""
        decoded = decode(source.data, language=source.language)
        check_length(decoded.text, limits)
        stated = _STATED.match(decoded.text)
        text = decoded.text[stated.end() :] if stated else decoded.text
        delimiter = stated.group(1) if stated else _delimiter(text, tab_first=source.document_type == "tsv")
        parsed = _records(text, delimiter)
        out = Rendering()
        warnings = parsed.warnings + _render(parsed.rows, out)
        return ExtractedDocument(
            text=out.text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            language=source.language,
            blocks=tuple(out.blocks),
            warnings=decoded.warnings + warnings,
            extractor_stamp=self.stamp,
        )


READER = DelimitedReader()


def _delimiter(text: str, *, tab_first: bool) -> str:
    """The candidate that cuts most records into the same number of fields; the more fields, the better."""
    sample = text[:_SAMPLE_CHARACTERS]
    best, best_score = "\t" if tab_first else ",", (0.0, 0)
    for candidate in ("\t", *_DELIMITERS) if tab_first else _DELIMITERS:
        reader = csv.reader(io.StringIO(sample, newline=""), delimiter=candidate, skipinitialspace=True)
        widths = Counter(
            len(record) for record, _ in zip(reader, range(_SAMPLE_RECORDS), strict=False) if record
        )
        widths.pop(1, None) if len(widths) > 1 and len(text) > len(sample) else None
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        score = (count / widths.total() if width > 1 else 0.0, width)
        if score > best_score:
            best, best_score = candidate, score
    return best


def _records(text: str, delimiter: str) -> _Parsed:
    try:
        return _Parsed(_cells(text, delimiter, strict=True))
    except csv.Error as problem:
        if "unexpected end of data" not in str(problem):
            # Characters after a closing quote: common, and read as part of the field.
            return _Parsed(_cells(text, delimiter))
    notice = Notice("QUOTES_UNBALANCED", "A quote is never closed: quotes were read as ordinary characters.")
    return _Parsed(_cells(text, delimiter, quotes=False), (notice,))


def _cells(text: str, delimiter: str, *, strict: bool = False, quotes: bool = True) -> list[list[str]]:
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        skipinitialspace=True,
        strict=strict,
        quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
    )
    rows = ([one_line(cell) for cell in record] for record in reader)
    return [row for row in rows if any(row)]


def _render(rows: list[list[str]], out: Rendering) -> tuple[Notice, ...]:
    if not rows:
        return ()
    titles, body = _titles(rows)
    caption = " ".join(titles)
    out.block(BlockKind.CAPTION, caption)
    header_rows = 1 if _has_header(body) else 0
    columns = tuple(body[0]) if header_rows else ()
    out.table(body, columns=columns, header_rows=header_rows, caption=caption)
    usual = Counter(map(len, body)).most_common(1)[0][0]
    ragged = sum(len(row) != usual for row in body)
    if not ragged:
        return ()
    return (Notice("ROWS_RAGGED", f"{ragged:,} of {len(body):,} rows have not {usual} cells as the others."),)


def _titles(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Rows above the table with one filled cell, such as the name of the export, are its caption."""
    wide = max(sum(map(bool, row)) for row in rows[:_SAMPLE_RECORDS])
    titles: list[str] = []
    for number, row in enumerate(rows[:5]):
        if wide < 2 or sum(map(bool, row)) > 1:
            return titles, rows[number:]
        titles.append(" ".join(filter(None, row)))
    return [], rows


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """False when the first row is like the others: numbers where they have numbers, and no years as names."""
    if len(rows) < 2:
        return False
    first, data = rows[0], rows[1:_SAMPLE_RECORDS]
    numbers = [column for column, cell in enumerate(first) if _NUMBER.fullmatch(cell)]
    if not numbers or all(_YEAR.fullmatch(first[column]) for column in numbers):
        return True
    below = [[row[column] for row in data if column < len(row) and row[column]] for column in numbers]
    return not all(cells and all(_NUMBER.fullmatch(cell) for cell in cells) for cells in below)
