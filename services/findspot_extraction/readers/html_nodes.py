"""Questions about one element of an HTML page: what it is for, and its words."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from .rendering import one_line


def names(words: str) -> frozenset[str]:
    """A set of names that are written in one line."""
    return frozenset(words.split())


SILENT = names(
    "script style template noscript head svg canvas iframe object embed video audio map select option"
    " datalist button input textarea progress meter rp annotation annotation-xml dialog"
)
"""Elements whose content nobody reads as text."""
CHROME = names("nav header footer aside")
BLOCKS = names(
    "html body div p section article main address fieldset figure figcaption dl dt dd ul ol menu li"
    " blockquote h1 h2 h3 h4 h5 h6 hr details summary form header footer nav aside center legend caption"
    " table thead tbody tfoot tr td th pre hgroup search"
)
"""Elements that end the line before and after them."""
_CONTENT = frozenset(("article", "main", "section", "blockquote"))
_CHROME_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "complementary"))
_GUTTER = frozenset(("linenos", "lineno", "line-numbers", "gutter", "linenodiv"))
_ANCHORS = frozenset(("¶", "#", "§", "\U0001f517", "\u200b", ""))


def attribute(node: LexborNode, name: str) -> str | None:
    """The value of an attribute; an empty string when it has none, None when it is absent."""
    attributes = node.attributes
    return (attributes[name] or "") if name in attributes else None


def children(node: LexborNode) -> Iterator[LexborNode]:
    """The direct children, text nodes too."""
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def is_hidden(node: LexborNode) -> bool:
    """True for what a browser does not show, and for the line numbers beside a listing."""
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    style = (attributes.get("style") or "").replace(" ", "").lower()
    if "display:none" in style or "visibility:hidden" in style:
        return True
    return not _GUTTER.isdisjoint((attributes.get("class") or "").split())


def is_chrome(node: LexborNode) -> bool:
    """True for navigation and what frames the page. A header or footer inside an article belongs to it."""
    tag = node.tag
    role = attribute(node, "role")
    if tag == "nav" or (role and role.lower() in _CHROME_ROLES):
        return True
    if tag not in CHROME or _inside_content(node):
        return False
    # The header of a page often holds its title.
    return tag != "header" or node.css_first("h1") is None


def _inside_content(node: LexborNode) -> bool:
    parent = node.parent
    for _ in range(64):
        if parent is None:
            return False
        if parent.tag in _CONTENT:
            return True
        parent = parent.parent
    return False


def inline_words(node: LexborNode) -> str:
    """All words below a node on one line: a heading, a cell, a caption."""
    return one_line("".join(_pieces(node, breaks=" ")))


def preformatted(node: LexborNode) -> str:
    """The text of a `pre` as it is laid out, without the line ends around it."""
    words = "".join(_pieces(node, breaks="\n"))
    lines = words.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines).rstrip()


def _pieces(node: LexborNode, *, breaks: str) -> Iterator[str]:
    """Text below a node, walked without recursion; `breaks` stands for `br`, blocks part words of prose."""
    stack: list[LexborNode | str] = []
    stack.extend([*children(node)][::-1])
    parting = " " if breaks == " " else ""
    while stack:
        current = stack.pop()
        if isinstance(current, str):
            yield current
        elif current.is_text_node:
            yield current.text_content or ""
        elif current.is_element_node:
            tag = current.tag or ""
            if tag == "br":
                yield breaks
            elif tag == "img":
                yield f"{parting}{attribute(current, 'alt') or ''}{parting}"
            elif tag not in SILENT and not is_hidden(current) and not _is_anchor(current, tag):
                if parting and tag in BLOCKS:
                    yield parting
                    stack.append(parting)
                stack.extend(list(children(current))[::-1])


def _is_anchor(node: LexborNode, tag: str) -> bool:
    """The sign beside a heading that links to the heading itself."""
    if tag != "a" or not (attribute(node, "href") or "").startswith("#"):
        return False
    return (node.text(deep=True) or "").strip() in _ANCHORS
