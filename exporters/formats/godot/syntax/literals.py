"""Godot's literals: Python values as its text files write them. This module knows nothing about levels.

    Vector2(32, 16)                                         Call("Vector2", (32, 16))
    PackedVector2Array(0, 0, 16, 0)                         Packed("PackedVector2Array", [0, 0, 16, 0])
    Array[Vector2i]([Vector2i(1, 2), Vector2i(3, 4)])       TypedArray("Vector2i", [(1, 2), (3, 4)])

(Source: `core/variant/variant_parser.cpp`.)
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.formats.godot.syntax import GODOT_4_3, Dialect
from generator.arrays import Ints
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

_SPECIAL = pattern('[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\\\\"]')
_NO_NAME = pattern(r'[.:@/"%\x00-\x1f]')
_BLANK = pattern("\0(\\w+)\0")
_SHORT = 40  # characters of a text worth caching
_IDENTIFIER = pattern("[A-Za-z_][A-Za-z0-9_]*")


class Call(NamedTuple):
    """A constructor such as `Vector2(1, 2)`. The arguments are literals themselves."""

    name: str
    args: tuple[Any, ...]


class Packed(NamedTuple):
    """A packed array of numbers. A numpy array must contain integers."""

    name: str
    numbers: Sequence[float] | Ints


class PackedBytes(NamedTuple):
    """A PackedByteArray."""

    data: bytes


class TypedArray(NamedTuple):
    """An `Array[element]`, or a plain array for a Godot without typed arrays.

    `numbers` are those of all elements in a row; `counts` is how many each element has. A numpy array must
    contain integers.
    """

    element: str
    numbers: Sequence[float] | Ints
    counts: Sequence[int]


class Reference(NamedTuple):
    """An `ExtResource` or `SubResource` of the document that returned it."""

    name: str
    id: str


class Blank(NamedTuple):
    """A value that is not known yet, by a name, in the form of a node: see `fillable`."""

    name: str


class Written(NamedTuple):
    """A value that is written already, because many properties have it: see `written`."""

    text: str


def fillable(text: str) -> str:
    """Return a text with `%(name)s` for each `Blank`. Other texts never contain its NUL."""
    return _BLANK.sub(r"%(\1)s", text.replace("%", "%%"))


def escaped(text: str) -> str:
    """Text escaped for the quotes of a literal: the only place where text is escaped.

    Backslash and quote have a meaning there, and control characters other than tab and newline would make
    files that editors cannot show. Characters that Godot strings cannot hold (NUL, lone surrogates) are
    replaced.
    """
    return _SPECIAL.sub(_escape, text)


def _escape(special: re.Match[str]) -> str:
    character = special[0]
    if character in '\\"':
        return f"\\{character}"
    return f"\\u{ord(character):04x}" if "\0" < character < "\ud800" else "\ufffd"


def literal(value: object, dialect: Dialect = GODOT_4_3) -> str:
    """Write a Python value as Godot does. Raises TypeError for a value without a counterpart."""
    kind = type(value)
    if kind is str:
        return _short(value) if len(value) <= _SHORT else quoted(value)  # type: ignore[arg-type]
    return str(value) if kind is int else _WRITERS.get(kind, _refused)(value, dialect)


def written(value: object, dialect: Dialect) -> Written:
    """Write a value for many properties."""
    return Written(literal(value, dialect))


def quoted(text: str) -> str:
    """Quote a text as a literal."""
    return f'"{escaped(text)}"'


@lru_cache(maxsize=1024)
def _short(text: str) -> str:
    """Quote a short text, cached because kinds, groups and classes repeat often."""
    return quoted(text)


def _refused(value: object, dialect: Dialect) -> str:
    raise TypeError(f"{type(value).__name__} has no Godot literal")


def _float(value: float, dialect: Dialect) -> str:
    return repr(value) if value % 1 else f"{int(value)}.0"


def _call(value: Call, dialect: Dialect) -> str:
    args = [_number(arg) if type(arg) in (float, int) else literal(arg, dialect) for arg in value.args]
    return f"{dialect.constructors.get(value.name, value.name)}({', '.join(args)})"


def _number(value: float) -> str:
    """Write a number in a constructor, without a needless `.0`."""
    return str(value) if type(value) is int else repr(value) if value % 1 else str(int(value))


def listed(numbers: Sequence[float] | Ints) -> Sequence[float]:
    """Convert the numbers of a packed or typed array to Python numbers."""
    return numbers.tolist() if isinstance(numbers, np.ndarray) else numbers


def _plain(values: Sequence[float] | Ints) -> Sequence[float]:
    """Return numbers that Python writes as Godot does. A scene has many, so all are checked at once."""
    numbers = listed(values)
    if set(map(type, numbers)) <= {int}:
        return numbers
    return [number if number % 1 else int(number) for number in numbers]


def _packed(value: Packed, dialect: Dialect) -> str:
    values = value.numbers
    if isinstance(values, np.ndarray) and are_writable(values):
        numbers = joined(values, values[:0], "")
    else:
        numbers = repr([*_plain(values)])[1:-1]
    return f"{dialect.constructors.get(value.name, value.name)}({numbers})"


def _packed_bytes(value: PackedBytes, dialect: Dialect) -> str:
    """Encode in base64 with padding. Without padding, Godot refuses the whole scene."""
    return f'PackedByteArray("{base64.b64encode(value.data).decode("ascii")}")'


def _typed(value: TypedArray, dialect: Dialect) -> str:
    """Python's text of tuples, `(1, 2), (3,)`, lacks only the constructors' names."""
    name = dialect.constructors.get(value.element, value.element)
    values = value.numbers
    if isinstance(values, np.ndarray) and are_writable(values) and min(value.counts) > 0:
        items = f"{name}({joined(values, np.cumsum(value.counts)[:-1], f'), {name}(')})"
    else:
        numbers = iter(_plain(values))
        is_pairs = set(value.counts) == {2}
        pairs = zip(numbers, numbers, strict=True)  # most are
        elements = pairs if is_pairs else (tuple(islice(numbers, count)) for count in value.counts)
        items = repr([*elements])[1:-1]
        items = items.replace(",)", ")").replace("(", f"{name}(")
    return f"Array[{value.element}]([{items}])" if dialect.typed_arrays else f"[{items}]"


def _reference(value: Reference, dialect: Dialect) -> str:
    return f"{value.name}({value.id if dialect.numbered else literal(value.id)})"


def _dictionary(value: dict[object, object], dialect: Dialect) -> str:
    if not value:
        return "{}"
    items = (f"{literal(key, dialect)}: {literal(item, dialect)}" for key, item in value.items())
    return "{\n" + ",\n".join(items) + "\n}"


def _array(value: Sequence[object], dialect: Dialect) -> str:
    return f"[{', '.join([literal(item, dialect) for item in value])}]"


# By exact type: here a bool must not count as an int. A lookup is fast; a scene has thousands of values.
_WRITERS: dict[type, Callable[[Any, Dialect], str]] = {
    bool: lambda value, dialect: "true" if value else "false",
    float: _float,
    Call: _call,
    Packed: _packed,
    PackedBytes: _packed_bytes,
    TypedArray: _typed,
    Reference: _reference,
    Blank: lambda value, dialect: f"\0{value.name}\0",
    Written: lambda value, dialect: value.text,
    dict: _dictionary,
    list: _array,
    tuple: _array,
}


def vector2(x: float, y: float) -> Call:
    """Return a Vector2."""
    return Call("Vector2", (x, y))


def vector2i(x: int, y: int) -> Call:
    """Return a Vector2i."""
    return Call("Vector2i", (x, y))


def packed_vector2(points: Iterable[tuple[float, float]]) -> Packed:
    """Return a PackedVector2Array."""
    return Packed("PackedVector2Array", [*chain.from_iterable(points)])


def typed_array(element: str, items: Sequence[Sequence[float]]) -> TypedArray:
    """Return an `Array[element]`. Each item has the numbers of one element."""
    return TypedArray(element, [*chain.from_iterable(items)], [*map(len, items)])


def packed_int32(numbers: Iterable[int]) -> Packed:
    """Return a PackedInt32Array."""
    return Packed("PackedInt32Array", list(numbers))


def node_name(text: str) -> str:
    """Make a valid node name: `. : @ / " %` have a meaning in Godot's paths."""
    return _NO_NAME.sub("_", text)[:200] or "_"


