"""The tables of a manifest and the values in them."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import shown
from generator.node import Node


class ManifestNode(Node):
    """A value of a manifest."""

    __slots__ = ()

    def line(self) -> str:
        """A text of one line with at most 1,000 characters."""
        if not isinstance(self.value, str) or not 0 < len(self.value) <= 1000 or not self.value.isprintable():
            self.fail(f"{shown(self.value)} is not a text of one line; give one in quotes")
        return self.value


def merged(outer: Mapping[str, object], inner: Mapping[str, object]) -> dict[str, object]:
    """Values over others; of a table, such as a spec's `state`, value by value."""
    every = {**outer, **inner}
    for key, given in inner.items():
        above = outer.get(key)
        if isinstance(given, dict) and isinstance(above, dict):
            every[key] = {**above, **given}
    return every
