"""How sure the best result is, by a rule that a reader can check."""

from __future__ import annotations

from enum import StrEnum

from findspot_query.candidates import Candidate

AGREEMENT_RANK = 3
"""Both arms agree when each has the best result among its first three."""
SURE_SIMILARITY = 0.65
"""Above this cosine similarity the vector arm alone is sure."""


class Strength(StrEnum):
    """How sure the best result is."""

    STRONG = "strong"
    WEAK = "weak"
    NONE = "none"


def strength(best: Candidate | None, *, every_word: bool) -> Strength:
    """STRONG: both arms agree on the best result, its similarity is sure, or it holds every word that was asked.

    NONE: there is no result. Scores alone separate poorly: callers that abstain should calibrate on their own data.
    """
    if best is None:
        return Strength.NONE
    agreed = (
        best.text_rank is not None
        and best.vector_rank is not None
        and max(best.text_rank, best.vector_rank) <= AGREEMENT_RANK
    )
    sure = best.similarity is not None and best.similarity >= SURE_SIMILARITY
    return Strength.STRONG if agreed or sure or every_word else Strength.WEAK
