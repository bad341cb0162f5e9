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
    "refused": "changed by hand, so nothing was built",
    "unasked": "no longer asked for",
    "removed": "no longer asked for",
}

Row = tuple[str, str, str]  # a level, what happened, and the number of its differences
Event = dict[str, Any]


def levels_folder(project: Path) -> Path:
    """Return the folder that a project's levels are built in."""
    manifest = tomllib.loads((project / "undercroft.toml").read_text("utf-8"))
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
        print(*(event[key] for key in ("event", "level", "file", "why", "reason", "said") if key in event))
        if event["event"] not in _TOLD or event.get("same_level"):
            continue
        files = [event["file"]] if "file" in event else event.get("files", [])
        name = event.get("level") or event.get("group") or files[0].partition(".")[0]
        _, what, differences = rows.get(name, ("", event.get("why", _TOLD[event["event"]]), ""))
        for file in files:
            if file.endswith(_SUFFIX) and (before / file).is_file() and (after / file).is_file():
                differences = str(compared(before, after, folder, file, pictures))
        rows[name] = (name, what, differences)
    with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
        summary.write(table([*rows.values()]))
    output("changed", len(rows))
    if pictures.is_dir():
        output("pictures", pictures)
    return status


def compared(before: Path, after: Path, folder: Path, file: str, pictures: Path) -> int:
    """Return the number of differences of a level, and draw both versions, unless many were drawn already."""
    pictures.mkdir(exist_ok=True)
    stem = file.removesuffix(_SUFFIX).replace("/", "-")
    is_drawn = len([*pictures.glob("*-after.png")]) < _MOST_PICTURES
    marked = ("--png", pictures / f"{stem}-after.png") if is_drawn else ()
    _, events = undercroft("diff", before / file, after / file, *marked)
    if is_drawn:
        draw(before / file, folder / file, pictures / f"{stem}-before.png")
    return int(events[-1]["differences"])


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
    """Run a command, and return its exit status and its events. Ends with status 2 if it was used wrongly."""
    done = subprocess.run(["undercroft", *words, "--json"], stdout=subprocess.PIPE, check=False)
    if done.returncode not in {0, 1}:
        sys.exit(done.returncode)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def output(name: str, value: object) -> None:
    """Give a value to later steps."""
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.write(f"{name}={value}\n")


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
