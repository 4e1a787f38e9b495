"""From an upload to a document that is found by words and by meaning."""

from __future__ import annotations

from pathlib import Path

from indexing_fakes import IDENTITY, desk_over


async def test_upload_becomes_indexed(tmp_path: Path) -> None:
    async with desk_over(tmp_path) as desk:
        taken = await desk.put("a.txt", "First paragraph.\n\nSecond paragraph.")
        assert not taken.unchanged
        await desk.until(lambda: desk.state("a.txt") == "INDEXED")
        assert desk.text.count() == 2
        points = desk.vectors.all
        assert len(points) == 2
        assert {tuple(point.payload["ancestors"]) for point in points.values()} == {("acme", "acme/notes")}
        assert desk.rows("SELECT identity_key FROM active_identity") == [(IDENTITY.key,)]
        assert desk.counters_match()
