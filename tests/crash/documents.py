"""Short documents of invented words: each version of each document has words that no other has."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

_ONSETS = (
    "b",
    "br",
    "c",
    "d",
    "dr",
    "f",
    "gl",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
)
_NUCLEI = "aeiou"
FEWEST_PARAGRAPHS, MOST_PARAGRAPHS = 1, 4
_OWN_WORDS = 8
_PARAGRAPH_WORDS = 40


@dataclass(frozen=True)
class Paragraph:
    """Some text with a name that stands nowhere else."""

    name: str
    text: str


@dataclass(frozen=True)
class Version:
    """What a document holds at one time."""

    paragraphs: tuple[Paragraph, ...]

    @property
    def text(self) -> str:
        """The whole of it."""
        return "\n\n".join(paragraph.text for paragraph in self.paragraphs) + "\n"

    @property
    def names(self) -> frozenset[str]:
        """The words that stand nowhere else, except in versions of the same document."""
        return frozenset(paragraph.name for paragraph in self.paragraphs)


def written(chance: random.Random) -> Version:
    """A new document."""
    count = chance.randint(FEWEST_PARAGRAPHS, MOST_PARAGRAPHS)
    return Version(tuple(_paragraph(chance) for _ in range(count)))


def edited(before: Version, chance: random.Random) -> Version:
    """Another version: a paragraph changed, added or left out, or all of it new."""
    paragraphs = list(before.paragraphs)
    place = chance.randrange(len(paragraphs))
    match chance.choice(("change", "insert", "remove", "rewrite")):
        case "change":
            paragraphs[place] = _paragraph(chance)
        case "insert":
            paragraphs.insert(place, _paragraph(chance))
        case "remove" if len(paragraphs) > FEWEST_PARAGRAPHS:
            del paragraphs[place]
        case _:
            return written(chance)
    return Version(tuple(paragraphs))


def _paragraph(chance: random.Random) -> Paragraph:
    # Few words of its own, many times: texts near it in meaning are few, so that a search by meaning is decided.
    own = [_word(chance, 2) for _ in range(_OWN_WORDS)]
    name = _word(chance, 6)
    words = [name, *(chance.choice(own) for _ in range(_PARAGRAPH_WORDS))]
    return Paragraph(name, " ".join(words).capitalize() + ".")


def _word(chance: random.Random, syllables: int) -> str:
    return "".join(_syllables(chance, syllables)) + chance.choice("dgkx")


def _syllables(chance: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        yield chance.choice(_ONSETS) + chance.choice(_NUCLEI)
