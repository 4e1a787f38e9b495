"""Presentations in, one page a slide out: titles, text in reading order, tables, notes, boxes."""

from findspot_extraction.readers.slides.reader import READER

__all__ = ["READER"]
