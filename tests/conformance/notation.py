"""The short notation of records written out: names and texts with a range, and documents described in a sentence."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.built_files import BUILT
from tests.conformance.records import expanded

_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")
_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_NUMBER = rf"\d+|{'|'.join(_WORDS)}"
_CLAUSE = re.compile(
    rf"(?P<count>{_NUMBER}) (?:(?P<kind>documents|docs|files|notes|chunks)|of (?:them|which))"
    rf"(?: (?:of |with )?(?P<size>\d+) characters)?(?: each)?(?: about (?P<about>[\w -]+?))?"
    rf"(?: with (?P<key>\w+)=(?P<value>\w+))?"
)


@dataclass(frozen=True)
class File:
    """One file of a record."""

    name: str
    data: bytes
    metadata: Mapping[str, str] = field(default_factory=dict)


def spread(name: str) -> list[tuple[str, str]]:
    """`w{1..3}.txt` as (name, number) pairs; a name without a range is one pair with an empty number."""
    found = _RANGE.search(name)
    if found is None:
        return [(name, "")]
    numbers = range(int(found[1]), int(found[2]) + 1)
    return [(name.replace(found[0], str(number)), str(number)) for number in numbers]


def files(stated: Mapping[str, Any]) -> list[File]:
    """The files of one `put` or of one entry of `docs`, by its name, its content and its `times`."""
    name = stated["put"] if "put" in stated else stated["name"]
    if "times" in stated:
        named = [(name.replace("{i}", str(i)), str(i)) for i in range(1, stated["times"] + 1)]
    else:
        named = spread(name)
    facts = {key: str(value) for key, value in stated.get("metadata", stated.get("tags", {})).items()}
    return [File(exact, _content(stated, number), facts) for exact, number in named]


def _content(stated: Mapping[str, Any], number: str) -> bytes:
    if "bytes_b64" in stated:
        return base64.b64decode(stated["bytes_b64"])
    if "build" in stated:
        return next(build() for begin, (_, build) in BUILT.items() if stated["build"].startswith(begin))
    text = expanded(stated["text"])
    return (text.replace("{i}", number) if number else text).encode("utf-8", "surrogatepass")


def described(sentence: str) -> list[File]:
    """Documents that a sentence asks for: how many, about what, how long, with which fact.

    Raises LookupError when a clause is not understood.
    """
    made: list[File] = []
    for clause in re.split(r"[;,] *| and ", sentence.strip().rstrip(".")):
        asked = _CLAUSE.fullmatch(clause.strip())
        if asked is None:
            raise LookupError(f"this runner does not understand the documents {clause!r}")
        count = int(asked["count"]) if asked["count"].isdigit() else _WORDS.index(asked["count"])
        if asked["kind"] is None:
            made[-count:] = []
        made.extend(_made(asked, len(made) + number) for number in range(count))
    return made


def _made(asked: re.Match[str], number: int) -> File:
    about = asked["about"] or "valves"
    sentence = f"Note {number} about {about}: {about} of line {number} were looked at on day {number % 365}. "
    least = int(asked["size"] or 0)
    text = "".join(sentences(sentence, least))
    facts = {asked["key"]: asked["value"]} if asked["key"] else {}
    return File(f"made/{number:05d}.txt", text.encode(), facts)


def sentences(first: str, least: int) -> Iterator[str]:
    """`first`, then others that differ, until they are `least` characters."""
    yield first
    length, part = len(first), 0
    while length < least:
        part += 1
        more = f"Reading {part} was {part * 37 % 1009} kPa after {part} hours of work. "
        length += len(more)
        yield more
