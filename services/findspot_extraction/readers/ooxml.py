"""Office Open XML packages: a ZIP of XML parts and relations, opened so that no file can read or fill anything."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from findspot.errors import InvalidArgument
from findspot.model import Notice

from .archive import Archive
from .ooxml_xml import parse_xml
from .reader import ReadLimits, Source, corrupt, encrypted

_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")


@dataclass(frozen=True, slots=True)
class Relation:
    """From one part to another, or to an address outside of the package, which nobody here opens."""

    kind: str
    """The last word of its type: `footnotes`, `slideLayout`, `hyperlink`."""
    target: str
    """The name of a part without a leading slash; of an external relation the address."""
    external: bool = False


class Package:
    """The parts of one file. Names are compared without case and with either slash, as Office does."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._members = {_part_name(name).lower(): name for name in archive.names}
        self._relations: dict[str, dict[str, Relation]] = {}
        self.notices: list[Notice] = []
        """What could not be read although the document could."""

    def has(self, name: str) -> bool:
        """True when the package holds the part."""
        return name.lower() in self._members

    def part(self, name: str) -> Element:
        """The root of a part that the document cannot be read without. Raises DOCUMENT_CORRUPT."""
        member = self._members.get(name.lower())
        if member is None:
            raise corrupt(f"The package holds no part {name!r}: it is incomplete. Save the document again.")
        return parse_xml(self.archive.read(member), name)

    def optional(self, name: str) -> Element | None:
        """The root of a part that may be absent. A damaged one is told in `notices`."""
        if not self.has(name):
            return None
        try:
            return parse_xml(self.archive.read(self._members[name.lower()]), name)
        except InvalidArgument as problem:
            self.notices.append(Notice("PART_UNREADABLE", f"Left out: {problem}"))
            return None

    def relations(self, name: str) -> dict[str, Relation]:
        """The relations of a part (of the package itself for an empty name) by their id."""
        if name not in self._relations:
            folder, base = posixpath.split(name)
            root = self.optional(posixpath.join(folder, "_rels", base + ".rels"))
            self._relations[name] = {} if root is None else dict(_relations(root, folder))
        return self._relations[name]

    def related(self, name: str, kind: str) -> list[str]:
        """The parts that a part has a relation of this kind to and that are there, in order."""
        return [
            relation.target
            for relation in self.relations(name).values()
            if relation.kind == kind and not relation.external and self.has(relation.target)
        ]

    def target(self, name: str, identity: str | None) -> str:
        """The part behind one relation; empty when it leads nowhere or outside."""
        relation = self.relations(name).get(identity or "")
        if relation is None or relation.external or not self.has(relation.target):
            return ""
        return relation.target

    def main(self, usual: str) -> str:
        """The name of the main part. Raises DOCUMENT_CORRUPT when there is none."""
        found = self.related("", "officeDocument")
        if not found and not self.has(usual):
            raise corrupt(
                f"The package holds {len(self._members)} parts, but none is the document"
                f" ({usual!r} is not there): it is incomplete, or of another type."
            )
        return found[0] if found else usual


def is_locked(data: bytes) -> bool:
    """True for the envelope in which Office puts a package that is encrypted: an OLE compound file."""
    return data.startswith(_OLE_MAGIC) and _ENCRYPTED_STREAM in data


def open_package(source: Source, limits: ReadLimits, what: str = "package") -> Package:
    """Open a file as a package, which messages call `what`; nothing is expanded yet.

    Raises DOCUMENT_ENCRYPTED, DOCUMENT_CORRUPT, and DOCUMENT_TOO_LARGE when its parts state that they expand
    to more than `limits` allows. What a part states also bounds what is read of it.
    """
    data = source.data
    if data.startswith(_OLE_MAGIC):
        if is_locked(data):
            raise encrypted("The document is encrypted: send its password, or save it without one.")
        raise corrupt("The file is an OLE compound file (Office 97-2003), not an Office Open XML package.")
    return Package(Archive(data, limits, what))


def _part_name(member: str) -> str:
    return re.sub(r"/{2,}", "/", member.replace("\\", "/")).strip("/")


def _relations(root: Element, folder: str) -> list[tuple[str, Relation]]:
    found = []
    for node in root:
        kind = node.get("Type", "").rsplit("/", 1)[-1]
        target = node.get("Target", "")
        external = node.get("TargetMode") == "External"
        if not external:
            path = unquote(target.replace("\\", "/").split("#")[0])
            joined = path if path.startswith("/") else posixpath.join("/", folder, path)
            target = posixpath.normpath(joined).lstrip("/")
        found.append((node.get("Id", ""), Relation(kind, target, external)))
    return found
