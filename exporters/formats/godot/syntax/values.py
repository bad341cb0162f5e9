"""The values of Godot's text files as Python: numbers, texts, booleans, None, lists, dictionaries, `Built`.

Lists of plain numbers stay text until they are needed. (Source: `core/variant/variant_parser.cpp` of Godot.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from exporters.formats.godot.syntax.sections import MAX_DEPTH, GodotTextError, fail

_BETWEEN = re.compile(r"(?:[\s,]++|;[^\n]*+)*+")
_TEXT = re.compile(r'[&^]?"((?:[^"\\]++|\\.)*+)"', re.DOTALL)  # & a StringName, ^ a NodePath
_NUMBER = re.compile(r"[+-]?(?:[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+|inf\b|nan\b)")
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_PLAIN = re.compile(r"\(([^()\[\]{}\"]*+)\)")
_TYPES = re.compile(r"\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\]")  # the type of an array's or dictionary's items
_WORDS = {"true": True, "false": False, "null": None, "nil": None}
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)


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

    def arguments(self) -> tuple[object, ...]:
        """The arguments, numbers as numbers; empty if they are not numbers."""
        if self.args:
            return self.args
        try:
            return tuple(_number(each.strip()) for each in self.text.split(",") if each.strip())
        except ValueError:
            return ()


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
    """A value as Python. Raises GodotTextError, whose line counts from that of the value."""
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
