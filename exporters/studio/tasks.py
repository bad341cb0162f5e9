"""What workers do, by name; and what goes wrong there, as a line beside the control that it is about."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import Any

from exporters.studio.asked import LevelAsked
from exporters.studio.bodies import BadRequestError
from exporters.studio.places import project
from exporters.studio.project import PARTS
from exporters.studio.replies import Reply, error_body
from generator.errors import (
    BadInput,
    GenerationFailed,
    KitError,
    LayoutError,
    RerollError,
    SpecError,
    ThemeError,
    UndercroftError,
    one_line,
)

_PLACE = re.compile(r"(?P<file>[^:]*[^:\s])(?::(?P<line>[0-9]{1,9}))?: ")
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w.-]{0,99}): ")
_OF_CLASSES: tuple[tuple[type[UndercroftError], str], ...] = (
    (ThemeError, "theme"),
    (KitError, "kit"),
    (LayoutError, "layouts"),
    (RerollError, "rooms"),
)


def do(name: str, *given: Any) -> Reply:
    """Do a task. Whatever goes wrong is an error that a page can show."""
    asked = next((each for each in given if isinstance(each, LevelAsked)), None)
    try:
        reply: Reply = _task(name)(*given)
    except UndercroftError as error:
        return _told(error, asked)
    except BadRequestError as error:
        return Reply(error.status, error_body("bad_request", error.message, key=error.key))
    except (OSError, MemoryError) as error:
        said = getattr(error, "strerror", None) or str(error) or type(error).__name__
        file = getattr(error, "filename", None)
        where = f"{file}: " if isinstance(file, str) else ""
        return Reply(422, error_body("bad_input", one_line(f"{where}the operating system refused: {said}")))
    except Exception as error:  # a mistake of ours: the page tells it, and goes on
        step = extract_tb(error.__traceback__)[-1]
        where = f"{Path(step.filename).name}, line {step.lineno}"
        said = one_line(f"this is a bug: {type(error).__name__}: {error} ({where}); tell the authors")
        return Reply(500, error_body("bug", said))
    return reply


def _task(name: str) -> Callable[..., Reply]:
    """Import the function of a task when it is first needed."""
    from importlib import import_module

    module, _, function = HOMES[name].partition(":")
    found: Callable[..., Reply] = getattr(import_module(f"exporters.studio.{module}"), function)
    return found


HOMES = {
    "warm": "making:warm",
    "floorplan": "making:floorplan",
    "level": "making:level",
    "reroll": "making:reroll",
    "spec": "described:spec",
    "described": "described:described",
    "folders": "described:folders",
    "commands": "commands:commands",
    "write": "writing:write",
    "star": "starring:star",
    "unstar": "starring:unstar",
    "stars": "starring:stars",
    "search": "searching:search",
    "layouts": "pools:layouts",
}


def _told(error: UndercroftError, asked: LevelAsked | None) -> Reply:
    """Report an error with its file, key and value, as far as its message names them."""
    message = _short(str(error).removeprefix("--where: ").replace(f"{project()}{os.sep}", ""))
    more: dict[str, Any] = dict(_place_of(message))
    key = more.get("key")
    more["control"] = next((name for kind, name in _OF_CLASSES if isinstance(error, kind)), key)
    if asked and key in asked.values:
        more |= {"value": asked.values[key], "control": key}
    if asked and isinstance(error, SpecError) and more.get("file") not in (None, asked.name):
        # The other file that a spec names is its flow; a kit's errors have a class of their own.
        more |= {"value": None, "control": "flow"}
    place = getattr(error, "place", None)
    if isinstance(place, int):  # the column of a slip in a condition
        more |= {"control": "where", "key": "where", "place": place}
    if isinstance(error, GenerationFailed):
        more |= {"key": None, "control": "seed", "stage": error.stage}
        return Reply(422, error_body("failed", message, **more))
    return Reply(422, error_body("bad_input" if isinstance(error, BadInput) else "refused", message, **more))


def _short(message: str) -> str:
    """Shorten the file's path at the start of a message, without detours such as `specs/../kit/kit.toml`."""
    start = _PLACE.match(message)
    given = Path(start["file"]) if start else Path()
    if not start or os.pardir not in given.parts:
        return message
    short = Path(os.path.normpath(given))
    is_same = short.exists() and given.exists() and short.samefile(given)
    return short.as_posix() + message[start.end("file") :] if is_same else message


def _place_of(message: str) -> dict[str, Any]:
    """Parse the file, line and key at the start of a message, if present."""
    found: dict[str, Any] = {}
    rest = message
    start = _PLACE.match(rest)
    if start and (start["line"] or start["file"].lower().endswith(PARTS) or Path(start["file"]).exists()):
        found = {"file": start["file"], "line": int(start["line"]) if start["line"] else None}
        rest = rest[start.end() :]
    key = _KEY.match(rest)
    if key:
        found["key"] = key["key"]
    return found
