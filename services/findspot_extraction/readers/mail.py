"""E-mail messages: the text that people wrote, headers as metadata, attachments named and not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from email.utils import parsedate_to_datetime

from findspot.model import ExtractedDocument, Notice
from findspot_extraction.readers.stamps import READER_STAMPS

from .decoding import Decoded, decode
from .html import READER as HTML
from .joining import Joining
from .mail_text import mail_blocks
from .reader import ReadLimits, Source, corrupt, encrypted
from .rendering import one_line

_HEADERS = ("from", "to", "cc", "reply-to", "message-id", "in-reply-to")
_READ = ("text/plain", "text/html", "text/enriched", "text/markdown")
_DEEPEST = 50
_MALFORMED = (
    *(MessageError, ValueError, LookupError, AttributeError, TypeError),
    *(AssertionError, RecursionError),
)
"""What the header parser of the standard library raises on headers that no program should have written."""
_ESCAPED = ("iso-2022", "utf-7", "hz")
"""Encodings in ASCII characters: their bytes are valid UTF-8, which they are not."""


@dataclass(slots=True)
class _Parts:
    bodies: list[Message] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    sealed: bool = False


class MailReader:
    """Reads MIME messages. Of alternatives the plain text is read, the HTML where there is none."""

    stamp = READER_STAMPS["mail"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Every sequence of bytes is some message; DOCUMENT_ENCRYPTED when all of its text is encrypted."""
        message = _parsed(source.data)
        parts = _Parts()
        _collect(message, parts, 0)
        if parts.sealed and not parts.bodies:
            raise encrypted("The message is encrypted: save it decrypted and add it again.")
        out = Joining(limits)
        notices: list[Notice] = []
        for body in parts.bodies:
            notices.extend(_read_body(body, source, limits, out))
        if parts.attachments:
            names = ", ".join(parts.attachments[:20])
            more = f" and {len(parts.attachments) - 20:,} more" if len(parts.attachments) > 20 else ""
            said = f"{len(parts.attachments):,} attachments were not read: {names}{more}."
            notices.append(Notice("ATTACHMENTS_LEFT_OUT", said))
        return ExtractedDocument(
            text=out.text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=_header(message, "subject"),
            language=source.language or _header(message, "content-language").split(",")[0],
            blocks=tuple(out.blocks),
            metadata=_metadata(message),
            warnings=tuple(dict.fromkeys(notices)),
            extractor_stamp=self.stamp,
        )


READER = MailReader()


def _parsed(data: bytes) -> Message:
    try:
        return message_from_bytes(data, policy=policy.default)
    except _MALFORMED as problem:
        raise corrupt(f"The message cannot be taken apart: {type(problem).__name__}.") from problem


def _kind(part: Message) -> str:
    """The media type; plain text where the header says nothing that can be read."""
    try:
        return part.get_content_type()
    except _MALFORMED:
        return "text/plain"


def _collect(part: Message, found: _Parts, depth: int) -> None:
    kind = _kind(part)
    children = _children(part)
    if kind in ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"):
        found.sealed = True
    elif kind == "message/rfc822" and depth:
        found.attachments.append(_file_name(part) or "a message")
    elif children and depth < _DEEPEST:
        for child in _chosen(kind, children):
            _collect(child, found, depth + 1)
    elif kind.startswith("text/") and not _is_attachment(part):
        found.bodies.append(part)
    elif depth:
        found.attachments.append(_file_name(part) or f"a part of type {kind}")


def _children(part: Message) -> list[Message]:
    content = part.get_payload()
    return [child for child in content if isinstance(child, Message)] if isinstance(content, list) else []


def _chosen(kind: str, children: list[Message]) -> list[Message]:
    """Of alternatives the one to read: plain text with words in it, else the richest, which stands last."""
    if kind != "multipart/alternative":
        return children
    plain = [child for child in children if _kind(child) == "text/plain" and _decoded(child).text.strip()]
    rich = [child for child in children if _holds_html(child)]
    return plain[:1] or rich[-1:] or children[-1:]


def _holds_html(part: Message, depth: int = 0) -> bool:
    if _kind(part) == "text/html":
        return True
    return depth < _DEEPEST and any(_holds_html(child, depth + 1) for child in _children(part))


def _is_attachment(part: Message) -> bool:
    try:
        stated = part.get_content_disposition()
    except _MALFORMED:
        stated = None
    # Calendars, cards and the like are files, wherever they stand.
    return stated == "attachment" or _kind(part) not in _READ


def _file_name(part: Message) -> str:
    try:
        return one_line(_clean(part.get_filename() or ""))
    except _MALFORMED:
        return ""


def _decoded(part: Message, language: str = "") -> Decoded:
    """The text of a part with line feeds only. A wrong charset is found out, as for every other file."""
    content = part.get_payload(decode=True)
    data = content if isinstance(content, bytes) else b""
    try:
        charset = (part.get_content_charset() or "").lower()
    except _MALFORMED:
        charset = ""
    if charset.startswith(_ESCAPED):
        try:
            data, charset = data.decode(charset, errors="replace").encode(), "utf-8"
        except LookupError:
            charset = ""
    decoded = decode(data, declared=charset, language=language)
    return replace(decoded, text=decoded.text.replace("\r\n", "\n").replace("\r", "\n"))


def _read_body(part: Message, source: Source, limits: ReadLimits, out: Joining) -> Iterator[Notice]:
    decoded = _decoded(part, source.language)
    yield from decoded.warnings
    if _kind(part) == "text/html":
        data = decoded.text.encode("utf-8", errors="replace")
        page = HTML.read(replace(source, data=data, media_type="text/html", document_type="html"), limits)
        out.add(page.text, page.blocks)
        yield from page.warnings
    else:
        out.add(decoded.text, mail_blocks(decoded.text))


def _metadata(message: Message) -> dict[str, str]:
    found = {name: _header(message, name) for name in _HEADERS}
    found["date"] = _date(_header(message, "date"))
    return {name: value for name, value in found.items() if value}


def _date(stated: str) -> str:
    """As ISO 8601 writes it; as it stands where it is no date."""
    try:
        return parsedate_to_datetime(stated).isoformat()
    except _MALFORMED:
        return stated


def _header(message: Message, name: str) -> str:
    try:
        value = message.get(name, "")
    except _MALFORMED:
        # The parser of structured headers gave up: the header as it stands in the file.
        value = next((str(raw) for key, raw in message.raw_items() if key.lower() == name), "")
    return one_line(_clean(str(value)))


def _clean(words: str) -> str:
    """Bytes above 127 that stand in a header without any encoding are read as UTF-8."""
    try:
        return words.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
    except UnicodeEncodeError:
        return words.encode("utf-8", errors="replace").decode()
