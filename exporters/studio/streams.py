"""A search as a stream: lines of JSON, as hits are found, as long as somebody listens."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from exporters.studio.pictures import PictureStore
from exporters.studio.replies import packed
from exporters.studio.requests import LevelRequest
from exporters.studio.work_queue import SUPERSEDED, QueueKey, Superseded, WorkQueue

_MIN, _MAX = 5, 20_000  # seeds of a block
_QUICK, _SLOW = 0.2, 0.6  # seconds that a block should take


class SearchAsked(NamedTuple):
    """A condition on levels, the seeds that are tried, and how many hits are enough."""

    level: LevelRequest
    where: str
    first: int
    seeds: int
    most: int


async def found(
    request: SearchAsked, key: QueueKey, desk: WorkQueue, pictures: PictureStore, stopping: asyncio.Event
) -> AsyncIterator[bytes]:
    """Yield the lines: `hit` for each, `progress` after each block, and `done` or `error` at the end."""
    try:
        async with desk.turn(key) as worker:
            tried = hits = failed = 0
            size = _MIN
            while tried < request.seeds and hits < request.most and not stopping.is_set():
                begun = time.monotonic()
                block = request.first + tried, min(size, request.seeds - tried), request.most - hits
                reply = await desk.run(worker, "search", request.level, request.where, *block, pictures.known)
                if desk.is_outdated(key):
                    raise Superseded
                if reply.status != 200:
                    yield reply.body + b"\n"
                    return
                pictures.add(reply.pictures)
                hit_lines, _, last = reply.body.rpartition(b"\n")
                if hit_lines:
                    yield hit_lines + b"\n"
                counts: dict[str, int] = json.loads(last)["block"]
                tried, hits, failed = (
                    tried + counts["tried"],
                    hits + counts["hits"],
                    failed + counts["failed"],
                )
                progress: dict[str, Any] = {
                    "tried": tried,
                    "count": request.seeds,
                    "hits": hits,
                    "failed": failed,
                }
                yield packed({"progress": progress}) + b"\n"
                if counts["tried"] < block[1]:  # there are no seeds beyond
                    break
                size = _next_size(size, time.monotonic() - begun)
            yield packed({"done": {"tried": tried, "hits": hits, "failed": failed}}) + b"\n"
    except Superseded:
        yield SUPERSEDED.body + b"\n"


def _next_size(size: int, took: float) -> int:
    """Choose how many seeds the next block has: more if this one was quick, fewer if it was slow."""
    if took < _QUICK:
        return min(2 * size, _MAX)
    return max(size // 2, _MIN) if took > _SLOW else size
