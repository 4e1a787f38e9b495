"""Tables by rows with their column names, fences short and long, code files by their definitions."""

from __future__ import annotations

from dataclasses import replace

from composed_documents import Composer

from findspot.model import (
    Block,
    BlockKind,
    ChunkedDocument,
    ChunkKind,
    ExtractedDocument,
    Page,
    PageKind,
    Span,
    Strategy,
    Table,
    TableRow,
)
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import ResolvedOptions


def _cut(
    document: ExtractedDocument, size: int = 1000, strategy: Strategy = Strategy.SEMANTIC
) -> ChunkedDocument:
    return chunk_document(
        document, ResolvedOptions(strategy, size, 0 if strategy is Strategy.SYNTACTIC else 100)
    )


def _codes(cut: ChunkedDocument) -> list[str]:
    return [notice.code for notice in cut.warnings]


def test_rows_stay_whole_and_every_chunk_names_the_columns() -> None:
    rows = [(f"P-{number}", f"row {number} bin", str(number)) for number in range(200)]
    document = Composer().heading(1, "Parts").table(("Code", "Bin", "Count"), rows).document()
    cut = _cut(document)
    assert len(cut.chunks) > 3
    assert all(chunk.context.endswith("Code | Bin | Count") for chunk in cut.chunks)
    assert {chunk.context for chunk in cut.chunks[1:]} == {"Parts\nCode | Bin | Count"}
    for number in range(200):
        assert sum(f"P-{number} |" in chunk.text for chunk in cut.chunks) == 1
    assert all(chunk.text.startswith("| P-") for chunk in cut.chunks[1:])
    assert all(chunk.text.endswith("|") and chunk.overlap == 0 for chunk in cut.chunks)
    assert "TABLE_ROW_CUT" not in _codes(cut)


def test_a_header_is_not_a_chunk_without_a_row() -> None:
    document = Composer().table(("x" * 60, "y" * 60), [("1" * 60, "2" * 60), ("3", "4")]).document()
    cut = _cut(document, size=400)
    assert "1" * 60 in cut.chunks[0].text


def test_a_row_over_the_window_is_cut_at_cells_and_told() -> None:
    wide = tuple(f"cell {number} of many" for number in range(40))
    columns = tuple(f"c{number}" for number in range(40))
    cut = _cut(Composer().table(columns, [wide, wide]).document(), size=300)
    assert _codes(cut) == ["TABLE_ROW_CUT", "CONTEXT_CUT"]
    assert all(len(chunk.context) + len(chunk.text) <= 300 for chunk in cut.chunks)
    for number in range(40):
        assert any(f"cell {number} of many" in chunk.text for chunk in cut.chunks)


def test_long_column_names_are_cut_at_a_whole_column() -> None:
    columns = tuple(f"very_long_column_name_number_{number}" for number in range(80))
    cut = _cut(Composer().table(columns, [("v",) * 80] * 5).document())
    assert len(cut.chunks) <= 60
    for chunk in cut.chunks:
        assert 0 < len(chunk.context) <= 333
        assert set(chunk.context.split(" | ")) <= set(columns)
    assert "CONTEXT_CUT" in _codes(cut)


def test_headings_leave_room_for_columns() -> None:
    composer = Composer().heading(1, "Outer " + "o" * 150).heading(2, "Inner " + "i" * 150)
    rows = [(str(number), "value " * 10) for number in range(40)]
    cut = _cut(composer.table(("Number", "Value"), rows).document())
    last = cut.chunks[-1].context.split("\n")
    assert last == ["Inner " + "i" * 150, "Number | Value"]


def test_a_table_broken_by_a_page_is_one_section() -> None:
    composer = Composer().table(("a", "b"), [("1", "2")])
    first = composer.blocks[0]
    start = len(composer.text) + 2
    composer.text += "\n\n3 | 4"
    rows = (TableRow(start, start + 5, (Span(start, start + 1), Span(start + 4, start + 5))),)
    composer.blocks.append(Block(BlockKind.TABLE, start, start + 5, table=Table((), rows, 0, continues=True)))
    cut = _cut(composer.document("pdf"))
    assert first.table is not None
    assert [section.kind for section in cut.sections] == [ChunkKind.TABLE]


