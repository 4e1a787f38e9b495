"""Documents put together from blocks, with exact ranges, for property tests and examples."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from findspot.model import Block, BlockKind, ExtractedDocument, Span, Table, TableRow


@dataclass
class Composer:
    """Writes a document block by block; blocks stand apart by a blank line."""

    text: str = ""
    blocks: list[Block] = field(default_factory=list)

    def block(self, kind: BlockKind, text: str, **more: object) -> Composer:
        """Append a block of any kind."""
        if self.text:
            self.text += "\n\n"
        start = len(self.text)
        self.text += text
        self.blocks.append(Block(kind, start, len(self.text), **more))  # type: ignore[arg-type]
        return self

    def heading(self, level: int, title: str) -> Composer:
        """Append a heading as Markdown writes it."""
        return self.block(BlockKind.HEADING, f"{'#' * level} {title}", level=level, title=title)

    def paragraph(self, text: str) -> Composer:
        """Append a paragraph."""
        return self.block(BlockKind.PARAGRAPH, text)

    def fence(self, content: str, language: str = "") -> Composer:
        """Append a fence."""
        return self.block(BlockKind.CODE, f"```{language}\n{content}\n```", language=language)

    def table(self, columns: tuple[str, ...], rows: list[tuple[str, ...]], caption: str = "") -> Composer:
        """Append a table as Markdown writes it."""
        start = len(self.text) + (2 if self.text else 0)
        lines: list[str] = []
        found: list[TableRow] = []
        position = start
        for index, cells in enumerate([columns, *rows]):
            spans: list[Span] = []
            at = position + 2
            for cell in cells:
                spans.append(Span(at, at + len(cell)))
                at += len(cell) + 3
            line = f"| {' | '.join(cells)} |"
            lines.append(line)
            found.append(TableRow(position, position + len(line), tuple(spans)))
            position += len(line) + 1
            if index == 0:
                lines.append("|" + "---|" * len(columns))
                position += len(lines[-1]) + 1
        table = Table(columns, tuple(found), header_rows=1, caption=caption)
        return self.block(BlockKind.TABLE, "\n".join(lines), table=table)

    def document(self, document_type: str = "markdown", **more: object) -> ExtractedDocument:
        """The document so far."""
        return ExtractedDocument(
            text=self.text,
            document_type=document_type,
            media_type="text/markdown",
            blocks=tuple(self.blocks),
            **more,  # type: ignore[arg-type]
        )


_WORDS = st.sampled_from(
    [
        "valve",
        "seal",
        "pump",
        "Dr.",
        "the",
        "e.g.",
        "3.14",
        "Ende.",
        "Stop!",
        "why?",
        "parseHTTPConfig",
        "über",
        "水位が上がった。",
        "弁を閉じた",
        "👩\u200d🔧",
        "é",
        "ñ̃",
        "กำลัง",
        "हिन्दी",
        "한국어",
        "x",
        ",",
        ";",
        "—",
        "…",
        "a.b.c",
        "https://example.org/a/very/long/path?with=query&and=more",
    ]
)
_SHORT = st.lists(_WORDS, min_size=1, max_size=6).map(" ".join)
_PROSE = st.lists(_WORDS, min_size=1, max_size=120).map(" ".join)
_CHUNKY = st.one_of(_PROSE, st.text("ab👩‍🔧\u0301水。 \n\r\t", min_size=1, max_size=200).filter(str.strip))
_TITLES = _SHORT.filter(str.strip)


@st.composite
def documents(draw: st.DrawFn) -> ExtractedDocument:
    """Any composition of headings, prose, lists, fences, captions and tables."""
    composer = Composer()
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["heading", "paragraph", "item", "fence", "table", "caption", "loose"]))
        if kind == "heading":
            composer.heading(draw(st.integers(1, 4)), draw(_TITLES))
        elif kind == "paragraph":
            composer.paragraph(draw(_CHUNKY).strip())
        elif kind == "item":
            composer.block(BlockKind.LIST_ITEM, f"- {draw(_PROSE)}", level=1)
        elif kind == "fence":
            lines = draw(st.lists(_SHORT, min_size=1, max_size=30))
            composer.fence("\n".join(lines), draw(st.sampled_from(["", "python", "Go"])))
        elif kind == "caption":
            composer.block(BlockKind.CAPTION, draw(_SHORT))
        elif kind == "table":
            width = draw(st.integers(1, 6))
            row = st.lists(_SHORT, min_size=width, max_size=width).map(tuple)
            composer.table(draw(row), draw(st.lists(row, max_size=8)))
        else:
            composer.text += "\n\n" + draw(_PROSE)
    return composer.document(
        title=draw(st.sampled_from(["", "Handbook", "valve"])),
        language=draw(st.sampled_from(["", "en", "ja"])),
    )
