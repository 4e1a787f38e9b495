"""A reader that does what the document says: the faults of real parsers, at will. Known to no registry but tests'."""

from __future__ import annotations

import os
import signal
import threading

from findspot.model import Block, BlockKind, ExtractedDocument
from findspot_extraction.readers.reader import ReadLimits, Source, corrupt


class HostileReader:
    """`command argument` is the whole document."""

    stamp = "hostile/1"

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Obey, or answer with the id of the process."""
        command, _, argument = source.data.decode().partition(" ")
        if command == "hang":
            _tell(argument)
            threading.Event().wait()
        elif command == "spin":
            while True:
                pass
        elif command == "eat":
            eaten = [bytearray(16 * 1024**2) for _ in range(1_000)]
            return _document(str(len(eaten)))
        elif command == "large-answer":
            return _document("x" * int(argument))
        elif command == "signal":
            os.kill(os.getpid(), getattr(signal, argument))
        elif command == "exit":
            os._exit(int(argument))
        elif command == "raise":
            raise ZeroDivisionError(argument)
        elif command == "recurse":
            return self.read(Source(source.data), limits)
        elif command == "corrupt":
            raise corrupt("There is no such page.", page="7")
        return _document(str(os.getpid()))


READER = HostileReader()


def _tell(fifo: str) -> None:
    """Lets the test know that the document is being read: it waits at the other end."""
    if fifo:
        with open(fifo, "w") as end:
            end.write(str(os.getpid()))


def _document(text: str) -> ExtractedDocument:
    blocks = (Block(BlockKind.PARAGRAPH, 0, len(text)),)
    return ExtractedDocument(text=text, document_type="hostile", media_type="text/plain", blocks=blocks)
