"""Plain text of a message as blocks: paragraphs, and what is quoted from the message before."""

from __future__ import annotations

import re
from itertools import groupby

from findspot.model import Block, BlockKind

_LINE = re.compile(r"[^\n]*\n?")


def mail_blocks(text: str) -> tuple[Block, ...]:
    """Runs of lines without a blank one between them; lines that begin with `>` are quotes.

    `text` has line feeds only. The blocks hold every line that is not blank.
    """
    blocks: list[Block] = []
    lines = [(found.start(), found.group()) for found in _LINE.finditer(text) if found.group()]
    for kind, group in groupby(lines, key=lambda line: _kind(line[1])):
        if kind is None:
            continue
        run = list(group)
        start = run[0][0] + len(run[0][1]) - len(run[0][1].lstrip())
        end = run[-1][0] + len(run[-1][1].rstrip())
        blocks.append(Block(kind, start, end))
    return tuple(blocks)


def _kind(line: str) -> BlockKind | None:
    words = line.strip()
    if not words:
        return None
    return BlockKind.QUOTE if words.startswith(">") else BlockKind.PARAGRAPH
