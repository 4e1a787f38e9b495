"""Which files of a directory are left out: the rules of gitignore, from the suite, the tree and the collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pathspec import GitIgnoreSpec

DEFAULTS = (".*", "__pycache__/", "node_modules/", "~$*", "*~", "Thumbs.db", "desktop.ini")
"""Left out unless a pattern of the tree or of the collection takes it back: hidden files and folders, as
`findspot add` passes them over, and what programs leave lying beside files."""

RULE_FILES = (".gitignore", ".findspotignore")
"""Files of the tree whose patterns hold in their folder and below it; the later one is the stronger."""

MOST_PATTERNS = 1000
MOST_PATTERN_CHARACTERS = 1000
MOST_RULE_FILE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Level:
    """Patterns that hold from a folder on; `base` is its path with a `/` at the end, empty at the root."""

    base: str
    spec: GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """All rules that hold in one folder, the strongest last but for `override`, which is stronger than all."""

    levels: tuple[_Level, ...]
    override: GitIgnoreSpec = field(default_factory=lambda: GitIgnoreSpec.from_lines([]))

    @classmethod
    def of(cls, patterns: Sequence[str]) -> IgnoreRules:
        """The rules at the root of a collection with these patterns. Raises ValueError for one that is none."""
        defaults = _Level("", GitIgnoreSpec.from_lines(DEFAULTS))
        return cls((defaults,), GitIgnoreSpec.from_lines(patterns))

    def below(self, folder: str, text: str) -> IgnoreRules:
        """The rules in a folder (`""` is the root) that holds a rule file with this text.

        A line that is no pattern is passed over, as git does: one slip must not take in everything else.
        """
        base = f"{folder}/" if folder else ""
        lines = [line for line in text.splitlines() if not problem_of(line)]
        return replace(self, levels=(*self.levels, _Level(base, GitIgnoreSpec.from_lines(lines))))

    def leaves_out(self, path: str, *, folder: bool) -> bool:
        """True when a file or folder is left out, its own folder not being so. `path` is relative to the root."""
        name = f"{path}/" if folder else path
        decided = self.override.check_file(name).include
        for level in reversed(self.levels):
            if decided is not None:
                break
            decided = level.spec.check_file(name.removeprefix(level.base)).include
        return bool(decided)


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
