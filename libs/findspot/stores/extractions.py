"""What extraction read of a file, as one blob whose parts can be read one by one: the words of one page, say.

    "FSX1" | length of the index, 4 bytes little endian | index | frames

The index is JSON: for each frame its offset behind the index and its length. Frames are compressed JSON:
`document` (all but text, blocks and words), `blocks`, and `words/<page>` one a page, column by column.
The full text is a blob of its own.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from collections.abc import Iterable, Mapping
from typing import Any

import zstandard

from findspot.errors import DataLoss
from findspot.model import (
    Block,
    BlockKind,
    Box,
    ExtractedDocument,
    Marginalia,
    MarginaliaKind,
    Notice,
    OutlineEntry,
    Page,
    PageKind,
    Reader,
    Span,
    Table,
    TableRow,
    Words,
)
from findspot.stores.blobs import BlobStore

_MAGIC = b"FSX1"
_HEAD = struct.Struct("<4sI")
_LEVEL = 3
# A coordinate is a fraction of a page: five digits are a hundredth of a point on a page of 1,000 points.
DIGITS = 5


def encode(document: ExtractedDocument) -> bytes:
    """The blob of an extracted document, without its text."""
    compressor = zstandard.ZstdCompressor(_LEVEL)
    frames = {name: compressor.compress(_json(value)) for name, value in _frames(document)}
    index: dict[str, tuple[int, int]] = {}
    offset = 0
    for name, frame in frames.items():
        index[name] = (offset, len(frame))
        offset += len(frame)
    head = _json(index)
    return b"".join([_HEAD.pack(_MAGIC, len(head)), head, *frames.values()])


def _frames(document: ExtractedDocument) -> Iterable[tuple[str, Any]]:
    apart = ("text", "blocks", "words")
    described = {
        f.name: getattr(document, f.name) for f in dataclasses.fields(document) if f.name not in apart
    }
    yield "document", _plain(described)
    yield "blocks", [_plain(block) for block in document.blocks]
    for words in document.words:
        boxes = [round(value, DIGITS) for value in words.boxes]
        yield f"words/{words.page}", [words.starts, words.lengths, boxes]


class StoredExtraction:
    """Reads an extraction blob piece by piece."""

    def __init__(self, blobs: BlobStore, key: str) -> None:
        """Reads the index; DataLoss when the blob is not one of these."""
        self._blobs = blobs
        self._key = key
        head = blobs.get_range(key, 0, _HEAD.size)
        magic, length = _HEAD.unpack(head) if len(head) == _HEAD.size else (b"", 0)
        if magic != _MAGIC:
            raise DataLoss(f"Blob {key} is no extraction result: it begins with {magic!r}, not {_MAGIC!r}.")
        self._base = _HEAD.size + length
        self._index: dict[str, list[int]] = json.loads(blobs.get_range(key, _HEAD.size, length))

    def pages_with_words(self) -> tuple[int, ...]:
        """Numbers of the pages whose words have boxes."""
        return tuple(int(name[6:]) for name in self._index if name.startswith("words/"))

    def words(self, page: int) -> Words | None:
        """The words of one page; None when it has none with boxes."""
        frame = self._frame(f"words/{page}")
        if frame is None:
            return None
        starts, lengths, boxes = frame
        return Words(page, tuple(starts), tuple(lengths), tuple(boxes))

    def blocks(self) -> tuple[Block, ...]:
        """The blocks in reading order."""
        return tuple(_block(row) for row in self._frame("blocks") or ())

    def document(self, text: str = "", *, whole: bool = False) -> ExtractedDocument:
        """Everything but blocks and words; with them when `whole`. `text` comes from the text's own blob."""
        row = self._frame("document")
        if row is None:
            raise DataLoss(f"Extraction blob {self._key} has no document frame.")
        row |= {
            "pages": tuple(_page(page) for page in row["pages"]),
            "marginalia": tuple(_marginalia(item) for item in row["marginalia"]),
            "outline": tuple(OutlineEntry(**entry) for entry in row["outline"]),
            "warnings": tuple(Notice(**notice) for notice in row["warnings"]),
        }
        if whole:
            words = (self.words(page) for page in self.pages_with_words())
            row |= {"blocks": self.blocks(), "words": tuple(found for found in words if found is not None)}
        return ExtractedDocument(text=text, **row)

    def _frame(self, name: str) -> Any | None:
        if name not in self._index:
            return None
        offset, length = self._index[name]
        stored = self._blobs.get_range(self._key, self._base + offset, length)
        try:
            return json.loads(zstandard.decompress(stored))
        except (zstandard.ZstdError, ValueError) as error:
            raise DataLoss(f"Frame {name} of extraction blob {self._key} is damaged: {error}.") from error


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    """Dataclasses as dicts without their default values: most fields of most blocks have those."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            f.name: _plain(found)
            for f in dataclasses.fields(value)
            if (found := getattr(value, f.name)) != f.default
        }
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


def _block(row: dict[str, Any]) -> Block:
    row["kind"] = BlockKind(row["kind"])
    if "symbol_path" in row:
        row["symbol_path"] = tuple(row["symbol_path"])
    if row.get("table") is not None:
        row["table"] = _table(row["table"])
    return Block(**row)


def _table(row: dict[str, Any]) -> Table:
    rows = tuple(
        TableRow(r["start"], r["end"], tuple(Span(**cell) for cell in r.get("cells", ())))
        for r in row.get("rows", ())
    )
    return Table(**{**row, "columns": tuple(row.get("columns", ())), "rows": rows})


def _page(row: dict[str, Any]) -> Page:
    for name, enum in (("kind", PageKind), ("reader", Reader)):
        if name in row:
            row[name] = enum(row[name])
    return Page(**row)


def _marginalia(row: dict[str, Any]) -> Marginalia:
    box = row.pop("box", None)
    row["kind"] = MarginaliaKind(row["kind"])
    return Marginalia(**row, box=Box(**box) if box else None)
