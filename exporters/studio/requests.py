"""What a request asks for, as records of checked types.

What the values mean is for those to say who make the level.
"""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from exporters.studio.bodies import BadRequestError
from generator.errors import remedied
from generator.node import Node

_TAB = "[A-Za-z0-9_-]{1,64}"
MAX_ROOMS = 100_000


class LevelRequest(NamedTuple):
    """All that a level is made from: `name` is that of a preset, a style, or a spec's TOML in the project.

    `values` go over it, by dotted key. `theme` is a TOML in the project; empty for the built-in one.
    """

    name: str
    values: dict[str, Any]
    seed: str | None
    theme: str
    rerolls: tuple[dict[str, Any], ...]


class RollRequest(NamedTuple):
    """Rooms to roll again, or those that stay: one of the two is None."""

    room: tuple[int, ...] | None
    pin: tuple[int, ...] | None
    what: str
    times: int
    seed: str | None


class WriteRequest(NamedTuple):
    """Files to write: which formats, with which options, where to, under which name, and what of edits."""

    formats: tuple[str, ...]
    options: dict[str, Any]
    folder: str
    name: str
    edits: str


class Body(Node):
    """The object that a request sent, or a value in it. All methods raise BadRequestError."""

    __slots__ = ()

    def __init__(self, value: Any, key: str | int = "", above: Body | None = None) -> None:
        super().__init__(value, key, above)

    def fail(self, what: str) -> NoReturn:
        """Raise the error with the key's path."""
        raise BadRequestError(400, f"{self.path}: {remedied(what)}", self.path)

    def seed_text(self, key: str) -> str | None:
        """Return a seed, a text or a number, as a text. None or empty stands for the style's own default."""
        seed = self.at(key, None)
        if seed.value is None or seed.value == "":
            return None
        return str(seed.value) if type(seed.value) is int else seed.text()

    def rooms(self, key: str) -> tuple[int, ...] | None:
        """Return a list of rooms, or None if missing."""
        rooms = self.at(key, None)
        if rooms.value is None:
            return None
        return tuple(room.number(0, MAX_ROOMS) for room in rooms.items(MAX_ROOMS))

    def asker(self) -> tuple[str, str]:
        """Return the tab and the slot in it. A new request makes an older one of the same two out of date."""
        tab, slot = self.at("tab", "tab"), self.at("slot", "a")
        return tab.matching(_TAB, "up to 64 of A-Za-z0-9_-"), slot.matching(_TAB, "up to 64 of A-Za-z0-9_-")

    def level(self) -> LevelRequest:
        """Return the requested level."""
        spec = self.at("spec", {}).only(("name", "set"))
        return LevelRequest(
            name=spec["name"].text(),
            values=spec.at("set", {}).table(),
            seed=self.seed_text("seed"),
            theme=self.at("theme", "").text(),
            rerolls=tuple(row.table() for row in self.at("rerolls", []).items(MAX_ROOMS)),
        )

    def roll(self) -> RollRequest:
        """Return the rooms to roll again."""
        return RollRequest(
            room=self.rooms("rooms"),
            pin=self.rooms("pins"),
            what=self.at("what", "layout").text(),
            times=self.at("times", 1).number(1, 1000),
            seed=self.seed_text("roll_seed"),
        )

    def files(self) -> WriteRequest:
        """Return the files to write."""
        return WriteRequest(
            formats=tuple(name.text() for name in self.at("formats", []).items(50)),
            options=self.at("options", {}).table(),
            folder=self.at("folder", ".").text(),
            name=self.at("name", "").text(),
            edits=self.at("edits", "keep").text(),
        )
