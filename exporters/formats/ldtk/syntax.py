"""JSON as LDtk writes it, so that a file saved by LDtk equals ours, and the ids in it.

    {
        "__header__": {
            "fileType": "LDtk Project JSON",
            ...
        },
        "flags": [ "IgnoreBackupSuggest", "UseMultilinesType" ],
        "gridTiles": [
            { "px": [0,16], "src": [32,0], "f": 0, "t": 2, "d": [15], "a": 1 },

Short values are on one line: LDtk estimates the length of a table or list from the types of its values, and
breaks it if the estimate is above 85. Long lists of numbers have 35 per line. (Source: the samples that ship
with LDtk 1.5.3, written by `dn.data.JsonPretty`.) This module knows nothing about rooms.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.named_tuple import NamedTuple
from generator.pattern import pattern

VERSION = "1.5.3"

_MAX_ON_A_LINE = 85  # by LDtk's estimate; also items of a list of numbers
_NUMBERS_A_LINE = 35
_FAR = 99  # LDtk's estimate for nested lists
_MANY_ITEMS = 50
_FEW = 5  # tables that may be on one line
_BAND = 1 << 12  # tables joined at once, so that memory does not grow with the list
_BYTES = np.array([f"{number},".encode() for number in range(256)])
_UNTOLD = pattern("[\x00-\x1f\x7f\u0085\u2028\u2029\ud800-\udfff]")
_FLOAT_HINT = pattern(r"[-0-9.]+f")


Put = Callable[["str | bytes"], None]
"""A function that takes the pieces of a file, one after the other."""


class Rendered(NamedTuple):
    """A value that is already text: a table or a list on several lines."""

    text: str


class Pieces(NamedTuple):
    """A value like `Rendered`, in pieces of text or UTF-8 that are joined once only, in the whole file."""

    texts: Iterable[str | bytes]


class Streamed(NamedTuple):
    """A list of one value or more, one below the other, each made when it is written: they may be large."""

    values: Iterable[object]


class TableLines(NamedTuple):
    """A list of tables that are already text, one per line, each with `keys` keys."""

    items: Sequence[str]
    keys: int


HOLE = Rendered("\0")  # a character that our texts never contain
"""A gap in a `TextForm`."""


class TextForm(NamedTuple):
    """The text of a value with gaps: made once, and filled in many times."""

    pieces: Sequence[str]

    @classmethod
    def of(cls, value: object, indent: int) -> TextForm:
        """Return the form of a value with `HOLE` in some places, indented by `indent` tabs."""
        return cls(pretty(value, indent).split(HOLE.text))

    def filled(self, *values: str | Pieces) -> Pieces:
        """Return the value with JSON in each gap."""
        return Pieces(self._filled(values))

    def _filled(self, values: Iterable[str | Pieces]) -> Iterator[str | bytes]:
        texts = [self.pieces[0]]
        for value, piece in zip(values, self.pieces[1:], strict=True):
            if isinstance(value, str):
                texts += (value, piece)
            else:
                yield "".join(texts)
                yield from value.texts
                texts = [piece]
        yield "".join(texts)


def clean(text: str) -> str:
    """Make text from outside safe for LDtk, which no other function does.

    LDtk writes backslashes unescaped, so its own file changes or breaks when it is read again. It reads
    digits followed by an `f` as a number. It cannot hold control characters and lone surrogates at all.
    """
    text = _UNTOLD.sub(lambda match: " " if match[0] in "\t\n\r" else "\ufffd", text.replace("\\", "/"))
    return f"{text} " if _FLOAT_HINT.fullmatch(text) else text


def quoted(text: str) -> str:
    """Quote a text. Raises ValueError for a text that `clean` would change."""
    if "\\" in text or _UNTOLD.search(text) or _FLOAT_HINT.fullmatch(text):
        raise ValueError(f"LDtk cannot keep {text!r}")
    return '"' + text.replace('"', '\\"') + '"'


def number_text(value: float) -> str:
    """Write a number as JavaScript does: no `.0`, and no exponent for numbers of a usual size."""
    if isinstance(value, int):
        return str(value)
    if value % 1 == 0 and abs(value) < 1e21:
        return str(int(value))
    if 1e-6 <= abs(value) < 1e-4:  # JavaScript writes these without an exponent, Python with one
        return format(Decimal(repr(value)), "f")
    return re.sub(r"e([+-])0", r"e\1", repr(value))


def pretty(value: object, indent: int = 0) -> str:
    """Write a value as LDtk does, indented by `indent` tabs. Its parts may be text already."""
    parts: list[str] = []
    _write(value, indent, lambda part: parts.append(part if isinstance(part, str) else part.decode()))
    return "".join(parts)


def document(header: Mapping[str, object], root: Mapping[str, object], compact: bool = False) -> io.BytesIO:
    """Write a whole file: the header, then the keys of `root`. A `compact` one has one line."""
    file = io.BytesIO()  # takes less memory than all pieces and then their bytes

    def put(part: str | bytes) -> None:
        file.write(part.encode("utf-8") if isinstance(part, str) else part)

    put('{\n\t"__header__": ')
    _write_table(header, 1, put, broken=True)
    for key, value in root.items():
        put(f',\n\t"{key}": ')
        _write(value, 1, put)
    put("\n}")
    return io.BytesIO(one_line(json.loads(file.getvalue()))) if compact else file


def one_line(value: object) -> bytes:
    """Write a whole file as LDtk does for a project that says `minifyJson`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def byte_list(values: npt.NDArray[np.uint8], indent: int) -> str | Pieces:
    """Write a list of numbers from 0 to 255 as `pretty` would, but faster: see `table_list`."""
    if values.size <= _MAX_ON_A_LINE:
        return pretty(values.ravel().tolist(), indent)
    tabs = "\t" * (indent + 1)
    end = f",\n{tabs}".encode()
    lines, rest = divmod(values.size, _NUMBERS_A_LINE)
    words = np.zeros((lines + (rest > 0)) * _NUMBERS_A_LINE, _BYTES.dtype)
    words[: values.size] = _BYTES[values.ravel()]
    rows = np.empty((lines + (rest > 0), _NUMBERS_A_LINE * words.itemsize + len(end) - 1), np.uint8)
    rows[:, : 1 - len(end)] = words.view(np.uint8).reshape(len(rows), -1)
    rows[:, 1 - len(end) :] = np.frombuffer(end[1:], np.uint8)
    text = rows.tobytes().translate(None, b"\0").removesuffix(end)
    # A full last line is followed by an empty one, because LDtk breaks after every 35th number.
    return Pieces((b"[", end[1:], text, b"" if rest else end[1:], f"\n{tabs[1:]}]"))


