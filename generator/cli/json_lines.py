"""What `--json` prints: one JSON object per line, each with an `event`. docs/json.md lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from generator.cli import progress
from generator.cli.streams import INPUT
from generator.pattern import pattern

_LINE = pattern(r":[0-9]+$")
_OPTION = pattern("--[a-z-]+")
_SUFFIX = pattern(r"\.[A-Za-z0-9]{1,10}")
_KEY = pattern(r"[A-Za-z_][A-Za-z0-9_.\[\]\"-]{0,100}")


def emit(event: str, **facts: object) -> None:
    """Print an event with its facts."""
    progress.echo(line(event, **facts))


def tell(as_json: bool, text: str, event: str, **facts: object) -> None:
    """Print an event with its facts, or for people a text."""
    progress.echo(line(event, **facts) if as_json else text)


def line(event: str, **facts: object) -> str:
    """Format an event as it is printed."""
    return json.dumps({"event": event, **facts})


def is_asked_for(words: Sequence[str]) -> bool:
    """Check whether a command line's words have `--json`, as wrong words are told as JSON too."""
    options = words[: words.index("--")] if "--" in words else words
    return "--json" in options


def error_facts(message: str, status: int) -> Mapping[str, object]:
    """Return the facts of the event `error`: the message, the exit status, and the message's first parts.

    Those are `option` or else `file`, and `key`, as far as the message names them.
    """
    facts: dict[str, object] = {"message": message, "status": status}
    first, colon, rest = message.partition(": ")
    if not colon:
        return facts
    file = _LINE.sub("", first)
    if _OPTION.fullmatch(first):
        facts["option"] = first
    elif rest.startswith("cannot be read: ") or file == INPUT or _is_file(file):
        facts["file"] = file
    else:
        return facts
    key, colon, _ = rest.partition(": ")
    return facts | ({"key": key} if colon and _KEY.fullmatch(key) else {})


def _is_file(text: str) -> bool:
    try:
        return bool(_SUFFIX.fullmatch(Path(text).suffix)) or Path(text).exists()
    except (OSError, ValueError):  # too long for a path
        return False
