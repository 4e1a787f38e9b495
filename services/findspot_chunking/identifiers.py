"""Identifiers of code, compound and parts: `parseHTTPConfig` as itself, as `parse`, `http` and `config`."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_IDENTIFIERS = 256

_COMPOUND = re.compile(r"[^\W\d]\w*(?:(?:\.|::|->)[^\W\d]\w*)*")
_JOINT = re.compile(r"\.|::|->")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\da-zA-Z_]+")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_WORDS = frozenset(
    """
    and as assert async await break case catch class const continue def default del do elif else enum except
    false finally fn for from func function go if impl import in interface is let match mod mut new nil none
    not null or package pass pub public private protected raise return self static struct super switch this
    throw true try type use using var void while with yield
    """.split()  # noqa: SIM905 - a list of this length is read as words
)
"""Words of programming languages that name nothing."""
_LONGEST_REMEMBERED = 80


def code_identifiers(text: str, limit: int = MAX_IDENTIFIERS) -> tuple[tuple[str, ...], int]:
    """Identifiers in order of appearance, lower case, at most `limit`, and how many more there were."""
    found: dict[str, None] = {}
    for compound in _COMPOUND.finditer(text):
        name = compound.group()
        found.update(_remembered(name) if len(name) <= _LONGEST_REMEMBERED else _names(name))
    names = tuple(found)
    return names[:limit], max(len(names) - limit, 0)


def span_identifiers(text: str, limit: int = MAX_IDENTIFIERS) -> tuple[tuple[str, ...], int]:
    """Identifiers of the inline code of Markdown: what stands between backticks."""
    return code_identifiers("\n".join(span.group(2) for span in _SPAN.finditer(text)), limit)


def _names(compound: str) -> dict[str, None]:
    """Itself, its pieces and their parts."""
    names = [compound.lower()]
    for piece in _JOINT.split(compound):
        names.append(piece.lower())
        names.extend(part.lower() for part in _HUMP.findall(piece))
    return dict.fromkeys(name for name in names if len(name) > 1 and name not in _WORDS)


# A text of code names the same things over and over.
_remembered = lru_cache(maxsize=16_384)(_names)