class TextColumn(NamedTuple):
    """One piece of each table of a list: some texts, and the number of the chosen one by table."""

    texts: npt.NDArray[np.bytes_]  # UTF-8
    chosen: npt.NDArray[np.integer]


def utf8(texts: Iterable[str]) -> npt.NDArray[np.bytes_]:
    """Return the texts for a `TextColumn`."""
    return np.array([text.encode("utf-8") for text in texts])


def number_columns(numbers: npt.NDArray[np.integer], end: str) -> Sequence[TextColumn]:
    """Return the columns of numbers, each followed by `end`: all but the last three digits, and these."""
    high, low = np.divmod(numbers, 1000)
    return TextColumn(_highs(int(high.max(initial=0))), high), TextColumn(_lows(end), low + 1000 * (high > 0))


@lru_cache(maxsize=64)
def _highs(most: int) -> npt.NDArray[np.bytes_]:
    return utf8(["", *map(str, range(1, most + 1))])


@lru_cache(maxsize=4)
def _lows(end: str) -> npt.NDArray[np.bytes_]:
    plain = [f"{number}{end}" for number in range(1000)]
    return utf8(plain + [f"{number:03}{end}" for number in range(1000)])


def table_list(columns: Sequence[TextColumn], keys: int, indent: int) -> str | Pieces:
    """Write a list of tables, which columns make, as `pretty` writes `TableLines`, but faster."""
    if len(columns[0].chosen) > _FEW:
        return Pieces(_bands(columns, "\t" * (indent + 1)))
    pieces = (column.texts[column.chosen].tolist() for column in columns)
    tables = [b"".join(texts).decode() for texts in zip(*pieces, strict=True)]
    return pretty(TableLines(tables, keys), indent)


