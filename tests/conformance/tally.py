"""How facts and checks fared, and which misses are expected: each of those has a reason that a reader can judge."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

EXPECTED = Path(__file__).with_name("expected.toml")


@dataclass(frozen=True)
class Miss:
    """A fact or check of one case that does not hold."""

    case: str
    """Id of the record, or name of the file."""
    check: str
    wrong: str


@dataclass
class Tally:
    """Counts of one run."""

    held: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By group (records, or a format) and kind of check."""
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    later: Counter[str] = field(default_factory=Counter)
    """Checks left out, by a format that this version does not read."""
    described: Counter[str] = field(default_factory=Counter)
    """Facts that say what a file is, and that nothing is to be compared with."""
    misses: list[Miss] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)
    """Every (case, check) that was made."""

    def note(self, group: str, case: str, check: str, wrong: str) -> None:
        """One fact or check: `wrong` is empty when it holds."""
        self.seen.add((case, check))
        (self.missed if wrong else self.held)[group, check] += 1
        if wrong:
            self.misses.append(Miss(case, check, wrong))


def expected(file: Path = EXPECTED) -> dict[tuple[str, str], str]:
    """The reasons of expected differences by (case, check)."""
    listed = tomllib.loads(file.read_text())["difference"]
    return {(entry["case"], entry["check"]): entry["reason"] for entry in listed}


def judge(tally: Tally, reasons: dict[tuple[str, str], str]) -> list[str]:
    """What a person has to look at: misses that are not listed, listed ones that hold now, failures without a type."""
    missing = {(miss.case, miss.check) for miss in tally.misses}
    faults = [
        f"{miss.case}  {miss.check}: {miss.wrong}"[:400]
        for miss in tally.misses
        if (miss.case, miss.check) not in reasons
    ]
    faults += [
        f"{case}  {check}: holds now; take it off {EXPECTED.name}"
        for case, check in sorted(reasons.keys() & tally.seen - missing)
    ]
    return faults + [f"no typed failure: {crash}" for crash in tally.crashes]


def show(console: Console, tally: Tally, reasons: dict[tuple[str, str], str], faults: list[str]) -> None:
    """Prints the table, the expected differences with their reasons, and every fault."""
    table = Table("", "check", "hold", "miss")
    for group, check in sorted(set(tally.held) | set(tally.missed)):
        missed = tally.missed[group, check]
        table.add_row(group, check, str(tally.held[group, check]), f"[red]{missed}[/]" if missed else "")
    console.print(table)
    listed = {(miss.case, miss.check): miss for miss in tally.misses if (miss.case, miss.check) in reasons}
    for key, miss in listed.items():
        console.print(
            f"expected: {miss.case}  {miss.check}: {miss.wrong}"[:240], markup=False, soft_wrap=True
        )
        console.print(f"          {reasons[key]}", style="dim", markup=False, soft_wrap=True)
    for names, told in (
        (tally.later, "left out, because this version does not read the format"),
        (tally.described, "facts that only describe their file"),
    ):
        if names:
            counts = ", ".join(f"{count} of {name}" for name, count in sorted(names.items()))
            console.print(f"{told}: {counts}", soft_wrap=True)
    for fault in faults:
        console.print(fault, style="red", markup=False, soft_wrap=True)
    console.print(f"{tally.held.total()} hold, {tally.missed.total()} miss, {len(faults)} to look at")
