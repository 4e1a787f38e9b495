"""What the caller asked for and what the profile of the type says, made into the values in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from findspot.errors import FieldViolation, InvalidArgument, Reason
from findspot.model import ChunkingOptions, Strategy
from findspot.profiles import PROFILES, Profile, profile_for

MIN_SIZE = 1
"""A call may ask for any size, to see what it does; what a collection is set to has a minimum of its own."""
MAX_SIZE = 20_000
MIN_TOKEN_CAP = 16
MAX_TOKEN_CAP = 1_000_000
_SLIDING_SIZE = 1000
_SLIDING_OVERLAP = 150


@dataclass(frozen=True, slots=True)
class ResolvedOptions:
    """The values in force for one document."""

    strategy: Strategy
    size: int
    """Characters of context and text together."""
    overlap: int
    """Characters, below the size."""
    token_cap: int | None = None
    """Tokens of context and text together, special tokens included; None when tokens are not counted."""
    special_tokens: int = 2
    """Tokens that the model adds to every text; they count against the cap."""
    size_stated: bool = False
    """True when the caller set the size, who is then told when the cap binds first."""
    max_chunks: int = 200_000
    """Chunks that one document may have; more is refused."""
    profile: Profile | None = None
    """Of the document type, for its category and grammar; None takes the one that the type has by itself."""


def resolve(
    document_type: str,
    options: ChunkingOptions,
    *,
    token_cap: int | None = None,
    special_tokens: int = 2,
    max_chunks: int = 200_000,
    profiles: Mapping[str, Profile] = PROFILES,
) -> ResolvedOptions:
    """Combine options and profile. `token_cap` is the cap in force, None where tokens are not counted.

    Raises `InvalidArgument` with every violation at once; OVERLAP_NOT_BELOW_SIZE where that is the fault.
    """
    profile = profile_for(document_type, profiles)
    strategy = options.strategy or profile.strategy
    size, overlap = profile.size, profile.overlap
    if strategy is Strategy.SLIDING_WINDOW and profile.strategy is not strategy:
        size, overlap = _SLIDING_SIZE, _SLIDING_OVERLAP
    if options.size is not None:
        # The overlap of the profile goes with the profile's size: it shrinks with it, where nobody set it.
        overlap = min(overlap, options.size // 5)
        size = options.size
    if options.overlap is not None:
        overlap = options.overlap
    _check(options, size, overlap)
    return ResolvedOptions(
        strategy=strategy,
        size=size,
        overlap=overlap,
        token_cap=token_cap,
        special_tokens=special_tokens,
        size_stated=options.size is not None,
        max_chunks=max_chunks,
        profile=profile,
    )


def _check(options: ChunkingOptions, size: int, overlap: int) -> None:
    faults: list[FieldViolation] = []
    if not MIN_SIZE <= size <= MAX_SIZE:
        faults.append(
            FieldViolation("options.size", f"{size} characters; it must be {MIN_SIZE} to {MAX_SIZE:,}.")
        )
    cap = options.token_cap
    if cap is not None and not MIN_TOKEN_CAP <= cap <= MAX_TOKEN_CAP:
        faults.append(
            FieldViolation(
                "options.token_cap", f"{cap} tokens; it must be {MIN_TOKEN_CAP} to {MAX_TOKEN_CAP:,}."
            )
        )
    reason = Reason.INVALID_FIELD
    if overlap < 0:
        faults.append(FieldViolation("options.overlap", f"{overlap} characters; it must be 0 or more."))
    elif overlap >= size >= MIN_SIZE:
        reason = Reason.OVERLAP_NOT_BELOW_SIZE if not faults else reason
        faults.append(
            FieldViolation("options.overlap", f"{overlap} characters; it must be below the size of {size}.")
        )
    if faults:
        told = " ".join(f"{fault.field} is {fault.description}" for fault in faults)
        raise InvalidArgument(f"The document cannot be cut like this: {told}", reason=reason, fields=faults)
