"""Word documents: what a person reads in Word with changes accepted, with the structure that Word knows."""

from __future__ import annotations

import io

import docx
from ooxml_writing import listed, paragraph, styled, table, word_document
from reading_checks import cells, headings, read, shown, words

from findspot.model import BlockKind, Marginalia, MarginaliaKind

STYLES = (
    '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-AT"/></w:rPr></w:rPrDefault></w:docDefaults>'
    '<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>'
    '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="Standard"/>'
    '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:styleId="Eigen"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift2"/></w:style>'
    '<w:style w:styleId="TOCHeading"><w:name w:val="TOC Heading"/><w:basedOn w:val="berschrift2"/>'
    '<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
    '<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style>'
    '<w:style w:styleId="Bild"><w:name w:val="caption"/></w:style>'
    '<w:style w:styleId="Ring1"><w:name w:val="Ring"/><w:basedOn w:val="Ring2"/></w:style>'
    '<w:style w:styleId="Ring2"><w:name w:val="Ring"/><w:basedOn w:val="Ring1"/></w:style>'
)


def test_a_document_as_the_library_writes_it() -> None:
    built = docx.Document()
    built.core_properties.author = "A. Pump"
    built.core_properties.keywords = "boiler; valve"
    built.add_heading("Boiler manual", 0)
    built.add_heading("Safety", 1)
    built.add_paragraph("Wear gloves.")
    built.add_heading("Valves", 2)
    built.add_paragraph("Open", style="List Bullet")
    built.add_paragraph("Close", style="List Number")
    built.add_paragraph("Said someone.", style="Intense Quote")
    grid = built.add_table(2, 2)
    for number, value in enumerate(("Part", "Mass", "Lid", "2 kg")):
        grid.cell(number // 2, number % 2).text = value
    buffer = io.BytesIO()
    built.save(buffer)
    document = read(buffer.getvalue(), "a.docx")
    assert shown(document) == [
        ("heading", "Boiler manual"),
        ("heading", "Safety"),
        ("paragraph", "Wear gloves."),
        ("heading", "Valves"),
        ("list_item", "- Open"),
        ("list_item", "1. Close"),
        ("quote", "Said someone."),
        ("table", "Part | Mass\nLid | 2 kg"),
    ]
    assert headings(document) == [(1, "Boiler manual"), (1, "Safety"), (2, "Valves")]
    assert document.blocks[-1].table.columns == ("Part", "Mass")
    assert (document.title, document.language, document.document_type) == ("Boiler manual", "en-US", "docx")
    assert document.metadata["author"] == "A. Pump"
    assert document.metadata["keywords"] == "boiler; valve"
    assert document.extractor_stamp == "docx/1"


def test_headings_by_outline_level_through_styles_that_are_based_on_each_other() -> None:
    body = (
        styled("Haupttitel", "Titel")
        + styled("Inhalt", "TOCHeading")
        + styled("Eins", "berschrift2")
        + styled("Zwei", "Eigen")
        + paragraph("Drei", '<w:outlineLvl w:val="2"/>')
        + paragraph("Text", '<w:pStyle w:val="Eigen"/><w:outlineLvl w:val="9"/>')
        + styled("Vier", "Heading4")
        + styled("Rund", "Ring1")
    )
    document = read(word_document(body, styles=STYLES), "a.docx")
    assert headings(document) == [(1, "Haupttitel"), (2, "Eins"), (2, "Zwei"), (3, "Drei"), (4, "Vier")]
    assert [text for kind, text in shown(document) if kind == "paragraph"] == ["Inhalt", "Text", "Rund"]
    assert (document.title, document.language) == ("Haupttitel", "de-AT")


def test_code_keeps_its_lines_and_captions_name_tables_above_or_below() -> None:
    rows = "<w:tr><w:tc>" + paragraph("a") + "</w:tc></w:tr><w:tr><w:tc>" + paragraph("b") + "</w:tc></w:tr>"
    body = (
        styled("def f():", "Code")
        + styled("", "Code")
        + styled("    return 1", "Code")
        + styled("Tabelle 1: oben", "Bild")
        + table(rows)
        + paragraph("Text")
        + table(rows)
        + styled("Tabelle 2: unten", "Bild")
    )
    document = read(word_document(body, styles=STYLES), "a.docx")
    assert shown(document)[0] == ("code", "def f():\n\n    return 1")
    assert [block.table.caption for block in document.blocks if block.table] == [
        "Tabelle 1: oben",
        "Tabelle 2: unten",
    ]


def test_paragraphs_in_a_typewriter_face_are_code_where_they_look_like_it() -> None:
    def typed(words: str) -> str:
        font = '<w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr>'
        return f'<w:p><w:r>{font}<w:t xml:space="preserve">{words}</w:t></w:r></w:p>'

    mixed = typed("printf(x)").replace("</w:p>", "<w:r><w:t> prints.</w:t></w:r></w:p>")
    body = typed("def f(n):") + typed("    a = 1") + "<w:p/>" + typed("return a") + paragraph("Text")
    body += typed("A memo as from a typewriter.") + mixed
    assert shown(read(word_document(body), "a.docx")) == [
        ("code", "def f(n):\n    a = 1\n\nreturn a"),
        ("paragraph", "Text"),
        ("paragraph", "A memo as from a typewriter."),
        ("paragraph", "printf(x) prints."),
    ]


def test_changes_are_accepted() -> None:
    body = (
        '<w:p><w:r><w:t>The </w:t></w:r><w:del w:id="1"><w:r><w:delText>old </w:delText></w:r></w:del>'
        '<w:ins w:id="2"><w:r><w:t>new </w:t></w:r></w:ins><w:moveFrom><w:r><w:t>away</w:t></w:r></w:moveFrom>'
        "<w:moveTo><w:r><w:t>pump</w:t></w:r></w:moveTo></w:p>"
        + paragraph("One", "<w:rPr><w:del/></w:rPr>")
        + paragraph(" goes on", '<w:pStyle w:val="Heading1"/>')
        + table(
            "<w:tr><w:tc>" + paragraph("kept") + "</w:tc></w:tr>",
            "<w:tr><w:trPr><w:del/></w:trPr><w:tc>" + paragraph("gone") + "</w:tc></w:tr>",
        )
        + paragraph("Before a table", "<w:rPr><w:del/></w:rPr>")
        + table(
            "<w:tr><w:tc>" + paragraph("a") + paragraph("b", "<w:rPr><w:del/></w:rPr>") + "</w:tc></w:tr>"
        )
        + paragraph("Last", "<w:rPr><w:moveFrom/></w:rPr>")
    )
    assert shown(read(word_document(body), "a.docx")) == [
        ("paragraph", "The new pump"),
        ("heading", "One goes on"),
        ("table", "kept"),
        ("paragraph", "Before a table"),
        ("table", "a b"),
        ("paragraph", "Last"),
    ]


def test_a_text_box_that_is_stored_twice_is_read_once() -> None:
    boxed = f"<w:txbxContent>{paragraph('boxed words')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>around</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>"
        f"<wps:wsp><wps:txbx>{boxed}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict>"
        f"<v:textbox>{boxed}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        f"<w:p><w:r><w:pict><v:textbox>{boxed.replace('boxed', 'vector')}</v:textbox></w:pict></w:r></w:p>"
    )
    assert read(word_document(body), "a.docx").text == "around\n\nboxed words\n\nvector words"


