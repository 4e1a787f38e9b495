"""Function words: asked beside others they say nothing about what is looked for."""

from __future__ import annotations

from collections.abc import Iterable

_ENGLISH = """
    a an and are as at be been being but by can could did do does doing for from had has have having how
    i if in into is it its me my of on or our should so such that the their them then there these they
    this those to was we were what when where which while who whom whose why will with would you your
"""
_GERMAN = """
    aber als am an auch auf aus bei bis da das dass dem den der des ein eine einem einen einer es für ich
    im ist kann mit nach nicht oder sein sich sie sind und vom von was wenn wer wie wird wo zu zum zur
"""
_FRENCH = """
    au aux avec ce ces dans de des du elle en et il ils je la le les leur ne nous ou où par quand que
    quel quelle qui ses sont un une vous
"""
_SPANISH_ITALIAN_PORTUGUESE = """
    al como cuál cuando del donde el ella los las para pero por qué quien una uno che chi dei del della
    di gli il nel non più quale quando sono ao com como da do dos é em não na o os ou para pela pelo
    quais que quem são uma
"""

STOP_WORDS = frozenset(" ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH_ITALIAN_PORTUGUESE)).split())
"""Of the languages that most queries are in; words that mean something in another of them are left out."""


def without_stop_words(words: Iterable[str]) -> list[str]:
    """The words that say something; all of them when none does."""
    given = list(words)
    return [word for word in given if word.lower() not in STOP_WORDS] or given
