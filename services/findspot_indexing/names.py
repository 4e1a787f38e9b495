"""Names that callers give to things, checked before anything is done with them."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Callable, Mapping

from findspot.errors import FieldViolation, InvalidArgument, Reason

MOST_PATH_BYTES = 1024
MOST_SEGMENT_BYTES = 255
MOST_COLLECTION_CHARACTERS = 512
MOST_METADATA = 64
MOST_KEY_CHARACTERS = 64
MOST_VALUE_CHARACTERS = 1024
MOST_NAME_CHARACTERS = 255

_COLLECTION_SEGMENT = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")


class Violations:
    """Collects what is wrong with a request, so that the caller learns all of it at once."""

    def __init__(self) -> None:
        self._found: list[FieldViolation] = []

    def check(self, field: str, right: bool, description: str) -> None:
        """Note a violation unless the field is right."""
        if not right:
            self._found.append(FieldViolation(field, description))

    def attempt(self, field: str, check: Callable[[str], str], value: str) -> str:
        """The checked value; its error is noted as a violation of the field."""
        try:
            return check(value)
        except InvalidArgument as error:
            self._found.append(FieldViolation(field, error.message))
            return value

    def raise_if_any(self) -> None:
        """Raise InvalidArgument INVALID_FIELD with everything that was noted."""
        if self._found:
            what = "; ".join(f"{violation.field}: {violation.description}" for violation in self._found)
            raise InvalidArgument(what, fields=self._found)


def collection_path(path: str) -> str:
    """The path of a collection if it is one: `acme/reports`. Raises InvalidArgument INVALID_FIELD."""
    segments = path.split("/")
    if len(path) > MOST_COLLECTION_CHARACTERS or not all(map(_COLLECTION_SEGMENT.fullmatch, segments)):
        raise InvalidArgument(
            f"{_shown(path)} is no path of a collection: segments joined by `/`, each a letter or digit followed by "
            f"letters, digits, `.`, `_` or `-`, at most {MOST_COLLECTION_CHARACTERS} characters in all.",
            fields=[FieldViolation("collection", "not a path of a collection")],
        )
    return path


def subtree(path: str) -> str:
    """A collection path, or nothing for everything."""
    return collection_path(path) if path else ""


def file_path(path: str) -> str:
    """The path of a file in a collection, in Unicode form NFC. Raises InvalidArgument FILE_PATH_INVALID.

    Paths are names, never opened as given; still none is taken that would be dangerous to open.
    """
    normal = unicodedata.normalize("NFC", path)
    segments = normal.split("/")
    problem = _path_problem(normal, segments)
    if problem:
        raise InvalidArgument(
            f"The file path {_shown(path)} {problem}",
            reason=Reason.FILE_PATH_INVALID,
            metadata={"file_path": _shown(path)},
            fields=[FieldViolation("file_path", problem)],
        )
    return normal


def _path_problem(path: str, segments: list[str]) -> str:
    size = len(path.encode("utf-8", "surrogatepass"))
    longest = max(len(segment.encode("utf-8", "surrogatepass")) for segment in segments)
    problems = (
        (not path, "is empty. Give the path of the file inside its collection."),
        (
            any(unicodedata.category(character) in _UNPRINTABLE for character in path),
            "holds a control character or a line break. Rename the file.",
        ),
        ("\\" in path, "holds a backslash. Join segments with `/`."),
        (path.startswith("/"), "is absolute. Give it relative to the root of the collection."),
        (".." in segments, "holds a segment `..`. Give the path without going up."),
        ("." in segments or "" in segments, "holds an empty segment or `.`. Leave it out."),
        (
            longest > MOST_SEGMENT_BYTES,
            f"has a segment of {longest} bytes; the limit is {MOST_SEGMENT_BYTES}. Shorten it.",
        ),
        (size > MOST_PATH_BYTES, f"has {size} bytes; the limit is {MOST_PATH_BYTES}. Shorten it."),
    )
    return next((text for wrong, text in problems if wrong), "")


def request_id(value: str) -> str:
    """A UUID in its canonical form, or nothing. Raises InvalidArgument."""
    if not value:
        return ""
    try:
        return str(uuid.UUID(value))
    except ValueError as error:
        raise InvalidArgument(f"{_shown(value)} is no UUID: 32 hexadecimal digits with hyphens.") from error


def document_id(value: str) -> str:
    """A document's id in its canonical form. Raises InvalidArgument."""
    if not value:
        raise InvalidArgument(
            "A document is named by its id or by collection and file path; both are missing."
        )
    return request_id(value)


def operation_id(value: str) -> str:
    """An operation's id in its canonical form. Raises InvalidArgument."""
    if not value:
        what = "is missing; `ListOperations` tells the ids"
        raise InvalidArgument(f"operation_id {what}.", fields=[FieldViolation("operation_id", what)])
    return request_id(value)


def check_described(
    found: Violations, *, media_type: str, document_type: str, title: str, language: str
) -> None:
    """What a sender says of a document: short, and a language tag that is one."""
    for field, value in (("media_type", media_type), ("document_type", document_type), ("title", title)):
        found.check(
            field,
            len(value) <= MOST_NAME_CHARACTERS and value.isprintable(),
            f"at most {MOST_NAME_CHARACTERS} printable characters, not {_shown(value)}",
        )
    found.check(
        "language",
        not language or _LANGUAGE.fullmatch(language) is not None,
        f"a BCP 47 tag such as `en` or `pt-BR`, not {_shown(language)}",
    )


def check_hash(found: Violations, field: str, value: str) -> None:
    """SHA-256 as 64 lower-case hex digits."""
    found.check(field, _SHA256.fullmatch(value) is not None, f"64 lower-case hex digits, not {_shown(value)}")


def check_metadata(found: Violations, metadata: Mapping[str, str]) -> None:
    """The caller's own facts: so many, so long, and no `=` in a key, where it would part key from value."""
    found.check(
        "metadata", len(metadata) <= MOST_METADATA, f"at most {MOST_METADATA} pairs, not {len(metadata)}"
    )
    for key, value in metadata.items():
        found.check(
            "metadata",
            0 < len(key) <= MOST_KEY_CHARACTERS and "=" not in key,
            f"a key has 1 to {MOST_KEY_CHARACTERS} characters and no `=`; {_shown(key)} does not fit",
        )
        found.check(
            f"metadata[{_shown(key)}]",
            len(value) <= MOST_VALUE_CHARACTERS,
            f"at most {MOST_VALUE_CHARACTERS} characters, not {len(value)}",
        )


def _shown(value: str) -> str:
    """A value safe to print: escaped, and cut where it is long."""
    shown = ascii(value)
    return shown if len(shown) <= 200 else f"{shown[:200]}… ({len(value)} characters)"