def test_notes_and_comments_follow_what_refers_to_them() -> None:
    body = (
        '<w:p><w:r><w:t>Claim</w:t><w:footnoteReference w:id="2"/></w:r><w:r><w:t>, more</w:t></w:r>'
        '<w:r><w:endnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r></w:p>'
        + table(
            '<w:tr><w:tc><w:p><w:r><w:t>cell</w:t><w:footnoteReference w:id="3"/></w:r></w:p></w:tc></w:tr>'
        )
        + paragraph("End")
    )
    footnotes = (
        f'<w:footnote w:type="separator" w:id="0">{paragraph("-----")}</w:footnote>'
        f'<w:footnote w:id="2">{paragraph("Source one.")}{paragraph("Second line.")}</w:footnote>'
        f'<w:footnote w:id="3">{paragraph("Of the cell.")}</w:footnote>'
    )
    endnotes = f'<w:endnote w:id="2">{paragraph("At the end.")}</w:endnote>'
    comments = f'<w:comment w:id="0" w:author="Jo Doe">{paragraph("Check this.")}</w:comment>'
    data = word_document(body, footnotes=footnotes, endnotes=endnotes, comments=comments)
    assert shown(read(data, "a.docx")) == [
        ("paragraph", "Claim, more"),
        ("footnote", "Source one.\nSecond line."),
        ("footnote", "At the end."),
        ("note", "Jo Doe: Check this."),
        ("table", "cell"),
        ("footnote", "Of the cell."),
        ("paragraph", "End"),
    ]


