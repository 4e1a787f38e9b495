"""Word documents in, text and structure out, as they read with every tracked change accepted."""

from findspot_extraction.readers.word.reader import READER

__all__ = ["READER"]
