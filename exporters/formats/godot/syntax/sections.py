"""Godot's text files, scenes and resources: headings, properties, and values as text or as Python.

    [node name="Lamp" type="PointLight2D" parent="Markers" groups=["light"]]
    position = Vector2(16, 8)
    metadata/notes = {
    "by": "me"
    }

All values stay text, so that a file is written as it was read; `value_of` reads them. A value ends at the
end of a line, unless that is inside brackets or a string. (Source: `core/variant/variant_parser.cpp`.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, NoReturn, TypeVar

from generator.named_tuple import NamedTuple
from generator.pattern import pattern

_MAX_SECTIONS = 1 << 20
MAX_DEPTH = 64  # of lists in lists
_SHORT_VALUE = 64  # characters of a value that is remembered: most are in many nodes, or in two scenes

STRING = r'"(?:[^"\\]++|\\.)*+"'
_KEY = pattern(rf"({STRING}|[^\s=\"\[\]]+)[ \t]*=[ \t]*", re.DOTALL)
_BLANK = pattern(r"(?:\s++|;[^\n]*+)*+")
_PIECE = pattern(rf'{STRING}|[^"()\[\]{{}}\s]++|[ \t\r]++|\n|[()\[\]{{}}]', re.DOTALL)
_NAME = pattern(r"\w+")
# Matches most values at once, up to three brackets deep. Deeper values are read piece by piece.
_INNER = rf'[^"()\[\]{{}}]++|{STRING}'
_CALL = rf"\((?:{_INNER})*+\)"
_LIST = rf"\[(?:{_INNER}|{_CALL})*+\]"
_LINE = pattern(
    rf'(?:[^"()\[\]{{}}\n]++|{STRING}|\((?:{_INNER}|{_CALL}|{_LIST})*+\)|{_LIST})++(?=\n|\Z)', re.DOTALL
)
_PROPERTY = pattern(rf"{_KEY.pattern}({_LINE.pattern})\s*+", re.DOTALL)
_ATTRIBUTE = pattern(  # the same in a heading
    rf"({STRING}|[^\s=\"\[\]]+)[ \t]*=[ \t]*"
    rf'((?:[^"()\[\]{{}}\s]++|{STRING}|{_CALL}|{_LIST})++)(?=[ \t\r\n\]])[ \t]*+',
    re.DOTALL,
)
_REFERENCE = pattern(rf'{STRING}|\b(Ext|Sub)Resource\(\s*"?([^")\s]*)"?\s*\)', re.DOTALL)


class GodotTextError(Exception):
    """A text that Godot could not have saved: what is wrong, the line, from 1, and what stands there."""

    def __init__(self, what: str, line: int, there: str) -> None:
        super().__init__(what, line, there)
        self.what, self.line, self.there = what, line, there


SectionValue = TypeVar("SectionValue")


@dataclass
class Section(Generic[SectionValue]):
    """A heading with its attributes, and the properties below it: values as text, or as Python.

    `values` has texts as Python, once they were read so.
    """

    kind: str
    attributes: dict[str, SectionValue] = field(default_factory=dict)
    properties: dict[str, SectionValue] = field(default_factory=dict)
    values: tuple[dict[str, object], ...] = field(default=(), repr=False, compare=False)


TextSection = Section[str]


# --- sections ----------------------------------------------------------------------------------------


def sections(text: str, known: dict[Hashable, tuple[Any, Any]] | None = None) -> Iterator[TextSection]:
    """The sections of a file. Raises GodotTextError at the first place that cannot be read.

    Sections whose whole text is among the `known` ones, by first line, are these themselves, and all others
    are added to them. So nobody changes a section of two files that share them.
    """
    at, count = _skip(text, 0), 0
    while at < len(text):
        count += 1
        if count > _MAX_SECTIONS:
            fail(text, at, f"has more than {_MAX_SECTIONS} sections")
        if text[at] != "[":
            fail(text, at, "is not a heading")
        first = "" if known is None else text[at : text.find("\n", at)]
        whole, section = known.get(first, ("", None)) if known is not None else ("", None)
        end = at + len(whole)
        if section is None or not (text.startswith(whole, at) and text[end : end + 1] in ("[", "")):
            section, end = _section(text, at)
            if known is not None and text[end - 1] == "\n":  # else it may go on in the other file
                known[first] = text[at:end], section
        at = end
        yield section


def _section(text: str, at: int) -> tuple[TextSection, int]:
    section, at = _heading(text, at + 1)
    at = _skip(text, at)
    while at < len(text) and text[at] != "[":
        if found := _PROPERTY.match(text, at):
            section.properties[found[1]], at = found[2].rstrip(), found.end()
            at = _skip(text, at) if text.startswith(";", at) else at
            continue
        key = _KEY.match(text, at)
        if not key:
            fail(text, at, "is not a property")
        section.properties[key[1]], at = _value(text, key.end(), "\n")
        at = _skip(text, at)
    return section, at


def _heading(text: str, at: int) -> tuple[TextSection, int]:
    kind = _NAME.match(text, at)
    if not kind:
        fail(text, at, "is not a heading")
    section, at = Section[str](kind[0]), _skip(text, kind.end())
    while text[at : at + 1] != "]":
        if attribute := _ATTRIBUTE.match(text, at):
            section.attributes[attribute[1]], at = attribute[2], _skip(text, attribute.end())
            continue
        key = _KEY.match(text, at)
        if not key:
            fail(text, at, "is not a heading")
        section.attributes[key[1]], at = _value(text, key.end(), " \t\r\n]")
        at = _skip(text, at)
    return section, at + 1


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, ends: str) -> tuple[str, int]:
    """A value up to one of `ends`, outside brackets and strings."""
    start, depth = at, 0
    while at < len(text):
        if not depth and text[at] in ends:
            break
        piece = _PIECE.match(text, at)
        if not piece:
            fail(text, at, "is not a value")
        if piece[0] in "([{":
            depth += 1
            if depth > MAX_DEPTH:
                fail(text, at, "is nested too deeply")
        elif piece[0] in ")]}":
            depth -= 1
            if depth < 0:
                fail(text, at, "is not a value")
        at = piece.end()
    if depth or start == at:
        fail(text, start, "is not a value")
    return text[start:at].rstrip(), at


def fail(text: str, at: int, what: str) -> NoReturn:
    """Raise GodotTextError for a place in a text."""
    there = text[at : at + 20].partition("\n")[0].rstrip("\r")
    raise GodotTextError(what, text.count("\n", 0, at) + 1, there)


def written(parts: Iterable[TextSection]) -> bytes:
    """The file with these sections."""
    return ("\n\n".join(map(_text, parts)) + "\n").encode("utf-8")


def _text(section: TextSection) -> str:
    pairs = "".join(f" {key}={value}" for key, value in section.attributes.items())
    lines = "".join(f"\n{key} = {value}" for key, value in section.properties.items())
    return f"[{section.kind}{pairs}]{lines}"


# --- values as text ----------------------------------------------------------------------------------


def references(value: str) -> list[tuple[str, str]]:
    """The references in a value: `Ext` or `Sub`, and the id."""
    if "Resource(" not in value:
        return []
    return [(found[1], found[2]) for found in _REFERENCE.finditer(value) if found[1]]


def referring(value: str, ids: Mapping[tuple[str, str], str]) -> str:
    """A value with the ids in its references replaced."""
    if "Resource(" not in value:
        return value
    return _REFERENCE.sub(_renamer(ids), value)


def _renamer(ids: Mapping[tuple[str, str], str]) -> Callable[[re.Match[str]], str]:
    def renamed(found: re.Match[str]) -> str:
        new = ids.get((found[1], found[2])) if found[1] else None
        if new is None:
            return found[0]
        quote = '"' if '"' in found[0] else ""
        return f"{found[1]}Resource({quote}{new}{quote})"

    return renamed


def plain(value: str | None) -> str:
    """A text without its quotes; other values as they are."""
    if not value or value[0] != '"':
        return value or ""
    return re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)


def quoted(text: str) -> str:
    """A text in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def numbers(value: str | None, name: str) -> tuple[float, ...]:
    """The numbers of a constructor such as `Vector2(1, 2)`; empty for other values."""
    found = re.fullmatch(rf"{name}\(([-+0-9.e, ]*)\)", value or "")
    try:
        return tuple(float(number) for number in found[1].split(",")) if found and found[1].strip() else ()
    except ValueError:
        return ()


