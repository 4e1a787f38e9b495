"""What an Office file states about itself: title, author, dates, keywords."""

from __future__ import annotations

import re

from .ooxml import Package
from .rendering import one_line

_CORE = {
    "title": "title",
    "creator": "author",
    "subject": "subject",
    "description": "description",
    "keywords": "keywords",
    "category": "category",
    "language": "language",
    "created": "created",
    "modified": "modified",
    "lastModifiedBy": "last_modified_by",
    "contentStatus": "status",
}
_NO_TITLE = re.compile(
    r"(?:microsoft (?:word|powerpoint) - .*|(?:powerpoint|pr[äe]sentation\w*) ?pr[eéä]sentation"
    r"|pr[eéä]sentation\d*|(?:slide|title|titel|folie) ?\d+|slide title|document\d*|dokument\d*|untitled.*|word document"
    r"|.*\.(?:docx?|pptx?|dotx?|potx?|rtf|odt|pdf))",
    re.I,
)


def core_properties(package: Package) -> dict[str, str]:
    """The core properties that are not empty, under plain names."""
    parts = package.related("", "core-properties") or ["docProps/core.xml"]
    root = package.optional(parts[0])
    found: dict[str, str] = {}
    for node in root if root is not None else ():
        key = _CORE.get(node.tag.rpartition("}")[2])
        value = one_line("".join(node.itertext()))
        if key and value:
            found.setdefault(key, value)
    return found


def stated_title(properties: dict[str, str]) -> str:
    """The title among the properties, unless a program put it there: a file name, `PowerPoint Presentation`."""
    title = properties.get("title", "")
    return "" if _NO_TITLE.fullmatch(title) else title
