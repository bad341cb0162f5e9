"""Parse Godot's text files: headings with attributes, and properties whose values stay text.

    [node name="Lamp" type="PointLight2D" parent="Markers" groups=["light"]]
    position = Vector2(16, 8)
    metadata/notes = {
    "by": "me"
    }

A value ends at the end of a line, unless that is inside brackets or a string.
(`core/variant/variant_parser.cpp` of Godot.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from exporters.merge.outcome import CannotMerge

_MOST_BYTES = 1 << 28
_MOST_SECTIONS = 1 << 20

STRING = r'"(?:[^"\\]++|\\.)*+"'
_KEY = re.compile(rf"({STRING}|[^\s=\"\[\]]+)[ \t]*=[ \t]*", re.DOTALL)
_BLANK = re.compile(r"(?:\s++|;[^\n]*+)*+")
_PIECE = re.compile(rf'{STRING}|[^"()\[\]{{}}\s]++|[ \t\r]++|\n|[()\[\]{{}}]', re.DOTALL)
_NAME = re.compile(r"\w+")
# Matches most values at once, up to three brackets deep. Deeper values are read piece by piece.
_INNER = rf'[^"()\[\]{{}}]++|{STRING}'
_CALL = rf"\((?:{_INNER})*+\)"
_LIST = rf"\[(?:{_INNER}|{_CALL})*+\]"
_LINE = re.compile(
    rf'(?:[^"()\[\]{{}}\n]++|{STRING}|\((?:{_INNER}|{_CALL}|{_LIST})*+\)|{_LIST})++(?=\n|\Z)', re.DOTALL
)
_REFERENCE = re.compile(rf'{STRING}|\b(Ext|Sub)Resource\(\s*"?([^")\s]*)"?\s*\)', re.DOTALL)


@dataclass
class TextPart:
    """A section: its kind, its attributes and its properties, all values as text."""

    kind: str
    attributes: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)


def parsed(data: bytes) -> list[TextPart]:
    """The sections of a file. Raises CannotMerge if it is not a Godot text file."""
    if len(data) > _MOST_BYTES:
        raise CannotMerge(f"has more than {_MOST_BYTES >> 20} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CannotMerge("is not text") from None
    parts = list(_parts(text))
    if not parts or parts[0].kind not in ("gd_scene", "gd_resource"):
        raise CannotMerge("is not a scene or resource of Godot as text")
    return parts


def _parts(text: str) -> Iterator[TextPart]:
    at, count = _skip(text, 0), 0
    while at < len(text):
        count += 1
        if text[at] != "[" or count > _MOST_SECTIONS:
            raise _damaged(text, at)
        part, at = _heading(text, at + 1)
        at = _skip(text, at)
        while at < len(text) and text[at] != "[":
            key = _KEY.match(text, at)
            if not key:
                raise _damaged(text, at)
            line = _LINE.match(text, key.end())
            found = (line[0].rstrip(), line.end()) if line else _value(text, key.end(), "\n")
            part.properties[key[1]], at = found
            at = _skip(text, at)
        yield part


def _heading(text: str, at: int) -> tuple[TextPart, int]:
    kind = _NAME.match(text, at)
    if not kind:
        raise _damaged(text, at)
    part, at = TextPart(kind[0]), _skip(text, kind.end())
    while text[at : at + 1] != "]":
        key = _KEY.match(text, at)
        if not key:
            raise _damaged(text, at)
        part.attributes[key[1]], at = _value(text, key.end(), " \t\r\n]")
        at = _skip(text, at)
    return part, at + 1


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
            raise _damaged(text, at)
        if piece[0] in "([{":
            depth += 1
        elif piece[0] in ")]}":
            depth -= 1
            if depth < 0:
                raise _damaged(text, at)
        at = piece.end()
    if depth or start == at:
        raise _damaged(text, start)
    return text[start:at].rstrip(), at


def _damaged(text: str, at: int) -> CannotMerge:
    return CannotMerge(f"is damaged in line {text.count(chr(10), 0, at) + 1}")


def written(parts: list[TextPart]) -> bytes:
    """The file with these sections."""
    return ("\n\n".join(map(_text, parts)) + "\n").encode("utf-8")


def _text(part: TextPart) -> str:
    pairs = "".join(f" {key}={value}" for key, value in part.attributes.items())
    lines = "".join(f"\n{key} = {value}" for key, value in part.properties.items())
    return f"[{part.kind}{pairs}]{lines}"


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
    """A text without its quotes; empty for other values."""
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
        return tuple(float(each) for each in found[1].split(",")) if found and found[1].strip() else ()
    except ValueError:
        return ()
