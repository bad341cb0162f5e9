"""What the action does between its steps; the runner names the files that GITHUB_… stand for.

    python levels.py folder PROJECT           # the folder that PROJECT's undercroft.toml builds
    python levels.py build PROJECT COMMITTED  # build it, and tell which levels are others than before

COMMITTED is `true` if the levels are in version control: then they are compared with what the manifest gives,
and stay as they are. A table of changed levels goes to the job's summary. Into a folder go pictures of them:
as they were, and as they are with the changes marked.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import Any

_MOST_ROWS = 200
_MOST_PICTURES = 20  # of levels; each takes a second or two
_SUFFIX = ".level.json"
_TOLD = {  # events that get a row in the table, and what it says where the event has no `why`
    "built": "",
    "packed": "",
    "failed": "cannot be made",
    "differs": "differs from the manifest",
    "missing": "is missing",
    "clashes": "has a file that another level needs with different content",
    "refused": "changed by hand, so nothing was built",
    "unasked": "no longer asked for",
    "removed": "no longer asked for",
}

_PRINTED = ("event", "level", "file", "why", "reason", "said", "message")

Row = tuple[str, str, str]  # a level, what happened, and the number of its differences
Event = dict[str, Any]


def levels_folder(project: Path) -> Path:
    """Return the folder that a project's levels are built in."""
    try:
        manifest = tomllib.loads((project / "undercroft.toml").read_text("utf-8"))
    except (OSError, ValueError):
        manifest = {}  # the build says what is wrong with it
    return project / str(manifest.get("out", "build"))


def build(project: Path, committed: bool, temporary: Path) -> int:
    """Build the levels, or compare those that are committed. Tell what changed; return the exit status."""
    folder, pictures = levels_folder(project), temporary / "pictures"
    if committed:
        before, after = folder, temporary / "after"
        status, events = undercroft("build", project, "--check")
        if status:
            undercroft("build", project, "--out", after)
    else:
        before, after = temporary / "before", folder
        if folder.is_dir():
            shutil.copytree(folder, before, ignore=_all_but_levels)
        status, events = undercroft("build", project, "--prune", "--edits", "fail")
    rows: dict[str, Row] = {}
    for event in events:
        print(*(event[key] for key in _PRINTED if key in event))
        if event["event"] not in _TOLD or event.get("same_level"):
            continue
        files = [event["file"]] if "file" in event else event.get("files", [])
        name = event.get("level") or event.get("group") or files[0].partition(".")[0]
        _, what, differences = rows.get(name, ("", event.get("why", _TOLD[event["event"]]), ""))
        for file in files:
            if file.endswith(_SUFFIX) and (before / file).is_file() and (after / file).is_file():
                differences = compared(before, after, folder, file, pictures)
        rows[name] = (name, what, differences)
    errors = [event["message"] for event in events if event["event"] == "error"]
    with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
        if rows or not status:
            summary.write(table([*rows.values()]))
        if errors or (status and not rows):
            summary.write("".join(["The build failed.\n", *(f"\n    {error}\n" for error in errors)]))
    if not errors:
        output("changed", len(rows))
    if any(pictures.rglob("*.png")):
        output("pictures", pictures)
    return status


def compared(before: Path, after: Path, folder: Path, file: str, pictures: Path) -> str:
    """Return the number of differences of a level, and draw both versions, unless many were drawn already."""
    stem = pictures / file.removesuffix(_SUFFIX)
    stem.parent.mkdir(parents=True, exist_ok=True)
    is_drawn = len([*pictures.rglob("*-after.png")]) < _MOST_PICTURES
    marked = ("--png", f"{stem}-after.png") if is_drawn else ()
    _, events = undercroft("diff", before / file, after / file, *marked)
    if not events or "differences" not in events[-1]:
        return "cannot be compared"
    if is_drawn:
        draw(before / file, folder / file, Path(f"{stem}-before.png"))
    return str(events[-1]["differences"])


def draw(level: Path, place: Path, picture: Path) -> None:
    """Draw a level in the theme that it names beside its place in the project."""
    themes = json.loads(level.read_text("utf-8")).get("exported", {}).values()
    (theme, *_) = [place.parent / each["theme"] for each in themes if "theme" in each] or [None]
    words: list[str | Path] = ["undercroft", "export", level, "--accept-edits", "--to", "png", "--out", "-"]
    with picture.open("wb") as file:
        done = subprocess.run([*words, *(["--theme", theme] if theme else [])], stdout=file, check=False)
    if done.returncode:  # a level that breaks a rule, which the check has told
        picture.unlink()


def table(rows: Sequence[Row]) -> str:
    """Return the Markdown of the job's summary."""
    if not rows:
        return "No level changed.\n"
    lines = ["| level | what happened | differences |", "| --- | --- | --: |"]
    lines += [
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows[:_MOST_ROWS]
    ]
    more = [f"\nand {len(rows) - _MOST_ROWS} more"] if len(rows) > _MOST_ROWS else []
    return "\n".join([*lines, *more, ""])


def undercroft(*words: str | Path) -> tuple[int, list[Event]]:
    """Run a command, and return its exit status and its events."""
    done = subprocess.run(["undercroft", *words, "--json"], stdout=subprocess.PIPE, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def output(name: str, value: object) -> None:
    """Give a value, which may have several lines, to later steps."""
    end = token_hex()
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.write(f"{name}<<{end}\n{value}\n{end}\n")


def _all_but_levels(folder: str, names: list[str]) -> list[str]:
    """Return what is not to be copied: all but folders, and the files that hold a level each."""
    return [
        name
        for name in names
        if name.startswith(".") or not (name.endswith(_SUFFIX) or Path(folder, name).is_dir())
    ]


if __name__ == "__main__":
    _, what, project, *rest = sys.argv
    if what == "folder":
        output("levels", levels_folder(Path(project)).as_posix())
    else:
        sys.exit(build(Path(project), rest == ["true"], Path(mkdtemp(dir=os.environ["RUNNER_TEMP"]))))
