"""Freshness is a function of the evidence, and its precedence is the one that is written down."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.freshness import Evidence, Source, Verdict, fingerprint, judge
from findspot.model import Freshness

OLD, NEW = "a" * 64, "b" * 64
SETTLED = Evidence(published=True, row_hash=OLD, received_hash=OLD)

hashes = st.sampled_from(["", OLD, NEW])
evidences = st.builds(
    Evidence,
    published=st.booleans(),
    row_hash=hashes,
    received_hash=st.sampled_from([OLD, NEW]),
    diverged_at=st.integers(0, 9),
    source=st.sampled_from(Source),
    file_hash=hashes,
    file_changed_at=st.integers(0, 9),
    missing_vectors=st.integers(0, 2),
    outdated_entries=st.integers(0, 2),
    row_fingerprint=hashes,
    index_fingerprint=hashes,
)


def expected(evidence: Evidence) -> tuple[Freshness, bool]:
    """The table of the requirement, row by row."""
    seen = evidence.source is Source.SEEN
    looked_at = seen or evidence.source is Source.GONE
    differs = evidence.source is Source.GONE or (seen and evidence.file_hash != evidence.row_hash)
    lineage = evidence.received_hash != evidence.row_hash
    mismatch = (
        evidence.missing_vectors > 0
        or evidence.outdated_entries > 0
        or evidence.row_fingerprint != evidence.index_fingerprint
    )
    if not evidence.published:
        return Freshness.NOT_INDEXED, False
    if evidence.row_hash == "":
        return Freshness.ROWS_BEHIND_FILE, True
    if looked_at and differs:
        return Freshness.ROWS_BEHIND_FILE, True
    if not looked_at and lineage:
        return Freshness.ROWS_BEHIND_FILE, True
    if evidence.source is Source.UNREADABLE:
        return Freshness.UNKNOWN, mismatch
    if mismatch:
        return Freshness.INDEX_BEHIND_ROWS, True
    return Freshness.FRESH, False


@given(evidences)
def test_freshness_is_what_the_table_gives(evidence: Evidence) -> None:
    found = judge(evidence)
    assert (found.freshness, found.stale) == expected(evidence)
    assert judge(replace(evidence)) == found
    assert found.message.endswith(".")
    assert found.diverged_at == 0 or found.freshness is Freshness.ROWS_BEHIND_FILE


@given(evidences)
def test_more_that_is_wrong_never_makes_it_fresher(evidence: Evidence) -> None:
    order = [Freshness.ROWS_BEHIND_FILE, Freshness.UNKNOWN, Freshness.INDEX_BEHIND_ROWS, Freshness.FRESH]
    worse = [
        replace(evidence, missing_vectors=evidence.missing_vectors + 1),
        replace(evidence, outdated_entries=evidence.outdated_entries + 1),
        replace(evidence, index_fingerprint=evidence.row_fingerprint + "x"),
        replace(evidence, source=Source.GONE),
    ]
    before = judge(evidence)
    for changed in worse:
        after = judge(changed)
        assert after.stale >= before.stale
        if evidence.published:
            assert order.index(after.freshness) <= order.index(before.freshness)


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        (SETTLED, (Freshness.FRESH, False, OLD, 0, "Index, rows and file agree.")),
        (
            replace(SETTLED, received_hash=NEW, diverged_at=7, missing_vectors=1),
            (Freshness.ROWS_BEHIND_FILE, True, NEW, 7, "Newer content was received and is not published."),
        ),
        (
            replace(SETTLED, source=Source.SEEN, file_hash=NEW, file_changed_at=5),
            (Freshness.ROWS_BEHIND_FILE, True, NEW, 5, "The file has other content than the rows."),
        ),
        (
            # The edit that failed was taken back: file and rows agree again.
            replace(SETTLED, source=Source.SEEN, file_hash=OLD, received_hash=NEW, diverged_at=7),
            (Freshness.FRESH, False, OLD, 0, "Index, rows and file agree."),
        ),
        (
            replace(
                SETTLED, source=Source.UNREADABLE, unread_reason="Permission denied", missing_vectors=1_200
            ),
            (
                Freshness.UNKNOWN,
                True,
                OLD,
                0,
                "The file could not be compared: Permission denied. 1,200 chunks have no vector yet.",
            ),
        ),
        (
            replace(SETTLED, source=Source.UNREADABLE, received_hash=NEW, diverged_at=7),
            (Freshness.ROWS_BEHIND_FILE, True, NEW, 7, "Newer content was received and is not published."),
        ),
        (
            replace(SETTLED, row_fingerprint=OLD, index_fingerprint=NEW),
            (Freshness.INDEX_BEHIND_ROWS, True, OLD, 0, "The index holds other entries than the rows."),
        ),
        (
            replace(SETTLED, published=False, row_hash="", missing_vectors=3),
            (Freshness.NOT_INDEXED, False, OLD, 0, "Nothing of it can be found yet, or any more."),
        ),
    ],
)
def test_the_verdict_names_what_proves_it(
    evidence: Evidence, verdict: tuple[Freshness, bool, str, int, str]
) -> None:
    assert judge(evidence) == Verdict(*verdict, evidence)


@given(st.lists(st.tuples(st.text("ab", max_size=3), st.integers(0, 3)), max_size=6), st.randoms())
def test_a_fingerprint_tells_chunks_apart_in_any_order(chunks: list[tuple[str, int]], chance: object) -> None:
    shuffled = list(chunks)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fingerprint(shuffled) == fingerprint(chunks)
    assert fingerprint([*chunks, ("c", 0)]) != fingerprint(chunks)
    for at in range(len(chunks)):
        assert fingerprint(chunks[:at] + chunks[at + 1 :]) != fingerprint(chunks)
