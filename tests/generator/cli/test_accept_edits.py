"""A level.json changed by hand: refused by all commands in the same words, or accepted and checked by all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from generator import LevelError, generate
from generator.checks import problems
from generator.cli import main
from generator.level_file import load_level
from generator.serialise import dumps

COMMANDS: dict[str, Callable[[Path, Path], list[str | Path]]] = {
    "export": lambda level, out: ["export", level, "--out", out, "--name", "copy"],
    "show": lambda level, _: ["show", level],
    "gallery": lambda level, out: ["gallery", level, "--out", out / "gallery.html"],
    "gallery of a folder": lambda level, out: ["gallery", level.parent, "--out", out / "gallery.html"],
    "reroll": lambda level, out: ["reroll", level, "--room", "2", "--out", out / "rolled.level.json"],
}
command = pytest.mark.parametrize("name", COMMANDS)


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def edited(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    table = json.loads(dumps(generate("isaac", 7)))
    change(table)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(table), "utf-8")
    return path


def paint(table: dict[str, Any]) -> None:
    """Rubble where the start room has floor."""
    x, y, *_ = table["rooms"][0]["bounds"]
    at = (y + 2) * table["size"]["width"] + x + 2
    assert table["terrain"][at] == 1
    table["terrain"][at] = 7


def wall_in(table: dict[str, Any]) -> None:
    """Wall where a door was."""
    for x, y in table["doors"][0]["tiles"]:
        table["terrain"][y * table["size"]["width"] + x] = 2


@command
def test_without_the_option_all_refuse_with_one_line(name: str, tmp_path: Path) -> None:
    level = edited(tmp_path / "in" / "x.level.json", paint)
    done = run(*COMMANDS[name](level, tmp_path / "out"))
    assert (done.exit_code, done.stdout) == (2, "") and not (tmp_path / "out").exists()
    with pytest.raises(LevelError) as caught:
        load_level(level)
    assert done.stderr == f"undercroft: {caught.value}\n"
    assert str(caught.value).startswith(
        f"{level}: fingerprint: {generate('isaac', 7).fingerprint!r} is not the fingerprint of the level, "
    )
    assert str(caught.value).endswith(
        "; the file was changed by hand: generate it again, or give --accept-edits (in Python: accept_edits=True)"
    )


@command
def test_with_the_option_all_take_what_breaks_no_rule(name: str, tmp_path: Path) -> None:
    level = edited(tmp_path / "in" / "x.level.json", paint)
    done = run(*COMMANDS[name](level, tmp_path / "out"), "--accept-edits")
    assert done.exit_code == 0, done.output


@command
def test_with_the_option_all_refuse_what_breaks_a_rule(name: str, tmp_path: Path) -> None:
    level = edited(tmp_path / "in" / "x.level.json", wall_in)
    done = run(*COMMANDS[name](level, tmp_path / "out"), "--accept-edits")
    assert (done.exit_code, done.stdout) == (2, "") and not (tmp_path / "out").exists()
    assert done.stderr.startswith(f"undercroft: {level}: was changed by hand and breaks a rule: ")
    assert done.stderr.endswith("; fix what `undercroft check --accept-edits` lists\n")
    assert done.stderr.count("\n") == 1


def test_check_lists_the_edit_and_the_rules(tmp_path: Path) -> None:
    painted = edited(tmp_path / "painted.level.json", paint)
    walled = edited(tmp_path / "walled.level.json", wall_in)
    done = run("check", painted)
    assert done.exit_code == 1 and done.stdout.count("\n") == 1
    assert done.stdout.startswith(f"{painted}: fingerprint: ")
    assert run("check", painted, "--accept-edits").stdout == ""
    both, rules = run("check", walled), run("check", walled, "--accept-edits")
    assert both.exit_code == rules.exit_code == 1
    first, *others = both.stdout.splitlines()
    assert first.startswith(f"{walled}: fingerprint: ") and others == rules.stdout.splitlines() != []
    with pytest.raises(LevelError, match="breaks a rule") as caught:
        load_level(walled, accept_edits=True)
    assert others[0].removeprefix(f"{walled}: ") in str(caught.value)


def test_a_fingerprint_that_is_not_text_is_never_accepted(tmp_path: Path) -> None:
    level = edited(tmp_path / "x.level.json", lambda table: table.update(fingerprint=None))
    for args in (["check", level], ["show", level]):
        done = run(*args, "--accept-edits")
        assert done.exit_code in (1, 2) and "x.level.json: fingerprint: None is not text" in done.output


def test_of_several_broken_rules_one_is_reported_and_the_others_counted(tmp_path: Path) -> None:
    def enemies(table: dict[str, Any]) -> list[dict[str, Any]]:
        return [marker for marker in table["markers"] if marker["kind"] == "enemy"]

    def into_the_wall(table: dict[str, Any]) -> None:
        for enemy in enemies(table)[:4]:
            enemy["x"], enemy["y"] = table["rooms"][enemy["room"]]["bounds"][:2]
            enemy["x"] += enemy["id"]

    def onto_one_tile(table: dict[str, Any]) -> None:
        first, second, third = enemies(table)[:3]
        second["x"], second["y"] = third["x"], third["y"] = first["x"], first["y"]
        second["room"] = third["room"] = first["room"]

    for edit, counted in ((into_the_wall, "4 more problems"), (onto_one_tile, "1 more problem")):
        done = run("show", edited(tmp_path / "x.level.json", edit), "--accept-edits")
        assert f", and {counted}; fix" in done.stderr


def test_what_was_accepted_needs_no_option_from_then_on(tmp_path: Path) -> None:
    level = edited(tmp_path / "x.level.json", paint)
    done = run("export", level, "--accept-edits", "--to", "json", "--out", tmp_path / "out")
    assert done.exit_code == 0
    made = load_level(tmp_path / "out" / "x.level.json")
    assert made == load_level(level, accept_edits=True) and made.rerolls == ({"edited": True},)
    assert problems(made) == []
    with pytest.raises(LevelError, match="was changed by hand, so its seed cannot generate it again"):
        generate("isaac", 7, rerolls=made.rerolls)


def test_a_level_as_it_was_made_is_the_same_with_the_option(tmp_path: Path) -> None:
    path = tmp_path / "x.level.json"
    path.write_bytes(dumps(generate("isaac", 7)))
    assert load_level(path, accept_edits=True) == load_level(path) == generate("isaac", 7)
    assert run("export", path, "--accept-edits", "--to", "json", "--out", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("args", [["show", "isaac"], ["gallery", "isaac", "--seeds", "0:2"]])
def test_the_option_is_for_saved_levels(args: list[str], tmp_path: Path) -> None:
    done = run(*args, "--accept-edits")
    assert (done.exit_code, done.stdout) == (2, "") and "leave it out" in done.stderr
