"""Understands a query as typed: phrases, exclusions, alternatives and qualifiers. Never raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from findspot.model import ChunkKind, Notice
from findspot.stores.text.tokens import body_tokens


class ScopeQualifier(StrEnum):
    """Which collections a named path selects."""

    SUBTREE = "subtree"
    EXACT = "exact"
    ANCESTORS = "ancestors"


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query as understood. `render` gives a query that is understood the same."""

    raw: str
    words: tuple[str, ...] = ()
    """Words that are looked for, in order; any of them may match."""
    phrases: tuple[tuple[str, ...], ...] = ()
    """Of each group at least one has to stand in a result. A group of several was written with OR."""
    exclusions: tuple[str, ...] = ()
    """Words and phrases that must not stand in a result."""
    kinds: tuple[ChunkKind, ...] = ()
    languages: tuple[str, ...] = ()
    path_globs: tuple[str, ...] = ()
    namespace: str = ""
    """The collection that the query itself names; it overrides the scope of the request."""
    qualifier: ScopeQualifier = ScopeQualifier.SUBTREE
    semantic_text: str = ""
    """What is embedded: words and phrases in their order, nothing else."""
    notices: tuple[Notice, ...] = ()

    @property
    def blank(self) -> bool:
        """True when nothing is left to look for."""
        return not self.semantic_text

    @property
    def scored_text(self) -> str:
        """What the text arm scores: the words, and those of the phrases."""
        return " ".join((*self.words, *(phrase for group in self.phrases for phrase in group)))

    @property
    def hard(self) -> bool:
        """True when the stored text decides: there are phrases or exclusions."""
        return bool(self.phrases or self.exclusions)

    @property
    def qualifiers(self) -> tuple[str, ...]:
        """The qualifiers as they would be typed."""
        named = [f"kind:{kind.value}" for kind in self.kinds]
        named += [f"lang:{_quoted(language)}" for language in self.languages]
        named += [f"path:{_quoted(glob)}" for glob in self.path_globs]
        if self.namespace:
            named.append(f"namespace:{_quoted(self.namespace)}")
            named.append(f"scope:{self.qualifier.value}")
        return tuple(named)


