"""Ignore rules: the same files are left out as by git itself, and a collection's own patterns are the strongest."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from findspot_indexing.directories.ignore import DEFAULTS, IgnoreRules, problem_of
from findspot_indexing.directories.scan import scan
from findspot_indexing.directories.seen import Wish

LINES = r"""
a
b/
/a
/b/
a/b
*.t
!a
!b/
!*.t
!/a/b
**/a
a/**
!a/**
a/*
!a/b
*
!*/
*/
#a
\!a
a?b
[ab]
[!a]
b/**/a
c\
/*
!/c
"""
PATTERNS = st.sampled_from(LINES.splitlines())
NAMES = st.sampled_from(["a", "b", "c", "a.t", "b.t", "a b", "!a"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


def tree_of(root: Path, files: set[str], rules: dict[str, list[str]]) -> None:
    """Files and rule files below a root; a path that is in the way of another is passed over."""
    for path in sorted(files):
        place = root / path
        if not any(parent.is_file() for parent in place.parents) and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("x")
    for folder, patterns in rules.items():
        if (root / folder).is_dir():
            (root / folder / ".gitignore").write_text("\n".join(patterns) + "\n")


def by_git(root: Path) -> set[str]:
    """What git would take."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    run = ["git", "-c", "core.excludesFile=", "-C", str(root)]
    subprocess.run([*run, "init", "-q"], check=True, env=environment, capture_output=True)
    listed = subprocess.run(
        [*run, "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        env=environment,
        capture_output=True,
    )
    return {name for name in listed.stdout.decode().split("\0") if name and not name.endswith(".gitignore")}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sets(PATHS, min_size=1, max_size=12),
    st.dictionaries(st.one_of(st.just(""), PATHS), st.lists(PATTERNS, max_size=4), max_size=3),
)
def test_the_tree_s_own_rules_mean_what_they_mean_to_git(
    files: set[str], rules: dict[str, list[str]]
) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed: its answers cannot be compared")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        tree_of(root, files, rules)
        assert set(scan(Wish(str(root))).files) == by_git(root)


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        (".env", False), (".git", True), ("__pycache__", True), ("node_modules", True), ("~$report.docx", False),
        ("notes.txt~", False), ("Thumbs.db", False), ("desktop.ini", False),
    ],
)  # fmt: skip
def test_what_programs_leave_lying_is_left_out_unless_it_is_taken_back(path: str, folder: bool) -> None:
    assert IgnoreRules.of([]).leaves_out(path, folder=folder)
    assert IgnoreRules.of([]).leaves_out(f"deep/{path}", folder=folder)
    assert not IgnoreRules.of([f"!{path}"]).leaves_out(path, folder=folder)
    assert not IgnoreRules.of([]).below("", f"!{path}").leaves_out(path, folder=folder)
    assert not IgnoreRules.of([]).leaves_out("notes.md", folder=False)
    assert len(DEFAULTS) == 7


def test_a_collection_s_patterns_are_stronger_than_the_tree_s() -> None:
    rules = IgnoreRules.of(["*.log", "!keep.txt"]).below("", "!a.log\nkeep.txt\nother.txt")
    assert rules.leaves_out("a.log", folder=False)
    assert not rules.leaves_out("keep.txt", folder=False)
    assert rules.leaves_out("other.txt", folder=False)


def test_findspotignore_is_stronger_than_gitignore_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.pdf\n*.bin\n")
    (tmp_path / ".findspotignore").write_text("!*.pdf\n*.md\n")
    for name in ("a.pdf", "a.bin", "a.md", "a.txt"):
        (tmp_path / name).write_text("x")
    assert set(scan(Wish(str(tmp_path))).files) == {"a.pdf", "a.txt"}


def test_a_line_that_is_no_pattern_takes_no_other_with_it(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("!\nsecret.txt\n")
    (tmp_path / "secret.txt").write_text("x")
    assert set(scan(Wish(str(tmp_path))).files) == set()
    assert problem_of("!") == "is not in the syntax of gitignore"
    assert "1000" in problem_of("x" * 1001)
    assert "line break" in problem_of("a\nb")
    assert problem_of("*.md") == ""
