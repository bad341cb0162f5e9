"""What a dry run leaves of a folder, and whether the write after it does what the dry run said."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.commands import undercroft
from tests.folders import files_in

SUMMARY = "undercroft: dry run: "
ONLY_DRY = {"dry_run", "would_write", "would_remove"}


class Said(NamedTuple):
    """What a command gave: its exit status, and lines or objects."""

    status: int
    out: list[Any]
    err: list[str]


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below a folder, itself too: its mode, its time, and what it holds; records and locks as well."""
    found = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        status = path.lstat()
        data = path.read_bytes() if path.is_file() else b""
        found[path.relative_to(folder).as_posix()] = (status.st_mode, status.st_mtime_ns, data)
    return found


def ran(words: Sequence[str], folder: Path) -> Said:
    done = undercroft(*words, cwd=folder)
    out = done.stdout.splitlines()
    return Said(
        done.returncode, [*map(json.loads, out)] if "--json" in words else out, done.stderr.splitlines()
    )


def does_as_it_says(words: Sequence[str], folder: Path, out: str = ".") -> set[str]:
    """Run a command dry, for people and for programs, and then for good; return the files that changed.

    `out` is the folder that the command's paths are relative to.
    """
    before = snapshot(folder)
    people = ran([*words, "--dry-run"], folder)
    programs = ran([*words, "--dry-run", "--json"], folder)
    assert snapshot(folder) == before, "a dry run wrote"
    files = files_in(folder)
    real = ran([*words, "--json"], folder)
    now = files_in(folder)
    written = {path for path, data in now.items() if files.get(path) != data}
    removed = files.keys() - now.keys()

    assert (people.status, programs.status) == (real.status, real.status)
    lines = [
        line.strip() for line in people.out if line.lstrip().startswith(("would write ", "would remove "))
    ]
    assert len(lines) == len({*lines}), "a file has two lines"
    told = [line.partition(" ")[2].split(" ", 1) for line in lines]
    assert _paths(out, (path for verb, path in told if verb == "write")) == written
    assert _paths(out, (path for verb, path in told if verb == "remove")) == removed
    listed = {
        key: [path for event in programs.out for path in event.get(key, [])] for key in ONLY_DRY - {"dry_run"}
    }
    assert _paths(out, listed["would_write"]) == written and _paths(out, listed["would_remove"]) == removed

    assert all(event["dry_run"] for event in programs.out if "would_write" in event)
    assert [{key: event[key] for key in event.keys() - ONLY_DRY} for event in programs.out] == real.out
    count = len(written | removed)
    for said in (people, programs):
        summary = "".join(line for line in said.err if line.startswith(SUMMARY))
        assert (f"; {count} file" in summary) == bool(count)
    assert [line for line in programs.err if not line.startswith(SUMMARY)] == real.err
    return written | removed


def _paths(out: str, paths: Any) -> set[str]:
    return {Path(os.path.normpath(Path(out) / path)).as_posix() for path in paths}
