"""A dry run decides what the write decides, whatever people did before, and leaves every byte as it was."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters import Bundle
from exporters.edits import EDITS
from exporters.edits.digests import digest_of_bytes
from exporters.edits.dry_run import DryRun
from exporters.edits.store import HOME, WrittenStore
from exporters.writing import write
from tests.dry_runs import ran, snapshot
from tests.folders import files_in

NAMES = ("a.tmj", "b.tsj", "sub/c.txt", "d_edit.tscn")
VERSIONS = st.integers(0, 2)
FILES = st.fixed_dictionaries(dict.fromkeys(NAMES, VERSIONS))
# A person adds something to a file, changes what the versions differ in, deletes it, or takes what is beside it.
DEEDS = st.sampled_from(("add", "change", "delete", "take"))
TURNS = st.tuples(
    st.lists(st.tuples(st.sampled_from(NAMES), DEEDS), max_size=3),
    FILES,
    st.sampled_from((*EDITS, None)),
)


def contents(name: str, version: int) -> bytes:
    if name.endswith(".txt"):
        return f"{version}\n".encode()
    sizes = {"height": 4, "width": 5, "tileheight": 16, "tilewidth": 16}
    table = {"type": "map", "orientation": "orthogonal", **sizes, "class": f"c{version}"}
    table["layers"] = [{"id": 1, "type": "objectgroup", "name": "Markers", "objects": []}]
    return json.dumps(table).encode()


def bundle(files: dict[str, int]) -> Bundle:
    made = Bundle()
    for name, version in files.items():
        made.add(name, contents(name, version), once="_edit" in name)
    return made


def do(folder: Path, name: str, deed: str) -> None:
    path = folder / name
    offered = path.with_name(f"{path.stem}.new{path.suffix}")
    if deed == "take":
        if offered.exists():
            offered.replace(path)
    elif deed == "delete":
        path.unlink(missing_ok=True)
    elif path.exists():
        old, new = (b'"layers"', b'"mine": 1, "layers"') if deed == "add" else (b'"c', b'"C')
        path.write_bytes(path.read_bytes().replace(old, new) + b"\n")


@settings(max_examples=40)
@given(st.lists(TURNS, min_size=2, max_size=4))
def test_it_is_what_is_done(turns: list[tuple[list[tuple[str, str]], dict[str, int], str | None]]) -> None:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "here"
        for deeds, files, edits in turns:
            for deed in deeds:
                do(folder, *deed)
            new, before, found = bundle(files), snapshot(Path(temporary)), files_in(folder)
            with DryRun() as dry_run:
                dry, again = (write(new, folder, edits, dry_run=dry_run) for _ in range(2))
                count = dry_run.count
            assert snapshot(Path(temporary)) == before
            assert write(new, folder, edits) == dry
            now = files_in(folder)
            changed = {path for path in now.keys() | found.keys() if now.get(path) != found.get(path)}
            assert {path.relative_to(folder).as_posix() for path in (*dry.written, *dry.removed)} == changed
            assert (len(changed), again.written, again.removed) == (count, [], [])
            assert write(new, folder, edits).written == [], "so the second of two in one run writes nothing"


def test_it_reads_what_a_killed_run_has_recorded_and_waits_for_no_other(tmp_path: Path) -> None:
    """What SQLite has not yet put into the database is in a file beside it, which stays as it is too."""
    here, killed = tmp_path / "here", tmp_path / "killed"
    old, new = (bundle(dict.fromkeys(NAMES, version)) for version in (0, 1))
    write(old, here)
    (here / "a.tmj").write_bytes(b"mine")
    with WrittenStore.opened(here) as store:
        store.intend([("a.tmj", digest_of_bytes(b"mine"))])
        shutil.copytree(here, killed)
        before = snapshot(tmp_path)
        with DryRun() as dry_run:
            assert write(new, here, "fail", dry_run=dry_run).written == [here / name for name in NAMES[:3]]
        assert snapshot(tmp_path) == before
    assert (killed / HOME / "state.db-wal").stat().st_size
    before = snapshot(killed)
    with DryRun() as dry_run:
        outcome = write(new, killed, "fail", dry_run=dry_run)
    assert (snapshot(killed), outcome) == (before, write(new, killed, "fail"))
    assert not outcome.refused


def test_it_works_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write everywhere, so for root it is only said that it may not."""
    manifest = 'formats = ["json"]\n[group.a]\nspec = "isaac"\nseeds = [1, 2]\npath = "{seed}"\n'
    (tmp_path / "undercroft.toml").write_text(manifest, "utf-8")
    assert ran(["build"], tmp_path).status == 0
    (tmp_path / "undercroft.toml").write_text(manifest.replace("1, 2", "2, 3"), "utf-8")
    folders = [tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    before = snapshot(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    for command in (
        ["build", "--prune"],
        ["generate", "isaac", "--seed", "3", "--to", "json", "--out", "build"],
        ["export", "build/1.level.json", "--to", "tiled", "--out", "new/folder"],
        ["reroll", "build/1.level.json", "--room", "3"],
        ["pack", "isaac", "--seeds", "0:1", "--out", "levels.ucpack"],
        ["init", "game"],
        ["undo", "build"],
    ):
        said = ran([*command, "--dry-run"], tmp_path)
        assert said.status == 0 and "nothing was written" in said.err[-1], (command, said)
    assert snapshot(tmp_path) == before
    for folder in folders:
        folder.chmod(0o755)