def test_sheets_are_named_in_locator_and_context() -> None:
    rows = [(str(number), f"item {number} with words") for number in range(60)]
    composer = Composer().table(("No", "Item"), rows)
    page = Page(1, 0, len(composer.text), PageKind.SHEET, label="Budget")
    cut = _cut(composer.document("xlsx", pages=(page,), category="table"), size=400)
    assert cut.chunks[0].locator.startswith("Sheet Budget, rows 1-")
    assert cut.chunks[-1].locator.endswith("-61")
    assert all(chunk.context == "Budget\nNo | Item" for chunk in cut.chunks)


def test_rows_of_a_sheet_are_numbered_as_the_sheet_numbers_them() -> None:
    composer = Composer().table(("No", "Item"), [(str(number), "item") for number in range(24)])
    last = composer.blocks[-1]
    assert last.table is not None
    composer.blocks[-1] = replace(last, table=replace(last.table, first_row=37))
    page = Page(1, 0, len(composer.text), PageKind.SHEET, label="Budget")
    cut = _cut(composer.document("xlsx", pages=(page,), category="table"))
    assert [section.locator for section in cut.sections] == ["Sheet Budget, rows 37-61"]


def test_the_caption_is_context_of_later_chunks_only() -> None:
    composer = Composer().block(BlockKind.CAPTION, "Table 4: tank levels")
    rows = [(f"{hour}:00", "water in the tank " * 3) for hour in range(40)]
    cut = _cut(composer.table(("Hour", "Level"), rows, caption="Table 4: tank levels").document())
    assert cut.chunks[0].context == "Hour | Level"
    assert {chunk.context for chunk in cut.chunks[1:]} == {"Table 4: tank levels\nHour | Level"}


def test_a_short_fence_stays_in_its_prose_and_flags_it() -> None:
    cut = _cut(Composer().paragraph("Run:").fence("a\nb\nc").paragraph("Done.").document())
    assert [(chunk.kind, chunk.contains_code) for chunk in cut.chunks] == [(ChunkKind.SECTION, True)]


def test_a_fence_of_four_lines_is_a_code_chunk_with_the_paragraph_before_it() -> None:
    composer = (
        Composer().heading(1, "Build").paragraph("Run the   script:").fence("a()\nb()\nc()\nd()", "Python")
    )
    cut = _cut(composer.paragraph("Done.").document())
    assert [chunk.kind for chunk in cut.chunks] == [ChunkKind.SECTION, ChunkKind.CODE, ChunkKind.SECTION]
    assert [chunk.contains_code for chunk in cut.chunks] == [False, False, False]
    code = cut.chunks[1]
    assert code.text == "```Python\na()\nb()\nc()\nd()\n```"
    assert code.context == "Build\nRun the script:"
    assert code.language == "python"
    assert len(cut.sections) == 1


def test_a_long_paragraph_before_code_is_cut_back_to_its_last_sentences() -> None:
    paragraph = "First sentence. " * 40 + "The last one says what the code does."
    cut = _cut(Composer().paragraph(paragraph).fence("a\nb\nc\nd").document())
    context = cut.chunks[-1].context
    assert context.startswith("First sentence.")
    assert context.endswith("The last one says what the code does.")
    assert len(context) <= 333


def test_a_heading_right_before_code_is_in_the_code_chunk() -> None:
    cut = _cut(Composer().heading(2, "Script").fence("a\nb\nc\nd").document())
    assert [chunk.text.split("\n")[0] for chunk in cut.chunks] == ["## Script"]
    assert cut.chunks[0].kind == ChunkKind.CODE


def test_a_long_fence_is_cut_at_blank_lines_then_lines() -> None:
    content = "\n\n".join(
        "\n".join(f"call_{group}_{line}(argument)" for line in range(6)) for group in range(9)
    )
    cut = _cut(Composer().fence(content).document(), size=400)
    assert all(chunk.kind == ChunkKind.CODE for chunk in cut.chunks)
    assert all(chunk.text.splitlines()[0].startswith(("```", "call_")) for chunk in cut.chunks)


def _source(
    definitions: list[tuple[tuple[str, ...], str]], document_type: str = "python"
) -> ExtractedDocument:
    """A code file of blocks as extraction delivers them: (symbol path, text), CODE where the path is empty."""
    text = ""
    blocks = []
    for path, code in definitions:
        start = len(text)
        text += code
        kind = BlockKind.DEFINITION if path else BlockKind.CODE
        end = start + len(code.rstrip())
        blocks.append(
            Block(kind, start, end, len(path), path[-1] if path else "", document_type, symbol_path=path)
        )
    return ExtractedDocument(text, document_type, "text/plain", category="code", blocks=tuple(blocks))


