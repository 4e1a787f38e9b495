"""Characters that Word stores as elements: symbols by font and code, the state of form fields."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml_xml import W, is_on, whole_number
from findspot_extraction.readers.word.styles import VALUE

_SYMBOLS = {
    "wingdings": {
        0x6C: "●",
        0x6E: "■",
        0x71: "❑",
        0xA8: "☐",
        0xE0: "→",
        0xFB: "✗",
        0xFC: "✓",
        0xFD: "☒",
        0xFE: "☑",
    },
    "symbol": dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))
    | {
        0xA3: "≤",
        0xA5: "∞",
        0xAE: "→",
        0xB0: "°",
        0xB1: "±",
        0xB3: "≥",
        0xB4: "×",
        0xB7: "•",
        0xB9: "≠",
        0xBB: "≈",
    },
}


def symbol(node: Element) -> str:
    """A character of a symbol font; where it is not known what it shows, the code that the file states."""
    stated = node.get(W + "char", "")
    try:
        code = int(stated[:6], 16)
    except ValueError:
        return ""
    known = _SYMBOLS.get(node.get(W + "font", "").lower(), {}).get(code & 0xFF)
    if known is not None or not 0x20 <= code < 0x110000 or 0xD800 <= code < 0xE000:
        return known or ""
    return chr(code)


def form_field(data: Element | None) -> str:
    """What a form field shows without having a result: a ticked box, the chosen entry of a list."""
    if data is None:
        return ""
    box = data.find(W + "checkBox")
    if box is not None:
        state = box.find(W + "checked")
        state = box.find(W + "default") if state is None else state
        return "☒" if is_on(state, VALUE) else "☐"
    choices = data.find(W + "ddList")
    if choices is None:
        return ""
    entries = choices.findall(W + "listEntry")
    picked = choices.find(W + "result")
    place = 0 if picked is None else whole_number(picked.get(VALUE))
    return entries[place].get(VALUE, "") if 0 <= place < len(entries) else ""
