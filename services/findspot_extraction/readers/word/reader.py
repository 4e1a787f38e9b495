"""The reader of Word documents: opens the package, walks the body, states what the file says of itself."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

from findspot.model import ExtractedDocument, Notice
from findspot_extraction.readers.ooxml import Package, open_package
from findspot_extraction.readers.ooxml_properties import core_properties, stated_title
from findspot_extraction.readers.ooxml_xml import R, W
from findspot_extraction.readers.reader import ReadLimits, Source, check_length, corrupt
from findspot_extraction.readers.stamps import READER_STAMPS
from findspot_extraction.readers.word.flow import Flow
from findspot_extraction.readers.word.margins import marginalia
from findspot_extraction.readers.word.notes import Notes
from findspot_extraction.readers.word.numbering import Numbering
from findspot_extraction.readers.word.styles import Styles
from findspot_extraction.readers.word.walk import WordWalk

_MAIN = "word/document.xml"
_EAST_ASIAN = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7af"))
_SAMPLE = 20_000


class DocxReader:
    """Reads DOCX, DOCM and DOTX, in the usual and the strict variant.

    The parts are read as XML, since libraries for this format leave out text boxes, notes, content controls
    and tracked changes. Word stores no layout: there are no pages and no boxes.
    """

    stamp = READER_STAMPS["word"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """The document as it reads with every tracked change accepted."""
        package = open_package(source, limits)
        main = package.main(_MAIN)
        root = package.part(main)
        body = root.find(W + "body")
        if body is None:
            raise corrupt(f"Part {main!r} holds no Word document: its root is {root.tag[:200]!r}.")
        styles = Styles(_related(package, main, "styles"))
        flow = Flow(styles, Numbering(_related(package, main, "numbering"), styles))
        walk = WordWalk(package, main, flow, Notes(package, main, flow))
        walk.render(body)
        text = walk.out.text
        check_length(text, limits)
        hidden, languages = flow.inline.hidden, flow.inline.languages.copy()
        properties = core_properties(package)
        return ExtractedDocument(
            text=text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=walk.title or stated_title(properties) or walk.first_heading,
            language=source.language or _language(text, styles, languages),
            blocks=tuple(walk.out.blocks),
            marginalia=marginalia(package, main, root, flow),
            metadata=properties,
            warnings=(*package.notices, *_notices(package, main, root, hidden)),
            extractor_stamp=self.stamp,
        )


READER = DocxReader()


def _related(package: Package, main: str, kind: str) -> Element | None:
    parts = package.related(main, kind)
    return package.optional(parts[0]) if parts else None


def _language(text: str, styles: Styles, languages: Counter[str]) -> str:
    """The language of most characters, as the runs or the defaults state it; empty when nothing does."""
    usual = styles.style(styles.default_id).language or styles.default_language
    counted: Counter[str] = Counter()
    for language, length in languages.items():
        counted[language or usual] += length
    sample = text[:_SAMPLE]
    asian = sum(any(low <= letter <= high for low, high in _EAST_ASIAN) for letter in sample)
    if asian * 3 > len(sample) and styles.default_east_asian:
        return styles.default_east_asian
    return counted.most_common(1)[0][0] if counted else usual


def _notices(package: Package, main: str, root: Element, hidden: int) -> list[Notice]:
    found = []
    if hidden:
        found.append(
            Notice(
                "HIDDEN_TEXT", f"{hidden:,} characters are formatted as hidden; they were read all the same."
            )
        )
    embedded = [
        relation.target
        for node in root.iter(W + "altChunk")
        if (relation := package.relations(main).get(node.get(R + "id", "")))
    ]
    if embedded:
        found.append(
            Notice(
                "EMBEDDED_DOCUMENT_NOT_READ",
                f"Not read, documents inside the document: {', '.join(embedded)}.",
            )
        )
    return found