def _body(words: int) -> str:
    return "".join(f"        self.step_{number}()\n" for number in range(words))


def test_definitions_that_fit_are_whole_and_know_where_they_are() -> None:
    document = _source(
        [
            ((), "import os\nimport sys\n\n"),
            (("Parser",), "class Parser:\n    '''Parses.'''\n\n"),
            (("Parser", "next"), "    def next(self):\n" + _body(15) + "\n"),
            (("Parser", "peek"), "    def peek(self):\n" + _body(15) + "\n"),
            (("main",), "def main():\n" + _body(15)),
        ]
    )
    cut = _cut(document, size=500, strategy=Strategy.SYNTACTIC)
    assert [(chunk.locator, chunk.context) for chunk in cut.chunks] == [
        ("lines 1-2", ""),
        ("lines 4-22 Parser", ""),
        ("lines 24-39 Parser.peek", "Parser"),
        ("lines 41-56 main", ""),
    ]
    assert all(chunk.kind == ChunkKind.CODE and chunk.language == "python" for chunk in cut.chunks)
    assert cut.chunks[2].heading_path == ("Parser", "peek")


def test_a_class_that_fits_is_one_chunk() -> None:
    document = _source(
        [
            (("A",), "class A:\n"),
            (("A", "x"), "    def x(self):\n" + _body(5)),
            (("A", "y"), "    def y(self):\n" + _body(5) + "\n"),
            (("B",), "class B:\n" + _body(30)),
        ]
    )
    cut = _cut(document, size=800, strategy=Strategy.SYNTACTIC)
    assert [chunk.heading_path for chunk in cut.chunks] == [("A",), ("B",)]


def test_a_function_over_the_window_is_cut_at_lines_and_names_itself() -> None:
    document = _source([(("Parser", "next"), "def next(self):\n" + _body(60))], "go")
    cut = _cut(document, size=400, strategy=Strategy.SYNTACTIC)
    assert len(cut.chunks) > 2
    assert cut.chunks[0].context == "Parser"
    assert {chunk.context for chunk in cut.chunks[1:]} == {"Parser > next"}
    assert all(chunk.text.startswith(("def", "self.step_")) for chunk in cut.chunks)
    assert cut.chunks[1].locator.endswith(" Parser.next")


def test_code_between_members_belongs_to_the_class() -> None:
    text = _source(
        [
            (("A",), "class A:\n" + _body(12)),
            (("A", "x"), "    def x(self):\n" + _body(12)),
        ]
    )
    tail = "    tail = 1\n" + _body(12)
    block = Block(
        BlockKind.CODE,
        len(text.text),
        len(text.text) + len(tail.rstrip()),
        language="python",
        symbol_path=("A",),
    )
    document = ExtractedDocument(
        text.text + tail, "python", "text/plain", category="code", blocks=(*text.blocks, block)
    )
    cut = _cut(document, size=400, strategy=Strategy.SYNTACTIC)
    assert [chunk.heading_path for chunk in cut.chunks] == [("A",), ("A", "x"), ("A",)]


def test_nested_ranges_of_definitions_are_understood_too() -> None:
    outer = "class A:\n" + _body(12)
    inner = "    def x(self):\n" + _body(12)
    rest = "    y = 1\n" + _body(12)
    text = outer + inner + rest
    blocks = (
        Block(BlockKind.DEFINITION, 0, len(text) - 1, 1, "A", "python", ("A",)),
        Block(BlockKind.DEFINITION, len(outer) + 4, len(outer + inner) - 1, 2, "x", "python", ("A", "x")),
    )
    document = ExtractedDocument(text, "python", "text/plain", category="code", blocks=blocks)
    cut = _cut(document, size=400, strategy=Strategy.SYNTACTIC)
    assert [chunk.heading_path for chunk in cut.chunks] == [("A",), ("A", "x"), ("A",)]


def test_a_comment_right_above_a_definition_goes_with_it() -> None:
    text = "import os\n\n# keep me\n\n# about f\ndef f():\n    return os.sep\n"
    at = text.index("def f")
    block = Block(BlockKind.DEFINITION, at, len(text) - 1, 1, "f", "python", ("f",))
    document = ExtractedDocument(text, "python", "text/plain", category="code", blocks=(block,))
    cut = _cut(document, size=50, strategy=Strategy.SYNTACTIC)
    assert "".join(chunk.text for chunk in cut.chunks).count("keep me") == 1
    assert any("# about f\ndef f():" in chunk.text for chunk in cut.chunks)
