"""PDF in, words with boxes and their structure out: PDFium reads the glyphs, the rest is geometry."""

from findspot_extraction.readers.pdf.reader import READER

__all__ = ["READER"]
