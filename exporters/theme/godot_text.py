"""A parser for Godot's text resources: sections, and values as plain Python. Files are not trusted.

    [sub_resource type="TileSetAtlasSource" id="7"]     a heading, its attributes
    texture = ExtResource("1")                          Call("ExtResource", ["1"])
    0:4/0/terrain = 0                                   a property

(Source: `core/variant/variant_parser.cpp`. This module knows nothing about tiles.)
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from generator.errors import ThemeError

_BLANK = re.compile(r"(?:\s|;[^\n]*)*")
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[-+]?[0-9][0-9.eE+-]*|[A-Za-z_][A-Za-z0-9_]*|.', re.DOTALL)
_KEY = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*"|[^\s="\[\];][^\s="]*)\s*=')
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None, "nil": None}
_WORDS |= {"inf": float("inf"), "nan": float("nan")}
_MOST_DEPTH = 40
_MOST_PROPERTIES = 400_000


class TresCall(NamedTuple):
    """A constructor such as `Vector2i(1, 2)`, or a reference."""

    name: str
    args: list[object]


class TresSection(NamedTuple):
    """A heading, its attributes, and the properties below it."""

    kind: str
    attributes: dict[str, object]
    properties: dict[str, object]


def parse_resource(data: bytes, where: str) -> list[TresSection]:
    """The sections of a file. Raises ThemeError with the line number."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        said = f"is not a text resource (byte {error.start} is not UTF-8); save it as .tres"
        raise ThemeError(f"{where}: {said}") from None
    return _TresReader(text, where).sections()


class _TresReader:
    def __init__(self, text: str, where: str) -> None:
        self._text, self._where, self._at = text, where, 0

    def sections(self) -> list[TresSection]:
        found: list[TresSection] = []
        count = 0
        while self._skip() < len(self._text):
            if self._text[self._at] == "[":
                found.append(self._heading())
                continue
            key = _KEY.match(self._text, self._at)
            if not key or not found:
                self._fail("is not a property")
            count += 1
            if count > _MOST_PROPERTIES:
                self._fail("has too many properties")
            self._at = key.end()
            name = _unescaped(key[1][1:-1]) if key[1][0] == '"' else key[1]
            found[-1].properties[name] = self._value(0)
        return found

    def _skip(self) -> int:
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at

    def _fail(self, what: str) -> NoReturn:
        line = self._text.count("\n", 0, self._at) + 1
        raise ThemeError(f"{self._where}:{line}: {what}; give a TileSet that Godot saved as .tres")

    def _token(self) -> str:
        self._skip()
        found = _TOKEN.match(self._text, self._at)
        if not found:
            self._fail("ends too early")
        self._at = found.end()
        return found[0]

    def _peek(self) -> str:
        return self._text[self._skip() : self._at + 1]

    def _heading(self) -> TresSection:
        self._token()
        section = TresSection(self._token(), {}, {})
        while self._peek() != "]":
            key = _KEY.match(self._text, self._at)
            if not key:
                self._fail("is not a heading")
            self._at = key.end()
            section.attributes[key[1]] = self._value(0)
        self._token()
        return section

    def _value(self, depth: int) -> object:
        if depth > _MOST_DEPTH:
            self._fail("is nested too deeply")
        token = self._token()
        first = token[0]
        if first in "&^" and self._peek() == '"':  # a StringName or a NodePath
            token = self._token()
            first = '"'
        if first == '"' and len(token) > 1:
            return _unescaped(token[1:-1])
        if first.isdigit() or first in "-+":
            return self._number(token)
        if first == "[":
            return self._items("]", depth)
        if first == "{":
            self._skip_dictionary(depth)
            return None
        if not (first.isalpha() or first == "_"):
            self._fail("is not a value")
        if token in _WORDS:
            return _WORDS[token]
        if self._peek() == "[":  # Array[int](...): ignore the type of the items
            while self._token() != "]":
                pass
        if self._token() != "(":
            self._fail("is not a value")
        return TresCall(token, self._items(")", depth))

    def _number(self, token: str) -> int | float:
        try:
            return int(token) if token.lstrip("+-").isdigit() and len(token) < 20 else float(token)
        except ValueError:
            self._fail("is not a number")

    def _items(self, end: str, depth: int) -> list[object]:
        """Values up to `end`, after its opening bracket."""
        out: list[object] = []
        while self._peek() != end:
            out.append(self._value(depth + 1))
            if self._peek() == ",":
                self._token()
            elif self._peek() != end:
                self._fail("is not a list")
        self._token()
        return out

    def _skip_dictionary(self, depth: int) -> None:
        """Skip a dictionary: nothing in one is needed."""
        while self._peek() != "}":
            self._value(depth + 1)
            if self._token() != ":":
                self._fail("is not a dictionary")
            self._value(depth + 1)
            if self._peek() == ",":
                self._token()
            elif self._peek() != "}":
                self._fail("is not a dictionary")
        self._token()


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] in "uU" and len(code) > 1:
        number = int(code[1:], 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return _ESCAPED.get(code, code)
