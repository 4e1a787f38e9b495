"""Numbers of lists as Office programs write them."""

from __future__ import annotations

_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"],
        strict=True,
    )
)


def written_number(number: int, style: str) -> str:
    """A number in a style of Word: `lowerRoman`, `upperLetter`, `ordinal`; digits for those not known."""
    if style in ("none", "bullet"):
        return ""
    if style in ("lowerLetter", "upperLetter") and 0 < number <= 26 * 30:
        # After z come aa, bb, cc: the letter repeats.
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if style == "upperLetter" else letter
    if style in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        roman = ""
        for value, sign in _ROMAN:
            roman += sign * (number // value)
            number %= value
        return roman if style == "upperRoman" else roman.lower()
    if style == "decimalZero":
        return f"{number:02}"
    if style == "ordinal":
        ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number % 100 not in (11, 12, 13) else 0, "th")
        return f"{number}{ending}"
    return str(number)
