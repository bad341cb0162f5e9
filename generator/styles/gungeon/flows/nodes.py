"""A value of a flow's TOML: the types that only flows have."""

from __future__ import annotations

import re

from generator.errors import SpecError, shown
from generator.node import Node

ID = "[A-Za-z][A-Za-z0-9_]{0,31}"
NAME = "[a-z][a-z0-9_]{0,63}"


class FlowNode(Node):
    """A value of a flow's file."""

    error = SpecError

    def id(self) -> str:
        """Return the id of a room."""
        if not re.fullmatch(ID, self.text()):
            self.fail(f"{shown(self.value)} is not the id of a room; use up to 32 letters, digits and _")
        return str(self.value)

    def name(self) -> str:
        """Return the name of a key, a rule, a zone or a tag."""
        if not re.fullmatch(NAME, self.text()):
            self.fail(f"{shown(self.value)} is not a name; use up to 64 of a-z, 0-9 and _")
        return str(self.value)
