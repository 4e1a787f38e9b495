"""What a filter means, in plain Python, and hypothesis strategies for payloads and filters."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from findspot.stores.qdrant import wire

KEYWORDS = ["", "a", "b", "c", "ä"]
NUMBERS = [-1, 0, 1, 2, 5]

_scalars = {
    "word": st.sampled_from(KEYWORDS),
    "number": st.sampled_from(NUMBERS),
    "real": st.sampled_from([-0.5, 0.0, 1.0, 1.5]),
    "flag": st.booleans(),
}


def payloads() -> st.SearchStrategy[dict[str, Any]]:
    """Payloads of a few fields: missing, null, one value, or a list of values."""
    return st.fixed_dictionaries(
        {},
        optional={
            key: st.one_of(st.none(), value, st.lists(value, max_size=3)) for key, value in _scalars.items()
        },
    )


def conditions() -> st.SearchStrategy[wire.Condition]:
    """Conditions on those fields, and filters inside filters."""
    words = st.lists(st.sampled_from(KEYWORDS), max_size=3)
    numbers = st.lists(st.sampled_from(NUMBERS), max_size=3)
    bound = st.none() | st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0])
    leaf = st.one_of(
        st.sampled_from(KEYWORDS).map(lambda v: _match("word", keyword=v)),
        st.sampled_from(NUMBERS).map(lambda v: _match("number", integer=v)),
        st.booleans().map(lambda v: _match("flag", boolean=v)),
        words.map(lambda v: _match("word", keywords=wire.RepeatedStrings(strings=v))),
        numbers.map(lambda v: _match("number", integers=wire.RepeatedIntegers(integers=v))),
        words.filter(bool).map(lambda v: _match("word", except_keywords=wire.RepeatedStrings(strings=v))),
        st.tuples(st.sampled_from(["number", "real"]), bound, bound).map(_range),
        st.sampled_from([*_scalars]).map(lambda key: wire.Condition(is_empty=wire.IsEmptyCondition(key=key))),
        st.sampled_from([*_scalars]).map(lambda key: wire.Condition(is_null=wire.IsNullCondition(key=key))),
        st.lists(st.integers(0, 12), max_size=4).map(
            lambda ids: wire.Condition(has_id=wire.HasIdCondition(has_id=[wire.PointId(num=i) for i in ids]))
        ),
    )
    return st.recursive(
        leaf, lambda inner: _filters(inner).map(lambda f: wire.Condition(filter=f)), max_leaves=4
    )


def filters() -> st.SearchStrategy[wire.Filter]:
    """Whole filters."""
    return _filters(conditions())


def passes(point: int, payload: dict[str, Any], wanted: wire.Filter) -> bool:
    """Whether a point passes a filter."""

    def hold(messages: Any) -> list[bool]:
        return [_holds(point, payload, message) for message in messages]

    return (
        all(hold(wanted.must))
        and not any(hold(wanted.must_not))
        and (not wanted.should or any(hold(wanted.should)))
        and (
            not wanted.HasField("min_should")
            or sum(hold(wanted.min_should.conditions)) >= wanted.min_should.min_count
        )
    )


def _holds(point: int, payload: dict[str, Any], condition: wire.Condition) -> bool:
    match condition.WhichOneof("condition_one_of"):
        case "filter":
            return passes(point, payload, condition.filter)
        case "has_id":
            return point in [i.num for i in condition.has_id.has_id]
        case "is_empty":
            return payload.get(condition.is_empty.key) in (None, [])
        case "is_null":
            key = condition.is_null.key
            return key in payload and payload[key] is None
        case _:
            return _field_holds(payload, condition.field)


def _field_holds(payload: dict[str, Any], field: wire.FieldCondition) -> bool:
    held = payload.get(field.key)
    values = held if isinstance(held, list) else [] if held is None else [held]
    if field.HasField("range"):
        return any(_within(value, field.range) for value in values)
    match field.match.WhichOneof("match_value"):
        case "keyword":
            return field.match.keyword in values
        case "integer":
            return field.match.integer in values
        case "boolean":
            return field.match.boolean in values
        case "keywords":
            return any(v in field.match.keywords.strings for v in values)
        case "integers":
            return any(v in field.match.integers.integers for v in values)
        case _:
            return any(v not in field.match.except_keywords.strings for v in values)


def _within(value: float, bounds: wire.Range) -> bool:
    return (not bounds.HasField("gte") or value >= bounds.gte) and (
        not bounds.HasField("lt") or value < bounds.lt
    )


def _match(key: str, **match: Any) -> wire.Condition:
    return wire.Condition(field=wire.FieldCondition(key=key, match=wire.Match(**match)))


def _range(drawn: tuple[str, float | None, float | None]) -> wire.Condition:
    key, gte, lt = drawn
    return wire.Condition(field=wire.FieldCondition(key=key, range=wire.Range(gte=gte, lt=lt)))


def _filters(inner: st.SearchStrategy[wire.Condition]) -> st.SearchStrategy[wire.Filter]:
    some = st.lists(inner, max_size=2)
    at_least = st.none() | st.tuples(st.lists(inner, min_size=1, max_size=3), st.integers(1, 3)).map(
        lambda drawn: wire.MinShould(conditions=drawn[0], min_count=drawn[1])
    )
    return st.builds(
        lambda must, should, must_not, min_should: wire.Filter(
            must=must, should=should, must_not=must_not, min_should=min_should
        ),
        some,
        some,
        some,
        at_least,
    )
