"""The dock in the real editor: its buttons are pressed, and the level opens."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from generator import generate, reroll
from generator.errors import SpecError
from generator.spec import all_keys, load_spec, preset_names
from generator.version import VERSION

from .conftest import Played, Unpacked, command, story


@story(display=True, anew=False)
def placement(_folder: Path) -> str:
    """An editor that knows nothing of the dock."""
    return ""


@pytest.mark.soak
def test_the_dock_is_in_front_the_first_time(placement: Played) -> None:
    """At 1600 x 900 its tab is the fourth, behind a scroller: it is brought to the front once, never again."""
    assert placement.seen == {"screen": [1600, 900], "seen": True, "tab": 3, "seen_again": False}


@story()
def generate_levels(folder: Path) -> str:
    """A person makes levels."""
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    (specs / "deep.toml").write_text('style = "rebirth"\nstage = 6\nhard = true\n', "utf-8")
    return ""


def test_every_preset_s_values_are_there(generate_levels: Played) -> None:
    shown = {preset: sorted(keys) for preset, keys in generate_levels.seen["presets"].items()}
    assert shown == {name: sorted(all_keys(type(load_spec(name)))) for name in preset_names()}


def test_no_text_is_cut(generate_levels: Played) -> None:
    """Names, values with their units, choices and headings of every preset, in a dock as narrow as it can be."""
    assert generate_levels.seen["cut"] == []


def test_a_level_is_generated_worked_on_and_generated_again(generate_levels: Played) -> None:
    seen = generate_levels.seen
    level = generate("isaac", 7, stage=3)
    assert seen["preview_size"] == [level.width * 16, level.height * 16]
    assert seen["heading"] == "Level (1 changed)" and seen["name"] == "isaac-7-stage-3"
    assert seen["first"] == {
        "message": "res://levels/isaac-7-stage-3_edit.tscn was written.",
        "scene": "res://levels/isaac-7-stage-3_edit.tscn",
        "rooms": len(level.rooms),
        "seed": "7",
        "mine": False,
    }
    assert seen["folded"] == ["Doors", "Rooms", "Markers"]
    other = generate("isaac", 9, stage=3)
    assert len(other.rooms) != len(level.rooms)
    assert seen["again"]["rooms"] == len(other.rooms) and seen["again"]["seed"] == "9"
    assert seen["again"]["mine"], "what a person added and had not even saved is kept"


def test_what_was_written_is_taken_back(generate_levels: Played) -> None:
    """The level before, with what a person added; what somebody changed since is put aside first, if they agree."""
    seen = generate_levels.seen
    assert seen["back"]["message"].startswith("Taken back: 2 files were restored (res://levels/cellar")
    assert seen["back"]["seed"] == "7" and seen["back"]["mine"]
    refused, back = seen["aside"]
    changed = "res://levels/cellar.tscn: was changed"
    assert refused == f"{changed} since it was written, so nothing is taken back."
    aside = "by hand and is put aside; it is now cellar.tscn.mine"
    assert back.startswith("Taken back: ") and back.endswith(f"\n{changed} {aside}")
    assert (generate_levels.folder / "levels" / "cellar.tscn.mine").exists()


def test_levels_of_several_seeds(generate_levels: Played) -> None:
    scene = "res://levels/isaac-20-stage-3_edit.tscn"
    written, *remarks = generate_levels.seen["several"].splitlines()
    assert written == f"2 levels were written; the first is {scene}."
    assert len(remarks) == len({*remarks}), "what is said of each level is said once"
    back, open_tab = generate_levels.seen["several_back"].splitlines()
    assert re.fullmatch(r"Taken back: \d+ files were removed \(.*\)\.", back)
    assert open_tab == f"Close the tab of {scene} without saving: its file is gone.", "which is not in front"
    assert not [*(generate_levels.folder / "levels").glob("isaac-2*")]


def test_what_was_changed_by_hand_is_in_the_new_scene(generate_levels: Played) -> None:
    written, *remarks = generate_levels.seen["changed"].splitlines()
    assert written == "res://levels/cellar_edit.tscn was written."
    assert "res://levels/cellar.tscn: was changed by hand; these changes are also in the new file" in remarks
    scene = (generate_levels.folder / "levels" / "cellar.tscn.mine").read_text("utf-8")  # put aside later
    assert 'metadata/seed = "11"' in scene
    assert [path.name for path in (generate_levels.folder / "levels").glob("cellar.*new*")] == []


def test_what_goes_into_the_level_does_not_stay_in_the_scene_above_it_too(generate_levels: Played) -> None:
    """There it would hide each later level, and Back would take it for a change since."""
    first, moved, back, again, _ = generate_levels.seen["worked"]
    assert [each["start"] - first["start"] for each in (moved, back, again)] == [16, 16, 32]
    assert [each["in_my_scene"] for each in (first, moved, back, again)] == [0, 0, 1, 0]
    assert back["said"].startswith("Taken back: ")


def test_a_level_with_an_edit_that_breaks_a_rule_is_shown_with_the_reason(generate_levels: Played) -> None:
    """It is written: the editor must not go on with the level before."""
    *_, last = generate_levels.seen["worked"]
    written, *rules = last["said"].splitlines()
    assert written == "res://levels/worked_edit.tscn was written."
    assert any(rule.startswith("worked: tile 0,0: ") for rule in rules)
    assert (last["is_error"], last["seed"], last["painted"], last["in_my_scene"]) == (True, "21", True, 0)


def test_what_fails_says_why(generate_levels: Played) -> None:
    seen = generate_levels.seen
    with pytest.raises(SpecError) as error:
        generate("isaac", -1, stage=3)
    assert seen["mistake_seen"] == seen["mistake"] == str(error.value)
    assert seen["mended"] == ""
    assert seen["progress"].startswith("Generating…") and seen["still_busy"]
    assert seen["cancelled"].startswith("Cancelled")
    levels = generate_levels.folder / "levels"
    assert not [path.name for path in levels.iterdir() if "endless" in path.name]


def test_a_scan_waits_for_the_one_that_runs(generate_levels: Played) -> None:
    """That one may have begun before the files existed, and Godot ignores a second one meanwhile."""
    assert generate_levels.seen["scans"] == 2


def test_a_spec_of_the_project_makes_levels(generate_levels: Played) -> None:
    (own_file,) = (generate_levels.folder / "levels").glob("deep-TKMG_13C2-*.level.json")
    own = json.loads(own_file.read_bytes())
    assert own["seed_text"] == "TKMG 13C2" and own["spec"]["stage"] == 6
    assert generate_levels.seen["own"]["rooms"] == len(own["rooms"])


@story()
def on_and_off(_folder: Path) -> str:
    """A person turns the plugin off and on."""
    return ""


def test_on_and_off_leaves_nothing_behind(on_and_off: Played) -> None:
    """Turned off while it works, again and again: no error, no leak, no setting; on again it knows what was chosen."""
    seen = on_and_off.seen
    assert seen["docks"] == [False, True] * 3
    assert seen["settings"] == [False, True] * 3
    assert seen["remembered"] == 50


def test_layers_are_named_but_keep_a_name_that_a_person_gave(on_and_off: Played) -> None:
    text = (on_and_off.folder / "project.godot").read_text("utf-8")
    layers = dict(re.findall(r'^(2d_\w+/layer_\d)="(.*)"$', text.partition("[layer_names]")[2], re.MULTILINE))
    assert layers == {
        "2d_physics/layer_1": "Stops walkers",
        "2d_physics/layer_2": "Birds",
        "2d_physics/layer_3": "Stops shots",
        "2d_navigation/layer_1": "Walkers",
        "2d_navigation/layer_2": "Flyers",
    }


# Pythons that do what the dock asks of them, one too old and one without venv; a third installs once it has a network.
PYTHONS = {
    "old": "echo 3.9.2; exit 3",
    "bare": "echo 3.12.1; echo \"ModuleNotFoundError: No module named 'ensurepip'\" >&2; exit 1",
    "new": """case "$*" in
  "-c "*) echo 3.12.1 ;;
  "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
  "-m pip install "*/undercroft-{version}-py3-none-any.whl)
    if [ ! -e {folder}/pythons/network ]; then echo "NewConnectionError: no route" >&2; exit 1; fi
    ln -s {command} "$(dirname "$0")/undercroft" ;;
  *) exit 1 ;;