def _bands(columns: Sequence[TextColumn], tabs: str) -> Iterator[str | bytes]:
    """Write a list of tables, one below the other.

    The pieces of a band are copied from tables with blank bytes after shorter texts; then these are dropped.
    """
    count, between = len(columns[0].chosen), f",\n{tabs}".encode()
    *ends, width = itertools.accumulate((column.texts.itemsize for column in columns), initial=0)
    yield f"[\n{tabs}"
    for start in range(0, count, _BAND):
        band = slice(start, start + _BAND)
        rows = np.empty((len(columns[0].chosen[band]), width + len(between)), np.uint8)
        for (texts, chosen), left in zip(columns, ends, strict=True):
            table = texts.view(np.uint8).reshape(len(texts), -1)
            rows[:, left : left + texts.itemsize] = table.take(chosen[band], axis=0)
        rows[:, width:] = np.frombuffer(between, np.uint8)
        text = rows.tobytes().translate(None, b"\0")
        yield text if start + _BAND < count else text.removesuffix(between)
    yield f"\n{tabs[1:]}]"


def _write(value: object, indent: int, put: Put) -> None:
    scalar = _SCALARS.get(type(value))
    if scalar:
        put(scalar(value))
        return
    write = _WRITERS.get(type(value))
    if write is None:
        raise TypeError(f"{type(value).__name__} is not a type of JSON")
    write(value, indent, put)


def _write_table(table: Mapping[str, object], indent: int, put: Put, broken: bool = False) -> None:
    if not table:
        put("{}")
        return
    if not broken and _guess(table) <= _MAX_ON_A_LINE:
        start, between, end = "{ ", ", ", " }"
    else:
        tabs = "\t" * (indent + 1)
        start, between, end = f"{{\n{tabs}", f",\n{tabs}", f"\n{tabs[1:]}}}"
        indent += 1
    for key, value in table.items():
        scalar = _SCALARS.get(type(value))
        if scalar:  # most are
            put(f'{start}"{key}": {scalar(value)}')
        else:
            put(f'{start}"{key}" : ' if value == {} else f'{start}"{key}": ')  # a quirk of LDtk
            _write(value, indent, put)
        start = between
    put(end)


def _write_list(items: Sequence[Any], indent: int, put: Put) -> None:
    if not items:
        put("[]")
        return
    tabs = "\t" * (indent + 1)
    numbers = _is_number(items[0])
    if numbers and len(items) > _MAX_ON_A_LINE:
        put(f"[\n{tabs}{_number_lines(items, tabs)}\n{tabs[1:]}]")
        return
    if _guess(items) <= _MAX_ON_A_LINE:
        space = "" if numbers or len(items) == 1 else " "
        if isinstance(items[0], bool):
            space = "" if len(items) > 5 else " "
        start, between, end = f"[{space}", f",{space}", f"{space}]"
    else:
        start, between, end = f"[\n{tabs}", f",\n{tabs}", f"\n{tabs[1:]}]"
        indent += 1
    for i, item in enumerate(items):
        put(between if i else start)
        _write(item, indent, put)
    put(end)


def _number_lines(items: Sequence[float], tabs: str) -> str:
    texts = list(map(str if set(map(type, items)) == {int} else number_text, items))
    rows = range(0, len(texts), _NUMBERS_A_LINE)
    lines = [",".join(texts[at : at + _NUMBERS_A_LINE]) for at in rows]
    # A full last line is followed by an empty one, because LDtk breaks after every 35th number.
    full = "" if len(texts) % _NUMBERS_A_LINE else f"\n{tabs}"
    return f",\n{tabs}".join(lines) + full


def _write_lines(lines: TableLines, indent: int, put: Put) -> None:
    items = lines.items
    if not items:
        put("[]")
    elif len(items) <= 5 and len(items) * lines.keys * 10 <= _MAX_ON_A_LINE:
        space = "" if len(items) == 1 else " "
        put(f"[{space}{f',{space}'.join(items)}{space}]")
    else:
        tabs = "\t" * (indent + 1)
        between = f",\n{tabs}"
        put(f"[\n{tabs}{between.join(items)}\n{tabs[1:]}]")


