"""What the runs came to: a table by victim, one by action, and all there is to know about a run that failed."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from tests.crash.rounds import Outcome

_ENDINGS = ("acknowledged", "unanswered", "made again", "refused")


def show(console: Console, outcomes: Sequence[Outcome], seconds: float) -> None:
    """The summary of all runs."""
    console.print(_by_victim(outcomes), _by_action(outcomes))
    failed = [outcome for outcome in outcomes if outcome.faults]
    models = sum(bool(outcome.model) for outcome in outcomes)
    console.print(
        f"{len(outcomes)} runs, {models} changes of the model, in {seconds:.0f} s"
        f" ({seconds / max(len(outcomes), 1):.1f} s a run): {len(failed)} failed",
        style="red" if failed else "green",
    )


def _by_victim(outcomes: Sequence[Outcome]) -> Table:
    table = Table("killed", "runs", "serves again, s", "at rest, s", "examined, s", "failed", title="kill -9")
    runs: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        runs[outcome.victim].append(outcome)
    for victim, found in sorted(runs.items()):
        failed = sum(bool(outcome.faults) for outcome in found)
        spans = [
            _span([getattr(outcome, name) for outcome in found]) for name in ("recovery", "rest", "examined")
        ]
        table.add_row(victim, str(len(found)), *spans, f"[red]{failed}[/]" if failed else "")
    return table


def _span(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} (to {max(values):.2f})"


def _by_action(outcomes: Sequence[Outcome]) -> Table:
    table = Table("call", *_ENDINGS, title="calls under way")
    counted = Counter(answer for outcome in outcomes for answer in outcome.answers)
    for action in sorted({action for action, _ in counted}):
        table.add_row(action, *(str(counted[action, ending] or "") for ending in _ENDINGS))
    return table


def tell(console: Console, outcome: Outcome, seed: int) -> None:
    """A run that failed: what was done, what was killed when, and what is wrong now."""
    console.print(
        f"run {outcome.number} of seed {seed} failed: {outcome.victim} was killed after"
        f" {outcome.delay * 1000:.0f} ms{f', then {outcome.second}' if outcome.second else ''}"
        f"{f', with another model ({outcome.model})' if outcome.model else ''}",
        style="red",
    )
    for line in outcome.log:
        console.print(f"  {line}", markup=False, soft_wrap=True)
    for fault in outcome.faults[:20]:
        console.print(f"  wrong: {fault}", style="red", markup=False, soft_wrap=True)
    if len(outcome.faults) > 20:
        console.print(f"  and {len(outcome.faults) - 20} more")
