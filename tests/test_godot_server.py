"""A Godot that stays up answers as one that is started for each question would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import godot_server
from tests.engines import godot

HEAD = 'extends "probe.gd"\nfunc _initialize() -> void:\n'
TELL = """\tvar file := FileAccess.open(arguments[-1], FileAccess.WRITE)
\tvar kept: Resource = load("res://kept.tres")
\tvar seen := [root.get_child_count(), get_nodes_in_group("left").size(), get_tree().paused]
\tfile.store_string(JSON.stringify([seen, Engine.time_scale, kept.resource_name]))
\tfile.close()
\tquit()
"""
LEAVE = """\tvar node := Node.new()
\tnode.add_to_group("left")
\troot.add_child(node)
\tget_tree().paused = true
\tquit()
"""
PROBES = {
    "tell": TELL,
    "leave": LEAVE,
    "warn": '\tpush_warning("of this one")\n\tquit()\n',
    "orphan": "\tNode.new()\n\tquit()\n",
    "crash": '\tprinterr("last words")\n\tOS.kill(OS.get_process_id())\n',
    "fail": "\tquit(3)\n",
}


def kept(folder: Path, name: str) -> None:
    text = f'[gd_resource type="Resource" format=3]\n\n[resource]\nresource_name = "{name}"\n'
    (folder / "kept.tres").write_text(text, "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "project.godot").write_text("config_version=5\n", "utf-8")
    (tmp_path / "probes").mkdir()
    for name, body in PROBES.items():
        (tmp_path / "probes" / f"{name}.gd").write_text(HEAD + body, "utf-8")
    kept(tmp_path, "first")
    yield tmp_path
    godot_server.stop(tmp_path)


def said(folder: Path, name: str, *args: str) -> tuple[int, str]:
    done = godot_server.ask(godot(), folder, f"probes/{name}.gd", *args)
    return done.returncode, done.stderr


def told(folder: Path, name: str) -> object:
    answer = folder / name
    assert said(folder, "tell", str(answer)) == (0, "")
    return json.loads(answer.read_bytes())


def test_one_start_answers_all_and_each_finds_it_clean(folder: Path) -> None:
    before = godot_server.starts
    first = told(folder, "one.json")
    assert first == [[2 - 1, 0, False], 1, "first"]
    assert said(folder, "leave") == (0, "")
    assert told(folder, "two.json") == first
    assert godot_server.starts == before + 1


def test_what_changed_is_read_anew(folder: Path) -> None:
    assert told(folder, "one.json")[-1] == "first"  # type: ignore[index]
    kept(folder, "another")
    assert told(folder, "one.json")[-1] == "another"  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [("warn", 0, "of this one"), ("orphan", 0, "left 1 nodes"), ("crash", -9, "last words"), ("fail", 3, "")],
)
def test_a_question_is_blamed_for_itself_alone(folder: Path, name: str, status: int, words: str) -> None:
    first = told(folder, "one.json")
    found, lines = said(folder, name)
    assert found == status and words in lines
    assert told(folder, "two.json") == first


def test_a_process_that_ends_before_its_first_question_tells_why(folder: Path) -> None:
    (folder / "probes" / "server.gd").write_text("extends Nothing\n", "utf-8")
    status, lines = said(folder, "leave")
    assert status and "Nothing" in lines


def test_what_is_known_is_not_asked_again(folder: Path) -> None:
    first = told(folder, "answer.json")
    (folder / "answer.json").unlink()
    godot_server.stop(folder)
    before = godot_server.starts
    assert told(folder, "answer.json") == first
    assert godot_server.starts == before
