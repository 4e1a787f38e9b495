"""What is wrong with a request, all of it at once, with the value and the limit."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator

from findspot.errors import FieldViolation, InvalidArgument, Reason, Unavailable
from findspot_query.parse import ParsedQuery
from findspot_query.request import MAX_PAGE_SIZE, MAX_QUERY_CHARACTERS, SearchRequest

MAX_NEIGHBORS = 3
MAX_PER_GROUP = 100
MAX_LIST = 1_000
MAX_GLOBS = 100
MAX_GLOB_CHARACTERS = 1_024
MAX_GLOB_WILDCARDS = 32
REVISION_RETRY_SECONDS = 0.2
_WILDCARDS = re.compile(r"\*+|\?")


def check_search(request: SearchRequest, query: ParsedQuery) -> None:
    """Raises InvalidArgument: QUERY_BLANK, QUERY_TOO_LONG, or INVALID_FIELD with every field that is wrong."""
    size = len(request.query)
    if size > MAX_QUERY_CHARACTERS:
        raise InvalidArgument(
            f"The query has {size} characters; at most {MAX_QUERY_CHARACTERS} are searched. Shorten it.",
            reason=Reason.QUERY_TOO_LONG,
            metadata={"length": str(size), "limit": str(MAX_QUERY_CHARACTERS)},
            fields=[FieldViolation("query", f"{size} characters, at most {MAX_QUERY_CHARACTERS}")],
        )
    if wordless(query) and (query.qualifiers or _nothing_typed(request.query)):
        only = " beside qualifiers" if query.qualifiers else ""
        raise InvalidArgument(
            f"The query holds nothing to look for{only}. Give at least one word.",
            reason=Reason.QUERY_BLANK,
            fields=[FieldViolation("query", "holds no word")],
        )
    violations = [*_violations(request), *_glob_violations(request, query)]
    if violations:
        told = "; ".join(f"{found.field}: {found.description}" for found in violations)
        raise InvalidArgument(f"The search cannot be run: {told}.", fields=violations)


def _violations(request: SearchRequest) -> Iterator[FieldViolation]:
    bounds: list[tuple[str, float | None, float, float]] = [
        ("page_size", request.page_size, 1, MAX_PAGE_SIZE),
        ("max_per_group", request.max_per_group, 1, MAX_PER_GROUP),
        ("neighbors", request.neighbors, 0, MAX_NEIGHBORS),
        ("fusion.k", request.fusion.k, 1, 1_000),
        ("fusion.text_weight", request.fusion.text_weight, 0, 10),
        ("fusion.vector_weight", request.fusion.vector_weight, 0, 10),
        ("min_similarity", request.min_similarity, -1, 1),
        ("min_text_score", request.min_text_score, 0, math.inf),
    ]
    for field, value, low, high in bounds:
        if value is not None and not low <= value <= high:
            yield FieldViolation(field, f"{value:g} is not in {low:g} to {high:g}")
    filters = request.filters
    for field in ("languages", "document_ids", "document_types", "metadata"):
        size = len(getattr(filters, field) or ())
        if size > MAX_LIST:
            yield FieldViolation(f"filters.{field}", f"{size} entries, at most {MAX_LIST}")
    since, until = filters.modified_from, filters.modified_to
    if since is not None and until is not None and since >= until:
        yield FieldViolation("filters.modified_before", "is not later than modified_after")


def _glob_violations(request: SearchRequest, query: ParsedQuery) -> Iterator[FieldViolation]:
    """Each glob is compiled by the text index and tried on every candidate, so there is a limit to them."""
    wanted = [glob for group in request.filters.path_globs for glob in group]
    for field, globs in (
        ("filters.path_globs", wanted),
        ("filters.exclude_paths", request.filters.exclude_paths),
        ("query", query.path_globs),
    ):
        if len(globs) > MAX_GLOBS:
            yield FieldViolation(field, f"{len(globs)} path globs, at most {MAX_GLOBS}")
        longest = max(map(len, globs), default=0)
        if longest > MAX_GLOB_CHARACTERS:
            yield FieldViolation(field, f"a path glob of {longest} characters, at most {MAX_GLOB_CHARACTERS}")
        wild = max((len(_WILDCARDS.findall(glob)) for glob in globs), default=0)
        if wild > MAX_GLOB_WILDCARDS:
            yield FieldViolation(field, f"a path glob of {wild} wildcards, at most {MAX_GLOB_WILDCARDS}")


def wordless(query: ParsedQuery) -> bool:
    """True for a query of punctuation and operators only: nothing can be found by it, and nothing is wrong with it."""
    return query.blank or not _says_something(query.semantic_text)


def _nothing_typed(text: str) -> bool:
    """True for white space and characters that are never seen, such as the zero-width space."""
    return all(character.isspace() or unicodedata.category(character) == "Cf" for character in text)


def _says_something(text: str) -> bool:
    """False for white space, punctuation and control characters only; symbols such as emoji can be embedded."""
    return any(unicodedata.category(character)[0] in "LNSM" for character in text)


def require_revision(visible: int, wanted: int) -> None:
    """Raises Unavailable REVISION_NOT_VISIBLE when the caller has seen a newer state than this replica."""
    if visible < wanted:
        raise Unavailable(
            f"Revision {wanted} is not visible here yet; this replica is at {visible}. "
            f"Try again in {REVISION_RETRY_SECONDS} s.",
            reason=Reason.REVISION_NOT_VISIBLE,
            metadata={"visible": str(visible), "wanted": str(wanted)},
            retry_after=REVISION_RETRY_SECONDS,
        )
