"""What a request asks for, as records of checked types.

What the values mean is for those to say who make the level.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from exporters.studio.bodies import BadRequestError
from generator.errors import shown

_TAB = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MAX_TEXT = 4096
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


class Body:
    """The object that a request sent, asked for its parts by type. All raise BadRequestError."""

    def __init__(self, table: Mapping[str, Any], where: str = "") -> None:
        self._table, self._where = table, where

    def only(self, *known: str) -> Body:
        """Refuse unknown keys. Return the body itself."""
        for key in self._table:
            if key not in known:
                raise BadRequestError(
                    400, f"{self._where}{shown(key)}: unknown key; choose one of {', '.join(known)}"
                )
        return self

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text, which is required if there is no default."""
        value = self._table.get(key, default)
        if not isinstance(value, str) or len(value) > _MAX_TEXT:
            raise self.wrong(key, value, "a text")
        return value

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return a whole number in a range."""
        value = self._table.get(key, default)
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(key, value, f"a whole number from {low} to {high}")
        return value

    def truth(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self._table.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def seed(self, key: str) -> str | None:
        """Return a seed, a text or a number, as a text. None or empty stands for the style's own default."""
        value = self._table.get(key)
        if value is None or value == "":
            return None
        if type(value) is int:
            return str(value)
        return self.text(key)

    def table(self, key: str) -> dict[str, Any]:
        """Return an object, empty if missing."""
        value = self._table.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, value, "an object")
        return value

    def texts(self, key: str, most: int) -> tuple[str, ...]:
        """Return a list of texts, empty if missing."""
        value = self._table.get(key, [])
        if (
            not isinstance(value, list)
            or len(value) > most
            or not all(isinstance(item, str) for item in value)
        ):
            raise self.wrong(key, value, f"a list of up to {most} texts")
        return tuple(value)

    def numbers(self, key: str) -> tuple[int, ...] | None:
        """Return a list of rooms, or None if missing."""
        value = self._table.get(key)
        if value is None:
            return None
        is_list = isinstance(value, list) and len(value) <= MAX_ROOMS
        if not is_list or not all(type(item) is int for item in value):
            raise self.wrong(key, value, "a list of whole numbers")
        return tuple(value)

    def tables(self, key: str, most: int) -> tuple[dict[str, Any], ...]:
        """Return a list of objects, empty if missing."""
        value = self._table.get(key, [])
        if (
            not isinstance(value, list)
            or len(value) > most
            or not all(isinstance(item, dict) for item in value)
        ):
            raise self.wrong(key, value, f"a list of up to {most} objects")
        return tuple(value)

    def place(self) -> tuple[str, str]:
        """Return the tab and the slot in it. A new request makes an older one of the same two out of date."""
        tab, slot = self.text("tab", "tab"), self.text("slot", "a")
        for key, value in (("tab", tab), ("slot", slot)):
            if not _TAB.fullmatch(value):
                raise self.wrong(key, value, "up to 64 of A-Za-z0-9_-")
        return tab, slot

    def level(self) -> LevelRequest:
        """Return the requested level."""
        spec = Body(self.table("spec"), "spec.").only("name", "set")
        return LevelRequest(
            name=spec.text("name"),
            values=spec.table("set"),
            seed=self.seed("seed"),
            theme=self.text("theme", ""),
            rerolls=self.tables("rerolls", MAX_ROOMS),
        )

    def roll(self) -> RollRequest:
        """Return the rooms to roll again."""
        return RollRequest(
            room=self.numbers("rooms"),
            pin=self.numbers("pins"),
            what=self.text("what", "layout"),
            times=self.number("times", 1, 1, 1000),
            seed=self.seed("roll_seed"),
        )

    def files(self) -> WriteRequest:
        """Return the files to write."""
        return WriteRequest(
            formats=self.texts("formats", 50),
            options=self.table("options"),
            folder=self.text("folder", "."),
            name=self.text("name", ""),
            edits=self.text("edits", "keep"),
        )

    def wrong(self, key: str, value: object, wanted: str) -> BadRequestError:
        """Make the error for a part of another type."""
        return BadRequestError(400, f"{self._where}{key}: {shown(value)} is not {wanted}", key)
