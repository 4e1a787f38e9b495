"""Whatever happens to documents, the counters hold what counting every row would give."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from indexing_fakes import QUICK, Desk, desk_over, replace

from findspot.errors import InvalidArgument, NotFound, Reason, Unavailable
from findspot.model import EVERYTHING
from findspot_indexing import removal
from findspot_indexing.documents import DocumentName
from findspot_indexing.sweep.upkeep import sweep_abandoned, sweep_retired

FILES = ("a", "b", "c")
TEXTS = ("one\n\ntwo", "two\n\nthree", "one\n\none", " ", "lost\n\none")

steps = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("put"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("force"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(FILES), st.just("")),
    st.tuples(st.just("purge"), st.sampled_from(FILES), st.just("")),
    st.tuples(st.just("fail"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.sampled_from(["settle", "sweep", "blink"]), st.just(""), st.just("")),
)


async def settled(desk: Desk) -> None:
    """Nothing waits any more."""
    desk.indexing.wake.upkeep.set()
    await desk.until(
        lambda: (
            not desk.rows(
                "SELECT 1 FROM documents WHERE state IN ('PENDING', 'EXTRACTING') "
                "UNION ALL SELECT 1 FROM chunk_vectors WHERE state = 'PENDING' "
                "UNION ALL SELECT 1 FROM documents WHERE stage = 'PURGING'"
            )
        )
    )
    # One whose document was deleted meanwhile may not have noticed yet, and still holds it.
    await desk.at_rest()


async def send(desk: Desk, file: str, text: str, **header: object) -> None:
    try:
        await desk.put(file, text, **header)
    except Unavailable:
        # A purge of it was cut short: what came now would go with it.
        assert desk.rows(f"SELECT stage FROM documents WHERE file_path = '{file}'") == [("PURGING",)]


async def act(desk: Desk, what: str, file: str, text: str) -> None:
    name = DocumentName(collection="acme/notes", file_path=file)
    match what:
        case "put" | "force":
            desk.extractor.always.pop(file, None)
            await send(desk, file, text, force=what == "force")
        case "fail":
            desk.extractor.always[file] = InvalidArgument("torn", reason=Reason.DOCUMENT_CORRUPT)
            await send(desk, file, text)
        case "delete" | "purge":
            do = removal.delete if what == "delete" else removal.purge
            try:
                await do(EVERYTHING, desk.indexing, name)
            except NotFound:
                assert desk.state(file) == ""
            except Unavailable:
                assert desk.vectors.down
        case "settle":
            desk.vectors.down = False
            await settled(desk)
        case "sweep":
            desk.vectors.down = False
            await sweep_retired(desk.indexing)
        case "blink":
            desk.vectors.down = not desk.vectors.down


def check_projections(desk: Desk) -> None:
    """Text index and vectors hold the live chunks, once each, and nothing else."""
    live = {row[0] for row in desk.rows("SELECT id FROM chunks WHERE state = 'LIVE'")}
    ready = {row[0] for row in desk.rows("SELECT chunk_id FROM chunk_vectors WHERE state = 'READY'")}
    assert set(desk.text.ids()) == live
    assert set(desk.vectors.all) == ready <= live
    assert not desk.rows("SELECT 1 FROM chunks WHERE state = 'STAGED'")
    assert not desk.rows("SELECT 1 FROM generations WHERE state = 'STAGED'")
    assert not desk.rows(
        "SELECT 1 FROM sections s LEFT JOIN generations g USING (document_id, generation) WHERE g.state IS NULL"
    )


async def run(folder: Path, sequence: list[tuple[str, str, str]]) -> None:
    async with desk_over(folder, limits=replace(QUICK, retired_seconds=0.0)) as desk:
        desk.embedder.refused = {"lost": Reason.EMBEDDING_INPUT_TOO_LONG}
        for step in sequence:
            await act(desk, *step)
            assert desk.counters_match()
        desk.vectors.down = False
        await settled(desk)
        await sweep_retired(desk.indexing)
        await sweep_abandoned(desk.indexing)
        # What the sweep in the background holds just now is passed over by these two, and done when it is done.
        await desk.until(
            lambda: (
                not desk.rows(
                    "SELECT 1 FROM chunks WHERE state = 'STAGED' OR (state = 'RETIRED' AND text_state = 'READY') "
                    "UNION ALL SELECT 1 FROM generations WHERE state = 'STAGED'"
                )
            )
        )
        assert desk.counters_match()
        check_projections(desk)


@settings(max_examples=12, deadline=None)
@given(st.lists(steps, min_size=3, max_size=12))
def test_counters_and_projections_agree_with_the_manifest(sequence: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), sequence))