def test_fields_show_their_result_and_controls_their_content() -> None:
    def field(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    inner = field("begin") + "<w:r><w:instrText>PAGE</w:instrText></w:r>" + field("separate")
    inner += "<w:r><w:t>hidden</w:t></w:r>" + field("end")
    body = (
        f"<w:p><w:r><w:t>See </w:t></w:r>{field('begin')}<w:r><w:instrText>IF </w:instrText></w:r>{inner}"
        f"{field('separate')}<w:r><w:t>Fig. 1</w:t></w:r>{field('end')}"
        '<w:fldSimple w:instr="DATE"><w:r><w:t> today</w:t></w:r></w:fldSimple>'
        "<w:hyperlink><w:r><w:t> link</w:t></w:r></w:hyperlink></w:p>"
        "<w:sdt><w:sdtPr><w:alias w:val='no'/></w:sdtPr><w:sdtContent>"
        f"{paragraph('control')}</w:sdtContent></w:sdt>"
        f"<w:p>{field('begin')}<w:r><w:t>never shown</w:t></w:r></w:p>{paragraph('after a damaged field')}"
    )
    text = read(word_document(body), "a.docx").text
    assert text == "See Fig. 1 today link\n\ncontrol\n\nafter a damaged field"


def test_characters_that_word_stores_as_elements() -> None:
    body = (
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/>"
        "<w:t>e&#xAD;f</w:t><w:lastRenderedPageBreak/><w:t>g</w:t><w:sym w:font='Wingdings' w:char='F0FE'/>"
        "<w:sym w:font='Symbol' w:char='F06D'/><w:sym w:font='X' w:char='zz'/>"
        "<w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>"
    )
    assert read(word_document(body), "a.docx").text == "a\tb\nc-defg☑μ漢(kan)"


def test_form_fields_show_their_state() -> None:
    def field(data: str) -> str:
        begin = f'<w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar>'
        return f'<w:r>{begin}</w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'

    entries = '<w:listEntry w:val="steam"/><w:listEntry w:val="water"/>'
    body = (
        f"<w:p>{field('<w:checkBox><w:default/></w:checkBox>')}<w:r><w:t>yes </w:t></w:r>"
        f"{field('<w:checkBox/>')}<w:r><w:t>no </w:t></w:r>"
        + field(f'<w:ddList><w:result w:val="1"/>{entries}</w:ddList>')
        + "</w:p>"
    )
    assert read(word_document(body), "a.docx").text == "☒yes ☐no water"


def test_equations_are_one_line() -> None:
    def run(words: str) -> str:
        return f"<m:r><m:t>{words}</m:t></m:r>"

    power = f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('n+1')}</m:sup></m:sSup>"
    fraction = f"<m:f><m:num>{power}</m:num><m:den>{run('2')}</m:den></m:f>"
    root = f"<m:rad><m:deg/><m:e>{run('y')}</m:e></m:rad>"
    body = f"<w:p><w:r><w:t>is </w:t></w:r><m:oMath>{fraction}{run('=')}{root}</m:oMath></w:p>"
    assert read(word_document(body), "a.docx").text == "is (x^(n+1))/2=√(y)"


