"""The command lines and the Python that make the same files as the studio does, byte for byte.

They are for a shell or a script that stands in the project's folder.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from exporters.builder.manifest import DEFAULT_NAME, SharedByAll, shared_by_all
from exporters.registry import format_names
from exporters.studio.making import spec_asked
from exporters.studio.requests import LevelRequest, Reply, WriteRequest, packed
from generator.errors import BadInput, RerollError, shown
from generator.files import file_name
from generator.level import Level
from generator.pattern import pattern
from generator.pipeline import generate
from generator.rerolls.record import read_rows
from generator.rerolls.reroll import reroll
from generator.spec import LevelSpec
from generator.styles.registry import style
from generator.value_words import toml

_WORD = pattern(r"[A-Za-z_][A-Za-z0-9_/-]*")
_WORDS_OF_TOML = {"true", "false", "inf", "nan"}
_MAX_KINDS = 50  # that a room is led through


def commands(request: LevelRequest, files: WriteRequest) -> Reply:
    """Return the command lines and the Python code for some files of a level."""
    spec = spec_asked(request)
    return Reply(200, packed({"name": name_of(request, files), **both(request, files, spec)}))


class _NoCommandError(Exception):
    """No command line does the same. The message says why."""


def both(request: LevelRequest, files: WriteRequest, spec: LevelSpec) -> dict[str, Any]:
    """Return `command` (null if no command line does the same), `why` not, and `python`."""
    command, why = None, ""
    try:
        command = "\n".join(shlex.join(line) for line in command_lines(request, files, spec))
    except _NoCommandError as error:
        why = str(error)
    return {"command": command, "why": why, "python": python(request, files)}


def name_of(request: LevelRequest, files: WriteRequest) -> str:
    """Return the files' name: the requested one, or the one that the command line chooses."""
    if files.name:
        return file_name(files.name)
    pairs = [text for key, value in request.values.items() for text in (key, _set(value))]
    seed = request.seed or str(style(spec_asked(request).style).read_seed(None)[0])
    return file_name(Path(request.name).stem, seed, *pairs)


# --- command lines ---------------------------------------------------------------------------------------


def command_lines(request: LevelRequest, files: WriteRequest, spec: LevelSpec) -> list[list[str]]:
    """Return the command lines that write the files. Raises _NoCommandError."""
    name, folder = name_of(request, files), Path(files.folder).as_posix()
    edits = [] if files.edits == "keep" else ["--edits", files.edits]
    out = [*_option("--out", folder), *_option("--name", name), *edits]
    options = _options(files.options)
    if options is None:
        raise _NoCommandError("an option has an equals sign in a name or a text")
    shared = shared_in_project()
    if shared is None:
        raise _NoCommandError(f"{DEFAULT_NAME} is broken; mend it first")
    command = [
        "undercroft",
        "generate",
        _operand(request.name),
        *([f"--seed={request.seed}"] if request.seed else []),
    ]
    for key, value in request.values.items():
        command += _option("--set", f"{key}={_set(value)}")
    wanted = [word for name in files.formats or format_names() for word in ("--to", name)]
    wanted += [*(_option("--theme", request.theme) if request.theme else ()), *options]
    if not request.rerolls and not shared.options and (request.theme or not shared.theme):
        return [[*command, *wanted, *out]]
    rolls = _rolls(request, spec)
    if rolls is None:
        raise _NoCommandError("no command rolls the rooms like this")
    file = _operand((Path(folder) / f"{name}.level.json").as_posix())
    own = [
        word
        for key in ("layouts", "kit")
        if (path := getattr(spec, key, ""))
        for word in _option(f"--{key}", path)
    ]
    return [
        [*command, "--to", "json", *out],
        *(["undercroft", "reroll", file, *roll, *own] for roll in rolls),
        ["undercroft", "export", file, *wanted, *out],
    ]


def shared_in_project() -> SharedByAll | None:
    """Read what the project's manifest sets for all levels, even of `generate`. None if it is broken."""
    manifest = Path(DEFAULT_NAME)
    if not manifest.is_file():
        return SharedByAll(None, (), {})
    try:
        return shared_by_all(manifest)
    except BadInput:
        return None


def _option(flag: str, text: str) -> list[str]:
    """Return an option with its text, which may begin with a dash."""
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _operand(text: str) -> str:
    return f"./{text}" if text.startswith("-") else text


def _set(value: object) -> str:
    """Format a value as the command line reads it behind `KEY=`: a plain word, or TOML."""
    is_word = isinstance(value, str) and _WORD.fullmatch(value) and value not in _WORDS_OF_TOML
    return str(value) if is_word else toml(value)


