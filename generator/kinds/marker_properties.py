"""The properties that the generator gives to markers; a kit's rows can declare more.

What a check accepts, the types in Tiled and LDtk, and the known words of layouts all come from this table.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.kinds.kind_tables import ROLES
from generator.named_tuple import NamedTuple


class MarkerProperty(NamedTuple):
    """A property of a marker kind.

    Its type is that of `default`, which stands where nothing says more. Numbers are `low` to `high`. `usual`
    are the values that the generator gives, if they are few; a game can give other ones. The generator gives
    it to each marker of the kind if it is given `always`, and anew in each level if it `is_rolled`.
    """

    default: bool | int | float | str
    usual: tuple[bool | int | float | str, ...] = ()
    low: float = 0
    high: float = 0
    always: bool = True
    is_rolled: bool = False

    def misfit(self, value: bool | int | float | str) -> str:
        """Say what is wrong with a value, whoever gave it. Empty if nothing is."""
        if isinstance(self.default, str):
            return ""  # layouts can have numbers and truths there, too
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if isinstance(self.default, bool):
            return "" if isinstance(value, bool) else "is not true or false"
        if not is_number:
            return "is not a number"
        return "" if self.low <= float(value) <= self.high else f"is not in {self.low} to {self.high}"


_WAKES = MarkerProperty(0.0, (0.0, 1.0), low=0, high=86_400, is_rolled=True)
_RADIUS = MarkerProperty(3, low=0, high=64)
_MAY = MarkerProperty(False, always=False)

# The property that the first word of a marker in a layout gives: `enemy shooter`.
FIRST_PROPERTY = {
    "enemy": "role",
    "boss": "rank",
    "chest": "tier",
    "item": "pool",
    "ware": "item",
    "pickup": "item",
    "machine": "game",
    "exit": "to",
}

# By kind. LDtk numbers the fields by this order.
MARKER_PROPERTIES: Mapping[str, Mapping[str, MarkerProperty]] = {
    "enemy": {
        "name": MarkerProperty(""),
        "role": MarkerProperty("walker", ROLES),
        "wave": MarkerProperty(1, low=1, high=1000),
        "champion": MarkerProperty(False, is_rolled=True),
        "flies": MarkerProperty(False, is_rolled=True),
        "wakes_after": _WAKES,
    },
    "boss": {
        "rank": MarkerProperty("boss", ("boss", "mini")),
        "flies": MarkerProperty(False, always=False, is_rolled=True),
        "name": MarkerProperty("", always=False, is_rolled=True),
        "wakes_after": _WAKES._replace(always=False),
    },
    "chest": {"tier": MarkerProperty("wood", ("wood", "gold", "red"))},
    "item": {"pool": MarkerProperty("room", ("room", "book", "planetarium"))},
    "key": {"opens": MarkerProperty(""), "consumed": MarkerProperty(False), "lever": _MAY, "must": _MAY},
    "ware": {"item": MarkerProperty("any", ("any",))},
    "pickup": {"item": MarkerProperty("any", ("any", "bomb", "coin", "heart", "key"))},
    "machine": {"game": MarkerProperty("slots", ("slots", "bed", "blood", "dice", "fortune"))},
    "exit": {"to": MarkerProperty("next", ("next",))},
    "torch": {"color": MarkerProperty("orange", ("orange",)), "light_radius_tiles": _RADIUS},
    "fire": {"color": MarkerProperty("orange", ("orange", "red")), "light_radius_tiles": _RADIUS},
}
