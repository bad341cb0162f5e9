"""Files of the game that options name are looked for in the Godot project around the folder, and told of once."""

from __future__ import annotations

from pathlib import Path

from exporters.formats.godot.game import missing_files
from tests.commands import undercroft

OPTIONS = (
    "--option=godot.scenes.enemy=res://enemies/slime.tscn",
    "--option=godot.scenes.chest=res://chest.tscn",
    "--option=godot.tileset=res://tiles.tres",
)
WORDS = ("generate", "isaac", "--seeds", "1:3", "--to", "godot,json", *OPTIONS, "--out", "levels")


def missing(told: str, game: Path) -> list[str]:
    """The files that lines name, in their order."""
    lines = [line for line in told.splitlines() if f"{game}: has no " in line]
    assert all(line.endswith(" names; put it there, or correct the path") for line in lines)
    return [line.partition(" has no ")[2].partition(",")[0] for line in lines]


def test_what_the_game_does_not_have_is_told_once(tmp_path: Path) -> None:
    game = tmp_path / "game"
    (game / "enemies").mkdir(parents=True)
    assert undercroft(*WORDS, cwd=game).stderr == "", "nothing says where the game is"
    (game / "project.godot").touch()
    (game / "chest.tscn").touch()
    assert missing(undercroft(*WORDS, cwd=game).stderr, game) == [
        "res://tiles.tres",
        "res://enemies/slime.tscn",
    ]
    (game / "tiles.tres").touch()
    (game / "enemies" / "slime.tscn").touch()
    assert undercroft(*WORDS, cwd=game).stderr == ""
    (game / "enemies" / "slime.tscn").unlink()
    manifest = '[options]\ngodot.scenes.enemy = "res://enemies/slime.tscn"\n[group.cellars]\nspec = "isaac"\n'
    (game / "undercroft.toml").write_text(f'out = "built"\nformats = ["godot"]\n{manifest}seeds = [1, 2]\n')
    assert missing(undercroft("build", cwd=game).stderr, game) == ["res://enemies/slime.tscn"]


def test_a_path_that_no_file_system_has_is_missing(tmp_path: Path) -> None:
    path = f"res://{'x' * 300}.tres"
    (tmp_path / "project.godot").touch()
    assert missing("".join(missing_files({"tileset": path}, tmp_path)), tmp_path) == [path]