def _write_pieces(pieces: Pieces, indent: int, put: Put) -> None:
    for text in pieces.texts:
        put(text)


def _write_stream(stream: Streamed, indent: int, put: Put) -> None:
    tabs = "\t" * (indent + 1)
    before = f"[\n{tabs}"
    for value in stream.values:
        put(before)
        _write(value, indent + 1, put)
        before = f",\n{tabs}"
    put(f"\n{tabs[1:]}]")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _guess(value: object, deep: bool = False) -> int:
    """Estimate a value's length as LDtk does, `deep` inside another value."""
    if isinstance(value, dict):
        far = deep or len(value) > 5
        return len(value) * 10 if far else sum(_guess(item, True) for item in value.values())
    if isinstance(value, (Rendered, Pieces, Streamed, TableLines)):
        return _FAR if value[0] else 2
    if isinstance(value, (list, tuple)):
        return _guess_list(value, deep)
    if isinstance(value, str):
        # JavaScript counts UTF-16 units.
        return (len(value) if value.isascii() else len(value.encode("utf-16-le")) // 2) + 2
    return 5 if value is False or (isinstance(value, float) and value % 1) else 4


def _guess_list(items: Sequence[Any], deep: bool) -> int:
    if not items:
        return 2
    if len(items) < _MANY_ITEMS and _is_number(items[0]):
        return len(items)
    if len(items) > 5 or deep:
        return _FAR
    return sum(_guess(item, True) for item in items)


# By exact type: here a bool must not count as an int. A lookup is fast; a project has thousands of values.
_SCALARS: dict[type, Callable[[Any], str]] = {
    str: quoted,
    int: str,
    float: number_text,
    bool: lambda value: "true" if value else "false",
    type(None): lambda value: "null",
    Rendered: lambda value: value.text,
}
_WRITERS: dict[type, Callable[[Any, int, Put], None]] = {
    dict: _write_table,
    list: _write_list,
    tuple: _write_list,
    TableLines: _write_lines,
    Pieces: _write_pieces,
    Streamed: _write_stream,
}


# --- ids: how the parts of a project refer to each other ---------------------------------------------

_NOT_IN_IDENTIFIERS = pattern(r"[^A-Za-z0-9]+")
_MAX_IDENTIFIER = 60  # characters


class Uids:
    """One counter for definitions, rules, groups, fields and levels, as in LDtk."""

    def __init__(self) -> None:
        self.next = 1

    def take(self, count: int = 1) -> int:
        """Return a new uid, the first of `count` new ones."""
        self.next += count
        return self.next - count


class Iids:
    """Deterministic ids, made from the fingerprint of a level before its first edit, and a place."""

    def __init__(self, fingerprint: str) -> None:
        self._seed = hashlib.sha256(f"undercroft.ldtk\0{fingerprint}\0".encode())

    def of(self, *parts: object) -> str:
        """Return the iid of a place, such as `"room", 3, "layer", 5`.

            a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11

        It has the form of a version 5 UUID (RFC 9562). It begins with a letter, because LDtk would read
        digits followed by an `f` as a number.
        """
        digest = self._seed.copy()
        digest.update("\0".join(map(str, parts)).encode())
        text = digest.hexdigest()
        variant = "89ab"[int(text[16], 16) % 4]
        return f"a{text[1:8]}-{text[8:12]}-5{text[13:16]}-{variant}{text[17:20]}-{text[20:32]}"


def identifier(text: str, taken: set[str] | None = None) -> str:
    """Correct a text as LDtk would: ASCII letters, digits and single `_`, not starting with a digit.

    With `taken`, the result differs from all of those and is added to them.
    """
    base = _NOT_IN_IDENTIFIERS.sub("_", text)[:_MAX_IDENTIFIER]
    base = base.strip("_") or "Unnamed"
    if base[0].isdigit():
        base = f"_{base}"
    name, number = base, 2
    while taken is not None and name in taken:
        name, number = f"{base}_{number}", number + 1
    if taken is not None:
        taken.add(name)
    return name
