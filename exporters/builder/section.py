"""The tables of a manifest and the values in them."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import shown
from generator.node import Node


class ManifestNode(Node):
    """A value of a manifest."""

    __slots__ = ()

    def line(self) -> str:
        """Read a text of one line with at most 1,000 characters."""
        if not isinstance(self.value, str) or not 0 < len(self.value) <= 1000 or not self.value.isprintable():
            self.fail(f"{shown(self.value)} is not a text of one line; give one in quotes")
        return self.value


def merged(outer: Mapping[str, object], inner: Mapping[str, object]) -> dict[str, object]:
    """Merge values over others. Those of a table, such as a spec's `state`, are merged value by value."""
    result = {**outer, **inner}
    for key, value in inner.items():
        above = outer.get(key)
        if isinstance(value, dict) and isinstance(above, dict):
            result[key] = {**above, **value}
    return result
