"""Godot's project.godot: one plugin turned on, and not a character else changed.

    [editor_plugins]

    enabled=PackedStringArray("res://addons/undercroft/plugin.cfg")

The file has sections and `key=value` lines. A value is one of Godot's literals and may go over several lines:
it ends with the line on which every bracket and text is closed. A `;` outside of a text begins a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.errors import BadInput, shown

SECTION, KEY = "editor_plugins", "enabled"
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|;[^\n]*|[(\[{]|[)\]}]|\n|[^"();\[\]{}\n]+|"', re.DOTALL)
_LINE = re.compile(r"[ \t]*(?:\[(?P<section>[^\]\n]*)\]|(?P<key>[^\s;=\[][^=\n]*?)[ \t]*=)?")
_ARRAY = re.compile(
    r'\s*PackedStringArray\(\s*(?P<texts>(?:"(?:\\.|[^"\\])*"\s*(?:,\s*)?)*)\)[ \t]*(?:;.*)?', re.DOTALL
)
_TEXT = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)


class _Entry(NamedTuple):
    """A section's heading (its key is empty) or a value: where in the text its own characters are."""

    section: str
    key: str
    start: int  # of the value; of a heading, the line
    end: int  # behind the last character, in front of the line's end


def config_version(text: str) -> str:
    """Read `config_version` as it is written: 5 for Godot 4, 4 for Godot 3, empty if there is none."""
    for entry in _entries(text):
        if entry.key == "config_version" and not entry.section:
            return text[entry.start : entry.end].split(";", maxsplit=1)[0].strip()
    return ""


def with_plugin(text: str, plugin: str) -> str:
    """Turn on a plugin in the text: its `res://` path joins those that are on already.

    The same text if it is on. Raises BadInput if the value is not a list.
    """
    entries = list(_entries(text))
    newline = "\r\n" if "\r\n" in text else "\n"
    quoted = json.dumps(plugin, ensure_ascii=False)
    for entry in entries:
        if (entry.section, entry.key) == (SECTION, KEY):
            value = text[entry.start : entry.end]
            return text[: entry.start] + _joined(value, plugin, quoted) + text[entry.end :]
    line = f"{KEY}=PackedStringArray({quoted})"
    for entry in entries:
        if (entry.section, entry.key) == (SECTION, ""):
            return f"{text[: entry.end]}{newline}{newline}{line}{text[entry.end :]}"
    gap = "" if not text or text.endswith(newline * 2) else newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}[{SECTION}]{newline}{newline}{line}{newline}"


def _joined(value: str, plugin: str, quoted: str) -> str:
    array = _ARRAY.fullmatch(value)
    if not array:
        raise BadInput(
            f"[{SECTION}] {KEY}: {shown(value.strip())} is not a PackedStringArray; repair it in Godot"
        )
    texts = _TEXT.findall(array["texts"])
    if plugin in texts:
        return value
    at = array.start("texts") + len(array["texts"].rstrip(", \t\r\n"))
    return f"{value[:at]}{', ' if texts else ''}{quoted}{value[at:]}"


def _entries(text: str) -> Iterator[_Entry]:
    section, at = "", 0
    while at < len(text):
        line = _LINE.match(text, at)
        assert line  # it may be empty
        if line["section"] is not None:
            section = line["section"].strip()
            yield _Entry(section, "", at, line.end())
            at = _end_of_value(text, line.end()) + 1
        elif line["key"] is not None:
            end = _end_of_value(text, line.end())
            yield _Entry(section, line["key"].strip(), line.end(), end)
            at = end + 1
        else:  # a comment, or nothing
            end = text.find("\n", at)
            at = len(text) if end < 0 else end + 1


def _end_of_value(text: str, at: int) -> int:
    """Find where the line ends on which all that a value opened is closed."""
    depth = 0
    while token := _TOKEN.match(text, at):
        sign = token[0]
        if sign == "\n" and depth <= 0:
            return at - 1 if text[at - 1] == "\r" else at
        depth += (sign in "([{") - (sign in ")]}")
        at = token.end()
    return len(text)
