"""A summary of a run: one row per level, and how often layouts are repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from generator.level import Level, Property

_USUAL = ("start", "normal")  # rooms that every stage has
_UNCOUNTED = ("red",)  # passages that are solid until a red key opens them


@dataclass(frozen=True)
class StageSummary:
    """One level of a run: its number of rooms, and `new`, those whose layout is new in this run.

    `special_rooms` counts kinds; `state` is what the player is likely to have when it begins.
    """

    stage: int
    chapter: str
    curse: str
    rooms: int
    new: int
    special_rooms: Mapping[str, int]
    bosses: tuple[str, ...]
    mini_bosses: tuple[str, ...]
    enemies: int
    state: Mapping[str, Property]


@dataclass(frozen=True)
class RunSummary:
    """All levels of a run, and how often each layout was used. Red rooms do not count."""

    stages: tuple[StageSummary, ...]
    layouts: Mapping[str, int]

    @property
    def rooms(self) -> int:
        """The total number of rooms."""
        return sum(self.layouts.values())

    @property
    def repeats(self) -> float:
        """The share of rooms whose layout had been used before, 0 to 1."""
        return 1 - len(self.layouts) / max(1, self.rooms)

    @property
    def most(self) -> int:
        """How often the most frequent layout was used."""
        return max(self.layouts.values(), default=0)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary ready for JSON."""
        return {
            "rooms": self.rooms,
            "layouts": len(self.layouts),
            "repeats": round(self.repeats, 4),
            "most": self.most,
            "stages": [asdict(stage) for stage in self.stages],
        }


def run_summary(levels: Iterable[Level]) -> RunSummary:
    """Summarise the levels of a run, given in order. A level can be discarded once it is counted."""
    seen: Counter[str] = Counter()
    stages = []
    for number, level in enumerate(levels, 1):
        counted = [room for room in level.rooms if room.kind not in _UNCOUNTED]
        layouts = Counter(room.layout.partition("+")[0] for room in counted)
        stages.append(_stage(number, level, len(counted), len(layouts.keys() - seen.keys())))
        seen += layouts
    return RunSummary(tuple(stages), dict(seen))


def _stage(number: int, level: Level, rooms: int, new: int) -> StageSummary:
    spec = level.spec.to_dict()
    state = spec.get("state")
    kinds = Counter(room.kind for room in level.rooms if room.kind not in (*_USUAL, *_UNCOUNTED))
    return StageSummary(
        stage=spec.get("stage", number),
        chapter=str(level.facts.get("chapter", "")),
        curse=str(level.facts.get("curse", "none")),
        rooms=rooms,
        new=new,
        special_rooms=dict(sorted(kinds.items())),
        bosses=_names(level, "boss"),
        mini_bosses=_names(level, "mini"),
        enemies=sum(marker.kind == "enemy" for marker in level.markers),
        state=state if isinstance(state, dict) else {},
    )


def _names(level: Level, rank: str) -> tuple[str, ...]:
    bosses = (marker.properties for marker in level.markers if marker.kind == "boss")
    return tuple(str(boss["name"]) for boss in bosses if boss.get("rank") == rank and "name" in boss)
