"""The README's examples do what it says."""

import re
import shutil
import subprocess
import sys

import pytest
from tests.e2e.suite_process import ROOT, Suite


def block(language: str) -> str:
    """The one example in this language that the README marks as executed."""
    readme = (ROOT / "README.md").read_text()
    found = re.findall(
        rf"executed by tests/e2e/test_readme\.py -->\n```{language}\n(.*?)```", readme, re.DOTALL
    )
    assert len(found) == 1
    return str(found[0])


def test_the_python_example_finds_and_reads(suite: Suite) -> None:
    example = block("python")
    assert len([line for line in example.splitlines() if line.strip()]) <= 12
    environment = {**suite.environment, "FINDSPOT_DATA": str(suite.data)}
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    first, *passage = done.stdout.split("\n", 1)
    assert first.startswith("1 demo/notes/README.md")
    text, _, total = passage[0].strip().rpartition(" ")
    assert text.strip() in (ROOT / "README.md").read_text()
    assert int(total) > 1


def test_the_example_for_anything_else_finds(suite: Suite) -> None:
    buf = ROOT / "node_modules" / ".bin" / "buf"
    if not buf.exists() and shutil.which("npm"):
        subprocess.run(
            ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
    if not buf.exists():
        pytest.skip("buf comes from npm, and Node is missing")
    example = block("sh").replace("buf curl", f"{buf} curl", 1)
    assert "127.0.0.1:7416" in example
    example = example.replace("127.0.0.1:7416", suite.addresses["query"])
    done = subprocess.run(
        ["sh", "-c", example], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert '"searched": true' in done.stdout


def test_every_command_of_the_readme_exists(suite: Suite) -> None:
    readme = (ROOT / "README.md").read_text()
    for command in set(re.findall(r"^findspot (\w+)", readme, re.MULTILINE)):
        shown = subprocess.run(
            [sys.executable, "-m", "findspot.cli", command, "--help"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert shown.returncode == 0, command


def test_every_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"make ([a-z]+)", (ROOT / "README.md").read_text())):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