# --- values as Python: numbers, texts, booleans, None, lists, dictionaries, `Built` ------------------
#
# Lists of plain numbers stay text until they are needed.

_BETWEEN = pattern(r"(?:[\s,]++|;[^\n]*+)*+")
_TEXT = pattern(r'[&^]?"((?:[^"\\]++|\\.)*+)"', re.DOTALL)  # & a StringName, ^ a NodePath
_NUMBER = pattern(r"[+-]?(?:[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+|inf\b|nan\b)")
_WORD = pattern(r"[A-Za-z_][\w.]*")
_PLAIN = pattern(r"\(([^()\[\]{}\"]*+)\)")
_TYPES = pattern(r"\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\]")  # the type of an array's or dictionary's items
_WORDS = {"true": True, "false": False, "null": None, "nil": None}
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = pattern(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)


class Built(NamedTuple):
    """A constructor such as `Vector2(1, 2)`: `text` if its arguments are plain numbers, else `args`."""

    name: str
    text: str
    args: tuple[object, ...] = ()

    def numbers(self, most: int) -> list[float]:
        """The numbers, at most `most`. Raises ValueError for anything else."""
        if self.text.count(",") >= most:
            raise ValueError(f"more than {most} numbers")
        return [float(number) for number in self.text.split(",") if number.strip()]

    def arguments(self) -> tuple[object, ...]:
        """The arguments, numbers as numbers; empty if they are not numbers."""
        if self.args:
            return self.args
        try:
            return tuple(_number(number.strip()) for number in self.text.split(",") if number.strip())
        except ValueError:
            return ()


