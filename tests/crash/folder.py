"""A directory that a collection follows: files are changed on disk, and the collection is brought in line with it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from findspot.client import AsyncClient
from findspot.v1 import collection_pb2, indexing_pb2
from tests.crash.book import Book
from tests.crash.documents import Version, edited, written
from tests.stub_calls import call

COLLECTION = "crash/folder"
MOST_FILES = 8
FIRST_FILES = 4


@dataclass
class Folder:
    """The files as they are on disk, and what their documents were called before they were renamed."""

    root: Path
    files: dict[str, Version] = field(default_factory=dict)
    book: Book = field(default_factory=lambda: Book(COLLECTION))
    ids: dict[str, str] = field(default_factory=dict)
    """The document that each path must have when all is at rest: a file keeps it when it is renamed."""
    renamed: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    """Paths since then: with another name and another content at once it is another document."""
    made: int = 0

    async def begin(self, client: AsyncClient, chance: random.Random) -> None:
        """Makes the directory with its first files, and the collection."""
        self.root.mkdir()
        for _ in range(FIRST_FILES):
            self._write(self._new_path(chance), written(chance))
        source = collection_pb2.CollectionSource(
            directory=collection_pb2.DirectorySource(root=str(self.root))
        )
        made = collection_pb2.Collection(path=COLLECTION, source=source)
        await call(
            client.collections.CreateCollection, collection_pb2.CreateCollectionRequest(collection=made)
        )

    def change(self, chance: random.Random) -> str:
        """One change on disk; what it was."""
        paths = sorted(self.files)
        kinds = ["rename", "rename", "edit", "remove"] if len(paths) > 2 else []
        kinds += ["make"] if len(paths) < MOST_FILES else []
        path = chance.choice(paths) if paths else ""
        match chance.choice(kinds):
            case "rename":
                return self._rename(path, self._new_path(chance))
            case "edit":
                self._write(path, edited(self.files[path], chance))
                self.edited.add(path)
                if path in self.renamed:
                    self.ids.pop(path, None)
                return f"edit {path}"
            case "remove":
                (self.root / path).unlink()
                del self.files[path]
                self.ids.pop(path, None)
                return f"remove {path}"
            case _:
                self._write(self._new_path(chance), written(chance))
                return "make a file"

    def _rename(self, old: str, new: str) -> str:
        (self.root / new).parent.mkdir(exist_ok=True)
        (self.root / old).rename(self.root / new)
        self.files[new] = self.files.pop(old)
        before = self.ids.pop(old, None)
        if before is not None and old not in self.edited:
            self.ids[new] = before
        self.renamed.add(new)
        return f"rename {old} to {new}"

    def _new_path(self, chance: random.Random) -> str:
        self.made += 1
        return f"{chance.choice(('', 'sub/'))}file{self.made:04d}.txt"

    def _write(self, path: str, version: Version) -> None:
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_text(version.text)
        self.files[path] = version

    async def sync(self, client: AsyncClient) -> None:
        """Begins to bring the collection in line; `examine.rest` waits for the operation."""
        request = indexing_pb2.SyncCollectionRequest(collection=COLLECTION, confirm_prune=True)
        await call(client.indexing.SyncCollection, request)

    def settle(self) -> None:
        """From now on the book has what is on disk: the collection was brought in line with it."""
        for path in {*self.book.entries, *self.files}:
            if self.book.of(path).allowed() != [self.files.get(path)]:
                self.book.acknowledged(path, self.files.get(path))

    async def kept_their_documents(self, client: AsyncClient) -> list[str]:
        """Files that became other documents although they were only renamed; the ids are kept for the next time."""
        request = indexing_pb2.ListDocumentsRequest(subtree=COLLECTION, page_size=1000)
        listed = (await call(client.indexing.ListDocuments, request)).documents
        now = {document.file_path: document.document_id for document in listed}
        wrong = [
            f"{path} became the document {now[path]}, it was {before}"
            for path, before in sorted(self.ids.items())
            if path in now and now[path] != before
        ]
        self.ids, self.renamed, self.edited = now, set(), set()
        return wrong
