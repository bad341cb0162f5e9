"""A value of a flow's TOML: the types that only flows have."""

from __future__ import annotations

from generator.errors import SpecError
from generator.node import Node

ID = "[A-Za-z][A-Za-z0-9_]{0,31}"
NAME = "[a-z][a-z0-9_]{0,63}"


class FlowNode(Node):
    """A value of a flow's file."""

    __slots__ = ()
    error = SpecError

    def id(self) -> str:
        """Return the id of a room."""
        return self.matching(ID, "the id of a room; use up to 32 letters, digits and _")

    def name(self) -> str:
        """Return the name of a key, a rule, a zone or a tag."""
        return self.matching(NAME, "a name; use up to 64 of a-z, 0-9 and _")
