"""Whatever models are configured, chosen and dropped in between, one serves, and it has every vector in the end."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from indexing_fakes import IDENTITY, OTHER, QUICK, THIRD, Desk, FakeEmbedder, desk_over, replace

from findspot.errors import FailedPrecondition, NotFound
from findspot.model import EVERYTHING
from findspot.stores.vectors.names import collection_name
from findspot_indexing import choosing, removal
from findspot_indexing.documents import DocumentName

MODELS = (IDENTITY, OTHER, THIRD)
FILES = ("a", "b", "c")
TEXTS = ("one\n\ntwo", "two\n\nthree", "three", "a text that is long for some models\n\none")

models, files, texts = st.sampled_from(MODELS), st.sampled_from(FILES), st.sampled_from(TEXTS)
steps = st.one_of(
    st.tuples(st.just("configure"), models),
    st.tuples(st.just("activate"), models),
    st.tuples(st.just("drop"), models),
    st.tuples(st.just("put"), st.tuples(files, texts)),
    st.tuples(st.just("delete"), files),
    st.tuples(st.just("full"), st.none()),
)


async def act(desk: Desk, what: str, given: object) -> None:
    match what, given:
        case "configure", model:
            desk.embedder.identity = model  # type: ignore[assignment]
            desk.embedder.also = tuple(one for one in MODELS if one is not model)
            desk.indexing.wake.models.set()
            desk.indexing.wake.embed.set()
        case "activate", model:
            await choosing.activate(EVERYTHING, desk.indexing, model.key)  # type: ignore[attr-defined]
        case "drop", model:
            try:
                await choosing.drop(EVERYTHING, desk.indexing, model.key)  # type: ignore[attr-defined]
            except (FailedPrecondition, NotFound):
                return
        case "put", (file, text):
            await desk.put(file, text)
        case "delete", file:
            try:
                name = DocumentName(collection="acme/notes", file_path=str(file))
                await removal.delete(EVERYTHING, desk.indexing, name)
            except NotFound:
                return
        case _:
            await full(desk)


async def full(desk: Desk) -> None:
    """Nothing waits, and nothing is being filled any more."""
    desk.indexing.wake.models.set()
    desk.indexing.wake.embed.set()
    await desk.until(
        lambda: (
            not desk.rows(
                "SELECT 1 FROM documents WHERE state IN ('PENDING', 'EXTRACTING', 'CHUNKED') "
                "UNION ALL SELECT 1 FROM identities WHERE state IN ('FILLING', 'DROPPING')"
            )
        )
    )
    await desk.at_rest()


@settings(max_examples=8, deadline=None)
@given(st.lists(steps, min_size=3, max_size=14))
async def test_one_model_serves_and_is_full_in_the_end(changes: list[tuple[str, object]]) -> None:
    embedder = FakeEmbedder(also=(OTHER, THIRD), longest={THIRD.key: 16})
    with tempfile.TemporaryDirectory() as folder:
        async with desk_over(
            Path(folder) / "data", embedder=embedder, limits=replace(QUICK, retired_seconds=0, embed_batch=2)
        ) as desk:
            desk.chunker.longest = {THIRD.key: 16}
            await desk.put("a", TEXTS[0])
            await desk.until(lambda: desk.state("a") == "INDEXED")
            for what, which in changes:
                await act(desk, what, which)
                served = desk.rows("SELECT key FROM identities WHERE state = 'ACTIVE'")
                assert served == desk.rows("SELECT identity_key FROM active_identity")
                assert len(served) == 1
                assert desk.rows("SELECT count(*) < 2 FROM identities WHERE state = 'FILLING'") == [(1,)]
            await full(desk)
            (key,) = desk.rows("SELECT identity_key FROM active_identity")[0]
            live = {row[0] for row in desk.rows("SELECT id FROM chunks WHERE state = 'LIVE'")}
            ready = desk.rows(
                f"SELECT chunk_id FROM chunk_vectors WHERE identity = '{key}' AND state = 'READY'"
            )
            assert {row[0] for row in ready} == live <= set(desk.vectors.points[collection_name(str(key))])
            assert desk.counters_match()
