"""A value of a flow's TOML and its place there: what it must be is asked for by name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NoReturn

from generator.errors import SpecError, hint, shown
from generator.level_node import Node

_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class FlowNode(Node):
    """A value of a flow's file."""

    error = SpecError

    def fail(self, what: str) -> NoReturn:
        """Refuse the value: its place, and what is wrong."""
        raise SpecError(f"{self.place}: {what}")

    def table(self, known: Sequence[str], needed: Sequence[str] = ()) -> FlowNode:
        """This table, if it has no other keys than these, and those that it needs."""
        if not isinstance(self.value, dict):
            self.fail(f"{shown(self.value)} is not a table")
        for key in self.value:
            if key not in known:
                self.fail(f"unknown key {shown(key)}; {hint(str(key), known)}")
        for key in needed:
            if key not in self.value:
                self.fail(f"{key} is missing; give it")
        return self

    def has(self, key: str) -> bool:
        """Whether this table has that key."""
        return key in self.value

    def known(self, names: Collection[str], what: str) -> str:
        """One of some names, with the nearest one in the message of any other."""
        if self.text() not in names:
            self.fail(f"unknown {what} {shown(self.value)}; {hint(self.value, tuple(names))}")
        return str(self.value)

    def id(self) -> str:
        """The id of a room."""
        if not _ID.fullmatch(self.text()):
            self.fail(f"{shown(self.value)} is not the id of a room; use up to 32 letters, digits and _")
        return str(self.value)

    def name(self) -> str:
        """The name of a key, a rule, a zone or a tag."""
        if not _NAME.fullmatch(self.text()):
            self.fail(f"{shown(self.value)} is not a name; use up to 64 of a-z, 0-9 and _")
        return str(self.value)
