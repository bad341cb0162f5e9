"""A game's folder for the tests of builds: its manifest, what is built, and the command that builds it."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from generator.cli import main

SMALL = """
out = "levels"
formats = ["json", "godot"]
[group.cellars]
spec = "isaac"
seeds = "3:6"
[campaign.descent]
seed = "a rope"
spec = "isaac"
stages = [{ name = "cellar", set.stage = 1 }, { name = "heap", spec = "gungeon", set.rooms = 4 }]
"""


class Game:
    """A folder with a manifest."""

    def __init__(self, folder: Path, manifest: str = SMALL) -> None:
        self.folder = folder
        self.levels = folder / "levels"
        folder.mkdir(exist_ok=True)
        self.write(manifest)

    def write(self, manifest: str) -> None:
        (self.folder / "undercroft.toml").write_text(manifest, "utf-8")

    def change(self, old: str, new: str) -> None:
        text = (self.folder / "undercroft.toml").read_text("utf-8")
        assert old in text
        self.write(text.replace(old, new))

    def run(self, *words: str, jobs: str = "1") -> Result:
        return CliRunner().invoke(main, ["build", str(self.folder), "--jobs", jobs, *words])

    def build(self, *words: str, status: int = 0, jobs: str = "1") -> Told:
        done = self.run("--json", *words, jobs=jobs)
        assert done.exit_code == status, done.output
        return Told([json.loads(line) for line in done.stdout.splitlines()])

    def files(self) -> dict[str, bytes]:
        return files_of(self.levels)


def started(command: list[str]) -> subprocess.Popen[bytes]:
    """A build with `--json` that has written its first level, and is far from the last of forty.

    It tells of each level through a pipe that takes some twenty lines: a build goes no further while nobody
    reads them, however late a signal comes.
    """
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
        pipesize=4096,
    )
    assert process.stdout and json.loads(process.stdout.readline())["event"] == "built"
    return process


class Told:
    """The report of a build: its events, and its counts over all groups."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self.events = events
        self.counts: Counter[str] = Counter()
        for counts in events[-1]["groups"].values():
            self.counts.update(counts)

    def of(self, what: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == what]

    def files(self, what: str) -> list[str]:
        return [event["file"] for event in self.of(what)]

    def written(self) -> set[str]:
        return {path for event in self.of("built") for path in event["files"]}


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file but the build's own, by path."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return {name: data for name, data in found.items() if not name.startswith(".undercroft/")}