def test_headers_and_footers_stay_outside_of_the_text() -> None:
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rId1"/><w:headerReference w:type="first" r:id="rId1"/>'
        '<w:footerReference r:id="rId2"/></w:sectPr>'
    )
    document = read(
        word_document(
            paragraph("Body") + section, header=paragraph("Running head"), footer=paragraph("– 7 –")
        ),
        "a.docx",
    )
    assert document.text == "Body"
    assert document.marginalia == (
        Marginalia(0, MarginaliaKind.HEADER, "Running head"),
        Marginalia(0, MarginaliaKind.PAGE_NUMBER, "– 7 –"),
    )


def test_hidden_text_is_read_and_told() -> None:
    body = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t> open</w:t></w:r></w:p>"
    document = read(word_document(body), "a.docx")
    assert document.text == "secret open"
    assert [(notice.code, "6 characters" in notice.message) for notice in document.warnings] == [
        ("HIDDEN_TEXT", True)
    ]


def test_lists_count_as_word_counts() -> None:
    def level(number: int, style: str, shown: str, more: str = "") -> str:
        return (
            f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{style}"/>{more}'
            f'<w:lvlText w:val="{shown}"/></w:lvl>'
        )

    numbering = (
        f'<w:abstractNum w:abstractNumId="0">{level(0, "decimal", "%1.")}{level(1, "lowerRoman", "%1.%2)")}'
        f"{level(2, 'upperLetter', '(%3)')}</w:abstractNum>"
        f'<w:abstractNum w:abstractNumId="1">{level(0, "bullet", "")}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/>'
        '</w:lvlOverride></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>'
        '<w:num w:numId="4"><w:abstractNumId w:val="0"/></w:num>'
    )
    body = (
        listed("a", 1)
        + listed("b", 1, 1)
        + listed("c", 1, 1)
        + listed("d", 1, 2)
        + listed("e", 1)
        + listed("f", 1, 1)
        + listed("g", 3)
        + listed("h", 2)
        + listed("i", 2)
        + listed("j", 4)
        + listed("no list", 0)
        + listed("unknown list", 77)
    )
    document = read(word_document(body, numbering=numbering), "a.docx")
    assert [text for _, text in shown(document)] == [
        "1. a",
        "1.i) b",
        "1.ii) c",
        "(A) d",
        "2. e",
        "2.i) f",
        "- g",
        "5. h",
        "6. i",
        "7. j",
        "no list",
        "unknown list",
    ]
    items = [block for block in document.blocks if block.kind is BlockKind.LIST_ITEM]
    assert [block.level for block in items] == [1, 2, 2, 3, 1, 2, 1, 1, 1, 1]


def test_the_number_of_a_heading_is_in_its_text_and_not_in_its_title() -> None:
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/>'
        '<w:pStyle w:val="Heading1"/><w:lvlText w:val="%1"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    styles = (
        '<w:style w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
        "</w:pPr></w:style>"
    )
    document = read(word_document(styled("Scope", "Heading1"), numbering=numbering, styles=styles), "a.docx")
    assert headings(document) == [(1, "Scope")]
    assert words(document, document.blocks[0]) == "3 Scope"


def test_a_chart_is_a_table() -> None:
    def points(*values: str) -> str:
        return "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(values))

    series = (
        f"<c:ser><c:tx><c:strRef><c:strCache>{points('Sales')}</c:strCache></c:strRef></c:tx><c:cat><c:strCache>"
        f"{points('Q1', 'Q2')}</c:strCache></c:cat><c:val><c:numCache>{points('4.4000000000000004', '7')}</c:numCache>"
        "</c:val></c:ser>"
    )
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>By quarter</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    chart = f"<c:chart>{title}<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart>"
    body = '<w:p><w:r><w:drawing><c:chart r:id="rId1"/></w:drawing></w:r></w:p>'
    document = read(word_document(body, chart=chart), "a.docx")
    assert words(document, document.blocks[0]) == "By quarter"
    assert cells(document, document.blocks[1]) == [["", "Sales"], ["Q1", "4.4"], ["Q2", "7"]]
    assert document.blocks[1].table.caption == "By quarter"
