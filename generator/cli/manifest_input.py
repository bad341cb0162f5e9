"""A manifest on standard input: as TOML, or as the events of a search, whose levels are to be built."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.cli import runs, streams
from generator.errors import BadInput, UndercroftError
from generator.files import file_name, parsed_json, parsed_toml

if TYPE_CHECKING:
    from exporters.builder.groups import Manifest

_FOUND = "found"  # the group of what a search found, and its folder


def manifest_of_input(out: Path | None) -> Manifest:
    """Read the manifest on standard input. Its paths are relative to the current folder. Raises BadInput, and
    UndercroftError for a search that found nothing.
    """
    from exporters.builder.manifest import MAX_BYTES, manifest_of

    is_search = streams.has_levels()  # lines of JSON, at least
    text = "" if is_search else streams.input_text(MAX_BYTES, BadInput)
    if runs.is_hit(text):
        problem = "is what `undercroft search` prints for people"
        raise BadInput(f"{streams.INPUT}: {problem}; add --json to the search")
    table = _of_search() if is_search else parsed_toml(text, streams.INPUT, BadInput)
    return manifest_of(table, Path(streams.INPUT), out)


def _of_search() -> dict[str, Any]:
    """Return the manifest of the levels that a search found, with what a project here shares by all."""
    from exporters.builder.manifest import DEFAULT_NAME, shared_as_written

    last: list[tuple[str, bytes]] = []

    def lines() -> Iterator[bytes]:
        for number, line in enumerate(streams.lines_of(Path("-"), runs.MAX_LINE, BadInput), 1):
            if line.strip():
                if last and _is_end(*last[0]):
                    problem = "comes after the end of a search; build what each search found alone"
                    raise BadInput(f"{streams.INPUT}:{number}: {problem}")
                last[:] = [(f"{streams.INPUT}:{number}", line)]
            yield line

    seeds = [*runs.seeds_in(lines(), streams.INPUT)]
    ((where, line),) = last
    done = parsed_json(line, where, BadInput)
    remedy = "send all that `undercroft search --json` prints, or a manifest"
    if not isinstance(done, dict) or done.get("event") != "done" or "spec" not in done:
        raise BadInput(f"{where}: is not the end of a search; {remedy}")
    if streams.is_dash(done["spec"]):
        raise BadInput(f"{where}: spec: was read from standard input; search with the spec in a file")
    changed = done.get("set", {})
    if not isinstance(changed, dict):
        raise BadInput(f"{where}: set: is not a table; {remedy}")
    if not seeds:
        raise UndercroftError(
            f"{streams.INPUT}: the search found no level; search more seeds, or ask for less"
        )
    project = Path(DEFAULT_NAME)
    shared = shared_as_written(project) if project.is_file() else {}
    group = {"path": _path(changed), "spec": done["spec"], "set": changed, "seeds": seeds}
    return {**shared, "out": _FOUND, "group": {_FOUND: group}}


def _is_end(where: str, line: bytes) -> bool:
    """Check whether a line is the last event of a search."""
    if b'"done"' not in line:  # most are not parsed
        return False
    event = parsed_json(line, where, BadInput)
    return isinstance(event, dict) and event.get("event") == "done"


def _path(changed: Mapping[str, object]) -> str:
    """Name levels as `generate` does, so that those of other values do not take their place."""
    texts = [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in changed.items()]
    return f"{{spec}}-{{seed}}-{file_name(*chain(*texts))}" if texts else "{spec}-{seed}"
