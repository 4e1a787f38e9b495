"""The files that records describe in words, made here byte by byte."""

from __future__ import annotations

import io
from collections.abc import Callable

from docx import Document
from docx.oxml import parse_xml
from pptx import Presentation
from pptx.util import Inches

from tests.unit.extraction.pdf_writing import Sheet, Text, pdf_bytes

_MEDIA = (0, 0, 600, 800)
_CROP = (100, 100, 500, 700)
_BOX = """<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
 xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
 xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
 xmlns:v="urn:schemas-microsoft-com:vml"><w:r><mc:AlternateContent>
<mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent cx="1800000" cy="600000"/><wp:docPr id="1" name="Box"/>
<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp>
<wps:cNvSpPr txBox="1"/><wps:spPr/><wps:txbx><w:txbxContent><w:p><w:r><w:t>boxed words</w:t></w:r></w:p>
</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>
<mc:Fallback><w:pict><v:shape style="width:140pt;height:48pt"><v:textbox><w:txbxContent><w:p><w:r>
<w:t>boxed words</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback>
</mc:AlternateContent></w:r></w:p>"""


def sixty_pages() -> bytes:
    """A PDF whose page i says so, above 40 lines that differ from page to page as prose does."""
    return pdf_bytes(
        [
            Sheet(
                [
                    Text(72, 740, f"Page marker {page}-XYZ"),
                    *(
                        Text(
                            72,
                            720 - 15 * line,
                            f"Line {line} of {page}: the tank was filled to {page * line} cm.",
                        )
                        for line in range(40)
                    ),
                ]
            )
            for page in range(1, 61)
        ]
    )


def cropped(rotate: int = 0) -> bytes:
    """A PDF of one word on a page that is cropped, and turned."""
    return pdf_bytes([Sheet([Text(150, 650, "TARGET")], _MEDIA, _CROP, rotate)])


def grouped_shapes() -> bytes:
    """A slide with a text box, a group, and a group in the group."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    outer = slide.shapes.add_group_shape()
    inner = outer.shapes.add_group_shape()
    for shapes, words in (
        (slide.shapes, "outside"),
        (outer.shapes, "inside one"),
        (inner.shapes, "inside two"),
    ):
        box = shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
        box.text_frame.text = words
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def boxed_words() -> bytes:
    """A Word document with a text box, stored twice: as drawing, and as the fallback of older versions."""
    document = Document()
    document.add_paragraph("Words around the box.")
    document.element.body.insert(0, parse_xml(_BOX))
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


BUILT: dict[str, tuple[str, Callable[[], bytes]]] = {
    "PDF of 60 pages": ("pdf", sixty_pages),
    "PDF with MediaBox": ("pdf", cropped),
    "the CropBox file above with /Rotate 90": ("pdf", lambda: cropped(90)),
    "PPTX, one slide": ("pptx", grouped_shapes),
    "DOCX with a text box": ("docx", boxed_words),
}
"""How the description begins: the extension, and what makes the file."""
