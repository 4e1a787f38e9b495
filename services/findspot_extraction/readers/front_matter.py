"""Front matter of Markdown files: YAML between `---`, TOML between `+++`, flattened to strings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from findspot.model import Notice

_OPEN = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)")
_CLOSE = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*$(?:\r\n|\r|\n)?", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*$(?:\r\n|\r|\n)?", re.MULTILINE),
}
_KEY = re.compile(r"\s*(?:#.*\n\s*)*[\w.\"'-]+\s*[:=]")
_MAX_CHARACTERS = 65_536
_MAX_ENTRIES = 500
_MAX_DEPTH = 16


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stood before the text, and where the text begins (0 when there is no front matter)."""

    end: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    warnings: tuple[Notice, ...] = ()


def front_matter(text: str) -> FrontMatter:
    """Read the front matter of a source; two rules around something that is no mapping are none."""
    opening = _OPEN.match(text)
    if opening is None:
        return FrontMatter()
    # `$` stops only before LF: line ends of other systems are made LF for the search, length for length.
    same_length = text.replace("\r\n", " \n").replace("\r", "\n")
    closing = _CLOSE[opening.group(1)].search(same_length, opening.end())
    if closing is None:
        return FrontMatter()
    body = text[opening.end() : closing.start()]
    end = closing.end()
    try:
        values = _parse(body, opening.group(1))
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        if not _KEY.match(body):
            return FrontMatter()
        return FrontMatter(end, {}, (_invalid(error),))
    if values is None:
        return FrontMatter(end)
    return _flattened(end, values) if isinstance(values, dict) else FrontMatter()


def _parse(body: str, mark: str) -> object:
    if len(body) > _MAX_CHARACTERS:
        raise ValueError(f"it has {len(body):,} characters and the limit is {_MAX_CHARACTERS:,}")
    if mark == "+++":
        return tomllib.loads(body.replace("\r\n", "\n").replace("\r", "\n"))
    # The base loader keeps scalars as they are written: `1.10` stays `1.10`, `no` stays `no`.
    return yaml.load(body, Loader=yaml.BaseLoader)


def _invalid(error: Exception) -> Notice:
    what = "it is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
    return Notice("FRONT_MATTER_INVALID", f"The front matter was left out of the metadata: {what[:300]}")


def _flattened(end: int, values: dict[object, object]) -> FrontMatter:
    metadata: dict[str, str] = {}
    left_out = 0
    for key, value in _entries("", values, 0):
        if len(metadata) < _MAX_ENTRIES:
            metadata[key] = value
        else:
            left_out = 1
            break
    notice = Notice("METADATA_CUT", f"Only the first {_MAX_ENTRIES} entries of the front matter were kept.")
    return FrontMatter(end, metadata, (notice,) if left_out else ())


def _entries(prefix: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and depth < _MAX_DEPTH:
        for key, below in value.items():
            yield from _entries(f"{prefix}.{key}" if prefix else str(key), below, depth + 1)
    elif isinstance(value, list) and depth < _MAX_DEPTH:
        if all(not isinstance(item, dict | list) for item in value):
            yield prefix, _printable(", ".join(_scalar(item) for item in value))
        else:
            for number, below in enumerate(value):
                yield from _entries(f"{prefix}.{number}", below, depth + 1)
    elif not isinstance(value, dict | list):
        yield prefix, _printable(_scalar(value))


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _printable(value: str) -> str:
    """YAML escapes may spell lone surrogates, which no text of ours holds."""
    return value.encode("utf-8", errors="replace").decode("utf-8") if not value.isascii() else value
