"""The disk fails at any moment of any command: each file is the old one or the new one, and the store knows."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

import exporters
import generator.pipeline
from exporters import durable as begun
from exporters.edits.store import _NOT_KNOWN
from generator.cli import main
from tests.exporters.edits.faults import TOLD, FailingDisk
from tests.exporters.small_theme import sheet
from tests.folders import files_in

FORMATS = "--to json --to tiled --name x --out ."
MANIFEST = 'out = "."\nformats = ["json", "tiled"]\n[group.a]\nspec = "isaac"\nseeds = [%d]\npath = "x"\n'
SAMPLE = 3  # moments that fail in the usual run, of each command


class Story(NamedTuple):
    """What is run first, what the disk fails in, and the file that a person changes in between, if any."""

    before: str
    command: str
    changed: str = ""


PERSONS = b"a person's"
NAMED = b"The camp"


def _change(path: Path) -> None:
    """Do what a person does to a map: give it a property, and its first room a name, which all files have then."""
    data = path.read_bytes()
    assert b'"properties":[' in data.replace(b" ", b"")
    prop = b'{"name": "' + PERSONS + b'", "type": "string", "value": "1"},'
    data = re.sub(rb'"properties": ?\[', lambda found: found[0] + prop, data, count=1)
    data, rooms = re.subn(rb"\bStartRoom\w*", NAMED, data, count=1)
    assert rooms == 1
    path.write_bytes(data)


STORIES = {
    "generate": Story(f"generate isaac --seed 1 {FORMATS}", f"generate isaac --seed 2 {FORMATS}"),
    "merge": Story(
        f"generate isaac --seed 1 {FORMATS}", f"generate isaac --seed 2 {FORMATS} --edits merge", "x.tmj"
    ),
    "replace": Story(
        f"generate isaac --seed 1 {FORMATS}", f"generate isaac --seed 2 {FORMATS} --edits replace", "x.tmj"
    ),
    "sync": Story(f"generate isaac --seed 1 {FORMATS}", "sync .", "x.tmj"),
    "run": Story(
        "run isaac --seed 1 --stages 1:3 --to json --out .",
        "run isaac --seed 1 --stages 1:4 --to json --out .",
    ),
    "export": Story("generate isaac --to json --name x --out .", "export x.level.json --to tiled --out more"),
    "reroll": Story(
        "generate isaac --to json --name x --out .", "reroll x.level.json --room 2 --out y.level.json"
    ),
    "import": Story(
        "generate isaac --to json --to tiled --name x --out .", "import x.tmj --name y --out more"
    ),
    "gallery": Story("gallery isaac --seeds 0:1 --jobs 1", "gallery isaac --seeds 1:2 --jobs 1"),
    "pack": Story(
        "pack isaac --seeds 0:1 --jobs 1 --out x.ucpack", "pack isaac --seeds 1:2 --jobs 1 --out x.ucpack"
    ),
    "build": Story("build one.toml --jobs 1", "build two.toml --jobs 1"),
    "rooms": Story("layouts new shop --to tiled --name a", "layouts new shop --to tiled --name b"),
    "theme": Story("presets", "theme new sheet.png --tile-size 16 --name mine"),
    "kit": Story("presets", "kit new ours"),
    "addon": Story("presets", "addon install game"),
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels and their exports are made once: it is the writing that is tried."""
    made = lru_cache(generator.pipeline.generate)
    monkeypatch.setattr(generator.pipeline, "generate", made)
    exported, known = exporters.export, dict[object, exporters.Bundle]()

    def once(level, formats, name, **more):  # type: ignore[no-untyped-def]
        key = (level.fingerprint, formats, name)
        if key not in known:
            known[key] = exported(level, formats, name=name, **more)
        return known[key]

    monkeypatch.setattr(exporters, "export", once)


def run(words: str, folder: Path) -> Result:
    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(main, words.split())
    finally:
        os.chdir(before)


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """A folder in which every command can be run."""
    return prepare(tmp_path / "prepared")


def prepare(folder: Path) -> Path:
    (folder / "game").mkdir(parents=True)
    (folder / "game" / "project.godot").write_text("config_version=5\n", "utf-8")
    (folder / "sheet.png").write_bytes(sheet())
    for name, seed in (("one", 1), ("two", 2)):
        (folder / f"{name}.toml").write_text(MANIFEST % seed, "utf-8")
    return folder


