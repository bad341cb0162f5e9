"""What workers do, by name; and what goes wrong there, as a line beside the control that it is about."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import Any

from exporters.studio.project import PARTS, project
from exporters.studio.requests import BadRequestError, LevelRequest, Reply, error_body
from generator import errors
from generator.errors import one_line
from generator.pattern import pattern

_PLACE = pattern(r"(?P<file>[^:]*[^:\s])(?::(?P<line>[0-9]{1,9}))?: ")
_KEY = pattern(r"(?P<key>[A-Za-z_][\w.-]{0,99}): ")
_OF_CLASSES: tuple[tuple[type[errors.UndercroftError], str], ...] = (
    (errors.ThemeError, "theme"),
    (errors.KitError, "kit"),
    (errors.LayoutError, "layouts"),
    (errors.RerollError, "rooms"),
)


def do(name: str, *arguments: Any) -> Reply:
    """Do a task. Whatever goes wrong is an error that a page can show."""
    request = next((argument for argument in arguments if isinstance(argument, LevelRequest)), None)
    try:
        reply: Reply = _task(name)(*arguments)
    except errors.UndercroftError as error:
        return _told(error, request)
    except BadRequestError as error:
        return Reply(error.status, error_body("bad_request", error.message, key=error.key))
    except (OSError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        file = getattr(error, "filename", None)
        where = f"{file}: " if isinstance(file, str) else ""
        return Reply(422, error_body("bad_input", one_line(f"{where}the operating system refused: {reason}")))
    except Exception as error:  # a mistake of ours: the page tells it, and goes on
        step = extract_tb(error.__traceback__)[-1]
        where = f"{Path(step.filename).name}, line {step.lineno}"
        reason = one_line(f"this is a bug: {type(error).__name__}: {error} ({where}); tell the authors")
        return Reply(500, error_body("bug", reason))
    return reply


def _task(name: str) -> Callable[..., Reply]:
    """Import the function of a task when it is first needed."""
    from importlib import import_module

    module, _, function = HOMES[name].partition(":")
    task: Callable[..., Reply] = getattr(import_module(f"exporters.studio.{module}"), function)
    return task


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
    "search": "making:search",
    "layouts": "pools:layouts",
}


def _told(error: errors.UndercroftError, request: LevelRequest | None) -> Reply:
    """Report an error with its file, key and value, as far as its message names them."""
    message = _short(str(error).removeprefix("--where: ").replace(f"{project()}{os.sep}", ""))
    fields: dict[str, Any] = dict(_place_of(message))
    key = fields.get("key")
    fields["control"] = next((name for kind, name in _OF_CLASSES if isinstance(error, kind)), key)
    if request and key in request.values:
        fields |= {"value": request.values[key], "control": key}
    if request and isinstance(error, errors.SpecError) and fields.get("file") not in (None, request.name):
        # The other file that a spec names is its flow; a kit's errors have a class of their own.
        fields |= {"value": None, "control": "flow"}
    column = getattr(error, "place", None)
    if isinstance(column, int):  # the column of a slip in a condition
        fields |= {"control": "where", "key": "where", "place": column}
    if isinstance(error, errors.GenerationFailed):
        fields |= {"key": None, "control": "seed", "stage": error.stage}
        return Reply(422, error_body("failed", message, **fields))
    return Reply(
        422, error_body("bad_input" if isinstance(error, errors.BadInput) else "refused", message, **fields)
    )


def _short(message: str) -> str:
    """Shorten the file's path at the start of a message, without detours such as `specs/../kit/kit.toml`."""
    start = _PLACE.match(message)
    path = Path(start["file"]) if start else Path()
    if not start or os.pardir not in path.parts:
        return message
    short = Path(os.path.normpath(path))
    is_same = short.exists() and path.exists() and short.samefile(path)
    return short.as_posix() + message[start.end("file") :] if is_same else message


def _place_of(message: str) -> dict[str, Any]:
    """Parse the file, line and key at the start of a message, if present."""
    fields: dict[str, Any] = {}
    rest = message
    start = _PLACE.match(rest)
    if start and (start["line"] or start["file"].lower().endswith(PARTS) or Path(start["file"]).exists()):
        fields = {"file": start["file"], "line": int(start["line"]) if start["line"] else None}
        rest = rest[start.end() :]
    key = _KEY.match(rest)
    if key:
        fields["key"] = key["key"]
    return fields
