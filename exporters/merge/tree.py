"""The three-way merge of values: tables by key, lists by their items' identity, all others as a whole.

    base    {"color": "red",  "tiles": [{"id": 3, "probability": 1}]}
    theirs  {"color": "blue", "tiles": [{"id": 3, "probability": 1}, {"id": 5}]}      a colour, a tile
    new     {"color": "red",  "tiles": [{"id": 3, "probability": 2}]}                 a probability
    merged  {"color": "blue", "tiles": [{"id": 3, "probability": 2}, {"id": 5}]}

Values that the person did not change get the new value; values that only the person changed stay. If both
changed a value, the person's stays, with a note. (The rules of diff3 with identities instead of lines:
Khanna, Kunal, Pierce, "A Formal Investigation of Diff3", 2007.)
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from exporters.merge.outcome import Notes, shown

ITSELF = ""
"""For items that are their own identity, such as names in a list."""


class _Absent:
    """The value is missing on one of the three sides."""

    def __repr__(self) -> str:
        return "nothing"


UNIQUE_NAME = "unique_name"
"""What other formats call the object. Only rooms have it as their name: Tiled draws names over the map."""

MISSING: Final = _Absent()


@dataclass(frozen=True)
class Scheme:
    """The rules of a format for merging its values.

    `identities`: by the name of a list, the keys that identify its items; the first key that an item has
    counts. `quiet`: keys that programs change by themselves, which are not noted. `gone`: by the name of a
    list, a function for items that a person changed and the new file does not have. It returns the item to
    keep, or `MISSING`; without such a function the item is kept.
    """

    identities: Mapping[str, tuple[str, ...]]
    quiet: frozenset[str] = frozenset()
    gone: Mapping[str, Callable[[Any, Any], Any]] = field(default_factory=dict)


def merged(base: Any, theirs: Any, new: Any, scheme: Scheme, notes: Notes, path: tuple[str, ...] = ()) -> Any:
    """Merge a value. Return it, or `MISSING`. `path` names the value in notes."""
    if same(theirs, base) or same(theirs, new):
        return new
    if same(new, base):
        return theirs
    if isinstance(theirs, dict) and isinstance(new, dict):
        return _tables(base if isinstance(base, dict) else {}, theirs, new, scheme, notes, path)
    if isinstance(theirs, list) and isinstance(new, list) and path and path[-1] in scheme.identities:
        return _lists(base if isinstance(base, list) else [], theirs, new, scheme, notes, path)
    if not (path and path[-1] in scheme.quiet):
        notes.add(f"{' / '.join(path)}: {_kept(theirs)}, the new file has {shown(new)}")
    return theirs


def same(a: Any, b: Any) -> bool:
    """Check whether two values are equal. 1.0 equals 1, but `true` does not."""
    return a is b or (bool(a == b) and (_is_same_packed(a, b) or _same_truths(a, b)))


def _is_same_packed(a: Any, b: Any) -> bool:
    """Check whether two values have the same bytes, types included, as nearly all equal ones have."""
    try:
        return marshal.dumps(a, 2) == marshal.dumps(b, 2)  # the last version without references
    except ValueError:  # a part is no JSON
        return False


def _same_truths(a: Any, b: Any) -> bool:
    """Check whether two equal values also have `true` and `false` in the same places."""
    if isinstance(a, dict):
        return all(_same_truths(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return all(map(_same_truths, a, b))
    return isinstance(a, bool) is isinstance(b, bool)


def _kept(theirs: Any) -> str:
    if theirs is MISSING:
        return "stays removed"
    return "your change stays" if isinstance(theirs, (dict, list)) else f"{shown(theirs)} stays"


def _tables(
    base: dict[str, Any],
    theirs: dict[str, Any],
    new: dict[str, Any],
    scheme: Scheme,
    notes: Notes,
    path: tuple[str, ...],
) -> dict[str, Any]:
    table = {}
    for key in dict.fromkeys((*new, *theirs)):
        before, after, now = (side.get(key, MISSING) for side in (base, theirs, new))
        value = merged(before, after, now, scheme, notes, (*path, key))
        if value is not MISSING:
            table[key] = value
    return table


def keyed(items: Sequence[Any], keys: tuple[str, ...]) -> dict[Hashable, Any]:
    """Index the items of a list by identity. Equal identities are numbered."""
    met: Counter[Hashable] = Counter()
    by_identity: dict[Hashable, Any] = {}
    for item in items:
        identity = identity_of(item, keys)
        by_identity[identity, met[identity]] = item
        met[identity] += 1
    return by_identity


def identity_of(item: Any, keys: tuple[str, ...]) -> Hashable:
    """Return the identity of an item of a list."""
    if isinstance(item, dict):
        for key in keys:
            if isinstance(item.get(key), (str, int, float)):
                return key, item[key]
    return ITSELF, repr(item)


def _lists(
    base: list[Any], theirs: list[Any], new: list[Any], scheme: Scheme, notes: Notes, path: tuple[str, ...]
) -> list[Any]:
    keys, name = scheme.identities[path[-1]], path[-1]
    sides = [keyed(side, keys) for side in (base, theirs, new)]
    by_key = {}
    for key in in_order(*(list(side) for side in sides)):
        before, after, now = (side.get(key, MISSING) for side in sides)
        if after is MISSING and before is not MISSING:
            continue  # removed by the person, whether or not the new version changed it
        if now is MISSING and before is not MISSING:
            value = MISSING if same(before, after) else scheme.gone.get(name, _stays)(before, after)
        else:
            value = merged(before, after, now, scheme, notes, (*path[:-1], _called(after, now, name)))
        if value is not MISSING:
            by_key[key] = value
    return list(by_key.values())


def _stays(before: Any, after: Any) -> Any:
    return after


def _called(theirs: Any, new: Any, name: str) -> str:
    """Name an item in a note: `objects Enemy_12_34`."""
    item = theirs if isinstance(theirs, dict) else new
    if isinstance(item, dict):
        item = {**item, "name": name_of(item)}
        for key in ("name", "identifier", "__identifier", "id", "tileid", "fileName"):
            if item.get(key, "") != "":
                return f"{name} {shown(item[key])}"
    return name


def name_of(object_: Mapping[str, Any]) -> object:
    """Return what messages call an object as it is in a file, or an empty text if it has no name."""
    if object_.get("name"):
        return object_["name"]
    listed = object_.get("properties")
    named = (each for each in listed if isinstance(each, dict)) if isinstance(listed, list) else ()
    return next((each.get("value") for each in named if each.get("name") == UNIQUE_NAME), "")


def in_order(base: list[Hashable], theirs: list[Hashable], new: list[Hashable]) -> list[Hashable]:
    """Sort all identities in the new order, or in the person's if the person changed the order.

    An item that only the other side has comes after the item that precedes it there.
    """
    old, mine = set(base), set(theirs)
    moved = [key for key in base if key in mine] != [key for key in theirs if key in old]
    first, second = (theirs, new) if moved else (new, theirs)
    known = set(first)
    after: dict[Hashable, list[Hashable]] = {}
    last: Hashable = MISSING
    for key in second:
        if key in known:
            last = key
        else:
            after.setdefault(last, []).append(key)
    ordered = after.get(MISSING, [])
    for key in first:
        ordered += [key, *after.get(key, [])]
    return ordered
