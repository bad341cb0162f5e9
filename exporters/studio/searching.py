"""Search: blocks of seeds, whose hits are told as cards, a line of JSON each."""

from __future__ import annotations

from typing import Any

from exporters.studio.making import spec_asked, theme_of
from exporters.studio.replies import Reply, packed
from exporters.studio.requests import LevelRequest
from exporters.studio.telling import level_data
from generator.batch.search import Query, search_block
from generator.pipeline import generate
from generator.seeds import MAX_SEED

_CARD = ("seed", "fingerprint", "size", "rooms", "paths", "gates", "colours", "tiles", "atlas")
_OF_ROOM = ("id", "kind", "distance", "at", "rings")


def search(
    request: LevelRequest, where: str, first: int, count: int, cards: int, known: frozenset[str]
) -> Reply:
    """Try `count` seeds from `first` on. Write a line for each hit, and one with the counts at the end.

    At most `cards` hits are told. Raises Slip for a condition that cannot be read.
    """
    query = Query(spec_asked(request), where)
    query.condition()
    theme = theme_of(request)
    seeds = range(first, min(first + count, MAX_SEED + 1))
    result = search_block((query, seeds))
    pictures: dict[str, bytes] = {}
    lines: list[dict[str, Any]] = []
    for hit in result.hits[:cards]:
        data, sheet = level_data(generate(query.spec, hit.seed), theme, known | pictures.keys())
        pictures |= sheet
        card = {key: data[key] for key in _CARD}
        card["rooms"] = [{key: room[key] for key in _OF_ROOM} for room in data["rooms"]]
        lines.append({"hit": {"facts": hit.facts, **card}})
    tried = len(seeds) if len(result.hits) <= cards else result.hits[cards - 1].seed - first + 1
    lines.append({"block": {"tried": tried, "failed": result.failed, "hits": min(len(result.hits), cards)}})
    return Reply(200, b"\n".join(map(packed, lines)), tuple(pictures.items()))