def values_in(text: str, section: TextSection) -> tuple[dict[str, object], ...]:
    """The attributes and the properties of a section in `text`, as Python, which nobody changes.

    Raises GodotTextError with its line.
    """
    if not section.values:
        section.values = values_of(text, section.attributes), values_of(text, section.properties)
    return section.values


def values_of(text: str, table: Mapping[str, str]) -> dict[str, object]:
    """The attributes or properties of a section in `text`, as Python. Raises GodotTextError with its line."""
    found: dict[str, object] = {}
    for key, value in table.items():
        try:
            found[_unescaped(key[1:-1]) if key[0] == '"' else key] = value_of(value)
        except GodotTextError as error:  # an equal value further up would have failed first
            before = text.count("\n", 0, max(text.find(value), 0))
            raise GodotTextError(error.what, before + error.line, error.there) from None
    return found


def value_of(text: str) -> object:
    """A value as Python, which nobody changes. Raises GodotTextError, whose line counts from the value's."""
    return _short_value(text) if len(text) <= _SHORT_VALUE else _value_of(text)


@lru_cache(1 << 16)
def _short_value(text: str) -> object:
    return _value_of(text)


def _value_of(text: str) -> object:
    reader = _ValueReader(text)
    value = reader.value(0)
    reader.end()
    return value


class _ValueReader:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def value(self, depth: int) -> object:
        if depth > MAX_DEPTH:
            fail(self._text, self._at, "is nested too deeply")
        self._skip()
        if string := _TEXT.match(self._text, self._at):
            self._at = string.end()
            return _unescaped(string[1])
        if number := _NUMBER.match(self._text, self._at):
            self._at = number.end()
            return _number(number[0])
        if self._has("["):
            return self._list("]", depth)
        if self._has("{"):
            return self._dictionary(depth)
        word = _WORD.match(self._text, self._at)
        if not word:
            fail(self._text, self._at, "is not a value")
        self._at = word.end()
        return _WORDS[word[0]] if word[0] in _WORDS else self._built(word[0], depth)

    def end(self) -> None:
        """Raise GodotTextError if anything is left."""
        self._skip()
        if self._at < len(self._text):
            fail(self._text, self._at, "is not a value")

    def _skip(self) -> None:
        found = _BETWEEN.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _has(self, sign: str) -> bool:
        self._skip()
        there = self._text.startswith(sign, self._at)
        self._at += len(sign) * there
        return there

    def _expect(self, sign: str) -> None:
        if not self._has(sign):
            fail(self._text, self._at, "is not a value")

    def _built(self, name: str, depth: int) -> Built:
        typed = _TYPES.match(self._text, self._at)
        self._at = typed.end() if typed else self._at
        if found := _PLAIN.match(self._text, self._at):
            self._at = found.end()
            return Built(name, found[1])
        self._expect("(")
        return Built(name, "", tuple(self._list(")", depth)))

    def _list(self, end: str, depth: int) -> list[object]:
        items: list[object] = []
        while not self._has(end):
            items.append(self.value(depth + 1))
        return items

    def _dictionary(self, depth: int) -> dict[object, object]:
        items: dict[object, object] = {}
        while not self._has("}"):
            key = self.value(depth + 1)
            self._expect(":")
            items[str(key)] = self.value(depth + 1)
        return items


def _number(text: str) -> int | float:
    is_whole = text.lstrip("+-").isdigit() and len(text) < 24
    return int(text) if is_whole else float(text.replace("_", ""))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_plain_character, text) if "\\" in text else text


def _plain_character(found: re.Match[str]) -> str:
    sign = found[1]
    if len(sign) > 1:
        code = int(sign[1:], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return _SHORT.get(sign, sign)