_QUOTES = ("straight", "curly", "low", "guillemets")
_TOKEN = re.compile(
    r"""(?P<sign>-(?=[^\W\d_]|["“„«]))?
        (?:(?P<key>kind|lang|language|path|namespace|scope):(?=\S))?
        (?:"(?P<straight>[^"]*)"|“(?P<curly>[^“”]*)[”“]|„(?P<low>[^„“”]*)[“”]|«(?P<guillemets>[^«»]*)»|(?P<word>\S+))""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    raw: str
    excluded: bool
    key: str
    quoted: bool


def parse(raw: str) -> ParsedQuery:
    """The query as understood. A query of exclusions only is plain text: it has nothing else to look for."""
    parsed = _parse(raw, list(_tokens(raw)))
    if not parsed.words and not parsed.phrases and parsed.exclusions:
        # A quotation mark that is not closed would open a phrase in front of whatever comes to stand behind it.
        texts = (
            token.raw if token.quoted else token.raw.lstrip('"') for token in _tokens(raw) if not token.key
        )
        plain = tuple(text for text in texts if text)
        text = " ".join(plain)
        notice = Notice("EXCLUSIONS_ONLY", "A query of exclusions only was taken as plain words.")
        return replace(
            parsed, words=plain, exclusions=(), semantic_text=text, notices=(*parsed.notices, notice)
        )
    return parsed


def _tokens(raw: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(raw):
        phrase = next((match[name] for name in _QUOTES if match[name] is not None), None)
        key = (match["key"] or "").lower()
        yield _Token(
            text=match["word"] if phrase is None else phrase.strip(),
            raw=match.group(),
            excluded=match["sign"] is not None,
            key="lang" if key == "language" else key,
            quoted=phrase is not None,
        )


class _Reading:
    """What has been understood so far."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.groups: list[list[_Token]] = []
        self.exclusions: list[str] = []
        self.values: dict[str, list[str]] = {"kind": [], "lang": [], "path": [], "namespace": [], "scope": []}
        self.notices: list[Notice] = []
        self.semantic: list[str] = []


def _parse(raw: str, tokens: list[_Token]) -> ParsedQuery:
    reading = _Reading()
    joins = False
    for position, token in enumerate(tokens):
        if token.text == "OR" and not token.quoted and not token.key and not token.excluded:
            # Between two operands it joins them; anywhere else it is a word like any other.
            joins = all(_operand(tokens, beside) for beside in (position - 1, position + 1))
            if joins:
                continue
        if token.key and _qualify(reading, token):
            joins = False
            continue
        _take(reading, token, joins)
        joins = False
    if reading.values["scope"] and not reading.values["namespace"]:
        message = "scope: says something only beside namespace:, so it was left out."
        reading.notices.append(Notice("SCOPE_WITHOUT_NAMESPACE", message))
    hard = [group for group in reading.groups if any(token.quoted for token in group)]
    phrases = [tuple(dict.fromkeys(token.text for token in group)) for group in hard]
    words = [token.text for group in reading.groups if group not in hard for token in group]
    return ParsedQuery(
        raw=raw,
        words=tuple(words),
        phrases=tuple(dict.fromkeys(phrases)),
        exclusions=tuple(dict.fromkeys(reading.exclusions)),
        kinds=tuple(dict.fromkeys(ChunkKind(kind) for kind in reading.values["kind"])),
        languages=tuple(dict.fromkeys(reading.values["lang"])),
        path_globs=tuple(dict.fromkeys(reading.values["path"])),
        namespace=next(reversed(reading.values["namespace"]), ""),
        qualifier=scope_qualifier(next(reversed(reading.values["scope"]), "")),
        semantic_text=" ".join(reading.semantic),
        notices=tuple(reading.notices),
    )


def _operand(tokens: list[_Token], position: int) -> bool:
    if not 0 <= position < len(tokens):
        return False
    token = tokens[position]
    return (
        not token.key and not token.excluded and bool(body_tokens(token.text) if token.quoted else token.text)
    )


def _take(reading: _Reading, token: _Token, joins: bool) -> None:
    """A word, a phrase or an exclusion."""
    if token.quoted and not body_tokens(token.text):
        if token.text:
            message = f"The phrase {token.raw} holds no word and was left out."
            reading.notices.append(Notice("PHRASE_WITHOUT_WORDS", message))
        return
    if token.excluded and not token.key:
        if body_tokens(token.text):
            reading.exclusions.append(token.text)
        return
    text = token.text if token.quoted and not token.key else token.raw
    if not token.quoted and text.startswith('"'):
        message = f"The quotation mark of {text} is not closed and was left out."
        reading.notices.append(Notice("QUOTE_NOT_CLOSED", message))
        text = text.lstrip('"')
        if not text:
            return
    taken = replace(token, text=text)
    reading.semantic.append(text)
    if joins and reading.groups:
        reading.groups[-1].append(taken)
    else:
        reading.groups.append([taken])


def _qualify(reading: _Reading, token: _Token) -> bool:
    """Takes a qualifier; False when its value is not understood, so that it is a plain word."""
    value = token.text.strip()
    if token.key == "namespace":
        value = normal_path(value)
    if token.key == "kind":
        value = _KINDS.get(value.lower(), "")
        if not value:
            message = f"{token.raw} was taken as a word: the kinds are section, code and table."
            reading.notices.append(Notice("KIND_UNKNOWN", message))
    if token.excluded or not value:
        return False
    reading.values[token.key].append(value)
    return True


_KINDS = {"section": "section", "prose": "section", "code": "code", "table": "table"}


def scope_qualifier(value: str) -> ScopeQualifier:
    """`exact`, `ancestors` and `ancestorsandself` by name; anything else is the subtree."""
    match value.strip().lower():
        case "exact":
            return ScopeQualifier.EXACT
        case "ancestors" | "ancestorsandself":
            return ScopeQualifier.ANCESTORS
        case _:
            return ScopeQualifier.SUBTREE


def normal_path(path: str) -> str:
    """A collection path without white space around it, a leading `@` and outer slashes."""
    return path.strip().removeprefix("@").strip("/")


def render(parsed: ParsedQuery) -> str:
    """A query that is understood as `parsed` was."""
    # Beside a phrase, OR joins words that quotes would change: without a letter in them, or with a quotation mark.
    parts = [
        " OR ".join(_quoted(text, always=bool(body_tokens(text)) and '"' not in text) for text in group)
        for group in parsed.phrases
    ]
    parts += [f"-{_quoted(exclusion, always=True)}" for exclusion in parsed.exclusions]
    # The empty phrase keeps an OR that is a word from joining what stands around it.
    return " ".join((*parsed.words, *parsed.qualifiers, '""', *parts))


def _quoted(text: str, *, always: bool = False) -> str:
    return f'"{text}"' if always or any(character.isspace() for character in text) else text
