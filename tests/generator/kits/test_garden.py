"""The garden: a kit of a room kind, a door, a thing, a terrain, a marker and an enemy, through all commands."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner, Result

from generator import Level, generate, load_level, problems, reroll
from generator.cli import main
from generator.errors import KitError, LayoutError, RerollError, SpecError
from generator.kinds import SHIPPED, read_kit
from generator.picture import level_rows
from generator.rerolls.record import NothingElseError
from generator.serialise import dumps
from generator.spec import load_spec

ROOT = Path(__file__).parents[3]
GARDEN = ROOT / "docs" / "examples" / "garden"


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kits") / "garden"
    shutil.copytree(GARDEN, folder)
    return folder


@pytest.fixture(scope="module")
def levels(kit: Path) -> list[Level]:
    return [generate("gungeon", seed, kit=str(kit)) for seed in range(1, 5)]


def run(*args: str | Path) -> Result:
    done = CliRunner().invoke(main, list(map(str, args)))
    assert done.exit_code == 0, done.stderr
    return done


def test_gardens_are_as_their_rows_say(levels: list[Level]) -> None:
    rooms = [room for level in levels for room in level.rooms if room.kind == "garden"]
    layouts = {room.layout.partition("+")[0] for room in rooms}
    assert layouts & {"own/garden/glade", "own/garden/springs"} and "needed" in layouts
    for level in levels:
        assert list(problems(level)) == []
        for room in level.rooms:
            items = sum(m.kind == "item" and m.room == room.id for m in level.markers)
            assert room.kind != "garden" or items >= 1
        water = level.terrain == level.kinds.terrain_ids["water"]
        assert not (level.passable("walk") & water).any() and level.passable("fly")[water].all()
    things = [level.decor_kinds[i].name for level in levels for i in np.unique(level.decor).tolist()]
    assert "fern" in things
    assert "slug" in {marker.properties.get("name") for level in levels for marker in level.markers}


def test_a_level_carries_its_kinds(levels: list[Level], kit: Path, tmp_path: Path) -> None:
    level = levels[0]
    path = tmp_path / "garden.level.json"
    path.write_bytes(dumps(level))
    told = json.loads(path.read_bytes())
    schema = json.loads((ROOT / "generator" / "level.schema.json").read_bytes())
    jsonschema.validate(told, schema)
    assert told["kinds"]["room"]["garden"]["door"] == "hedge" and len(told["spec"]["kit"]) == 20
    shutil.move(kit, kit.with_name("gone"))
    try:
        again = load_level(path)
        assert again.kinds == level.kinds and dumps(again) == path.read_bytes() and not [*problems(again)]
    finally:
        shutil.move(kit.with_name("gone"), kit)


def test_levels_without_a_kit_say_nothing_of_kinds() -> None:
    level = generate("isaac", 3)
    assert level.kinds == SHIPPED and "kinds" not in level.to_dict() and "kit" not in level.to_dict()["spec"]


def test_it_is_made_anew_with_the_same_kit_alone(levels: list[Level], kit: Path, tmp_path: Path) -> None:
    level, other = levels[0], write(tmp_path, 'name = "other"\n')
    assert generate(level.spec, level.seed, kit=str(kit)) == level
    with pytest.raises(SpecError, match=r"courage|kit: .* contains another kit"):
        generate(level.spec, level.seed, kit=str(other))
    with pytest.raises(SpecError, match="is a digest, which a level stores"):
        generate(level.spec, level.seed)
    former = level.spec.replace({"kit": level.spec.kit[:16]})
    with pytest.raises(SpecError, match=r"kit: an earlier version made the level, and its digest .* cannot"):
        generate(former, level.seed, kit=str(kit))


def test_a_garden_is_rolled_again_with_its_kit(levels: list[Level], kit: Path, tmp_path: Path) -> None:
    level, other = levels[0], write(tmp_path, 'name = "other"\n')
    room = next(room.id for room in level.rooms if room.kind == "garden")
    rolled = reroll(level, room=room, kit=kit)
    assert rolled != level and not [*problems(rolled)] and rolled.kinds == level.kinds
    assert generate(level.spec, level.seed, kit=str(kit), rerolls=rolled.rerolls) == rolled
    with pytest.raises(RerollError, match="stays garden: "):
        reroll(level, room=room, what="kind", kit=kit)
    with pytest.raises(RerollError, match=r"made with your own kit .*; give its folder with --kit"):
        reroll(level, room=room)
    with pytest.raises(RerollError, match="kit: the level was made with the kit of digest"):
        reroll(level, room=room, kit=other)


def test_the_picture_shows_own_glyphs(levels: list[Level]) -> None:
    seen = [level_rows(level) for level in levels]
    legend = {glyph: name for _, names in seen for glyph, name in names.items()}
    assert legend["v"] == "fern" and "water" in legend["w"] and legend.get("?", "pickup any") == "pickup any"
    assert "lever" in legend.get("L", "lever") and any("hedge door" in name for name in legend.values())


def test_every_layout_of_the_kit_is_good(kit: Path) -> None:
    assert run("layouts", "check", kit / "layouts", "--kit", kit).stdout == ""
    assert "wwww" in run("layouts", "show", "garden/pond", "--kit", kit).stdout
    assert run("layouts", "show", "garden", "--kit", kit).stdout.count("kind garden") == 6


def test_a_layout_of_an_own_kind_is_begun_with_what_it_must_hold(kit: Path, tmp_path: Path) -> None:
    run("layouts", "new", "garden", "--kit", kit, "--to", "txt", "--out", tmp_path, "--name", "plot")
    assert "I" in (tmp_path / "plot.txt").read_text("utf-8").partition("map:")[2]
    refused = CliRunner().invoke(main, ["layouts", "new", "gardn", "--kit", str(kit), "--to", "txt"])
    assert refused.exit_code and "unknown room kind 'gardn'; did you mean garden?" in refused.stderr


def test_search_and_stats_know_own_kinds(kit: Path) -> None:
    of_kit = "--set", f"kit={kit}"
    found = run("search", "gungeon", *of_kit, "--seeds", "1:9", "--where", 'count("garden") >= 2', "--json")
    *hits, _ = map(json.loads, found.stdout.splitlines())
    assert hits and all(hit["facts"]['count("garden")'] >= 2 for hit in hits)
    told = run("stats", "gungeon", *of_kit, "--seeds", "1:8", "--fact", "enemies", "--json").stdout
    assert any(name == 'enemies("slug")' for name in json.loads(told)["facts"])


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_grids_are_sound_with_the_kit(style: str) -> None:
    """Its rule places gardens in them, where two rolls in three say so."""
    rich = {"state.coins": 20, "stage": 2, "stage_variant": "main"}
    spec = load_spec(style).replace({"kit": str(GARDEN), **rich})
    levels = [generate(spec, seed) for seed in range(1, 5)]
    gardens = [(level, room) for level in levels for room in level.rooms if room.kind == "garden"]
    for level, room in gardens:
        assert room.layout.startswith("own/garden/")
        assert {door.kind for door in level.doors if room.id in door.rooms} <= {"hedge", "secret", "red"}
        with suppress(NothingElseError):
            assert {reroll(level, room=room.id, what="kind", kit=GARDEN).rooms[room.id].kind} == {"library"}
    assert gardens
    names: Counter[object] = Counter()
    for level in levels:
        assert list(problems(level)) == []
        names.update(marker.properties.get("name") for marker in level.markers)
    rolled = reroll(levels[0], room=1, kit=GARDEN)
    assert list(problems(rolled)) == []
    assert names["slug"]


@pytest.mark.parametrize("style", ["isaac", "gungeon"])
def test_own_layouts_may_use_the_letters_of_a_kit(style: str, tmp_path: Path) -> None:
    """The garden's fern is the letter v."""
    pool, head = ("normal/any/easy", "") if style == "isaac" else ("normal", "exits: N any\ndifficulty: 1\n")
    (tmp_path / pool).mkdir(parents=True)
    rows = ["." * 13, "..v" + "." * 10, *["." * 13] * 5]
    (tmp_path / pool / "ferns.txt").write_text("\n".join([f"{head}map:", *rows, ""]), "utf-8")
    level = generate(style, 1, kit=str(GARDEN), layouts=str(tmp_path))
    assert list(problems(level)) == [] and len(level.to_dict()["spec"]["layouts"]) == 16