esac""",
}


@story()
def missing(folder: Path) -> str:
    """A command that is no command, one that is broken, a virtual environment, and Pythons to install it with."""
    for name, does in PYTHONS.items():
        python = folder / "pythons" / name / "python3"
        python.parent.mkdir(parents=True)
        python.write_text(
            "#!/bin/sh\n" + does.format(folder=folder, command=command(), version=VERSION) + "\n", "utf-8"
        )
        python.chmod(0o755)
    own = folder / ".venv" / "bin" / "python"  # somebody's, without pip
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    own.chmod(0o755)
    wheel = folder / "addons" / "undercroft" / "wheel"
    wheel.mkdir()
    (wheel / ".gdignore").touch()
    (wheel / "undercroft-0.1.0-py3-none-any.whl").touch()  # of an older archive
    wrong = folder / "wrong"
    wrong.write_text("#!/bin/sh\necho no level here >&2\nexit 3\n", "utf-8")
    wrong.chmod(0o755)
    (folder / ".own").symlink_to(command().parent.parent)
    return "res://nowhere"


def test_a_missing_command_is_reported_with_the_line_to_run(missing: Played) -> None:
    """What is missing, what is broken, and a virtual environment that is found as soon as it is named."""
    seen = missing.seen
    why = "res://nowhere, given in the project's settings, is not the command undercroft."
    wheel = "res://addons/undercroft/wheel holds undercroft-0.1.0-py3-none-any.whl, and this addon is"
    older = f"{wheel} {VERSION}: copy the whole addon from one archive."
    assert seen["why"] == f"{why}\n{older}"
    assert not seen["to_install"]
    assert seen["line"] == "pip install ." and not seen["page"]
    assert seen["wrong"] == f"{missing.folder / 'wrong'} cannot be used: no level here\n{older}"
    assert seen["picture"]


def test_the_generator_is_installed_into_the_project(missing: Played) -> None:
    """With a line for each thing that keeps it from being; it is found afterwards, and git does not see it."""
    seen, pythons = missing.seen, missing.folder / "pythons"
    needed = "Python 3.11 or newer"
    assert seen["said"] == [
        "res://.venv is not an environment with pip; remove it, and press Install again.",
        f"{pythons}/old/python3 is Python 3.9.2; install {needed}, and press Install again.",
        f"{pythons}/bare/python3 cannot make virtual environments; install its module venv (the package "
        "python3-venv of Debian and Ubuntu), and press Install again.",
        "numpy and other packages cannot be downloaded: no connection to the package index. Connect, and "
        "press Install again.",
    ]
    assert seen["command"] == f"{missing.folder}/.venv/bin/undercroft" and seen["setting"] == ""
    assert (missing.folder / ".venv" / ".gitignore").read_text("utf-8") == "*\n"
    somebodys = missing.folder / ".somebodys"
    assert [path.relative_to(somebodys).as_posix() for path in somebodys.rglob("*")] == ["bin", "bin/python"]


def test_the_zip_of_the_addon_works_in_an_empty_project(unpacked: Unpacked) -> None:
    assert unpacked.said == []


@story()
def arguments(folder: Path) -> str:
    """A person changes values, in a project that has files for them."""
    for name, text in (
        ("mine/way.toml", "# mine\n[flow]\nname = 'way'\n"),
        ("mine/look.toml", 'name = "look"\ntile_size = 16\n'),
        ("mine/kit/kit.toml", 'name = "kit"\n'),
        ("mine/kit/layouts/normal/a.txt", "map:\n"),
        ("mine/rooms/normal/hubs/b.txt", "size: 1x1\nmap:\n"),
        ("mine/more/normal/hubs/halls/d.txt", "map:\n"),
        ("mine/hall.toml", '# style\nstyle = "isaac"\n'),
        ("mine/undercroft.toml", '[[group]]\nspec = "isaac"\n'),
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return ""


def test_what_the_project_holds_is_offered(arguments: Played) -> None:
    """Each by what is in its file; a kit's own layouts are the kit's."""
    seen = arguments.seen
    mine = {
        name: [path for path in offered if path.startswith("res://mine")]
        for name, offered in seen["offered"].items()
    }
    assert mine == {
        "flow": ["res://mine/way.toml"],
        "kit": ["res://mine/kit"],
        "layouts": ["res://mine/more", "res://mine/rooms"],
        "Theme": ["res://mine/look.toml"],
        "SpecFile": ["res://mine/hall.toml"],
    }
    assert seen["offered"]["flow"][:3] == ["led", "random", "descent"]
    assert f"--set=flow={arguments.folder}/mine/way.toml" in seen["flow"]


def test_several_seeds_and_a_run(arguments: Played) -> None:
    seen = arguments.seen
    assert seen["several"][:3] == ["generate", "--json", "--seeds=0:10"] and seen["several"][-1] == "gungeon"
    assert seen["run"][:2] == ["run", "--json"] and seen["run"][-1] == "gungeon"


def test_only_what_was_changed_is_passed_on(arguments: Played) -> None:
    """Values that equal the spec's, not the style's, are left out; what TOML would misread is quoted."""
    seen = arguments.seen
    always = ["generate", "--json"]
    files = ["--to=json", "--to=godot"]
    out = ["--edits=merge", f"--out={arguments.folder}/levels", "--", "void"]
    assert seen["untouched"] == [*always, *files, *out]
    assert seen["changed"] == [
        *always,
        "--set=stage=1",
        "--set=hard=true",
        "--set=room_size=[17, 11]",
        f"--set=layouts={arguments.folder}/my layouts",
        "--set=state.coins=15",
        "--set=edition=afterbirth",
        *files,
        "--option=godot.tileset=res://art/tiles.tres",
        "--option=godot.scenes.enemy.role=shooter=res://archer.tscn",
        "--option=godot.scenes.chest=res://c.tscn",
        *out,
    ]
    assert '--set=layouts="7"' in seen["quoted"] and "--set=hard=true" not in seen["quoted"]
    assert seen["doors"] == 2
    of_doors = {"--set=body=2", "--set=door_width=3", "--set=rooms=20"}
    of_sizes = {"--set=room_size=[17, 11]", '--set=layouts="7"'}  # which belong together
    assert set(seen["narrowed"]) == set(seen["quoted"]) - of_sizes | of_doors
    assert set(seen["widened"]) == set(seen["quoted"]) - of_sizes


@story()
def edited_level(_folder: Path) -> str:
    """A person works with the rooms of the level in the edited scene."""
    return ""


def test_the_rooms_of_the_edited_level_have_names_that_a_person_reads(edited_level: Played) -> None:
    seen = edited_level.seen
    level = generate("isaac", 7)
    assert len(seen["lines"]) == len(level.rooms)
    assert (
        seen["lines"][0] == "Start"
        and "Shop (2 away)" in seen["lines"]
        and "Normal 2 (1 away)" in seen["lines"]
    )
    assert seen["lines"][8] == "Secret (hidden)"
    assert seen["in_room"][:2] == ["Shambler", "Shambler 2"]
    assert "bare" not in seen, "each marker has an icon"
    assert seen["selected"].startswith("ShopRoom_")


def test_a_room_of_the_edited_level_is_rolled_again(edited_level: Played) -> None:
    seen = edited_level.seen
    level = generate("isaac", 7)
    before = [room.layout for room in level.rooms]
    one = reroll(level, room=6)
    message, rolled = seen["rolled"]
    assert message == "res://levels/vault_edit.tscn was written."
    assert rolled == [room.layout for room in one.rooms] != before
    assert seen["layouts"] == before
    assert seen["drawing"].startswith("shop/")


def test_all_rooms_but_the_pinned_ones_are_rolled_again(edited_level: Played) -> None:
    message, layouts = edited_level.seen["others"]
    wanted = reroll(reroll(generate("isaac", 7), room=6), pin=[5])
    assert "res://levels/vault_edit.tscn was written" in message
    assert layouts == [room.layout for room in wanted.rooms]
    assert edited_level.seen["again"] == (
        "res://levels/vault.level.json: has rooms that were rolled again, so nothing was written; "
        "give another name, or take the rolls back with Back"
    )
