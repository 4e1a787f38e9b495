"""What a directory and what is stored of it differ in. Pure functions over what was seen and what is known."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from findspot.errors import FailedPrecondition, Reason
from findspot.model import DocumentState
from findspot_indexing.directories.reading import FileFacts
from findspot_indexing.directories.root import unreadable_root
from findspot_indexing.directories.scope import folders_of
from findspot_indexing.directories.seen import Seen
from findspot_indexing.faults import FAULTS_OF_DOCUMENTS

RACY_NS = 2_000_000_000
"""A file that changed this shortly before it was seen may change again within the same tick of its clock."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as it was last seen. `seen_at` is in microseconds since 1970."""

    facts: FileFacts
    content_hash: str
    seen_at: int

    @property
    def settled(self) -> bool:
        """True when the same facts mean the same bytes."""
        return max(self.facts.modified_ns, self.facts.changed_ns) + RACY_NS < self.seen_at * 1000


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A document that is not deleted."""

    document_id: str
    file_path: str
    content_hash: str
    """SHA-256 of the newest bytes that were received."""
    state: str = DocumentState.INDEXED
    error_reason: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A document whose file stands under another path now."""

    document: StoredFile
    file_path: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be done. Paths in order."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[Move, ...] = ()
    pruned: tuple[StoredFile, ...] = ()
    unchanged: tuple[str, ...] = ()


def known_hashes(seen: Seen, known: Mapping[str, KnownFile]) -> dict[str, str]:
    """The hashes of files that need not be read: those that are as they were, here or under their name before."""
    before = {
        (file.facts.inode, file.facts.size, file.facts.modified_ns): file.content_hash
        for path, file in known.items()
        if path not in seen.files and file.settled and file.content_hash
    }
    found: dict[str, str] = {}
    for path, file in seen.files.items():
        last = known.get(path)
        if last is not None:
            if last.facts == file.facts and last.settled and last.content_hash:
                found[path] = last.content_hash
        else:
            # A rename moves the time of change and nothing else.
            facts = file.facts
            renamed = before.get((facts.inode, facts.size, facts.modified_ns))
            if renamed is not None:
                found[path] = renamed
    return found


def plan(
    seen: Seen, hashes: Mapping[str, str], stored: Iterable[StoredFile], *, retry_failed: bool = False
) -> Plan:
    """Compare the files with the documents of the same scope.

    `hashes` has the content of each seen file that could be read; the others are left as they are. A document keeps
    its path while there is a file under it: only one whose file is gone can have moved, and only to a path that has
    no document.
    """
    documents = {document.file_path: document for document in stored}
    here = _there(seen)
    unreadable = {refusal.file_path for refusal in seen.unreadable}
    added, changed, unchanged = [], [], []
    for path in sorted(hashes):
        document = documents.get(path)
        if document is None:
            added.append(path)
        elif document.content_hash != hashes[path] or (retry_failed and _may_be_retried(document)):
            changed.append(path)
        else:
            unchanged.append(path)
    gone = [
        documents[path]
        for path in sorted(documents)
        if path not in here and path not in unreadable and not unreadable.intersection(folders_of(path))
    ]
    moved = _moves(gone, {path: hashes[path] for path in added})
    left, taken = {move.document.document_id for move in moved}, {move.file_path for move in moved}
    return Plan(
        added=tuple(path for path in added if path not in taken),
        changed=tuple(changed),
        moved=tuple(moved),
        pruned=tuple(document for document in gone if document.document_id not in left),
        unchanged=tuple(unchanged),
    )


def prune_problem(seen: Seen, plan: Plan, live: int, *, confirmed: bool) -> FailedPrecondition | None:
    """Why nothing may be pruned, if so. `live` counts all documents of the collection that are not deleted.

    An empty root prunes nothing whoever confirms it: a disk that is not mounted looks just like that.
    """
    count = len(plan.pruned)
    if not count:
        return None
    if seen.empty:
        return unreadable_root(seen.root, f"is empty, while {live} documents are stored of it")
    if count * 2 > live and not confirmed:
        return FailedPrecondition(
            f"{count} of {live} documents have no file in {seen.root!r} any more. More than half are pruned only when "
            "that is confirmed (confirm_prune, --yes): look first whether the directory is the right one.",
            reason=Reason.PRUNE_NEEDS_CONFIRMATION,
            metadata={"pruned": str(count), "documents": str(live)},
        )
    return None


def _there(seen: Seen) -> set[str]:
    return {*seen.files, *(refusal.file_path for refusal in seen.refused)}


def _may_be_retried(document: StoredFile) -> bool:
    failed = document.state == DocumentState.FAILED
    return failed and document.error_reason not in FAULTS_OF_DOCUMENTS


def _moves(gone: Sequence[StoredFile], new: Mapping[str, str]) -> list[Move]:
    """Pair files that are gone with new ones of the same bytes. Of several, those of the same name first, then
    in the order of their paths: the same every time."""
    from_hash: dict[str, list[StoredFile]] = defaultdict(list)
    for document in gone:
        from_hash[document.content_hash].append(document)
    to_hash: dict[str, list[str]] = defaultdict(list)
    for path, content in new.items():
        to_hash[content].append(path)
    moves: list[Move] = []
    for content, documents in from_hash.items():
        moves += _pairs(documents, sorted(to_hash.get(content, ())))
    return sorted(moves, key=lambda move: move.document.file_path)


def _pairs(documents: Sequence[StoredFile], paths: Sequence[str]) -> Iterator[Move]:
    """Pair documents with paths of the same bytes: in one step each, since empty files come by the thousand."""
    of_name: dict[str, deque[str]] = defaultdict(deque)
    for path in paths:
        of_name[_name(path)].append(path)
    rest: list[StoredFile] = []
    for document in documents:
        same = of_name.get(_name(document.file_path))
        if same:
            yield Move(document, same.popleft())
        else:
            rest.append(document)
    left = sorted(path for same in of_name.values() for path in same)
    yield from (Move(document, path) for document, path in zip(rest, left, strict=False))


def _name(path: str) -> str:
    return path.rpartition("/")[2]
