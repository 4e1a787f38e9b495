"""Records about fusion alone: rankings go in, an order comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from findspot.stores.manifest.stored import ChunkPosition
from findspot_query.candidates import ArmHit
from findspot_query.fusion import fuse, merge
from findspot_query.request import Formula, Fusion


def order(source: Mapping[str, Any]) -> list[str]:
    """The names in the order that reciprocal rank fusion gives them."""
    arms = source["arms"]
    names = sorted({name for ranked in arms.values() for name in ranked})
    places = {name: ChunkPosition(name, 0, name) for name in names}
    text, vector = ([ArmHit(name, 1.0) for name in arms.get(arm, [])] for arm in ("text", "vector"))
    return [found.id for found in fuse(merge(text, vector, places), Fusion(Formula.RRF, source.get("k", 60)))]


def wrong(source: Mapping[str, Any], check: Mapping[str, Any]) -> str:
    """What is wrong with one check; empty when it holds."""
    orders = [order(source) for _ in range(source.get("repeat", 2))]
    match check["check"]:
        case "same_order_every_time":
            return "" if all(one == orders[0] for one in orders) else f"{orders[:4]}"
        case "order":
            return "" if orders[0] == check["value"] else f"{orders[0]}"
        case "top":
            return "" if orders[0][:1] == [check.get("doc", check.get("value"))] else f"{orders[0]}"
        case name:
            return f"this runner does not know the check {name!r}"
