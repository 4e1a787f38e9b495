"""The main job through real processes: add a folder, ask, read the passage and its neighbours."""

from pathlib import Path

import pytest
from tests.e2e.suite_process import LIBRARY, Suite

from findspot.client import AsyncClient, Client

ANSWERS = [
    ("What does a yellow flame mean?", "guides/lighthouse-keeping.md", "Lamp"),
    (
        "How do I know that the oven is hot without a thermometer?",
        "guides/bread-oven.md",
        "The village bread oven",
    ),
    ("How much did the wall settle beside the sluice?", "harbour-wall-survey.pdf", "p. 1"),
    ("half of the water comes in the two middle hours", "guides/tide-tables.html", "Reading the tide tables"),
    ("function that says which stores to order before the supply boat", "code/ration_book.py", "order_list"),
    ("birds struck the lantern at night", "station-log.txt", "lines"),
]


@pytest.mark.parametrize(("question", "file", "place"), ANSWERS)
def test_each_format_is_found_with_its_place(suite: Suite, question: str, file: str, place: str) -> None:
    answer = suite.run("search", question, "-c", "demo/library", "--json").json
    assert answer["searched"]
    assert answer["degradations"] == []
    hit = answer["results"][0]["hit"]
    assert hit["file_path"] == file
    assert place in hit["locator"]
    assert hit["document_path"] == f"demo/library/{file}"
    assert hit["text_rank"] >= 1
    assert hit["vector_rank"] >= 1


def test_a_table_row_is_found_and_its_column_names_stand_before_it(suite: Suite) -> None:
    hit = suite.run("search", "visibility under 1 mile signal", "-c", "demo/library", "--json").json[
        "results"
    ][0]["hit"]
    chunk = suite.run("read", hit["chunk_id"], "--json").json["chunk"]
    assert chunk["kind"] == "CHUNK_KIND_TABLE"
    assert "Visibility" in chunk["context"]
    assert "lamp and horn" in chunk["text"]


def test_a_page_and_boxes_come_with_a_passage_of_a_pdf(suite: Suite) -> None:
    hit = suite.run("search", "lime mortar in the joints", "-c", "demo/library", "--json").json["results"][0][
        "hit"
    ]
    assert hit["page"] == 2
    assert hit["boxes"]
    for place in hit["boxes"]:
        assert place["page"] == 2
        assert 0 <= place["box"]["x"] < place["box"]["x"] + place["box"]["width"] <= 1


def test_reading_walks_to_both_ends_and_no_further(suite: Suite) -> None:
    path = "demo/library/guides/lighthouse-keeping.md"
    passage = suite.run("read", f"{path}#0", "--json").json
    assert "prev_index" not in passage
    seen, total = [passage["chunk"]["text"]], passage["total_chunks"]
    for _ in range(total - 1):
        seen.append(suite.run("read", "--next", "--json").json["chunk"]["text"])
    assert len(seen) == total > 2
    beyond = suite.run("read", "--next")
    assert beyond.code == 4
    assert f"0 to {total - 1}" in beyond.err
    text = suite.run("text", path).out
    assert all(passage in text for passage in seen)
    assert suite.run("read", "--prev", "--json").json["chunk"]["chunk_index"] == total - 2


def test_the_hits_of_the_last_search_can_be_read_by_number(suite: Suite) -> None:
    hits = suite.run("search", "gale", "-c", "demo/library", "--json").json["results"]
    assert suite.run("read", "1", "--json").json["chunk"]["chunk_id"] == hits[0]["hit"]["chunk_id"]
    assert suite.run("read", "77").code == 2


def test_a_second_add_sends_nothing_and_an_edit_sends_one_file(suite: Suite, tmp_path: Path) -> None:
    for name in ("one.md", "two.md"):
        (tmp_path / name).write_text(f"# {name}\n\nA heron stands in the {name} pond.\n")
    target = ("--collection", "edits", "--json")
    assert suite.run("add", str(tmp_path), *target).json["new"] == 2
    assert suite.run("add", str(tmp_path), *target).json["sent"] == 0
    (tmp_path / "two.md").write_text("# two.md\n\nA kingfisher dives instead.\n")
    second = suite.run("add", str(tmp_path), *target).json
    assert (second["changed"], second["unchanged"]) == (1, 1)
    assert (
        "kingfisher"
        in suite.run("search", "kingfisher", "-c", "edits", "--json").json["results"][0]["hit"]["snippet"]
    )
    stale = suite.run("search", "heron two pond", "-c", "edits", "--json").json["results"]
    assert [result["hit"]["file_path"] for result in stale if "heron" in result["hit"]["snippet"]] == [
        "one.md"
    ]


def test_what_people_see_names_file_place_and_words(suite: Suite) -> None:
    shown = suite.run("search", "pattern of the fog signal", "-c", "demo/library")
    assert shown.code == 0
    assert "demo/library/guides/lighthouse-keeping.md" in shown.out
    assert "Fog signal" in shown.out
    assert "ninety" in shown.out
    assert "findspot read 1" in shown.out


def test_status_counts_everything_and_names_the_model(suite: Suite) -> None:
    status = suite.run("status", "--collection", "demo", "--json").json["status"]
    states = {state["state"]: int(state["document_count"]) for state in status["states"]}
    files = sum(path.is_file() for path in LIBRARY.rglob("*"))
    assert states["DOCUMENT_STATE_INDEXED"] == files
    assert status["identities"][0]["identity"]["display"] == "all-MiniLM-L6-v2-int8@384"
    assert int(status["identities"][0]["embedded_chunk_count"]) == int(status["chunk_count"]) > files
    assert "indexed" in suite.run("status").out


async def test_status_lists_the_collections_and_knows_no_others(suite: Suite) -> None:
    listed = suite.run("status", "-c", "demo", "--json").json["collections"]
    [library] = [each for each in listed if each["path"] == "demo/library"]
    assert int(library["document_count"]) == sum(path.is_file() for path in LIBRARY.rglob("*"))
    assert "demo/library" in suite.run("status").out
    unknown = suite.run("status", "-c", "nobody/has/this")
    assert unknown.code == 4
    assert "There is no collection 'nobody/has/this'" in unknown.err

    async with AsyncClient(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
        paths = [each.path for each in await client.list_collections("demo")]
        assert paths == [each["path"] for each in listed]
        assert [each.path for each in await client.list_collections("demo", limit=1)] == paths[:1]


def test_a_phrase_and_an_exclusion_hold_in_both_arms(suite: Suite) -> None:
    with_phrase = suite.run("search", '"relief valve"', "-c", "demo/library", "--json").json["results"]
    assert [result["hit"]["file_path"] for result in with_phrase] == ["station-log.txt"]
    without = suite.run(
        "search", "valve -relief", "-c", "demo/library", "--json", "--chunks", "-n", "50"
    ).json["results"]
    assert without
    with Client(query=suite.addresses["query"]) as client:
        found = client.chunks([result["hit"]["chunk_id"] for result in without]).chunks
    assert not any("relief" in answer.chunk.text for answer in found)
