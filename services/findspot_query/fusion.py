"""Makes one ranking of two: the fusion formulas, the identifier boost, and the order of ties."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from findspot.stores.manifest.stored import ChunkPosition
from findspot_query.candidates import ArmHit, Candidate
from findspot_query.request import Formula, Fusion

RANK_BOOST = 1 / 60
"""Added by a shared identifier under the rank formulas: a little more than one first place, 1/61."""
SCALED_BOOST = 0.3
"""Added under the formulas of scaled scores: what the second arm can add under `max_bonus`."""
BONUS_SHARE = 0.3

VERSIONS = {
    Formula.RRF: "rrf/1",
    Formula.WEIGHTED_RRF: "weighted_rrf/1",
    Formula.RELATIVE_SCORE: "relative_score/1",
    Formula.MAX_BONUS: "max+0.3*min/1",
}
"""What a trace calls each formula; the number rises when its meaning changes."""


def merge(
    text: Sequence[ArmHit], vector: Sequence[ArmHit], positions: Mapping[str, ChunkPosition]
) -> list[Candidate]:
    """The candidates of both arms with their ranks. Every hit has a position: those without are not live."""
    texts = {hit.id: (rank, hit.score) for rank, hit in enumerate(text, 1)}
    vectors = {hit.id: (rank, hit.score) for rank, hit in enumerate(vector, 1)}
    merged = []
    for identifier in dict.fromkeys((*texts, *vectors)):
        position = positions[identifier]
        text_rank, text_score = texts.get(identifier, (None, None))
        vector_rank, similarity = vectors.get(identifier, (None, None))
        merged.append(
            Candidate(
                identifier,
                position.document_id,
                position.chunk_index,
                position.section_id,
                text_rank,
                text_score,
                vector_rank,
                similarity,
            )
        )
    return merged


def fuse(
    candidates: Sequence[Candidate], fusion: Fusion, matching: Collection[str] = frozenset()
) -> list[Candidate]:
    """The candidates with their scores, best first. `matching` are those that share an identifier with the query.

    Equal scores are ordered by document, then index, so the same candidates always give the same order.
    """
    score, boost = _formula(candidates, fusion)
    scored = []
    for candidate in candidates:
        matches = candidate.id in matching
        fused = score(candidate) + (boost if matches else 0.0)
        scored.append(Candidate(*candidate[:8], matches, fused))
    return sorted(scored, key=lambda found: (-found.score, found.document_id, found.chunk_index, found.id))


_Score = Callable[[Candidate], float]


def _formula(candidates: Sequence[Candidate], fusion: Fusion) -> tuple[_Score, float]:
    match fusion.formula:
        case Formula.RRF:
            return lambda found: _reciprocal(found, fusion.k, 1.0, 1.0), RANK_BOOST
        case Formula.WEIGHTED_RRF:
            weights = (fusion.text_weight, fusion.vector_weight)
            return lambda found: _reciprocal(found, fusion.k, *weights), RANK_BOOST
        case Formula.RELATIVE_SCORE:
            return _relative(candidates, fusion), SCALED_BOOST
        case Formula.MAX_BONUS:
            return _max_bonus(candidates, fusion), SCALED_BOOST


def _reciprocal(found: Candidate, k: int, text_weight: float, vector_weight: float) -> float:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): an arm without the candidate adds nothing."""
    text = 0.0 if found.text_rank is None else text_weight / (k + found.text_rank)
    vector = 0.0 if found.vector_rank is None else vector_weight / (k + found.vector_rank)
    return text + vector


def _relative(candidates: Sequence[Candidate], fusion: Fusion) -> _Score:
    """Each arm scaled from its worst candidate (0) to its best (1), then weighted and added."""
    text = _scale([found.text_score for found in candidates])
    vector = _scale([found.similarity for found in candidates])
    return lambda found: (
        fusion.text_weight * text(found.text_score) + fusion.vector_weight * vector(found.similarity)
    )


def _max_bonus(candidates: Sequence[Candidate], fusion: Fusion) -> _Score:
    """The better of text score / best text score and similarity (not below 0), plus 0.3 of the other."""
    best = max((found.text_score for found in candidates if found.text_score is not None), default=1.0) or 1.0

    def score(found: Candidate) -> float:
        text = fusion.text_weight * (found.text_score or 0.0) / best
        vector = fusion.vector_weight * max(found.similarity or 0.0, 0.0)
        return max(text, vector) + BONUS_SHARE * min(text, vector)

    return score


def _scale(scores: Sequence[float | None]) -> Callable[[float | None], float]:
    known = [score for score in scores if score is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)

    def scaled(score: float | None) -> float:
        if score is None:
            return 0.0
        return 1.0 if high == low else (score - low) / (high - low)

    return scaled