def _options(options: Mapping[str, Any]) -> list[str] | None:
    """Format exporters' options. Return None if the command line would misread one."""
    words: list[str] = []
    for key, value in options.items():
        inner = {f"{key}.{name}": item for name, item in value.items()} if isinstance(value, dict) else {}
        if any("=" in f"{name}{item}" for name, item in inner.items()) or "=" in key:
            return None
        for name, item in (inner if isinstance(value, dict) else {key: value}).items():
            words += _option("--option", f"{name}={item if isinstance(item, str) else json.dumps(item)}")
    return words


# --- rolls -----------------------------------------------------------------------------------------------


def _rolls(request: LevelRequest, spec: LevelSpec) -> list[list[str]] | None:
    """Return the options of each call of `reroll`, or None if no calls give these rows.

    A level's rows count the rolls of each room. Only of a kind it is not known how often it was rolled: that
    is found by rolling. Raises LevelError for rows that no level has.
    """
    folders = {"layouts": getattr(spec, "layouts", ""), "kit": spec.kit}
    steps: list[list[str]] = []
    level: Level = generate(spec, request.seed)
    _, is_edited = read_rows(request.rerolls, len(level.rooms))
    if is_edited:
        return None
    for row in request.rerolls:
        if "kind" in row:
            rolled = _kind_rolls(level, row, folders)
            if rolled is None:
                return None
            level, times = rolled
            steps.append(["--room", str(row["room"]), "--what", "kind", *_times(times)])
    for (times, seed, markers), rows in groupby(request.rerolls, _counts):
        rooms = [word for row in rows for word in ("--room", str(row["room"]))]
        start = [f"--seed={seed}"] if seed is not None else []
        steps += [[*rooms, *start, *_times(times)]] if times else []
        steps += [[*rooms, "--what", "markers", *_times(markers)]] if markers else []
    return steps


def _counts(row: Mapping[str, Any]) -> tuple[int, str | None, int]:
    """Return how often a row's layout is rolled, from which seed, and how often its markers are.

    A roll of the kind is one of the layout too, unless both begin anew from a seed.
    """
    seed, layout = row.get("seed"), row.get("layout", 0)
    return layout - ("kind" in row and seed is None), seed, row.get("markers", 0)


def _times(times: int) -> list[str]:
    return ["--times", str(times)] if times != 1 else []


def _kind_rolls(level: Level, row: Mapping[str, Any], folders: Mapping[str, str]) -> tuple[Level, int] | None:
    """Roll a room until it has the row's kind. Return the level and the number of rolls."""
    for times in range(1, _MAX_KINDS):
        try:
            level = reroll(level, room=row["room"], what="kind", **folders)  # type: ignore[arg-type]
        except RerollError:
            return None
        if level.rooms[row["room"]].kind == row["kind"]:
            return level, times
    return None


# --- Python ----------------------------------------------------------------------------------------------


def python(request: LevelRequest, files: WriteRequest) -> str:
    """Return code that does the same with the library."""
    arguments = [repr(request.name), *([f"seed={request.seed!r}"] if request.seed else [])]
    if request.rerolls:
        arguments.append(f"rerolls={list(request.rerolls)!r}")
    arguments += list(_keywords(request.values))
    export_arguments = [f"{list(files.formats)!r}" if files.formats else "None"]
    if files.options:
        export_arguments.append(f"options={files.options!r}")
    if request.theme:
        export_arguments.append(f"theme={request.theme!r}")
    export_arguments.append(f"name={name_of(request, files)!r}")
    edits = "" if files.edits == "keep" else f", edits={files.edits!r}"
    return (
        "import undercroft\n\n"
        f"level = undercroft.generate({', '.join(arguments)})\n"
        f"files = undercroft.export(level, {', '.join(export_arguments)})\n"
        f"files.write({files.folder!r}{edits})\n"
    )


def _keywords(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield values as keyword arguments. Those with dots in their keys go into a dictionary."""
    plain: Iterable[str] = [key for key in values if key.isidentifier()]
    yield from (f"{key}={values[key]!r}" for key in plain)
    dotted = {key: value for key, value in values.items() if not key.isidentifier()}
    if dotted:
        yield f"**{dotted!r}"


def refuse_odd_name(files: WriteRequest) -> None:
    """Refuse a name with folders in it, which the page has a place of its own for. Raises BadInput."""
    if any(sign in files.name for sign in "/\\"):
        raise BadInput(f"name: {shown(files.name)} has folders in it; pick the folder, and give a name alone")
