"""The tokens of a text, made by the same code for what is indexed and what is asked.

Each field of the index is a run of tokens joined by spaces. A word gives

- `body`: the word in NFKC and lower case; single characters where the script has no spaces: phrases work;
- `stem`: its stem in the language of the text, without accents; nothing for scripts without spaces;
- `cjk`: bigrams of the runs of scripts without spaces;
- `code`: for an identifier (`parseHTTPConfig`, `max_retry_count`) the whole in lower case and its parts.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import Stemmer

from findspot.stores.text.scripts import UNSPACED_RUN, WORD, bigrams, clusters, fold

DEFAULT_ANALYZER = "english"
"""The stemmer of texts whose language is unknown or has no stemmer."""
MAX_TOKEN_BYTES = 65_000
"""Tantivy drops terms over 65,530 bytes without a word: a longer token is indexed as its hash."""

_ANALYZERS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech", "da":
    "danish", "nl": "dutch", "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish",
    "fr": "french", "de": "german", "el": "greek", "hi": "hindi", "hu": "hungarian", "id":
    "indonesian", "ga": "irish", "it": "italian", "lt": "lithuanian", "ne": "nepali", "no":
    "norwegian", "nb": "norwegian", "nn": "norwegian", "fa": "persian", "pl": "polish", "pt":
    "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "es": "spanish", "sv":
    "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

_WORDS = re.compile(r"[^_]+")
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_SHAPE = re.compile(r"_(?=.)|[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d|\d[A-Za-z]")


class WordTokens(NamedTuple):
    """What one word adds to each field: tokens joined by spaces, empty where it adds none."""

    body: str
    stem: str
    cjk: str
    code: str


@dataclass(frozen=True, slots=True)
class TextTokens:
    """The tokens of a text for each field of the index, joined by spaces."""

    body: str
    stem: str
    cjk: str
    code: str


def analyzer_of(language: str) -> str:
    """The stemmer for a BCP 47 tag ("de-AT" gives "german"), the default one where none fits."""
    return _ANALYZERS.get(language.replace("_", "-").partition("-")[0].lower(), DEFAULT_ANALYZER)


ANALYZERS = frozenset(_ANALYZERS.values())
"""Every stemmer that an index may have been written with."""


def identifier_parts(identifier: str) -> tuple[str, ...]:
    """The parts of a compound name in lower case: `parseHTTPConfig` gives parse, http, config."""
    return tuple(part.lower() for part in _PARTS.findall(identifier))


def is_compound(word: str) -> bool:
    """True when a word looks like a name in a program: an inner underscore, capital or digit."""
    return _SHAPE.search(word) is not None


def bounded(token: str) -> str:
    """The token itself, or its hash where it is longer than the engine keeps."""
    if len(token) <= MAX_TOKEN_BYTES // 4 or len(token.encode()) <= MAX_TOKEN_BYTES:
        return token
    return "sha256:" + hashlib.sha256(token.encode()).hexdigest()


@cache
def _word_tokens(analyzer: str) -> Callable[[str], WordTokens]:
    """The analysis of single words for one stemmer. Stemmers are not thread-safe: each call makes its own."""

    def analyse(word: str) -> WordTokens:
        body: list[str] = []
        stems: list[str] = []
        cjk: list[str] = []
        stem = Stemmer.Stemmer(analyzer, 0).stemWord
        # English has no accents of its own: with them its stemmer takes "école" for another word than "ecole".
        accents = fold if analyzer == DEFAULT_ANALYZER else str
        for part in _normal_words(word):
            if part.isascii():
                body.append(bounded(part))
                stems.append(bounded(stem(part)))
                continue
            for run, unspaced in _runs(part):
                if unspaced:
                    body.extend(clusters(run))
                    cjk.extend(bigrams(run))
                else:
                    body.append(bounded(run))
                    stems.append(bounded(fold(stem(accents(run)))))
        return WordTokens(" ".join(body), " ".join(stems), " ".join(cjk), " ".join(_compound(word)))

    return lru_cache(maxsize=131_072)(analyse)


def _normal_words(word: str) -> list[str]:
    """A raw word in NFKC and lower case, cut at underscores; NFKC may bring in spaces, so it is cut again."""
    if word.isascii():
        return _WORDS.findall(word.lower())
    normal = unicodedata.normalize("NFKC", word).lower()
    return [part for found in WORD.findall(normal) for part in _WORDS.findall(found)]


def _runs(word: str) -> list[tuple[str, bool]]:
    """A word cut where it changes between spaced and unspaced scripts; True marks the unspaced ones."""
    runs: list[tuple[str, bool]] = []
    position = 0
    for match in UNSPACED_RUN.finditer(word):
        if match.start() > position:
            runs.append((word[position : match.start()], False))
        runs.append((match.group(), True))
        position = match.end()
    if position < len(word):
        runs.append((word[position:], False))
    return runs


def _compound(word: str) -> list[str]:
    if not is_compound(word):
        return []
    whole = word.lower()
    parts = identifier_parts(word)
    joined = "".join(parts)
    # The joined form makes the style not matter: max_retry_count finds maxRetryCount.
    names = dict.fromkeys((whole, joined, *parts))
    return [bounded(name) for name in names if len(name) > 1]


def tokenize(text: str, analyzer: str = DEFAULT_ANALYZER) -> TextTokens:
    """The tokens of a text for every field. Dotted names (`os.path.join`) are kept whole in `code` too."""
    words = list(map(_word_tokens(analyzer), find_words(text)))
    if not words:
        return TextTokens("", "", "", "")
    body, stem, cjk, compounds = zip(*words, strict=True)
    code = [*filter(None, compounds), *_dotted_names(text)]
    return TextTokens(
        body=" ".join(filter(None, body)),
        stem=" ".join(filter(None, stem)),
        cjk=" ".join(filter(None, cjk)),
        code=" ".join(code),
    )


def find_words(text: str) -> list[str]:
    """The raw words of a text in order."""
    return _ASCII_WORD.findall(text) if text.isascii() else WORD.findall(text)


def _dotted_names(text: str) -> list[str]:
    """`os.path.join`, `config.py`: looked for only in the few pieces that hold a dot inside."""
    pieces = [piece for piece in text.split() if "." in piece[1:-1]]
    return [bounded(name.lower()) for piece in pieces for name in _DOTTED.findall(piece)]


def stems(text: str, analyzer: str = DEFAULT_ANALYZER) -> str:
    """Only the `stem` and `cjk` tokens of a text: for the fields of few words (title, context, path)."""
    words = list(map(_word_tokens(analyzer), find_words(text)))
    return " ".join([token for word in words for token in (word.stem, word.cjk) if token])


def identifier_tokens(identifiers: Iterable[str]) -> str:
    """The `code` tokens of names that are known to be identifiers: simple names are kept too."""
    found: dict[str, None] = {}
    for identifier in identifiers:
        if _DOTTED.fullmatch(identifier):
            found[bounded(identifier.lower())] = None
        for name in WORD.findall(identifier):
            found.update(dict.fromkeys(_compound(name) or [bounded(name.lower())]))
    return " ".join(found)


def word_tokens(word: str, analyzer: str = DEFAULT_ANALYZER) -> WordTokens:
    """The tokens of one raw word, as `WORD` finds it."""
    return _word_tokens(analyzer)(word)


def body_tokens(text: str) -> list[str]:
    """The unstemmed tokens of a text in order: what phrases and exclusions are checked against."""
    return [
        token for word in map(_word_tokens(DEFAULT_ANALYZER), find_words(text)) for token in word.body.split()
    ]


def contains_phrase(tokens: Sequence[str], phrase: Sequence[str]) -> bool:
    """True when `phrase` stands in `tokens` in one piece."""
    size = len(phrase)
    if not size:
        return False
    first = phrase[0]
    return any(
        tokens[start] == first and list(tokens[start : start + size]) == list(phrase)
        for start in range(len(tokens) - size + 1)
    )
