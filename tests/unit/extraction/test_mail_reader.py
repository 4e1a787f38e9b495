"""Messages: which part is read, quotes, encodings of bodies and headers, attachments named and left."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_checks import read, shown

from findspot.errors import FindspotError, Reason


def message(**headers: str) -> EmailMessage:
    made = EmailMessage()
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    return made


def test_headers_are_title_and_metadata() -> None:
    mail = message(Subject="Zeitplan für März", From="Änne <a@x.org>", To="b@x.org, c@x.org")
    mail["Date"] = "Mon, 05 Feb 2024 10:20:30 +0100"
    mail.set_content("Hello,\nsee below.\n\nAnn")
    document = read(mail.as_bytes(), "a.eml")
    assert document.title == "Zeitplan für März"
    assert document.metadata == {
        "from": "Änne <a@x.org>",
        "to": "b@x.org, c@x.org",
        "date": "2024-02-05T10:20:30+01:00",
    }
    assert shown(document) == [("paragraph", "Hello,\nsee below."), ("paragraph", "Ann")]


def test_quoted_lines_are_quotes() -> None:
    mail = message(Subject="Re: plan")
    mail.set_content("Yes.\n\nOn Monday Bob wrote:\n> Shall we?\n>\n> > At noon?\n\nAnn")
    assert shown(read(mail.as_bytes(), "a.eml")) == [
        ("paragraph", "Yes."),
        ("paragraph", "On Monday Bob wrote:"),
        ("quote", "> Shall we?\n>\n> > At noon?"),
        ("paragraph", "Ann"),
    ]


def test_of_alternatives_plain_text_is_read_and_html_where_it_is_blank() -> None:
    mail = message(Subject="x")
    mail.set_content("plain words")
    mail.add_alternative("<h1>Rich</h1><p>words</p>", subtype="html")
    assert shown(read(mail.as_bytes(), "a.eml")) == [("paragraph", "plain words")]
    mail = message(Subject="x")
    mail.set_content(" \n")
    mail.add_alternative("<h1>Rich</h1><p>words</p>", subtype="html")
    assert shown(read(mail.as_bytes(), "a.eml")) == [("heading", "Rich"), ("paragraph", "words")]


def test_attachments_are_named_and_not_read() -> None:
    mail = message(Subject="x")
    mail.set_content("see the plan")
    mail.add_attachment(b"secret", maintype="application", subtype="pdf", filename="plän.pdf")
    mail.add_attachment("a,b", subtype="csv", filename="t.csv")
    document = read(mail.as_bytes(), "a.eml")
    assert document.text.strip() == "see the plan"
    (notice,) = document.warnings
    assert notice.code == "ATTACHMENTS_LEFT_OUT"
    assert "plän.pdf, t.csv" in notice.message


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-8", "iso-2022-jp", "koi8-r", "gb18030"])
@pytest.mark.parametrize("transfer", ["base64", "quoted-printable"])
def test_encodings_of_bodies(charset: str, transfer: str) -> None:
    words = {
        "iso-8859-1": "Grüße aus Köln, schöne Tage und viel Vergnügen",
        "iso-2022-jp": "日本語の文章です",
        "koi8-r": "Привет из Москвы",
        "gb18030": "中文的文字，这是一封信",
    }
    wanted = words.get(charset, "Grüße \U0001f600")
    mail = message(Subject="x")
    mail.set_content(wanted, charset=charset, cte=transfer)
    assert read(mail.as_bytes(), "a.eml").text.strip() == wanted


def test_bytes_without_an_encoding_in_headers_are_utf_8() -> None:
    document = read("Subject: Grüße\nFrom: a\nTo: b\n\nGrüße".encode(), "a.eml")
    assert (document.title, document.text) == ("Grüße", "Grüße")


def test_an_encrypted_message_says_so() -> None:
    mail = b"Subject: x\nContent-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: text/plain\n\nx\n--b--\n"
    with pytest.raises(FindspotError) as caught:
        read(mail, "a.eml")
    assert caught.value.reason is Reason.DOCUMENT_ENCRYPTED


def test_a_message_without_text_is_empty() -> None:
    mail = b"Subject: photo\nContent-Type: image/png; name=p.png\n\nxx"
    assert read(mail, "a.eml", document_type="eml").text == ""


_LINES = st.sampled_from(
    b"Subject: =?utf-8?q?=ff?=|From: @<;|To: \xff\xfe|Content-Type: multipart/mixed; boundary=b|Content-Type: text/html"
    b"|Content-Type: ;;|Content-Type: multipart/alternative; boundary=b|Content-Type: message/rfc822|Date: 99|--b|--b--||"
    b"Content-Transfer-Encoding: base64|Content-Disposition: attachment; filename*=x''%ff|> q|word|<p>x|4pi6|\xe9"
    b'|Content-Type: text/plain; charset="utf-7"|=?x'.split(b"|")
)


@given(st.lists(_LINES, max_size=25), st.sampled_from([b"\n", b"\r\n"]))
@settings(max_examples=100, deadline=None)
def test_any_message_reads_the_same_twice(lines: list[bytes], end: bytes) -> None:
    data = end.join(lines)
    try:
        document = read(data, "a.eml", document_type="eml")
    except FindspotError as failure:
        assert failure.reason is Reason.DOCUMENT_ENCRYPTED  # noqa: PT017
    else:
        assert document == read(data, "a.eml", document_type="eml")
