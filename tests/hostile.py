"""Good files with one odd value each, for tests of readers of outside files."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

Path = tuple[Any, ...]

_NUMBERS = [0, 1, -1, 255, 2**31, 2**53 + 1, 2**64, 10**400, -(10**400), 0.5, -0.0, 1e308]
_NOT_FINITE = [float("inf"), float("-inf"), float("nan")]
_TEXTS = ["", "x", "a b", "\n", "\0", "\x1b[31m", "..", "/", "0:5", "con", "{seed}", "é" * 400]
_HOLDERS: list[Any] = [
    [], {}, [[]], [{}], {"a": {}}, [0, 0], [10**400, 0], [float("nan"), 0], ["x"], {"id": [], "params": [[]]},
    {"id": "V_Int", "params": [10**400]},
]  # fmt: skip
_ODD: list[Any] = [True, False, *_NUMBERS, *_NOT_FINITE, *_TEXTS, *_HOLDERS]


def shapes(root: Any) -> list[Path]:
    """A path to each place of a tree, one for all members of a list that have the same keys."""
    found: dict[Path, Path] = {}
    for path, shape in _walk(root, (), ()):
        found.setdefault(shape, path)
    return list(found.values())


def _walk(node: Any, path: Path, shape: Path) -> Iterator[tuple[Path, Path]]:
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, inner in items:
        place = (*path, key)
        kind = frozenset(inner) if isinstance(inner, dict) else type(inner)
        like = (*shape, key if isinstance(node, dict) else kind)
        yield place, like
        yield from _walk(inner, place, like)


def changed(data: st.DataObject, root: Any, *, null: bool = True) -> Any:
    """A copy of a tree with one to three of its places overwritten or deleted."""
    made = copy.deepcopy(root)
    for _ in range(data.draw(st.integers(1, 3))):
        *above, key = data.draw(st.sampled_from(shapes(made)))
        holder = made
        for each in above:
            holder = holder[each]
        if data.draw(st.integers(0, 5)) == 0:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(data.draw(st.sampled_from([None, *_ODD] if null else _ODD)))
        if not made:
            break
    return made


def toml(table: dict[str, Any]) -> str:
    """A table as TOML, in which everything but the keys at the top stands inline."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in table.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else repr(value)
