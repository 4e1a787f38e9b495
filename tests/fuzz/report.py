"""The table of a run by format and outcome, and the files that are worth a look."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.fuzz.attack import WORTH_A_LOOK, Answer, Run


def keep(answer: Answer, folder: Path) -> None:
    """Writes an input whose answer is a fault or worth a look: `--replay` sends it again."""
    if answer.fault or answer.outcome in WORTH_A_LOOK:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / answer.sent.name).write_bytes(answer.sent.data)


def show(console: Console, run: Run, folder: Path) -> None:
    """Prints what came of the run."""
    by_form: dict[str, list[Answer]] = defaultdict(list)
    for answer in run.answers:
        by_form[answer.sent.form].append(answer)
    table = Table("format", "files", "documents", "pages drawn", "typed failures", "faults", "slowest")
    for form, answers in by_form.items():
        outcomes = Counter(answer.outcome for answer in answers)
        faults = sum(answer.fault for answer in answers)
        documents, pages = outcomes.pop("document", 0), outcomes.pop("page", 0)
        failures = ", ".join(f"{reason} {count}" for reason, count in outcomes.most_common())
        slowest = max(answer.seconds for answer in answers)
        table.add_row(
            form, str(len(answers)), str(documents), str(pages), failures, str(faults), f"{slowest:.1f} s"
        )
    console.print(table)
    for answer in sorted(run.answers, key=lambda answer: answer.sent.name):
        if answer.fault or answer.outcome in WORTH_A_LOOK:
            colour = "red" if answer.fault else "yellow"
            console.print(f"[{colour}]{answer.outcome}[/] {folder / answer.sent.name} ({answer.sent.how})")
            console.print(f"    {answer.message[:300]}", markup=False)
    console.print(
        f"service: {run.before >> 20} MiB before, {run.after >> 20} MiB after; "
        f"largest worker: {run.worker_peak >> 20} MiB"
    )
    for fault in run.faults:
        console.print(f"[red]{fault}[/]")
