"""Draws rectangles together along one axis: none overtakes another, and those that are linked come close.

Compaction by constraint graphs: T. Lengauer, "Combinatorial Algorithms for Integrated Circuit Layout" (1990).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from generator.arrays import Ints

_SWEEPS = 6  # over all bodies, each of which goes where its links want it


class RectRow:
    """Rectangles along an axis: `starts` and `lengths`, and from `lows` to `highs` (not included) across it.

    Rectangles of one body keep their distances. Two rectangles that face each other stay as far apart as the
    smaller of their `spaces`, unless `touch` says of their numbers that they may do as they like.
    """

    def __init__(
        self,
        starts: Sequence[int],
        lengths: Sequence[int],
        lows: Sequence[int],
        highs: Sequence[int],
        bodies: Sequence[int],
        spaces: Sequence[int],
        touch: Iterable[tuple[int, int]],
    ) -> None:
        columns = (starts, lengths, lows, highs, bodies, spaces)
        self.starts, self.lengths, low, high, self.bodies, space = (np.array(c, np.int64) for c in columns)
        self.moved = np.zeros(int(self.bodies.max()) + 1, np.int64)  # [body]
        self._apart = np.minimum(space[:, None], space[None, :])
        facing = (low[:, None] < high[None, :] + self._apart) & (low[None, :] < high[:, None] + self._apart)
        facing &= self.bodies[:, None] != self.bodies[None, :]
        for a, b in touch:
            facing[a, b] = facing[b, a] = False
        is_before = self.starts[:, None] < self.starts[None, :]
        self._before = [np.flatnonzero(column) for column in (facing & is_before).T]
        self._after = [np.flatnonzero(row) for row in facing & is_before]
        self._is_valid = not (facing & (self.starts[:, None] == self.starts[None, :])).any()

    @property
    def is_valid(self) -> bool:
        """Whether the rectangles are far enough apart."""
        return self._is_valid and all(
            not before.size or self._least(i) <= self.starts[i] for i, before in enumerate(self._before)
        )

    def _at(self, rects: Ints) -> Ints:
        at: Ints = self.starts[rects] + self.moved[self.bodies[rects]]
        return at

    def _least(self, i: int) -> int:
        before = self._before[i]
        return int((self._at(before) + self.lengths[before] + self._apart[i, before]).max())

    def _most(self, i: int) -> int:
        after = self._after[i]
        return int((self._at(after) - self._apart[i, after]).min()) - int(self.lengths[i])

    def tighten(self, links: Iterable[tuple[int, int]]) -> Ints:
        """Return the new starts: in the least length in all, and there with linked rectangles in line."""
        order: list[int] = self.starts.argsort(kind="stable").tolist()
        bodies: list[int] = self.bodies.tolist()
        first = np.full(len(self.moved), np.iinfo(np.int64).max)
        np.minimum.at(first, self.bodies, self.starts)
        self.moved[:] = -first
        changes = True
        while changes:  # where nothing moves a solution exists, so this ends
            changes = False
            for i in order:
                if (
                    self._before[i].size
                    and (least := self._least(i) - int(self.starts[i])) > self.moved[bodies[i]]
                ):
                    self.moved[bodies[i]] = least
                    changes = True
        self._line_up(links, order, bodies)
        return self._at(np.arange(len(bodies)))

    def _line_up(self, links: Iterable[tuple[int, int]], order: Sequence[int], bodies: Sequence[int]) -> None:
        """Move each body to the median of where its links want it, as far as it can go."""
        end = int((self._at(np.arange(len(bodies))) + self.lengths).max())
        rects: dict[int, list[int]] = {}
        for i in order:
            rects.setdefault(bodies[i], []).append(i)
        linked: dict[int, list[tuple[int, int]]] = {}
        for a, b in links:
            for one, other in ((a, b), (b, a)):
                if bodies[a] != bodies[b]:
                    linked.setdefault(bodies[one], []).append((one, other))
        for sweep in range(_SWEEPS):
            for body in list(rects) if sweep & 1 else list(rects)[::-1]:
                if body not in linked:
                    continue
                wishes = sorted(
                    int(self.starts[other] + self.moved[bodies[other]] - self.starts[one])
                    for one, other in linked[body]
                )
                low = max(self._limit(i, self._least, self._before, 0) for i in rects[body])
                high = min(
                    self._limit(i, self._most, self._after, end - int(self.lengths[i])) for i in rects[body]
                )
                self.moved[body] = min(max(_median(wishes, int(self.moved[body])), low), high)

    def _limit(self, i: int, limit: Callable[[int], int], others: Sequence[Ints], least: int) -> int:
        """Return how far a rectangle's body may move: up to others, and to the ends of the row."""
        at = limit(i) if others[i].size else least
        at = max(at, least) if others is self._before else min(at, least)
        return at - int(self.starts[i])


def _median(wishes: Sequence[int], now: int) -> int:
    """Return the middle wish. If two are in the middle, what is nearest to `now` between them."""
    return min(max(now, wishes[(len(wishes) - 1) // 2]), wishes[len(wishes) // 2])
