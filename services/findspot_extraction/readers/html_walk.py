"""From the tree of an HTML page to text and blocks, in one walk without recursion."""

from __future__ import annotations

import re
from collections import Counter

from selectolax.lexbor import LexborNode

from findspot.model import BlockKind

from .html_nodes import (
    BLOCKS,
    SILENT,
    attribute,
    children,
    inline_words,
    is_chrome,
    is_hidden,
    preformatted,
)
from .html_tables import is_layout, read_table
from .rendering import Rendering

_SPACE = re.compile(r"\s+")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol", "menu", "dl"))
_LANGUAGE_CLASS = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)")


class HtmlWalk:
    """Renders one page. `left_out` counts the characters of navigation and hidden parts, by tag."""

    def __init__(self, *, keep_chrome: bool = False) -> None:
        self.out = Rendering()
        self.left_out: Counter[str] = Counter()
        self.first_heading = ""
        self._keep_chrome = keep_chrome
        self._line: list[str] = []
        self._lists: list[list[int]] = []
        """One entry an open list: its next number, or [0] where items have none."""
        self._marker = ""
        self._quotes = 0
        self._captions = 0

    def render(self, root: LexborNode) -> None:
        """Walk everything below a node."""
        stack: list[tuple[LexborNode, bool]] = [(root, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                self._leave(node.tag or "")
            elif node.is_text_node:
                self._line.append(_SPACE.sub(" ", node.text_content or ""))
            elif node.is_element_node and self._enter(node, node.tag or ""):
                stack.append((node, True))
                stack.extend([(child, False) for child in children(node)][::-1])
        self._flush()

    def _enter(self, node: LexborNode, tag: str) -> bool:
        """True when the children are to be walked."""
        if tag in SILENT:
            return False
        if tag == "br":
            self._line.append("\n")
        elif tag == "img":
            self._line.append(f" {_SPACE.sub(' ', attribute(node, 'alt') or '')} ")
        if not self._keep_chrome and (is_hidden(node) or is_chrome(node)):
            self.left_out[tag] += len((node.text(deep=True) or "").strip())
            self._flush()
            return False
        if tag not in BLOCKS:
            return True
        self._flush()
        return not self._whole(node, tag) and self._open(node, tag)

    def _whole(self, node: LexborNode, tag: str) -> bool:
        """Elements that are read at once; True when this was one."""
        if tag in _HEADINGS:
            words = inline_words(node)
            if self._quotes:
                self.out.block(BlockKind.QUOTE, words)
            else:
                self.out.block(BlockKind.HEADING, words, level=_HEADINGS[tag], title=words)
                self.first_heading = self.first_heading or (words if tag == "h1" else "")
        elif tag == "pre":
            self.out.block(BlockKind.CODE, preformatted(node), language=_code_language(node))
        elif tag == "table" and not is_layout(node):
            self._table(node)
        else:
            return False
        return True

    def _open(self, node: LexborNode, tag: str) -> bool:
        if tag in _LISTS:
            start = (attribute(node, "start") or "1") if tag == "ol" else "0"
            self._lists.append([int(start) if start.isascii() and start.isdigit() else 1])
        elif tag == "li":
            self._marker = self._next_marker(attribute(node, "value"))
        elif tag == "blockquote":
            self._quotes += 1
        elif tag in ("figcaption", "caption"):
            self._captions += 1
        return True

    def _next_marker(self, value: str | None) -> str:
        numbers = self._lists[-1] if self._lists else [0]
        if not numbers[0]:
            return "- "
        number = int(value) if value and value.isascii() and value.isdigit() else numbers[0]
        numbers[0] = number + 1
        return f"{number}. "

    def _leave(self, tag: str) -> None:
        if tag not in BLOCKS:
            return
        self._flush()
        if tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "blockquote":
            self._quotes -= 1
        elif tag in ("figcaption", "caption"):
            self._captions -= 1
        elif tag == "li":
            self._marker = ""

    def _table(self, node: LexborNode) -> None:
        table = read_table(node)
        if table is None:
            return
        self.out.block(BlockKind.CAPTION, table.caption)
        self.out.table(
            table.rows,
            columns=table.columns,
            header_rows=table.header_rows,
            caption=table.caption,
            widths=table.widths,
        )

    def _flush(self) -> None:
        if not self._line:
            return
        lines = [" ".join(part.split()) for part in "".join(self._line).split("\n")]
        self._line = []
        words = "\n".join(line for line in lines if line)
        if not words:
            return
        kind = self._kind()
        if kind is BlockKind.LIST_ITEM:
            words, self._marker = self._marker + words, ""
            self.out.block(kind, words, level=len(self._lists) or 1)
        else:
            self.out.block(kind, words)

    def _kind(self) -> BlockKind:
        if self._captions:
            return BlockKind.CAPTION
        if self._quotes:
            return BlockKind.QUOTE
        return BlockKind.LIST_ITEM if self._lists or self._marker else BlockKind.PARAGRAPH


def _code_language(pre: LexborNode) -> str:
    """From the classes of `pre`, of the `code` inside it, or of the `div` around it."""
    for node in (pre.css_first("code"), pre, pre.parent, pre.parent.parent if pre.parent else None):
        named = _LANGUAGE_CLASS.search(attribute(node, "class") or "") if node is not None else None
        if named:
            return named.group(1)
    return ""
