"""What a text is when neither its name nor its media type says so: by its first lines, then by a model."""

from __future__ import annotations

import json
import re

_PROGRAMS = {"python": "python", "bash": "bash", "sh": "bash", "zsh": "bash", "ksh": "bash", "dash": "bash"}
_PROGRAMS |= {"node": "javascript", "deno": "typescript", "ruby": "ruby", "php": "php", "perl": "perl"}
_SHEBANG = re.compile(rb"#![^\n]*?([a-z]+)[\d.]*(?:\s+-[^\n]*)?\s*(?:\n|$)")
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_XML = re.compile(rb"\s*<\?xml\s")
_MARKDOWN = re.compile(rb"(?m)^(?:#{1,6} \S|```)")
_MAIL = re.compile(
    rb"(?:(?:from|to|subject|date|received|return-path|message-id|mime-version): [^\n]*\n){3}", re.I
)
_CPP = re.compile(rb"(?m)^\s*(?:class|namespace|template\s*<|using\s|public:|private:)|::|\bnullptr\b")
_SAMPLE = 65_536
# The model's labels where they are not the registry's names.
_LABELS = {
    "txt": "text",
    "txtascii": "text",
    "txtutf8": "text",
    "cs": "csharp",
    "shell": "bash",
    "ini": "ini",
}
_LABELS |= {"batch": "source", "cmake": "source", "proto": "source", "vba": "source", "srt": "subtitles"}
_KNOWN = frozenset(
    (
        "markdown", "html", "rst", "latex", "csv", "tsv", "json", "jsonl", "yaml", "toml", "xml", "python",
        "javascript", "typescript", "rust", "go", "java", "c", "cpp", "ruby", "php", "sql", "css", "diff",
        "kotlin", "swift", "scala", "lua", "perl", "r", "powershell", "makefile", "dockerfile", "bash", "csharp",
        "ini", "source", "subtitles", "text",
    )
)  # fmt: skip
_SURE = 0.7
_FEWEST_BYTES = 64
"""Of shorter texts the model knows too little."""


def text_type(head: bytes) -> str:
    """The registry's name of a text; `text` when nothing says more."""
    return _by_first_lines(head) or _by_model(head) or "text"


def source_language(head: bytes, fallback: str) -> str:
    """Which language a file with an extension of several languages is in: `c` or `cpp`, else the fallback."""
    if fallback == "c" and _CPP.search(head[:_SAMPLE]):
        return "cpp"
    return fallback


def _by_first_lines(head: bytes) -> str:
    start = head[:_SAMPLE].removeprefix(b"\xef\xbb\xbf")
    shebang = _SHEBANG.match(start)
    if shebang:
        return _PROGRAMS.get(shebang.group(1).decode(), "source")
    if _HTML.match(start[:4096]):
        return "html"
    if _XML.match(start):
        return "xml"
    if start.startswith((b"diff --git ", b"--- a/")):
        return "diff"
    if _MAIL.match(start):
        return "eml"
    if start.lstrip()[:1] in (b"{", b"["):
        return _json_type(head)
    return ""


def _json_type(head: bytes) -> str:
    first, _, rest = head.lstrip().partition(b"\n")
    for candidate, name in ((first, "jsonl" if rest.strip() else "json"), (head, "json")):
        try:
            json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        return name
    return ""


def _by_model(head: bytes) -> str:
    if len(head) < _FEWEST_BYTES or _is_prose(head):
        return "markdown" if _MARKDOWN.search(head[:_SAMPLE]) else ""
    from .model_detection import identify

    label, score = identify(head)
    name = _LABELS.get(label, label)
    return name if score >= _SURE and name in _KNOWN else ""


def _is_prose(head: bytes) -> bool:
    """Mostly letters and spaces: no language of programs or data looks like that."""
    sample = head[:4096]
    plain = len(re.findall(rb"[A-Za-z \n.,'\x80-\xff]", sample))
    return plain >= len(sample) * 0.95
