"""What checks about searches mean for the answers that came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from findspot.errors import FindspotError
from findspot.v1 import query_pb2
from tests.conformance.suite_case import Case, Done, nfc

Check = Mapping[str, Any]


def steps(case: Case, check: Check, verb: str = "") -> list[Done]:
    """The steps that a check is about: the one it names, those of the queries that it names, else all of the verb."""
    if "step" in check:
        return [case.done[check["step"]]]
    of_verb = [done for done in case.done if not verb or done.verb == verb]
    return [of_verb[number] for number in check["queries"]] if "queries" in check else of_verb


def searches(case: Case, check: Check) -> list[Done]:
    """The searches that a check is about: the last one when it does not say which."""
    found = steps(case, check, "search")
    return found if "step" in check or "queries" in check or case.every_search else found[-1:]


def hits(done: Done, check: Check) -> list[query_pb2.SearchHit]:
    """What was found, best first: by the arm that the check names, else as it was asked."""
    mode = {"vector": "semantic", "text": "text", "both": "asked"}.get(check.get("arm", ""), "asked")
    answer = done.answers.get(check.get("mode", mode))
    return list(_shown(answer)) if answer is not None else []


def _shown(answer: query_pb2.SearchResponse) -> Iterator[query_pb2.SearchHit]:
    for result in answer.results:
        yield result.hit
        yield from result.more


def _is(hit: query_pb2.SearchHit, check: Check) -> bool:
    page = check.get("page")
    return nfc(hit.file_path) == nfc(check["doc"]) and (page is None or hit.page == page)


def hit(case: Case, check: Check) -> str:
    for done in searches(case, check):
        found = hits(done, check)
        if not any(_is(one, check) for one in found):
            return f"{done.step['search']!r} finds {_told(found)}; {failures([done])}"
    return ""


def top(case: Case, check: Check) -> str:
    for done in searches(case, check):
        found = hits(done, check)
        if not found or not _is(found[0], check):
            return f"{done.step['search']!r} finds {_told(found)}; {failures([done])}"
    return ""


def no_hit(case: Case, check: Check) -> str:
    """Neither arm finds a deleted file, nor a passage with all words of the query."""
    for done in searches(case, check):
        words = set(done.step["search"].lower().split())
        for mode in [check["arm"]] if "arm" in check else ["text", "vector", "both"]:
            for found in hits(done, {"arm": mode}):
                if "doc" in check and not _is(found, check):
                    continue
                holds = words <= set((found.text or found.snippet).lower().replace(".", " ").split())
                if holds or nfc(found.file_path) in case.deleted:
                    return f"{done.step['search']!r} still finds {found.file_path}: {found.snippet[:60]!r} ({mode})"
        if not done.answers:
            return f"was not searched; {failures([done])}"
    return ""


def no_hit_doc(case: Case, check: Check) -> str:
    for done in searches(case, check):
        for mode in ("text", "vector", "both"):
            if any(_is(found, check) for found in hits(done, {"arm": mode})):
                return f"{done.step['search']!r} still finds {check['doc']} ({mode})"
        if not done.answers:
            return f"was not searched; {failures([done])}"
    return ""


def hit_count(case: Case, check: Check) -> str:
    for done in searches(case, check):
        found = hits(done, check)
        if not within(len(found), check):
            return f"{len(found)} hits: {_told(found)}; {failures([done])}"
    return ""


def distinct_docs(case: Case, check: Check) -> str:
    for done in searches(case, check):
        found = {one.file_path for one in hits(done, check)}
        if not within(len(found), check):
            return f"{sorted(found)}; {failures([done])}"
    return ""


def unique_hits(case: Case, check: Check) -> str:
    """No passage is found twice by one search."""
    for done in searches(case, check):
        found = [one.chunk_id for one in hits(done, check)]
        if len(found) != len(set(found)) or not done.answers:
            return f"{len(found)} hits, {len(set(found))} passages; {failures([done])}"
    return ""


def within(count: int, check: Check) -> bool:
    """True when a number is what a check wants: `value` exactly, or from `min` to `max`."""
    exactly = check.get("value", count)
    return bool(count == exactly and check.get("min", count) <= count <= check.get("max", count))


def degraded_or_hit(case: Case, check: Check) -> str:
    """Either it is found, by vector too, or the answer says by name which arm is missing."""
    for done in searches(case, check):
        asked = done.answers.get("asked")
        if asked is None:
            return failures([done])
        arms = asked.degradations
        if any(not arm.failure.name or not arm.failure.message for arm in arms):
            return "an arm is missing without a name or a message"
        by_both, by_vector = hits(done, {}), hits(done, {"arm": "vector"})
        if not arms and not (by_both and by_vector):
            return f"not degraded, and found: {_told(by_both)}; by vector: {_told(by_vector)}"
    return ""


def all_failures(found: list[Done]) -> list[FindspotError]:
    """Every failure of these steps."""
    return [failure for done in found for failure in done.failures]


def failures(found: list[Done]) -> str:
    """The first failures of these steps, in words; empty when there is none."""
    return "; ".join(f"{type(failure).__name__}: {failure.message}" for failure in all_failures(found)[:3])


def _told(found: list[query_pb2.SearchHit]) -> list[str]:
    return [one.file_path for one in found][:8]
