"""Which files of a directory are left out: the rules of gitignore, from the suite, the tree and the collection."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pathspec import GitIgnoreSpec

DEFAULTS = (".*", "__pycache__/", "node_modules/", "~$*", "*~", "Thumbs.db", "desktop.ini")
"""Left out unless a pattern of the tree or of the collection takes it back: hidden files and folders, as
`findspot add` passes them over, and what programs leave lying beside files."""

RULE_FILES = (".gitignore", ".findspotignore")
"""Files of the tree whose patterns hold in their folder and below it; the later one is the stronger."""

Patterns = tuple[tuple[re.Pattern[str], bool], ...]
"""Expressions, each with whether it leaves out what it matches, the strongest first."""

_FOLDER_MARK = "ps_d"
"""The group of pathspec's expressions that holds the slash behind the name of a folder."""

MOST_PATTERNS = 1000
MOST_PATTERN_CHARACTERS = 1000
MOST_RULE_FILE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Level:
    """Patterns that hold from a folder on; `base` is its path with a `/` at the end, empty at the root."""

    base: str
    patterns: Patterns


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """All rules that hold in one folder, the strongest last but for `override`, which is stronger than all."""

    levels: tuple[_Level, ...]
    override: Patterns = ()

    @classmethod
    def of(cls, patterns: Sequence[str]) -> IgnoreRules:
        """The rules at the root of a collection with these patterns. Raises ValueError for one that is none."""
        return cls((_Level("", _patterns(DEFAULTS)),), _patterns(patterns))

    def below(self, folder: str, text: str) -> IgnoreRules:
        """The rules in a folder (`""` is the root) that holds a rule file with this text.

        A line that is no pattern is passed over, as git does: one slip must not take in everything else.
        """
        base = f"{folder}/" if folder else ""
        patterns = _patterns([line for line in text.splitlines() if not problem_of(line)])
        return replace(self, levels=(*self.levels, _Level(base, patterns)))

    def leaves_out(self, path: str, *, folder: bool) -> bool:
        """True when a file or folder is left out, its own folder not being so. `path` is relative to the root."""
        decided = _decision(self.override, path, folder)
        for level in reversed(self.levels):
            if decided is not None:
                break
            decided = _decision(level.patterns, path.removeprefix(level.base), folder)
        return bool(decided)


def _patterns(lines: Sequence[str]) -> Patterns:
    """Patterns that decide anything, the strongest first."""
    compiled = ((pattern.regex, pattern.include) for pattern in GitIgnoreSpec.from_lines(lines).patterns)
    return tuple(
        (regex, include) for regex, include in compiled if regex is not None and include is not None
    )[::-1]


def _decision(patterns: Patterns, path: str, folder: bool) -> bool | None:
    for regex, include in patterns:
        if _is_meant(regex, path, folder):
            return include
    return None


def _is_meant(regex: re.Pattern[str], path: str, folder: bool) -> bool:
    """True when a pattern means this very file or folder.

    The expressions match what lies in a folder that they match, too, and have a group for the slash behind its name.
    To git such a folder is simply never entered; a negated one takes back the folder and nothing in it.
    """
    if _FOLDER_MARK not in regex.groupindex:
        return regex.search(path) is not None
    name = f"{path}/" if folder else path
    # One that is not tied to the start (`*/`) would find the first slash, where only the last is meant.
    found = regex.search(name, 0 if regex.pattern.startswith("^") else len(path))
    return found is not None and found.start(_FOLDER_MARK) in (-1, len(path))


def problem_of(pattern: str) -> str:
    """Why a line is no pattern; empty when it is one. A blank line and a comment are patterns of nothing."""
    if len(pattern) > MOST_PATTERN_CHARACTERS:
        return f"has {len(pattern)} characters; the limit is {MOST_PATTERN_CHARACTERS}"
    if any(character in pattern for character in "\n\r\0"):
        return "holds a line break or a null character; give one pattern a line"
    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return "is not in the syntax of gitignore"
    return ""
