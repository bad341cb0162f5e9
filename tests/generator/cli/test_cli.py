"""The command line as people and machines meet it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.cli.common import default_name
from generator.files import file_name
from generator.kinds import DOOR_KINDS, SHIPPED
from generator.picture import _DOOR_GLYPHS
from generator.pipeline import generate
from generator.serialise import dumps
from generator.spec import preset_names
from generator.styles.registry import BUILT_IN as STYLES
from tests.folders import entries


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def names(folder: Path) -> set[str]:
    return {path.name for path in entries(folder)} if folder.exists() else set()


# --- generate and export -----------------------------------------------------------------------------


def test_generate_writes_every_format_and_says_so(tmp_path: Path) -> None:
    done = run("generate", "isaac", "--seed", "7", "--out", tmp_path)
    assert done.exit_code == 0 and done.stderr == ""
    files = {"isaac-7.level.json", "isaac-7.tscn", "isaac-7.png", "undercroft.tres", "undercroft.png"}
    files.add("isaac-7_edit.tscn")
    files |= {"isaac-7.ldtk", "isaac-7.tmj", "undercroft.tsj", "undercroft.tiled-project"}
    assert names(tmp_path) == files
    assert {Path(line).name for line in done.stdout.splitlines()} == files
    assert (tmp_path / "isaac-7.level.json").read_bytes() == dumps(generate("isaac", 7))


def test_options_come_from_a_file_and_the_command_line(tmp_path: Path) -> None:
    """The command line goes over the file; a key may have a `=` in it."""
    (tmp_path / "options.toml").write_text(
        '[godot]\ntarget = "3.6"\n[godot.scenes]\nenemy = "res://a.tscn"\n'
    )
    args = ["generate", "isaac", "--to", "godot", "--options", tmp_path / "options.toml", "--name", "a"]
    own = "godot.scenes.enemy.role=flyer=res://b.tscn"
    done = run(*args, "--option", "godot.target=4.2", "--option", own, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    scene = (tmp_path / "out" / "a.tscn").read_text("utf-8")
    assert scene.startswith("[gd_scene format=3]")
    assert all(f'path="res://{letter}.tscn"' in scene for letter in "ab")
    (tmp_path / "options.toml").write_text("[godot]\ntraget = 3")
    done = run(*args, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert done.stderr.startswith(
        f"undercroft: {tmp_path / 'options.toml'}: 'godot.traget': is not an option of"
    )


def test_names_say_what_was_set(tmp_path: Path) -> None:
    run(
        "generate",
        "isaac",
        "--seed",
        "a b/c",
        "--set",
        "stage=2",
        "--set",
        "state.coins=5",
        "--to",
        "json",
        "--out",
        tmp_path,
    )
    assert names(tmp_path) == {"isaac-a_b_c-stage-2-state.coins-5-e52022d6.level.json"}
    run("generate", "isaac", "--to", "json", "--name", "../up", "--out", tmp_path / "own")
    assert names(tmp_path / "own") == {"_up-01dc1b4f.level.json"}
    assert names(tmp_path) == {"isaac-a_b_c-stage-2-state.coins-5-e52022d6.level.json", "own"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("a b", "a_b"), ("a/b", "a:b"), ("x" * 200 + "y", "x" * 200), (".a", "a"), ("é", "_")],
)
def test_names_of_different_seeds_differ(one: str, other: str) -> None:
    names = {default_name("isaac", seed, []) for seed in (one, other)}
    assert len(names) == 2
    assert all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}", name) for name in names)
    assert len({file_name(name) for name in (one, other)}) == 2  # as `export` calls its files


def test_a_table_that_is_set_changes_only_what_it_names(tmp_path: Path) -> None:
    done = run(
        "generate", "isaac", "--set", "state.keys=4", "--set", "state={coins=5}",
        "--to", "json", "--out", tmp_path, "--name", "x",
    )  # fmt: skip
    assert done.exit_code == 0
    state = json.loads((tmp_path / "x.level.json").read_bytes())["spec"]["state"]
    assert (state["keys"], state["coins"], state["red_hearts"]) == (4, 5, 6)


def test_json_for_machines_and_quiet(tmp_path: Path) -> None:
    done = run("generate", "isaac", "--to", "json", "--out", tmp_path, "--json")
    told = json.loads(done.stdout)
    assert told["fingerprint"] == generate("isaac").fingerprint
    assert told["files"] == [str(tmp_path / "isaac-0.level.json")]
    assert run("generate", "isaac", "--to", "json", "--out", tmp_path, "--quiet").stdout == ""


def test_a_spec_file_and_what_is_set_on_top(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text("style = 'isaac'\nstage = 3\n", "utf-8")
    run("generate", tmp_path / "deep.toml", "--set", "curse=labyrinth", "--to", "json", "--out", tmp_path)
    level = json.loads((tmp_path / "deep-0-curse-labyrinth.level.json").read_bytes())
    assert (level["spec"]["stage"], level["spec"]["curse"]) == (3, "labyrinth")


def test_export_gives_the_same_bytes_later(tmp_path: Path) -> None:
    run("generate", "isaac", "--seed", "3", "--out", tmp_path / "a")
    done = run("export", tmp_path / "a" / "isaac-3.level.json", "--out", tmp_path / "b")
    assert done.exit_code == 0
    for path in entries(tmp_path / "a"):
        assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()


def test_options_reach_their_exporter(tmp_path: Path) -> None:
    for name, option in (("one", "png.scale=1"), ("two", "png.scale=2")):
        assert (
            run(
                "generate", "isaac", "--to", "png", "--option", option, "--name", name, "--out", tmp_path
            ).exit_code
            == 0
        )
    assert (tmp_path / "one.png").read_bytes() != (tmp_path / "two.png").read_bytes()


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "isaac-0.tscn").mkdir()
    kept = tmp_path / "isaac-0.tscn" / "kept"
    kept.write_text("kept", "utf-8")
    done = run("generate", "isaac", "--to", "godot", "--out", tmp_path)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"undercroft: {tmp_path / 'isaac-0.tscn'}: cannot be written: ")
    assert kept.read_text("utf-8") == "kept"
    assert not [name for name in names(tmp_path) if name.startswith(".")]


# --- wrong use ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (["generate", "isac"], 2, "undercroft: 'isac' is neither a preset nor a TOML file; did you mean isaac?"),
        (["generate", "none.toml"], 2, "undercroft: none.toml: cannot be read: No such file or directory"),
        (["generate", "isaac", "--set", "stage=99"], 2, "undercroft: --set: stage: 99 is out of range (1 to 12)"),
        (["generate", "isaac", "--set", "stage"], 2, "undercroft: --set: 'stage' is not KEY=VALUE"),
        (["generate", "isaac", "--set", "stag=1"], 2, "undercroft: --set: stag: unknown key; did you mean stage?"),
        (["generate", "isaac", "--seed", "-1"], 2, "undercroft: seed: -1 is out of range (0 to 18446744073709551615, or a text)"),
        (["generate", "isaac", "--to", "tield"], 2, "undercroft: unknown format 'tield'; did you mean tiled?"),
        (["generate", "isaac", "--to", "json,pgn"], 2, "undercroft: unknown format 'pgn'; did you mean png?"),
        (["generate", "isaac", "--to", "json,,png"], 2, "undercroft: --to: 'json,,png' has an empty name; write for example json,png"),
        (["generate", "isaac", "--option", "png.scal=2"], 2, "undercroft: 'png.scal': is not an option of json, godot, tiled, ldtk, png; did you mean png.scale?"),
        (["generate", "isaac", "--to", "json", "--option", "png.scale=2"], 2, "undercroft: 'png.scale': png is not among the formats to write; add it with --to, or leave the option out"),
        (["generate", "isaac", "--set", "style=gungeon"], 2, "undercroft: --set: style: cannot be changed; start from a spec of the style gungeon"),
        (["generate", "isaac", "--option", "png.scale=99"], 2, "undercroft: png.scale: "),
        (["generate", "isaac", "--theme", "none.toml"], 2, "undercroft: none.toml: "),
        (["export", "none.json", "--out", "x"], 2, "undercroft: none.json: "),
        (["show", "none.json"], 2, "undercroft: none.json: "),
        (["describe", "none"], 2, "undercroft: 'none' is neither a preset, a format nor a TOML file; "),
        (["build"], 2, "undercroft: undercroft.toml: cannot be read: there is no such file; name another, or begin a project with `undercroft init`"),
        (["search", "isaac", "--where", " ", "--seeds", "0:3"], 2, "undercroft: --where: column 1: the condition is empty; "),
        (["gallery", "none"], 2, "undercroft: 'none' is neither a preset nor a TOML file"),
        (["presets", "none"], 2, "undercroft: 'none' is neither a preset nor a TOML file"),
    ],
)  # fmt: skip
def test_one_clear_line(
    args: list[str], status: int, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*args)
    assert done.exit_code == status
    assert done.stdout == ""
    assert done.stderr.startswith(line), done.stderr
    assert done.stderr.count("\n") == 1
    assert not names(tmp_path)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["generat"], "unknown command 'generat'; did you mean generate?"),
        (["isaac"], "unknown command 'isaac'; did you mean `undercroft generate isaac`?"),
        (["xyzzy"], "unknown command 'xyzzy'; see `undercroft --help`"),
        (["layouts", "shwo"], "unknown command 'shwo'; did you mean show?"),
        (["theme", "nw"], "unknown command 'nw'; did you mean new?"),
        (["--sede"], "unknown option --sede; see `undercroft --help`"),
        (["generate"], "SPEC: is missing; give a preset such as isaac, or a TOML file"),
        (["stats", "isaac"], "--seeds: is missing; give the first and one past the last, such as 0:1000"),
        (["generate", "."], "'.' is a folder; name a TOML file in it, or a preset"),
        (["gallery", "isaac", "--seeds", "0:1", "--out", "."], "--out: '.' is a folder; name a file"),
        (["init", __file__], f"DIR: {__file__!r} is a file; name a folder"),
        (["pack", "isaac"], "--seeds: is missing; give the first and one past the last, such as 0:1000"),
        (["generate", "isaac", "--sede", "3"], "unknown option --sede; did you mean --seed?"),
        (
            ["generate", "isaac", "more"],
            "unexpected argument 'more'; leave it out, or quote texts with spaces",
        ),
        (["check"], "PATH...: is missing; name a file or a folder"),
        (["generate", "isaac", "--seed"], "--seed: needs a value; see `undercroft generate --help`"),
        (
            ["generate", "isaac", "--quiet=3"],
            "--quiet: takes no value; leave it out",
        ),
        (
            ["generate", "isaac", "--edits", "keap"],
            "--edits: 'keap' is not among the choices; did you mean keep?",
        ),
        (
            ["show", "isaac", "--color", "no"],
            "--color: 'no' is not among the choices; give auto, always or never",
        ),
        (["layouts", "show", "boss", "--scale", "9"], "--scale: 9 is not in range; give 1 to 8"),
        (
            ["stats", "isaac", "--seeds", "0:1", "--threshold", "x"],
            "--threshold: 'x' is not a number; give 0 to 1",
        ),
        (
            ["stats", "isaac", "--seeds", "0:1", "--threshold", "2"],
            "--threshold: 2.0 is not in range; give 0 to 1",
        ),
        (
            ["show", "isaac", "--color", "x" * 500],
            f"--color: '{'x' * 58}… is not among the choices; give auto, always or never",
        ),
        (["flow", "check", "hub", "--seeds", "x"], "--seeds: 'x' is not a whole number; give 1 to 10000"),
        (["layouts", "new", "boss"], "--to: is missing; give tiled, ldtk or txt"),
        (["reroll", "x.json", "--room", "x"], "--room: 'x' is not a whole number; give one"),
        (
            ["flow", "show", "--svg"],
            "--dot, --svg, --toml: name a flow too; there are descent, gauntlet, hub, lock_and_key, one_way_reward, rings, shortcut, two_keys",
        ),
        (["generate", "isaac", "--name", ""], "--name: is empty; give a name, or leave it out"),
        (
            ["stats", "x.level.json", "--seeds", "0:3"],
            "x.level.json: is a saved level, not a spec; `undercroft export` writes it in other formats",
        ),
        (["describe", "pgn"], "'pgn' is neither a preset, a format nor a TOML file; did you mean png?"),
        (
            ["describe", "png", "--set", "stage=2"],
            "--set: png is a format, which has no values of a spec; leave --set out",
        ),
    ],
)
def test_wrong_use_gets_one_line_with_the_remedy(args: list[str], says: str) -> None:
    done = run(*args)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("undercroft: ") and done.stderr.endswith(f"{says}\n")


def test_without_a_command_there_are_three_to_begin_with() -> None:
    done = run()
    assert (done.exit_code, done.stdout) == (2, "")
    lines = [
        line.split("   ")[0].split() for line in done.stderr.splitlines() if line.startswith("  undercroft ")
    ]
    assert [line[1] for line in lines] == ["show", "generate", "describe"]
    done = run("layouts")
    assert (done.exit_code, done.stdout) == (2, "") and done.stderr.startswith("Usage: undercroft layouts")


def test_no_traceback_in_a_real_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "generator.cli", "generate", "isaac", "--set", "stage=[[", "--out", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "undercroft: --set: stage: '[[' is not of type integer; give a whole number\n"


# --- the others --------------------------------------------------------------------------------------


def test_show(tmp_path: Path) -> None:
    made = run("show", "isaac", "--seed", "7")
    assert made.exit_code == 0 and "isaac, seed 7" in made.stdout
    (tmp_path / "x.json").write_bytes(dumps(generate("isaac", 7)))
    assert run("show", tmp_path / "x.json").stdout == made.stdout
    plan = run("show", "isaac", "--floorplan").stdout.splitlines()
    assert len(plan) < 9 and "s start" in plan[-2]


@pytest.mark.parametrize("style", STYLES)
def test_show_explains_each_glyph(style: str) -> None:
    """In the text and for machines; none stands for two things that have nothing in common."""
    for extra in ([], ["--floorplan"]):
        told = json.loads(run("show", style, "--seed", "7", *extra, "--json").stdout)
        text = run("show", style, "--seed", "7", *extra).stdout
        assert set("".join(told["rows"])) - {" "} == set(told["legend"])
        for glyph, name in told["legend"].items():
            assert f"{glyph} {name}" in text
    made = json.loads(run("show", style, "--seed", "7", "--json").stdout)["legend"]
    assert [name for name in made.values() if "/" in name and name != "fire/red_fire"] == []


@pytest.mark.parametrize("kind", [kind.name for kind in DOOR_KINDS])
def test_a_door_has_a_glyph_of_its_own(kind: str) -> None:
    assert kind in _DOOR_GLYPHS and _DOOR_GLYPHS[kind] not in SHIPPED.glyphs
    assert len(set(_DOOR_GLYPHS.values())) == len(_DOOR_GLYPHS)


@pytest.mark.parametrize("flag", [["--seed", "0"], ["--set", "stage=2"], ["--floorplan"]])
def test_show_refuses_for_a_level_what_is_for_specs(flag: list[str], tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(dumps(generate("isaac", 7)))
    done = run("show", tmp_path / "x.json", *flag)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"x.json: {flag[0]} is for a spec, and this level is made already; leave it out" in done.stderr


def test_check_names_every_problem(tmp_path: Path) -> None:
    level = generate("isaac", 7)
    table = level.to_dict()
    (tmp_path / "good.json").write_bytes(dumps(level))
    pool = tmp_path / "normal" / "any" / "easy"
    pool.mkdir(parents=True)
    (pool / "good.txt").write_text("map:\n" + "\n".join(["." * 13] * 7), "utf-8")
    (tmp_path / "good.toml").write_text("style = 'isaac'", "utf-8")
    done = run("check", tmp_path)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "undercroft: 3 files checked, no problems\n"
    (tmp_path / "cut.json").write_text(json.dumps(table)[:-9], "utf-8")
    (pool / "room.txt").write_text("map:\n" + "\n".join(["." * 13] * 6 + ["#" * 13]), "utf-8")
    (tmp_path / "spec.toml").write_text("style = 'isaac'\nstage = 0", "utf-8")
    (tmp_path / "look.toml").write_text("tile_size = 3", "utf-8")
    done = run("check", tmp_path)
    assert done.exit_code == 1
    files = list(dict.fromkeys(line.split(":")[0] for line in done.stdout.splitlines()))
    bad = ("cut.json", "look.toml", "normal/any/easy/room.txt", "spec.toml")
    assert files == [str(tmp_path / name) for name in bad]
    assert len(run("check", tmp_path, "--json").stdout.splitlines()) == 5 + 1  # two of them in the room


def test_a_manifest_is_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "undercroft.toml"
    path.write_text("[group.a]\nspec = 'isaac'\nseeds = [1]", "utf-8")
    assert run("check", path).exit_code == 0
    path.write_text("[group.a]\nspec = 'isaac'\nseeds = [1, 1]", "utf-8")
    assert run("check", path).stdout.startswith(
        f"{path}: group.a.path: a, seed 1 and a, seed 1 would both be"
    )


def test_nothing_to_check_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("ours", "utf-8")
    done = run("check", tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"undercroft: {tmp_path}: nothing to check; ")


@pytest.mark.parametrize("command", ["generate", "run", "export", "sync"])
@pytest.mark.parametrize(
    ("theme", "says"),
    [
        ("none.toml", "cannot be read: No such file or directory; check the name"),
        (".", "is not a file; name one"),
    ],
)
def test_a_theme_that_is_given_must_be_there(command: str, theme: str, says: str, tmp_path: Path) -> None:
    """Also if none of the formats has a use for it."""
    assert run("generate", "isaac", "--to", "json", "--name", "a", "--out", tmp_path).exit_code == 0
    given = {
        "generate": ["isaac", "--to", "json", "--out", tmp_path],
        "run": ["isaac", "--stages", "1:2", "--to", "json", "--out", tmp_path],
        "export": [tmp_path / "a.level.json", "--to", "json", "--out", tmp_path],
        "sync": [tmp_path],
    }
    before = sorted(tmp_path.iterdir())
    done = run(command, *given[command], "--theme", tmp_path / theme)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"undercroft: {tmp_path / theme}: {says}\n"
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        (
            "x.toml",
            "style = 'isaac'\n= 3",
            "is not TOML: line 2, column 1: Invalid statement; correct that line",
        ),
        ("x.toml", "style = [", "is not TOML: at the end: Invalid value; complete the last line"),
        ("x.json", '{\n"a" 1}', "is not JSON: line 2, column 5: Expecting ':' delimiter; correct that line"),
    ],
)
def test_a_syntax_error_has_its_line_and_a_remedy(name: str, text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert run("check", tmp_path / name).stdout == f"{tmp_path / name}: {says}\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("stage = 3", "style: "),
        ("", "style: "),
        ("style = 'isaac'\nimage = 'x.png'", "image: unknown key"),
        ("image = 'x.png'", "name: is missing"),
        ("name = 'x'", "tile_size: is missing"),
        ("= 3", "is not TOML"),
    ],
)
def test_specs_and_themes_are_told_apart_by_what_they_hold(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(text, "utf-8")
    done = run("check", tmp_path / "x.toml")
    assert (done.exit_code, done.stdout.count("\n")) == (1, 1)
    assert done.stdout.startswith(f"{tmp_path / 'x.toml'}: {says}")


def test_the_built_in_theme_checks(tmp_path: Path) -> None:
    import exporters

    folder = Path(exporters.__file__).parent / "themes"
    assert run("check", folder / "undercroft.toml").exit_code == 0


def test_presets() -> None:
    listed = run("presets").stdout
    for name in preset_names():
        assert name in listed
        assert run("presets", name).stdout.startswith("# ")
        row = json.loads(run("presets", name, "--json").stdout)
        assert row["toml"] == run("presets", name).stdout and row["style"] in STYLES
        assert row in map(json.loads, run("presets", "--json").stdout.splitlines())


def test_describe() -> None:
    everything = json.loads(run("describe").stdout)
    assert set(everything["styles"]) == set(STYLES) and {"json", "godot", "png"} <= set(everything["formats"])
    values = {row["key"]: row for row in json.loads(run("describe", "isaac").stdout)["values"]}
    assert values["stage"] == {**values["stage"], "type": "integer", "default": 1, "low": 1, "high": 12}
    labyrinth = json.loads(run("describe", "labyrinth").stdout)
    assert labyrinth["given"]["curse"] == "labyrinth" and labyrinth["values"] == [*values.values()]
    assert {row["key"] for row in json.loads(run("describe", "png").stdout)["options"]} >= {
        "png.scale",
        "png.markers",
    }


def test_describe_is_all_that_a_form_needs() -> None:
    """A dock is made of it: presets with their values, headings, what the parts of a pair are, seeds, formats."""
    everything = json.loads(run("describe").stdout)
    presets = {row["name"]: row for row in everything["presets"]}
    assert set(presets) == set(preset_names())
    assert (
        presets["void"]["given"] == {**presets["void"]["given"], "stage": 12} and presets["void"]["summary"]
    )
    assert {name: style["seed"]["default"] for name, style in everything["styles"].items()} == {
        "isaac": "0",
        "rebirth": "1",
        "gungeon": "0",
    }
    for style in everything["styles"].values():
        for row in style["values"]:
            assert row["group"]
            assert row["type"] != "integers" or len(row["parts"]) == len(row["default"])
    for name, form in everything["formats"].items():
        assert json.loads(run("describe", name).stdout) == {"event": "description", **form}
        assert form["summary"] and form["suffixes"]


def test_help_and_version() -> None:
    assert "Usage: undercroft" in CliRunner().invoke(main, ["--help"], prog_name="undercroft").stdout
    for command in ("generate", "export", "show", "check", "presets", "describe"):
        done = run(command, "--help")
        assert done.exit_code == 0 and len(done.stdout) > 100
    assert run("--version").stdout.startswith("undercroft, version ")
    assert (
        run("--json").stderr
        == "undercroft: --json: goes with --version, or behind a command; move it there\n"
    )
