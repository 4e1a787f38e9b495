"""PDF in, words with their boxes and the structure around them out: PDFium reads the glyphs, the rest is geometry."""

from findspot_extraction.readers.pdf.reader import READER

__all__ = ["READER"]
