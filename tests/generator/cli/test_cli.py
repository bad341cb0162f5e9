"""The command line as people and machines meet it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.pipeline import generate
from generator.serialise import dumps
from generator.spec import STYLES, preset_names


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


# --- generate and export -----------------------------------------------------------------------------


def test_generate_writes_every_format_and_says_so(tmp_path: Path) -> None:
    done = run("generate", "isaac", "--seed", "7", "--out", tmp_path)
    assert done.exit_code == 0 and done.stderr == ""
    files = {"isaac-7.level.json", "isaac-7.tscn", "isaac-7.png", "undercroft.tres", "undercroft.png"}
    assert names(tmp_path) == files
    assert {Path(line).name for line in done.stdout.splitlines()} == files
    assert (tmp_path / "isaac-7.level.json").read_bytes() == dumps(generate("isaac", 7))


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
    assert names(tmp_path) == {"isaac-a_b_c-stage-2-state.coins-5.level.json"}
    run("generate", "isaac", "--to", "json", "--name", "../up", "--out", tmp_path / "own")
    assert names(tmp_path / "own") == {"_up.level.json"}
    assert names(tmp_path) == {"isaac-a_b_c-stage-2-state.coins-5.level.json", "own"}


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
    for path in (tmp_path / "a").iterdir():
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
        (["generate", "isaac", "--set", "stage=99"], 2, "undercroft: --set: stage: 99 is out of range; give 1 to 12"),
        (["generate", "isaac", "--set", "stage"], 2, "undercroft: --set: 'stage' is not KEY=VALUE"),
        (["generate", "isaac", "--set", "stag=1"], 2, "undercroft: --set: 'stag' is no key of this spec; did you mean stage?"),
        (["generate", "isaac", "--seed", "-1"], 2, "undercroft: seed: -1 is out of range; give 0 to 18446744073709551615, or a text"),
        (["generate", "isaac", "--to", "tield"], 2, "undercroft: 'tield' is no format; formats are json, godot, png"),
        (["generate", "isaac", "--option", "png.scal=2"], 2, "undercroft: "),
        (["generate", "isaac", "--option", "png.scale=99"], 2, "undercroft: png.scale: "),
        (["generate", "isaac", "--theme", "none.toml"], 2, "undercroft: none.toml: "),
        (["export", "none.json", "--out", "x"], 2, "undercroft: none.json: "),
        (["show", "none.json"], 2, "undercroft: none.json: "),
        (["describe", "none"], 2, "undercroft: 'none' is neither a preset nor a TOML file"),
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


def test_unknown_commands_and_flags_are_wrong_use() -> None:
    for args in (["generat"], ["generate"], ["generate", "isaac", "--sede", "3"]):
        done = run(*args)
        assert done.exit_code == 2 and "Usage:" in done.stderr


def test_no_traceback_in_a_real_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "generator.cli", "generate", "isaac", "--set", "stage=[[", "--out", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "undercroft: --set: stage: '[[' is not of type integer\n"


# --- the others --------------------------------------------------------------------------------------


def test_show(tmp_path: Path) -> None:
    made = run("show", "isaac", "--seed", "7")
    assert made.exit_code == 0 and "isaac, seed 7" in made.stdout
    (tmp_path / "x.json").write_bytes(dumps(generate("isaac", 7)))
    assert run("show", tmp_path / "x.json").stdout == made.stdout
    assert len(run("show", "isaac", "--floorplan").stdout.splitlines()) < 9


def test_check_names_every_problem(tmp_path: Path) -> None:
    level = generate("isaac", 7)
    table = level.to_dict()
    (tmp_path / "good.json").write_bytes(dumps(level))
    (tmp_path / "good.txt").write_text("map:\n" + "\n".join(["." * 13] * 7), "utf-8")
    (tmp_path / "good.toml").write_text("style = 'isaac'", "utf-8")
    done = run("check", tmp_path)
    assert (done.exit_code, done.output) == (0, "")
    (tmp_path / "cut.json").write_text(json.dumps(table)[:-9], "utf-8")
    (tmp_path / "room.txt").write_text("map:\n" + "\n".join(["." * 13] * 6 + ["#" * 13]), "utf-8")
    (tmp_path / "spec.toml").write_text("style = 'isaac'\nstage = 0", "utf-8")
    (tmp_path / "look.toml").write_text("name = 3", "utf-8")
    done = run("check", tmp_path, tmp_path / "none.json", tmp_path / "x.png")
    assert done.exit_code == 1
    files = [line.split(":")[0] for line in done.stdout.splitlines()]
    bad = ("cut.json", "look.toml", "room.txt", "spec.toml", "none.json", "x.png")
    assert files == [str(tmp_path / name) for name in bad]
    assert len(json.loads(run("check", tmp_path, "--json").stdout)) == 4


def test_the_built_in_theme_checks(tmp_path: Path) -> None:
    import exporters

    folder = Path(exporters.__file__).parent / "themes"
    assert run("check", folder / "undercroft.toml").exit_code == 0


def test_presets() -> None:
    listed = run("presets").stdout
    for name in preset_names():
        assert name in listed
        assert run("presets", name).stdout.startswith("# ")


def test_describe() -> None:
    everything = json.loads(run("describe").stdout)
    assert set(everything["styles"]) == set(STYLES) and {"json", "godot", "png"} <= set(everything["formats"])
    values = {row["key"]: row for row in json.loads(run("describe", "isaac").stdout)["values"]}
    assert values["stage"] == {**values["stage"], "type": "integer", "default": 1, "low": 1, "high": 12}
    assert json.loads(run("describe", "labyrinth").stdout)["given"]["curse"] == "labyrinth"
    assert {row["key"] for row in json.loads(run("describe", "png").stdout)["options"]} >= {
        "png.scale",
        "png.markers",
    }


def test_help_and_version() -> None:
    assert "Usage: undercroft" in CliRunner().invoke(main, ["--help"], prog_name="undercroft").stdout
    for command in ("generate", "export", "show", "check", "presets", "describe"):
        done = run(command, "--help")
        assert done.exit_code == 0 and len(done.stdout) > 100
    assert run("--version").stdout.startswith("undercroft, version ")
