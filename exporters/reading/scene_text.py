"""A parser for Godot's text scenes: headings, properties and their values. It knows nothing about levels.

    [node name="Ground" type="TileMapLayer" parent="."]
    tile_map_data = PackedByteArray("AAAB...")
    metadata/facts = {
    "curse": "none"
    }

Values become Python values: numbers, texts, booleans, None, lists, dictionaries. Anything else is a `Built`
of a name and arguments; lists of numbers stay text until they are needed.
(`core/variant/variant_parser.cpp`.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, NoReturn

from generator.errors import LayoutError, shown

_MOST_SECTIONS = 1 << 19
_MOST_DEPTH = 24
_BLANK = re.compile(r"(?:[ \t\r\n,]|;[^\n]*)*+")
_STRING = re.compile(r'[&^]?"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+|inf\b|nan\b)")
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_PLAIN = re.compile(r"\(([^()\[\]{}\"]*+)\)")
_TYPES = re.compile(r"\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\]")  # the type of an array's or dictionary's items
_KEY = re.compile(r'(?:"((?:[^"\\]++|\\.)*+)"|([\w/.:]+))[ \t]*=[ \t]*')
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)
_WORDS = {"true": True, "false": False, "null": None, "nil": None}


class Built(NamedTuple):
    """A constructor such as `Vector2(1, 2)`: `text` if its arguments are plain numbers, else `args`."""

    name: str
    text: str
    args: tuple[object, ...] = ()

    def numbers(self, most: int) -> list[float]:
        """The numbers, at most `most`. Raises ValueError for anything else."""
        if self.text.count(",") >= most:
            raise ValueError(f"more than {most} numbers")
        return [float(each) for each in self.text.split(",") if each.strip()]


class SceneSection(NamedTuple):
    """A heading and the properties below it; `line` is for messages."""

    kind: str
    attributes: Mapping[str, object]
    properties: Mapping[str, object]
    line: int


def sections(text: str, where: str) -> Iterator[SceneSection]:
    """The sections of a file. Raises LayoutError, whose message begins with `where` and the line."""
    parser = _SceneParser(text, where)
    for _ in range(_MOST_SECTIONS):
        if parser.is_done():
            return
        yield parser.section()
    parser.fail(f"has more than {_MOST_SECTIONS} parts; give a smaller level")


class _SceneParser:
    def __init__(self, text: str, where: str) -> None:
        self._text, self._where, self._at = text, where, 0

    def fail(self, what: str) -> NoReturn:
        line = self._text.count("\n", 0, self._at) + 1
        raise LayoutError(f"{self._where}:{line}: {what}")

    def is_done(self) -> bool:
        self._skip()
        return self._at >= len(self._text)

    def section(self) -> SceneSection:
        line = self._text.count("\n", 0, self._at) + 1 if self._at < 4096 else 0
        self._expect("[")
        kind = self._word()
        attributes: dict[str, object] = {}
        while not self._has("]"):
            key = self._key()
            attributes[key] = self._value(0)
        properties: dict[str, object] = {}
        self._skip()
        while self._at < len(self._text) and self._text[self._at] != "[":
            key = self._key()
            properties[key] = self._value(0)
            self._skip()
        return SceneSection(kind, attributes, properties, line)

    def _skip(self) -> None:
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _has(self, sign: str) -> bool:
        self._skip()
        there = self._text.startswith(sign, self._at)
        self._at += len(sign) * there
        return there

    def _expect(self, sign: str) -> None:
        if not self._has(sign):
            self.fail(f"{shown(self._text[self._at : self._at + 20])} is not {sign}; save it again in Godot")

    def _word(self) -> str:
        found = _WORD.match(self._text, self._at)
        if not found:
            self.fail(f"{shown(self._text[self._at : self._at + 20])} is not a value; save it again in Godot")
        self._at = found.end()
        return found[0]

    def _key(self) -> str:
        self._skip()
        found = _KEY.match(self._text, self._at)
        if not found:
            self.fail(
                f"{shown(self._text[self._at : self._at + 20])} is not a property; save it again in Godot"
            )
        self._at = found.end()
        return found[2] if found[1] is None else _unescaped(found[1])

    def _value(self, depth: int) -> object:
        if depth > _MOST_DEPTH:
            self.fail("has values nested too deeply; give a smaller level")
        self._skip()
        string = _STRING.match(self._text, self._at)
        if string:
            self._at = string.end()
            return _unescaped(string[1])
        number = _NUMBER.match(self._text, self._at)
        if number:
            self._at = number.end()
            return _number(number[0])
        if self._has("["):
            return self._list("]", depth)
        if self._has("{"):
            return self._dictionary(depth)
        word = self._word()
        if word in _WORDS:
            return _WORDS[word]
        return self._built(word, depth)

    def _built(self, name: str, depth: int) -> object:
        typed = _TYPES.match(self._text, self._at)
        self._at = typed.end() if typed else self._at
        plain = _PLAIN.match(self._text, self._at)
        if plain:
            self._at = plain.end()
            return Built(name, plain[1])
        self._expect("(")
        return Built(name, "", tuple(self._list(")", depth)))

    def _list(self, end: str, depth: int) -> list[object]:
        items: list[object] = []
        while not self._has(end):
            items.append(self._value(depth + 1))
        return items

    def _dictionary(self, depth: int) -> dict[object, object]:
        items: dict[object, object] = {}
        while not self._has("}"):
            key = self._value(depth + 1)
            self._expect(":")
            items[str(key)] = self._value(depth + 1)
        return items


def _number(text: str) -> int | float:
    whole = text.lstrip("+-").isdigit() and len(text) < 24
    return int(text) if whole else float(text.replace("_", ""))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_plain_character, text) if "\\" in text else text


def _plain_character(found: re.Match[str]) -> str:
    sign = found[1]
    if len(sign) > 1:
        code = int(sign[1:], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return _SHORT.get(sign, sign)
