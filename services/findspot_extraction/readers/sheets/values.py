"""What a cell holds, and how it is shown: whole numbers without a point, dates as ISO 8601 writes them."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, time, timedelta

Value = str | int | float | bool | date | time | timedelta
"""An empty string is an empty cell."""

_WHOLE = 1e15
"""From here on a float does not hold every whole number."""
_SHORT = 15
"""A float written with no more characters has no more digits than are shown."""
_ERROR = re.compile(r"#(?:N/A|NAME\?|NULL!|NUM!|REF!|VALUE!|DIV/0!|SPILL!|CALC!|GETTING_DATA|N/A N/A)")


def shown(value: Value) -> str:
    """The words of a cell, on one line. Floats have 15 digits, as spreadsheets count them."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, time):
        return value.isoformat(timespec="seconds")
    return str(value)


def is_data(value: Value) -> bool:
    """True for what stands below the name of a column rather than in its place."""
    return not isinstance(value, str) or _ERROR.fullmatch(value) is not None


def is_year(value: Value) -> bool:
    """True for a whole number that may name a column of a year."""
    if not isinstance(value, float | int) or isinstance(value, bool):
        return False
    return 1900 <= value <= 2100 and value == value // 1


def _number(value: float) -> str:
    if math.isfinite(value) and value == value // 1 and abs(value) < _WHOLE:
        return str(int(value))
    exact = repr(value)
    return exact if len(exact) <= _SHORT else format(value, ".15g")


def _moment(value: datetime) -> str:
    # Stored as fractions of a day: a second may be missing its last millionth.
    if value.microsecond >= 500_000 and value.year < 9999:
        value += timedelta(seconds=1)
    if value.time().replace(microsecond=0) == time():
        return value.date().isoformat()
    return value.isoformat(sep=" ", timespec="seconds")


def _duration(value: timedelta) -> str:
    seconds = round(value.total_seconds())
    sign, seconds = ("-" if seconds < 0 else ""), abs(seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
