"""`make demo`: starts a suite in a folder of its own, adds the sample library, asks, reads, and stops."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FINDSPOT = Path(sys.executable).with_name("findspot")
QUESTIONS = (
    "What does a yellow flame mean?",
    "How do I know that the oven is hot enough without a thermometer?",
    "How much did the wall settle beside the sluice?",
)


def main() -> int:
    """Runs the demonstration; the exit code is that of the first command that fails."""
    with tempfile.TemporaryDirectory(prefix="findspot-demo-") as folder:
        say(
            f"$ findspot up --data {folder}   (the first start builds the embedding graph: about half a minute)"
        )
        up = subprocess.Popen(
            [FINDSPOT, "up", "--data", folder, "--free-ports", "--json"], stdout=subprocess.PIPE, text=True
        )
        try:
            return walk_through(up, folder)
        finally:
            up.send_signal(signal.SIGINT)
            up.wait(60)
            say("stopped")


def walk_through(up: subprocess.Popen[str], folder: str) -> int:
    """Adds, searches three times and reads, as a person would."""
    assert up.stdout is not None
    ready = read_json(up)
    if ready is None:
        return up.wait() or 1
    say("ready: " + ", ".join(f"{name} {address}" for name, address in ready["services"].items()) + "\n")
    commands = [["add", str(ROOT / "tests" / "fixtures" / "library"), "--collection", "demo/library"]]
    commands += [["search", question, "--limit", "2"] for question in QUESTIONS]
    commands += [["read", "1"], ["read", "--next"]]
    for command in commands:
        shown = " ".join(f'"{word}"' if " " in word else word for word in command).replace(
            str(ROOT) + "/", ""
        )
        say(f"$ findspot {shown}")
        code = subprocess.run([FINDSPOT, *command, "--data", folder], check=False).returncode
        if code:
            return code
        say("")
    return 0


def read_json(up: subprocess.Popen[str]) -> dict[str, dict[str, str]] | None:
    """The object that `up --json` prints when every service serves; None when it ended instead."""
    assert up.stdout is not None
    lines = []
    for line in up.stdout:
        lines.append(line)
        if line == "}\n":
            found: dict[str, dict[str, str]] = json.loads("".join(lines))
            return found
    return None


def say(line: str) -> None:
    """Prints at once, so that the lines stand in order with those of the commands."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
