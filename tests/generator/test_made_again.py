"""`generate(level.spec, level.seed)` gives a level again."""

from __future__ import annotations

from pathlib import Path

import pytest

import exporters
from generator import Level, SpecError, generate, load_level, preset_names, reroll
from tests.generator.test_own_layouts import plain, write

STAGES = {"isaac": {"stage": 3}, "rebirth": {"stage": 5}}


def saved(level: Level, folder: Path) -> Level:
    """The level as it comes out of its file."""
    exporters.export(level, "json", name="x").write(folder)
    return load_level(folder / "x.level.json")


@pytest.mark.parametrize("preset", preset_names())
def test_a_level_is_made_again(preset: str, tmp_path: Path) -> None:
    level = saved(generate(preset, 7), tmp_path)
    assert generate(level.spec, level.seed) == level


def test_one_whose_seed_was_a_text(tmp_path: Path) -> None:
    level = saved(generate("isaac", "my game"), tmp_path)
    assert generate(level.spec, level.seed_text) == level
    again = generate(level.spec, level.seed)
    assert (again.terrain == level.terrain).all() and again.markers == level.markers


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_one_with_rerolls(style: str, tmp_path: Path) -> None:
    level = saved(reroll(generate(style, 7), room=[1, 2], times=2), tmp_path)
    assert generate(level.spec, level.seed, rerolls=level.rerolls) == level
    assert generate(level.spec, level.seed) != level


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "layouts"
    for name in ("start/ours", "boss/ours", "normal/any/easy/ours"):
        write(root, f"{name}.txt", plain(name.rpartition("/")[0]))
    return root


@pytest.mark.parametrize("style", STAGES)
def test_one_with_own_layouts(style: str, folder: Path, tmp_path: Path) -> None:
    """Its spec names them by their digest; with their folder it is made again, wherever that lies now."""
    level = saved(generate(style, 7, layouts=str(folder), **STAGES[style]), tmp_path)
    moved = folder.rename(tmp_path / "elsewhere")
    assert generate(level.spec, level.seed, layouts=moved) == level
    assert generate(level.spec, level.seed, until="floorplan").rooms
    rolled = reroll(level, room=1, layouts=moved)
    assert generate(rolled.spec, rolled.seed, layouts=moved, rerolls=rolled.rerolls) == rolled


def test_without_the_folder_it_says_what_to_give(folder: Path) -> None:
    level = generate("isaac", 7, layouts=str(folder))
    digest = level.to_dict()["spec"]["layouts"]
    with pytest.raises(SpecError) as caught:
        generate(level.spec, level.seed)
    assert str(caught.value) == (
        f"layouts: '{digest}' is a digest, which a level stores in place of the folder of your own layouts; give that folder as `layouts`"
    )


def test_another_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    level = generate("isaac", 7, layouts=str(folder))
    digest = level.to_dict()["spec"]["layouts"]
    write(folder, "shop/more.txt", plain("shop"))
    with pytest.raises(SpecError) as caught:
        generate(level.spec, level.seed, layouts=str(folder))
    assert "contains other layouts (digest " in str(caught.value) and f"({digest})" in str(caught.value)
    with pytest.raises(SpecError, match=r"layouts: '' contains other layouts \(digest none\)"):
        generate(level.spec, level.seed, layouts="")
    other = level.spec.replace({"layouts": str(folder)})
    assert generate(other, level.seed) != level
    assert not (tmp_path / digest).exists()


def test_a_folder_may_be_called_like_a_digest(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.rename(tmp_path / "0123456789abcdef")
    monkeypatch.chdir(tmp_path)
    spec = generate("isaac", 7, layouts="0123456789abcdef").spec
    write(tmp_path / "other", "shop/ours.txt", plain("shop"))
    named = spec.replace({"layouts": "0123456789abcdef"})
    assert generate(named, 7, layouts="other").spec != spec  # a folder's name, which may be changed
