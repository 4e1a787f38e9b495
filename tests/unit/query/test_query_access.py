"""Access: the reach of a search is never wider than what the caller may read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.ids import ancestor_paths
from findspot.model import Caller, may_read
from findspot_query.access import Reach, within

_PATHS = st.sampled_from(["a", "a/b", "a/b/c", "a/bc", "ab", "z", "z/y"])
_SOME = st.lists(_PATHS, max_size=3).map(tuple)


def reaches(reach: Reach, path: str) -> bool:
    below = reach.subtrees is None or bool(set(ancestor_paths(path)) & set(reach.subtrees))
    return below and (reach.collections is None or path in reach.collections)


@given(_SOME, st.one_of(st.none(), _SOME), st.booleans(), _PATHS)
def test_what_is_reached_is_what_was_asked_and_may_be_read(
    readable: tuple[str, ...], asked: tuple[str, ...] | None, exact: bool, path: str
) -> None:
    caller = Caller("me", readable)
    reach = Reach(collections=asked) if exact else Reach(subtrees=asked)
    assert reaches(within(caller, reach), path) == (reaches(reach, path) and may_read(caller, path))


@pytest.mark.parametrize("reach", [Reach(), Reach(subtrees=("a",)), Reach(collections=("a",))])
def test_a_caller_without_limits_reaches_all_that_was_asked(reach: Reach) -> None:
    assert within(Caller(), reach) == reach
