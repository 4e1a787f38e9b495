"""The vocabulary that services share: documents, blocks, words, sections, chunks, callers. Frozen values, no wire.

All offsets are Unicode code points into the full text of a document; ranges are half open, `text[start:end]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    QUOTE = "quote"
    CODE = "code"
    DEFINITION = "definition"
    TABLE = "table"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    NOTE = "note"


class PageKind(StrEnum):
    """What a page of a document is, in the words of its format."""

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"


class Reader(StrEnum):
    """Who read a piece of text: the file's own text layer, optical character recognition, or a model."""

    TEXT_LAYER = "text_layer"
    OCR = "ocr"
    MODEL = "model"


class ChunkKind(StrEnum):
    """What a chunk holds: prose, code or rows of a table."""

    SECTION = "section"
    CODE = "code"
    TABLE = "table"


class Strategy(StrEnum):
    """How a document is cut into chunks."""

    SEMANTIC = "semantic"
    SYNTACTIC = "syntactic"
    PARAGRAPH = "paragraph"
    SENTENCE = "sentence"
    SLIDING_WINDOW = "sliding_window"
    RECURSIVE = "recursive"


class InputType(StrEnum):
    """Which side of retrieval a text is on: asymmetric models embed the two differently."""

    DOCUMENT = "document"
    QUERY = "query"


class DocumentState(StrEnum):
    """Where a document stands: CHUNKED is found by text, INDEXED by vectors too; the last three are ends without."""

    PENDING = "PENDING"
    EXTRACTING = "EXTRACTING"
    CHUNKED = "CHUNKED"
    INDEXED = "INDEXED"
    EMPTY = "EMPTY"
    FAILED = "FAILED"
    RETIRED = "RETIRED"


