"""The list of expected differences: what it lets pass, what it does not, and that each entry says why."""

from __future__ import annotations

from tests.conformance.built_files import BUILT
from tests.conformance.record_checks import VERDICTS
from tests.conformance.tally import Tally, expected, judge

from findspot.model import Chunk, ChunkedDocument, ExtractedDocument, Strategy


def test_a_miss_passes_only_while_it_is_listed_and_misses() -> None:
    tally = Tally()
    tally.note("records", "B001", "headings", "two, not one")
    tally.note("records", "B001", "ends", "")
    assert judge(tally, {("B001", "headings"): "reason"}) == []
    assert judge(tally, {}) == ["B001  headings: two, not one"]
    stale = judge(tally, {("B001", "headings"): "reason", ("B001", "ends"): "reason"})
    assert [fault.split(":")[0] for fault in stale] == ["B001  ends"]


def test_cases_that_were_not_run_and_failures_without_a_type() -> None:
    tally = Tally(crashes=["B002: broke"])
    assert judge(tally, {("B009", "ends"): "reason"}) == ["no typed failure: B002: broke"]


def test_every_expected_difference_says_why() -> None:
    reasons = expected()
    assert reasons
    assert all(len(reason.split()) > 10 and reason.endswith(".") for reason in reasons.values())


def test_checks_tell_good_chunks_from_bad_ones() -> None:
    document = ExtractedDocument("one two three", "text", "text/plain")
    whole = Chunk(0, 0, 0, 7, "one two")
    rest = Chunk(1, 0, 4, 13, "two three", overlap=3)
    good = ChunkedDocument((), (whole, rest), Strategy.SENTENCE, 20, 5)
    bad = ChunkedDocument((), (whole, Chunk(1, 0, 8, 12, "tree")), Strategy.SENTENCE, 20, 5)
    for name in ("covers_all_text", "offsets_slice_equals_text"):
        assert VERDICTS[name](document, good, {}) == ""
        assert VERDICTS[name](document, bad, {}) != ""
    assert VERDICTS["overlap_between_neighbours_min"](document, good, {"value": 3}) == ""
    assert VERDICTS["overlap_between_neighbours_min"](document, bad, {"value": 1}) != ""


def test_files_that_records_describe_are_what_they_say() -> None:
    signatures = {"pdf": b"%PDF-", "pptx": b"PK", "docx": b"PK"}
    for extension, build in BUILT.values():
        assert build().startswith(signatures[extension])
