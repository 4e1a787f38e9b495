"""Path globs agree with the regular expressions of the text index, and no pattern makes them slow."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import InvalidArgument
from findspot.stores.text.compile import glob_regex
from findspot_query.checks import check_search
from findspot_query.globs import Glob
from findspot_query.parse import parse
from findspot_query.request import Filters, SearchRequest

PATTERNS = st.lists(st.sampled_from(["*", "**", "**/", "?", "/", "a", "b", ".", "\n"]), max_size=7).map(
    "".join
)
PATHS = st.text(alphabet="ab/.\n", max_size=8)


@given(PATTERNS, st.lists(PATHS, min_size=1, max_size=4))
def test_a_glob_fits_exactly_what_its_regular_expression_fits(pattern: str, paths: list[str]) -> None:
    expression, glob = re.compile(glob_regex(pattern), re.DOTALL), Glob(pattern)
    for path in (*paths, *paths):
        assert glob.matches(path) is (expression.fullmatch(path) is not None)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("*a" * 32 + "b", "a" * 1_000), ("**/" * 32 + "b", "a/" * 500), ("**a" * 32 + "b", "a" * 1_000)],
)
def test_a_pattern_that_backtracking_never_finishes_takes_no_time(pattern: str, path: str) -> None:
    began = time.monotonic()
    assert not Glob(pattern).matches(path)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "filters",
    [
        Filters(path_globs=(("a",) * 101,)),
        Filters(exclude_paths=("a",) * 101),
        Filters(path_globs=(("a" * 1_025,),)),
        Filters(exclude_paths=("*a" * 33,)),
    ],
)
def test_globs_beyond_the_limits_are_refused_by_field(filters: Filters) -> None:
    with pytest.raises(InvalidArgument) as raised:
        check_search(SearchRequest("word", filters=filters), parse("word"))
    assert raised.value.fields[0].field in {"filters.path_globs", "filters.exclude_paths"}
