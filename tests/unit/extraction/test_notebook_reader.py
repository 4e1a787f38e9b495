"""Notebooks: cells in order with their structure, the kernel's language, outputs left out and counted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_checks import headings, read, shown

from findspot.errors import FindspotError, Reason


def notebook(*cells: dict[str, Any], **metadata: Any) -> bytes:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode()


def cell(kind: str, source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


def test_cells_in_order() -> None:
    data = notebook(
        cell("markdown", ["# Tides\n", "\n", "Water *rises*.\n"]),
        cell("code", "import x\nx.run()\n", outputs=[{"output_type": "stream", "text": ["noise"]}]),
        cell("markdown", "## Levels\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
        cell("raw", "kept as it is"),
        cell("code", " "),
        kernelspec={"language": "R"},
    )
    document = read(data, "a.ipynb")
    assert (document.title, document.metadata) == ("Tides", {"kernel_language": "r"})
    assert headings(document) == [(1, "Tides"), (2, "Levels")]
    assert [kind for kind, _ in shown(document)] == [
        "heading",
        "paragraph",
        "code",
        "heading",
        "table",
        "paragraph",
    ]
    code = document.blocks[2]
    assert (document.text[code.start : code.end], code.language) == ("import x\nx.run()", "r")
    assert "noise" not in document.text
    assert [notice.code for notice in document.warnings] == ["OUTPUTS_LEFT_OUT"]


def test_the_third_format() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Start"]},
        {"cell_type": "code", "input": ["x = 1"], "language": "python"},
    ]
    document = read(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}), "a.ipynb")
    assert shown(document) == [("heading", "Start"), ("code", "x = 1")]
    assert document.blocks[1].language == "python"


@pytest.mark.parametrize("data", ["{", "[1, 2]", '{"a": 1}', "[" * 100_000, "<<<<<<< HEAD"])
def test_what_is_no_notebook_is_corrupt(data: str) -> None:
    with pytest.raises(FindspotError) as caught:
        read(data, "a.ipynb", document_type="notebook")
    assert caught.value.reason is Reason.DOCUMENT_CORRUPT


def test_halves_of_pairs_become_replacement_characters() -> None:
    data = b'{"cells": [{"cell_type": "markdown", "source": "# a\\ud800"}]}'
    assert headings(read(data, "a.ipynb")) == [(1, "a\ufffd")]


_SOURCES = st.text("# \n`-|>a\u2028\U0001f600\r", max_size=30)
_JSON = st.none() | st.booleans() | st.integers() | _SOURCES | st.lists(_SOURCES | st.none(), max_size=4)
_CELLS = st.dictionaries(
    st.sampled_from(["source", "input", "outputs", "level", "language"]), _JSON, max_size=5
).flatmap(
    lambda made: st.sampled_from(["markdown", "code", "raw", "heading", "odd"]).map(
        lambda kind: {**made, "cell_type": kind}
    )
)


@given(st.lists(_CELLS | _JSON, max_size=6), _JSON)
@settings(max_examples=80, deadline=None)
def test_any_cells_read_the_same_twice(cells: list[Any], metadata: Any) -> None:
    data = json.dumps({"cells": cells, "metadata": metadata})
    assert read(data, "a.ipynb", document_type="notebook") == read(data, "a.ipynb", document_type="notebook")