@lru_cache(maxsize=1024)
def is_identifier(text: str) -> bool:
    """Return whether metadata can have this name: Godot accepts only ASCII identifiers."""
    return bool(_IDENTIFIER.fullmatch(text))


# Write many integers as text at once. A level's navigation has hundreds of thousands.
#
# Each number becomes two machine words, taken from tables; at the end, blank bytes are dropped:
#
#     7        " . . ."  ". . 7 ,"
#     12345    " . 1 2"  "3 4 5 ,"         a dot is a blank byte

_MAX = 1_000_000


def are_writable(numbers: Ints) -> bool:
    """Return whether `joined` can write the numbers: at least one, all non-negative with up to six digits."""
    return numbers.size > 0 and int(numbers.min()) >= 0 and int(numbers.max()) < _MAX


def joined(numbers: Ints, starts: Ints, between: str) -> str:
    """Join the numbers [number] with `, `, or with `between` before those at `starts`.

    `starts` must not contain the first number.
    """
    high, low = np.divmod(numbers, 1000)
    upper, lower = _words()
    words = np.stack([upper[high], lower[low + 1000 * (high > 0)]], axis=1)
    characters = words.view(np.uint8).ravel()
    characters[starts * 8] = 1
    return characters.tobytes().translate(None, b"\0")[1:-1].decode("ascii").replace(",\1", between)


@lru_cache(maxsize=1)
def _words() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Return the first word of a number by [thousands, below 1000].

    And [rest, below 2000]: the second word; from 1000 on with leading zeros.
    """
    plain = [str(number or "").encode().rjust(3, b"\0") for number in range(1000)]
    upper = b"".join(b" " + digits for digits in plain)
    short = b"".join(str(number).encode().rjust(3, b"\0") + b"," for number in range(1000))
    full = b"".join(b"%03d," % number for number in range(1000))
    return np.frombuffer(upper, np.uint32), np.frombuffer(short + full, np.uint32)