def moments(count: int, every: bool) -> Iterator[tuple[int, int]]:
    """The numbers of calls that fail, and how: all in every way, or some of them."""
    codes = list(TOLD)
    if every:
        yield from ((number, code) for number in range(count) for code in codes)
        return
    some = min(count, SAMPLE)
    for place in range(some):
        yield place * (count - 1) // max(1, some - 1), codes[place % len(codes)]


@pytest.mark.parametrize("name", STORIES)
def test_the_old_or_the_new(name: str, prepared: Path) -> None:
    fails_at_all_moments(STORIES[name], prepared, every=False)


@pytest.mark.soak
@pytest.mark.parametrize("name", STORIES)
def test_the_old_or_the_new_at_every_moment(name: str, prepared: Path) -> None:
    fails_at_all_moments(STORIES[name], prepared, every=True)


def fails_at_all_moments(story: Story, prepared: Path, *, every: bool) -> None:
    assert run(story.before, prepared).exit_code == 0
    if story.changed:
        _change(prepared / story.changed)
    before = files_in(prepared)
    calm = prepared.parent / "calm"
    shutil.copytree(prepared, calm)
    disk = FailingDisk(calm)
    with disk.at_work():
        told = run(story.command, calm)
    assert told.exit_code == 0 and len(disk.calls) > 10
    wanted = files_in(calm)
    kinds = {call.what for call in disk.calls}
    assert {"open", "write", "fsync", "replace", "statement"} <= kinds
    for number, code in moments(len(disk.calls), every):
        folder = prepared.parent / "tried"
        shutil.copytree(prepared, folder)
        try_one(story, folder, before, wanted, FailingDisk(folder, number, code))
        shutil.rmtree(folder)


def is_before_or_after(found: dict[str, bytes], before: dict[str, bytes], wanted: dict[str, bytes]) -> bool:
    """Whether no file is of another level than the others, whatever lies there until it is renamed."""
    of_people, *whole = (
        {name: data for name, data in files.items() if ".undercroft" not in name}
        for files in (found, before, wanted)
    )
    return of_people in whole


def try_one(
    story: Story, folder: Path, before: dict[str, bytes], wanted: dict[str, bytes], disk: FailingDisk
) -> None:
    with disk.at_work():
        done = run(story.command, folder)
    failed, found = disk.failed, files_in(folder)
    where = f"{failed} with {errno.errorcode[disk.code]}: {done.stderr}"
    assert failed, where
    assert done.exception is None or isinstance(done.exception, SystemExit), where
    beside = {name for name in found if (".new" in name or ".mine" in name) and name not in wanted}
    for name, data in found.items():
        allowed = {before.get(name), wanted.get(name)}
        if name in beside:  # the store could not be used, so nobody knows whose the files are
            assert _NOT_KNOWN in done.stderr, where
            allowed |= {*before.values(), *wanted.values()}
        left = ".undercroft-" in name and failed.what == "unlink"
        assert data in allowed or left, f"{name}: {where}"
    assert not [name for name in before if name not in found], where
    if done.exit_code:
        reasons = (os.strerror(disk.code), TOLD[disk.code][0])
        lines = done.stderr.splitlines()
        assert done.exit_code in (1, 2), where
        assert any(reason in lines[-1] for reason in (*reasons, "run this again")), where
        if story.changed:
            assert is_before_or_after(found, before, wanted), where
        assert len(lines) == 1 or story.changed, where  # what was edited is told first
    elif found != wanted and failed.what != "unlink":
        assert done.stderr, where
    if story.changed:
        assert any(PERSONS in data for data in found.values()), where
    begun._CLEARED.clear()  # as in another process, which clears away what this one could not
    again = run(story.command, folder)
    assert again.exit_code == 0, f"{where}; then {again.stderr}"
    after = files_in(folder)
    assert {name: data for name, data in after.items() if name in wanted} == wanted, where
    locks = {name for name in after if failed.what == "unlink" and name.endswith(".lock")}
    assert not {name for name in after if name not in wanted} - beside - locks, where
