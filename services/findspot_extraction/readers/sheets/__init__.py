"""Workbooks (XLSX, XLSM, XLSB, XLS, ODS) in, tables with their sheet and rows out: calamine reads the cells."""

from findspot_extraction.readers.sheets.reader import READER

__all__ = ["READER"]
