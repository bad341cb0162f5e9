"""Where each picture lies on the sheet: the list in `places.txt`, which only ever grows.

People paint maps with the sheet's tiles, so a tile must never move. A picture's place therefore depends on
its name alone, not on its pixels: whoever recolours a tile changes its pixels and nothing else. A line of
the list:

    floor.default.tiles 1x1 0,0 1,0 2,0      name, size in tiles, the column and row of each picture

A new picture goes behind all others. The place of one that is drawn no more stays taken.
"""

from __future__ import annotations

from collections.abc import Iterator

Position = tuple[int, int]  # column, row
Size = tuple[int, int]  # columns, rows

COLUMNS = 32  # of the sheet


class Places:
    """The list of places."""

    def __init__(self, text: str = "") -> None:
        """Read the list's text."""
        self._listed: dict[tuple[str, Size], list[Position]] = {}
        for line in text.splitlines():
            name, size, *places = line.split()
            self._listed[name, _pair(size, "x")] = [_pair(place, ",") for place in places]
        self._taken = {
            tile for (_, size), places in self._listed.items() for at in places for tile in _tiles(at, size)
        }
        self._last_row = max((row for _, row in self._taken), default=0)

    def of(self, name: str, number: int, size: Size) -> Position | None:
        """The place of a name's picture, if it is listed with that size."""
        places = self._listed.get((name, size), [])
        return places[number] if number < len(places) else None

    def keep(self, name: str, number: int, size: Size, at: Position) -> None:
        """List the place of a name's picture; the pictures of a name are told in order."""
        self._listed.setdefault((name, size), [])[number : number + 1] = [at]
        self._taken.update(_tiles(at, size))

    def free(self, size: Size) -> Position:
        """The first place for a picture of that size on the last row of the list or below."""
        row = self._last_row
        while True:
            for column in range(COLUMNS - size[0] + 1):
                if self._taken.isdisjoint(_tiles((column, row), size)):
                    return column, row
            row += 1

    def text(self) -> str:
        """The list as `places.txt` has it."""
        return "".join(
            " ".join([name, f"{size[0]}x{size[1]}", *(f"{x},{y}" for x, y in places)]) + "\n"
            for (name, size), places in self._listed.items()
        )


def _pair(text: str, between: str) -> tuple[int, int]:
    first, second = text.split(between)
    return int(first), int(second)


def _tiles(at: Position, size: Size) -> Iterator[Position]:
    """The tiles that a picture covers."""
    return ((at[0] + x, at[1] + y) for y in range(size[1]) for x in range(size[0]))
