"""Equations of Office documents as one line of text: `(a+b)/(2)`, `x^2`, `√(y)`."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from .ooxml_xml import M

_SUM = "∫"


def equation_text(node: Element) -> str:
    """The words of an equation in reading order, with marks where its layout carries the meaning."""
    name = node.tag.rpartition("}")[2]
    if name in ("t", "delText"):
        return node.text or "" if name == "t" else ""
    if name in _SHAPES:
        return _SHAPES[name](node)
    if name.endswith("Pr"):
        return ""
    if name == "oMathPara":
        return "\n".join(filter(None, map(equation_text, node)))
    return "".join(map(equation_text, node))


def _of(node: Element, name: str) -> str:
    part = node.find(M + name)
    return "" if part is None else "".join(map(equation_text, part))


def _grouped(words: str) -> str:
    return words if len(words) < 2 or words.isalnum() else f"({words})"


def _fraction(node: Element) -> str:
    return f"{_grouped(_of(node, 'num'))}/{_grouped(_of(node, 'den'))}"


def _scripted(node: Element) -> str:
    below, above = _of(node, "sub"), _of(node, "sup")
    base = _of(node, "e")
    if node.find(f"{M}e/{M}f") is not None:
        base = _grouped(base)
    return base + (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")


def _root(node: Element) -> str:
    return f"{_of(node, 'deg')}√({_of(node, 'e')})"


def _nary(node: Element) -> str:
    sign = node.find(f"{M}naryPr/{M}chr")
    shown = _SUM if sign is None else sign.get(M + "val", _SUM)
    below, above = _of(node, "sub"), _of(node, "sup")
    limits = (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
    return f"{shown}{limits} {_of(node, 'e')}"


def _delimited(node: Element) -> str:
    def mark(name: str, usual: str) -> str:
        found = node.find(f"{M}dPr/{M}{name}")
        return usual if found is None else found.get(M + "val", "")

    inner = mark("sepChr", "|").join("".join(map(equation_text, part)) for part in node.findall(M + "e"))
    return mark("begChr", "(") + inner + mark("endChr", ")")


def _function(node: Element) -> str:
    return f" {_of(node, 'fName')} {_of(node, 'e')}"


def _rows(node: Element) -> str:
    rows = node.findall(M + "mr") or node.findall(M + "e")
    return "; ".join(
        ", ".join("".join(map(equation_text, cell)) for cell in row)
        if row.tag == M + "mr"
        else "".join(map(equation_text, row))
        for row in rows
    )


_SHAPES = {
    "f": _fraction,
    "sSup": _scripted,
    "sSub": _scripted,
    "sSubSup": _scripted,
    "limLow": lambda node: f"{_of(node, 'e')}_{_grouped(_of(node, 'lim'))}",
    "limUpp": lambda node: f"{_of(node, 'e')}^{_grouped(_of(node, 'lim'))}",
    "rad": _root,
    "nary": _nary,
    "d": _delimited,
    "func": _function,
    "m": _rows,
    "eqArr": _rows,
}
