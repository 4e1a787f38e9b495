"""Looking at a directory: which files there are, and everything that cannot be taken, with the reason.

Nothing is read but rule files. What cannot be looked at is said to be unreadable, never taken for deleted.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
import unicodedata
from dataclasses import dataclass, field

from findspot.errors import Aborted, Cancelled, InvalidArgument, Reason
from findspot.model import Notice
from findspot_indexing import names
from findspot_indexing.directories.ignore import MOST_RULE_FILE_BYTES, RULE_FILES, IgnoreRules
from findspot_indexing.directories.reading import facts_of, inside, read_settled
from findspot_indexing.directories.root import require_root, unreadable_root
from findspot_indexing.directories.scope import WHOLE, Scope
from findspot_indexing.directories.seen import Refusal, Seen, SeenFile, Wish

LINK_NOT_FOLLOWED = "LINK_NOT_FOLLOWED"
NOT_A_FILE = "NOT_A_FILE"


class LinkInScope(Exception):
    """A part cannot be scanned by itself: whether a link to a folder is followed depends on all the rest."""


@dataclass(frozen=True, slots=True)
class _Folder:
    place: str
    path: str
    rules: IgnoreRules


def scan(wish: Wish, scope: Scope = WHOLE, stop: threading.Event | None = None) -> Seen:
    """Look at a directory, or at a part of it. Blocking: milliseconds for a thousand files.

    Raises FailedPrecondition SOURCE_UNREADABLE when the root is no directory that can be read, or holds more
    files than may be; Cancelled when `stop` was set; LinkInScope when the whole has to be scanned instead.
    """
    walk = _Walk(wish, scope, stop or threading.Event())
    return walk.run()


@dataclass
class _Walk:
    wish: Wish
    scope: Scope
    stop: threading.Event
    files: dict[str, SeenFile] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    unreadable: list[Refusal] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    ignored: int = 0
    folders: list[_Folder] = field(default_factory=list)
    links: list[_Folder] = field(default_factory=list)
    """Links to folders inside the root: looked at last, so that every folder is taken under its own name."""
    walked: set[tuple[int, int]] = field(default_factory=set)
    """(device, inode) of each folder that was looked into."""
    root: str = ""

    def run(self) -> Seen:
        before = require_root(self.wish.root)
        self.root = os.path.realpath(self.wish.root)
        with os.scandir(self.root) as entries:
            empty = next(entries, None) is None
        self.folders.append(_Folder("", "", IgnoreRules.of(self.wish.patterns)))
        while self.folders or self.links:
            if self.stop.is_set():
                raise Cancelled("The scan was stopped.")
            if self.folders:
                self._look_into(self.folders.pop())
            else:
                self._follow_links()
        # A disk that goes away half-way looks like a directory whose files were deleted.
        after = require_root(self.wish.root)
        if (before.st_dev, before.st_ino) != (after.st_dev, after.st_ino):
            raise unreadable_root(self.wish.root, "was replaced while it was scanned")
        return Seen(
            self.root, self.scope, self.files, tuple(self.refused), tuple(self.unreadable), self.ignored,
            tuple(self.notices), empty,
        )  # fmt: skip

    def _look_into(self, folder: _Folder) -> None:
        try:
            facts = os.stat(self._full(folder.place))
            if (facts.st_dev, facts.st_ino) in self.walked:
                self._note(LINK_NOT_FOLLOWED, folder.path, "is a folder that was looked into already")
                return
            self.walked.add((facts.st_dev, facts.st_ino))
            with os.scandir(self._full(folder.place)) as found:
                entries = sorted(found, key=lambda entry: entry.name)
            rules = self._rules(folder, {entry.name for entry in entries})
        except (FileNotFoundError, NotADirectoryError) as error:
            if not folder.path:
                raise unreadable_root(self.wish.root, "went away while it was scanned") from error
            return
        except OSError as error:
            if not folder.path:
                raise unreadable_root(self.wish.root, f"cannot be read ({error.strerror})") from error
            self._unreadable(folder.path, error.strerror or str(error))
            return
        inner = len(self.folders)
        for entry in entries:
            self._meet(folder, entry, rules)
        # Last in, first out: the folders of this one in the order of their names.
        self.folders[inner:] = reversed(self.folders[inner:])

    def _rules(self, folder: _Folder, present: set[str]) -> IgnoreRules:
        """The rules in a folder. One whose rule file cannot be read is not looked into: too much might be taken."""
        rules = folder.rules
        for name in RULE_FILES:
            if name in present:
                place = f"{folder.place}/{name}" if folder.place else name
                try:
                    read = read_settled(self.root, place, MOST_RULE_FILE_BYTES)
                except FileNotFoundError:
                    continue
                except (OSError, Aborted) as error:
                    raise OSError(errno.EIO, f"its {name} cannot be read: {error}") from error
                rules = rules.below(folder.path, read.data.decode("utf-8-sig", "surrogateescape"))
        return rules

    def _meet(self, folder: _Folder, entry: os.DirEntry[str], rules: IgnoreRules) -> None:
        place = f"{folder.place}/{entry.name}" if folder.place else entry.name
        raw = f"{folder.path}/{entry.name}" if folder.path else entry.name
        path = unicodedata.normalize("NFC", raw)
        if not self.scope.touches(path) or self._is_our_own(place):
            return
        try:
            if entry.is_symlink():
                self._meet_link(place, path, rules)
            elif entry.is_dir(follow_symlinks=False):
                if rules.leaves_out(path, folder=True):
                    self.ignored += 1
                elif not _is_text(path):
                    self._refuse_bytes(path)
                else:
                    self.folders.append(_Folder(place, path, rules))
            else:
                self._take(place, path, entry.stat(follow_symlinks=False), rules)
        except FileNotFoundError:
            return
        except OSError as error:
            self._unreadable(path, error.strerror or str(error))

    def _meet_link(self, place: str, path: str, rules: IgnoreRules) -> None:
        try:
            real = os.path.realpath(self._full(place), strict=True)
        except FileNotFoundError:
            self._note(LINK_NOT_FOLLOWED, path, "is a link that leads nowhere")
            return
        except OSError as error:
            self._note(LINK_NOT_FOLLOWED, path, f"is a link that cannot be followed ({error.strerror})")
            return
        facts = os.stat(real)
        folder = stat.S_ISDIR(facts.st_mode)
        if rules.leaves_out(path, folder=folder):
            self.ignored += 1
        elif not inside(self.root, real):
            self._note(LINK_NOT_FOLLOWED, path, "is a link that leads out of the directory")
        elif self._is_our_own(os.path.relpath(real, self.root)):
            self._note(LINK_NOT_FOLLOWED, path, "is a link into the suite's own data")
        elif not folder:
            self._take(place, path, facts, rules)
        elif not self.scope.whole:
            raise LinkInScope(path)
        else:
            self.links.append(_Folder(place, path, rules))

    def _follow_links(self) -> None:
        """Look into linked folders that nothing else led to; each once, however many links lead there."""
        links, self.links = sorted(self.links, key=lambda link: link.path), []
        for link in links:
            try:
                facts = os.stat(self._full(link.place))
            except OSError as error:
                self._unreadable(link.path, error.strerror or str(error))
                continue
            if (facts.st_dev, facts.st_ino) in self.walked:
                what = "is a link to a folder whose files are taken under their own names"
                self._note(LINK_NOT_FOLLOWED, link.path, what)
            else:
                self.links += [other for other in links if other.path > link.path]
                self.folders.append(link)
                return

    def _take(self, place: str, path: str, facts: os.stat_result, rules: IgnoreRules) -> None:
        if rules.leaves_out(path, folder=False):
            self.ignored += 1
            return
        if not self.scope.holds(path):
            return
        if not stat.S_ISREG(facts.st_mode):
            self._note(NOT_A_FILE, path, "is no regular file")
            return
        if not _is_text(path):
            self._refuse_bytes(path)
            return
        try:
            name = names.file_path(path)
        except InvalidArgument as error:
            self.refused.append(Refusal(path, error.reason, error.message))
            return
        if name in self.files:
            other = ascii(self.files[name].place)
            message = f"{other} has this name already: the two differ only in how it is composed. Rename one."
            self.refused.append(Refusal(path, Reason.FILE_PATH_INVALID, message))
        elif facts.st_size > self.wish.most_bytes:
            message = f"It has {facts.st_size} bytes; the limit is {self.wish.most_bytes}. Split it, or raise the limit."
            self.refused.append(Refusal(name, Reason.DOCUMENT_TOO_LARGE, message))
        elif len(self.files) == self.wish.most_files:
            raise unreadable_root(
                self.wish.root, f"holds more than {self.wish.most_files} files (the limit max_source_files)"
            )
        else:
            self.files[name] = SeenFile(name, place, facts_of(facts))

    def _is_our_own(self, place: str) -> bool:
        return bool(self.wish.besides) and inside(self.wish.besides, self._full(place))

    def _refuse_bytes(self, path: str) -> None:
        shown = os.fsencode(path).decode(errors="backslashreplace")
        message = "Its name is not UTF-8, so no document can have it. Rename it."
        self.refused.append(Refusal(shown, Reason.FILE_PATH_INVALID, message))

    def _unreadable(self, path: str, why: str) -> None:
        message = f"It cannot be read ({why}); what is stored of it stays."
        self.unreadable.append(Refusal(path, Reason.SOURCE_UNREADABLE, message))

    def _note(self, code: str, path: str, what: str) -> None:
        shown = os.fsencode(path).decode(errors="backslashreplace")
        self.notices.append(Notice(code, f"{shown} {what}."))

    def _full(self, place: str) -> str:
        return os.path.join(self.root, place) if place else self.root


def _is_text(name: str) -> bool:
    # Bytes of a name that are no UTF-8 arrive as lone surrogates, which no message can carry.
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