def write(folder: Path, text: str, **layouts: str) -> Path:
    (folder / "kit.toml").write_text(text, "utf-8")
    for path, layout in layouts.items():
        file = folder / "layouts" / f"{path.replace('__', '/')}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(layout, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("layout", "says"),
    [
        ("map:\n.......\n.......\n...I..Q\n", "means nothing"),
        ("L = lever on=water\nmap:\n.....\n..I..\n....L\n", "no lever can be on that; choose one of floor"),
        ("Q = lever opens=3\nmap:\n.....\n..I..\n....Q\n", "opens=3: is not a text; give a word"),
        ("Q = levr\nmap:\n.....\n", "unknown marker kind 'levr'; did you mean lever?"),
        ("map:\n" + ".............\n" * 7, "has 0 item markers; garden rooms take at least 1"),
    ],
)
def test_a_bad_layout_of_a_kit_is_one_line(layout: str, says: str, tmp_path: Path) -> None:
    write(tmp_path, (GARDEN / "kit.toml").read_text("utf-8"), garden__bad=layout)
    with pytest.raises(LayoutError, match=says):
        generate("isaac", 1, kit=str(tmp_path))


def test_a_kit_without_torches_and_shops_has_none(tmp_path: Path) -> None:
    gone = ["decor.torch", "decor.rock", "marker.fire", "enemy.shambler"]
    kit = write(tmp_path, f'name = "bare"\nwithout = {json.dumps(gone)}\n')
    for style in ("isaac", "rebirth", "gungeon"):
        level = generate(style, 2, kit=str(kit))
        assert list(problems(level)) == []
        kinds = {marker.kind for marker in level.markers}
        assert not kinds & {"torch", "fire"} and "rock" not in level.kinds.decor_ids


@pytest.mark.parametrize(("style", "room"), [("isaac", "boss"), ("gungeon", "boss"), ("rebirth", "normal")])
def test_a_style_says_which_rooms_it_needs(style: str, room: str, tmp_path: Path) -> None:
    kit = write(tmp_path, f'name = "none"\nwithout = ["room.{room}"]\n')
    with pytest.raises(KitError, match=rf"kit.toml: room: has no row {room}, which the style {style} needs"):
        generate(style, 1, kit=str(kit))


def test_an_own_enemy_takes_the_place_of_all_others(tmp_path: Path) -> None:
    gone = json.dumps([f"enemy.{name}" for name in SHIPPED.enemies])
    slug = '[enemy.slug]\ncost = 2\nrole = "walker"\n'
    kit = write(tmp_path, f'name = "slugs"\nwithout = {gone}\n{slug}')
    level = generate("isaac", 1, kit=str(kit))
    fighters = {marker.properties.get("name") for marker in level.markers if marker.kind == "enemy"}
    assert fighters == {"slug"} and list(problems(level)) == []
    assert list(read_kit(kit).kinds.enemies) == ["slug"]
