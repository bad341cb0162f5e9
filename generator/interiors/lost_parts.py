"""What a drawing of a level has and the level does not: pictures, looks of tiles, links to templates."""

from __future__ import annotations

from collections import Counter

from generator.errors import shown
from generator.value_words import how_many

_MOST_NAMES = 5


class LostParts:
    """Collects what readers leave out of all files of one drawing."""

    def __init__(self) -> None:
        self._named: dict[str, list[str]] = {}
        self._looks: dict[str, set[object]] = {}

    def add(self, what: str, name: str) -> None:
        """Note something that is left out, such as the `image layer` of a name."""
        self._named.setdefault(what, []).append(shown(name)[1:-1])

    def add_look(self, thing: str, tile: object) -> None:
        """Note that a tile, in whatever way it is told from others, looks like some thing."""
        self._looks.setdefault(thing, set()).add(tile)

    def lines(self) -> list[str]:
        """Return one line for each sort."""
        lines = []
        for what, names in self._named.items():
            listed = [name for name in dict.fromkeys(names) if name]
            more = [f"{len(listed) - _MOST_NAMES} more"] * (len(listed) > _MOST_NAMES)
            of = f": {', '.join([*listed[:_MOST_NAMES], *more])}" * bool(listed)
            lines.append(f"left out: {how_many(len(names), what)}{of}")
        looks = Counter({thing: len(tiles) for thing, tiles in self._looks.items() if len(tiles) > 1})
        if looks:
            listed = [f"{number} tiles mean {thing}" for thing, number in looks.most_common(_MOST_NAMES)]
            lines.append(f"left out: how tiles look ({', '.join(listed)}); exports are drawn with a theme")
        return lines