class Freshness(StrEnum):
    """How what can be found of a document relates to what its file holds now; derived when asked, never stored."""

    FRESH = "fresh"
    NOT_INDEXED = "not_indexed"
    INDEX_BEHIND_ROWS = "index_behind_rows"
    ROWS_BEHIND_FILE = "rows_behind_file"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page as displayed: fractions from 0 to 1, origin at the top left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PageBox:
    """A box and the page (from 1) it lies on."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Page:
    """A page, slide or sheet, and the range of the full text that it holds."""

    number: int
    """Physical position from 1."""
    start: int
    end: int
    kind: PageKind = PageKind.PAGE
    label: str = ""
    """The document's own label ("iv", "A-3"), or the sheet's name; empty when it has none."""
    width: float = 0.0
    """Displayed width in points; 0 when the format has no layout."""
    height: float = 0.0
    """Displayed height in points; 0 when the format has no layout."""
    reader: Reader = Reader.TEXT_LAYER
    confidence: float | None = None
    """Mean confidence of optical character recognition, 0 to 1; None where it did not read the page."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: its range, and the range of each cell in column order (separators are in no cell)."""

    start: int
    end: int
    cells: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The structure of a table block. The first `header_rows` rows name the columns."""

    columns: tuple[str, ...] = ()
    rows: tuple[TableRow, ...] = ()
    header_rows: int = 0
    caption: str = ""
    continues: bool = False
    """True when this table goes on from the table block before it, over a page break."""
    first_row: int = 1
    """Of a table on a sheet: the row of the sheet, from 1, of the table's first row."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of structure in reading order. Blocks do not overlap; blank text may stand between them."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    """Heading level from 1, nesting depth of a list item or definition from 1, else 0."""
    title: str = ""
    """Of a heading: its words, without markup. Of a definition: its name. Else empty."""
    language: str = ""
    """Of code: the language as written after the fence, or the grammar's name; else empty."""
    symbol_path: tuple[str, ...] = ()
    """Of a definition: the names from the outermost to its own."""
    page: int = 0
    """Page, slide or sheet (from 1) on which it begins; 0 when the format has none."""
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one page with their boxes, column by column: equal lengths, in reading order."""

    page: int
    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    boxes: tuple[float, ...]
    """x, y, width, height of each word: four floats a word, fractions of the displayed page."""


class MarginaliaKind(StrEnum):
    """Text that repeats around the pages and is kept out of the full text."""

    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"


@dataclass(frozen=True, slots=True)
class Marginalia:
    """A running head, foot or page number: kept apart, because it would win every search."""

    page: int
    kind: MarginaliaKind
    text: str
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One entry of the document's own table of contents; `page` is 0 when it names none."""

    level: int
    title: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a document that the caller should know, with a code to switch on."""

    code: str
    message: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """Everything that was read from one file. `text[b.start:b.end]` of every block and word is exact."""

    text: str
    document_type: str
    """The registry's name: `markdown`, `html`, `pdf`, `python`, ..."""
    media_type: str
    category: str = ""
    """`prose`, `code`, `table` or `data`: what decides the default strategy."""
    title: str = ""
    """The title that the document states (front matter, first heading, metadata); empty when it states none."""
    language: str = ""
    """BCP 47 tag of the prose as stated or detected; empty when unknown."""
    blocks: tuple[Block, ...] = ()
    pages: tuple[Page, ...] = ()
    words: tuple[Words, ...] = ()
    marginalia: tuple[Marginalia, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Front matter or document properties, flattened to strings."""
    warnings: tuple[Notice, ...] = ()
    extractor_stamp: str = ""
    """Name and version of the reader that made this: a change makes it worth reading again."""


@dataclass(frozen=True, slots=True)
class ChunkingOptions:
    """How to cut one document; None takes the profile's value."""

    strategy: Strategy | None = None
    size: int | None = None
    """Characters of context and text together, 1 to 20,000; what a collection is set to is at least 50."""
    overlap: int | None = None
    """Characters, 0 to size - 1."""
    token_cap: int | None = None
    """Tokens of context and text together; None takes the embedding model's input limit."""


@dataclass(frozen=True, slots=True)
class Section:
    """A run of text under one heading path: what a reader gets when one of its chunks matched."""

    index: int
    start: int
    end: int
    kind: ChunkKind = ChunkKind.SECTION
    heading_path: tuple[str, ...] = ()
    locator: str = ""
    page_start: int = 0
    page_end: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: the unit that is embedded, indexed, ranked and cited."""

    index: int
    """0-based, contiguous in its document."""
    section_index: int
    start: int
    end: int
    text: str
    """The exact slice of the full text."""
    context: str = ""
    """What is put before the text for embedding: title, heading path, sheet, caption, column names."""
    kind: ChunkKind = ChunkKind.SECTION
    language: str = ""
    heading_path: tuple[str, ...] = ()
    locator: str = ""
    page: int = 0
    """The page on which the chunk begins; 0 when the format has none."""
    overlap: int = 0
    """How many of its first characters the previous chunk ends with."""
    identifiers: tuple[str, ...] = ()
    contains_code: bool = False
    chunk_hash: str = ""
    occurrence: int = 0
    token_count: int | None = None
    """Tokens of context and text as the embedding model counts them; None when nobody counted."""


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """The sections and chunks of one document and the limit that bound them."""

    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    strategy: Strategy
    size: int
    overlap: int
    effective_limit: str = "CHARS"
    """CHARS or TOKENS: which limit ended most of the chunks that were ended by a limit."""
    token_cap: int | None = None
    warnings: tuple[Notice, ...] = ()
    chunker_stamp: str = ""


@dataclass(frozen=True, slots=True)
class EmbeddingIdentity:
    """What makes two vectors comparable. `key` is the hash of all of it; `display` is what people read."""

    key: str
    display: str
    """`name@dims`, for example `all-MiniLM-L6-v2-int8@384`."""
    name: str
    dimension: int
    input_limit: int
    """Tokens a text may have, special tokens included."""
    special_tokens: int = 2
    """How many of those the model adds to every text."""


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """A model that an embedding service was told to load, and how far it is."""

    identity: EmbeddingIdentity | None
    """None while nobody can know it: before a model other than the packaged one was loaded."""
    state: Literal["LOADING", "READY", "FAILED"]
    active: bool
    """True for the one that the service is configured with; the others are there for old vectors."""
    source: str = ""
    """What has to be put into the settings to have it loaded."""
    message: str = ""
    """What it is doing, or why it cannot be used."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `readable` holds the collection subtrees that may be seen; None means everything."""

    subject: str = "local"
    readable: tuple[str, ...] | None = None
    role: str = "admin"


EVERYTHING = Caller()


def may_read(caller: Caller, path: str) -> bool:
    """True when `path` is one of the caller's subtrees or lies below one."""
    if caller.readable is None:
        return True
    return any(path == root or path.startswith(root + "/") for root in caller.readable)
