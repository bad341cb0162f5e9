"""Lights and what burns there belong together: an edit of one of them is an edit of both.

A person moves a torch's tile or its marker, in whichever layer it is; the other one follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from exporters.reading.seen import Edits
from generator.geometry import Point
from generator.interiors.interior import BURNS, TORCH, TORCH_LIGHT, fire_markers
from generator.level import Level, Marker, Property


def with_lights(edits: Edits, level: Level) -> Edits:
    """Return edits of a level with those that follow from them for lights and for what burns."""
    if not any(key[0] in ("decor", "marker", "new marker") for key in edits):
        return edits
    work = _Lights(edits, level)
    work.things_follow()
    work.lights_follow()
    return work.edits


class _Lights:
    """The lights of a level, and the edits of it."""

    def __init__(self, edits: Edits, level: Level) -> None:
        self.edits, self._given, self._level = dict(edits), edits, level
        known = {light: names for light, names in BURNS.items() if light in level.kinds.markers}
        self._light_of = {name: light for light, names in known.items() for name in names}
        self._lights = [marker for marker in level.markers if marker.kind in known]
        self._things = {light: names[0] for light, names in known.items()}

    def _thing_at(self, tile: Point) -> str:
        x, y = tile
        inside = 0 <= x < self._level.width and 0 <= y < self._level.height
        return self._level.decor_kinds[self._level.decor[y, x]].name if inside else ""

    def things_follow(self) -> None:
        """What burns goes along with its marker, or away, or comes with a new one."""
        put: dict[Point, str] = {}
        for marker in self._lights:
            old, new = (marker.x, marker.y), self._given.get(("marker", marker.id, "at"))
            thing = self._thing_at(old)
            is_whole = self._light_of.get(thing) == marker.kind and ("decor", *old) not in self._given
            if is_whole and (new or ("marker", marker.id, "gone") in self._given):
                self.edits["decor", *old] = ""
            if is_whole and new:
                put[new] = thing
        for key in self._given:
            if key[0] == "new marker" and self._light_of.get(self._thing_at(key[2:])) != key[1]:
                put |= {key[2:]: self._things[key[1]]} if key[1] in self._things else {}
        self.edits |= {
            ("decor", *tile): thing for tile, thing in put.items() if ("decor", *tile) not in self._given
        }

    def lights_follow(self) -> None:
        """The marker goes along with what burns, or away, or comes with a new one."""
        dark = [marker for marker in self._lights if self._is_dark(marker)]
        shining = {
            self.edits.get(("marker", marker.id, "at"), (marker.x, marker.y))
            for marker in self._lights
            if marker not in dark and ("marker", marker.id, "gone") not in self._given
        }
        shining |= {key[2:] for key in self._given if key[0] == "new marker" and key[1] in self._things}
        for tile, thing in self._new_things():
            if tile in shining:
                continue
            light = self._light_of[thing]
            alike = [marker for marker in dark if marker.kind == light]
            if alike:
                nearest = min(
                    alike, key=lambda each: (abs(each.x - tile[0]) + abs(each.y - tile[1]), each.id)
                )
                dark.remove(nearest)
                self.edits["marker", nearest.id, "at"] = tile
            else:
                self.edits["new marker", light, *tile] = dict(self._shine(thing, tile))
        self.edits |= {("marker", marker.id, "gone"): True for marker in dark}

    def _is_dark(self, marker: Marker) -> bool:
        """Check whether what burned at a marker was taken away, and nobody touched the marker."""
        thing = self._given.get(("decor", marker.x, marker.y))
        edited = any(("marker", marker.id, name) in self._given for name in ("at", "gone", "kind"))
        return thing is not None and not edited and self._light_of.get(thing) != marker.kind

    def _new_things(self) -> Iterator[tuple[Point, str]]:
        for key, thing in self._given.items():
            if key[0] == "decor" and thing in self._light_of and thing != self._thing_at(key[1:]):
                yield key[1:], thing

    def _shine(self, thing: str, tile: Point) -> Mapping[str, Property]:
        """Return the properties of the light of something."""
        if self._light_of[thing] == TORCH:
            return TORCH_LIGHT
        number = self._level.kinds.decor_ids[thing]
        return fire_markers(np.full((1, 1), number, np.uint8), tile, self._level.kinds)[0].properties
