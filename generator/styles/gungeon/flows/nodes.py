"""A value of a flow's TOML and its place there, with a method for each type it may have to be."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from generator.errors import SpecError, shown, unknown
from generator.node import Node

ID = "[A-Za-z][A-Za-z0-9_]{0,31}"
NAME = "[a-z][a-z0-9_]{0,63}"


class FlowNode(Node):
    """A value of a flow's file."""

    error = SpecError

    def table(self, known: Collection[str], needed: Sequence[str] = ()) -> FlowNode:
        """This table, if all its keys are known and none that it needs is missing."""
        if not isinstance(self.value, dict):
            self.fail(f"{shown(self.value)} is not a table")
        for key in self.value:
            if key not in known:
                self.fail(unknown("key", key, tuple(known)))
        for key in needed:
            if key not in self.value:
                self.fail(f"{key} is missing; give it")
        return self

    def has(self, key: str) -> bool:
        """Whether this table has a key."""
        return key in self.value

    def known(self, names: Collection[str], what: str) -> str:
        """The value if it is one of these names; otherwise the message gives the nearest name."""
        if self.text() not in names:
            self.fail(unknown(what, self.value, tuple(names)))
        return str(self.value)

    def id(self) -> str:
        """The id of a room."""
        if not re.fullmatch(ID, self.text()):
            self.fail(f"{shown(self.value)} is not the id of a room; use up to 32 letters, digits and _")
        return str(self.value)

    def name(self) -> str:
        """The name of a key, a rule, a zone or a tag."""
        if not re.fullmatch(NAME, self.text()):
            self.fail(f"{shown(self.value)} is not a name; use up to 64 of a-z, 0-9 and _")
        return str(self.value)
