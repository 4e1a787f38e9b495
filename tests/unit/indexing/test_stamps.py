"""What extraction and chunking say of their stamps is kept for seconds, and not beyond an outage."""

from __future__ import annotations

from pathlib import Path

import pytest
from indexing_fakes import desk_over, replace

from findspot_indexing.outages import PartAway
from findspot_indexing.stamps import KnownStamps, Stamps, current_stamps, stamps_if_told


def test_stamps_are_told_by_type() -> None:
    stamps = Stamps({"pdf": "pdf/1+ocr/none", "text": "text/1"}, "chunking/1")
    assert (stamps.extractor("pdf"), stamps.extractor("novel"), stamps.chunker) == (
        "pdf/1+ocr/none",
        "",
        "chunking/1",
    )


def test_the_registry_has_another_stamp_when_any_type_has() -> None:
    both = [Stamps({"a": "a/1", "b": "b/1"}, ""), Stamps({"b": "b/1", "a": "a/1"}, "x")]
    assert both[0].registry == both[1].registry
    others = [Stamps({"a": "a/1", "b": "b/2"}, ""), Stamps({"a": "a/1"}, ""), Stamps({}, "")]
    assert len({stamps.registry for stamps in (*both, *others)}) == 4


async def test_both_services_are_asked_once_in_a_while(tmp_path: Path) -> None:
    now = [100.0]
    async with desk_over(tmp_path, sweep=False) as desk:
        indexing = replace(desk.indexing, stamps=KnownStamps(lambda: now[0]))
        desk.extractor.stamp, desk.chunker.stamp = "new/2", "cut/3"
        stamps = await current_stamps(indexing)
        assert (stamps.extractor("pdf"), stamps.chunker) == ("new/2", "cut/3")
        desk.chunker.stamp = "cut/4"
        now[0] += 4.9
        assert (await current_stamps(indexing), desk.extractor.asked) == (stamps, 1)
        now[0] += 0.1
        assert ((await current_stamps(indexing)).chunker, desk.extractor.asked) == ("cut/4", 2)


async def test_after_an_outage_they_are_asked_anew(tmp_path: Path) -> None:
    async with desk_over(tmp_path, sweep=False) as desk:
        indexing = replace(desk.indexing, stamps=KnownStamps(lambda: 0.0))
        before = await current_stamps(indexing)
        desk.extractor.down = True
        with pytest.raises(PartAway), indexing.outages.watch("extraction"):
            await desk.extractor.document_types()
        assert await current_stamps(indexing) is before
        desk.extractor.down, desk.extractor.stamp = False, "fake/2"
        with indexing.outages.watch("extraction"):
            await desk.extractor.document_types()
        assert (await current_stamps(indexing)).extractor("pdf") == "fake/2"


async def test_who_is_away_is_said_and_not_noted(tmp_path: Path) -> None:
    async with desk_over(tmp_path, sweep=False) as desk:
        desk.extractor.down = True
        with pytest.raises(PartAway, match="extraction"):
            await current_stamps(desk.indexing)
        assert await stamps_if_told(desk.indexing) is None
        assert not desk.indexing.outages.any_away("extraction")
