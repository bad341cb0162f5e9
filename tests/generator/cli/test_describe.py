"""`describe` and `presets --full`: every value for people, on a terminal and as a file to start from."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main
from generator.kinds.kit_files import new_kit_files
from generator.spec import load_spec, parse_spec, preset_names
from generator.value_words import said_range, toml
from tests.terminal import needs_terminal, undercroft_on_terminal


def run(*args: str) -> str:
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 0, done.stderr
    return done.stdout


@needs_terminal
def test_a_terminal_shows_every_value_of_a_preset(tmp_path: Path) -> None:
    """Key, range, default and help of each under its heading, within the width, and no colours if unwanted."""
    told = json.loads(run("describe", "labyrinth"))
    for columns in (60, 100):
        done = undercroft_on_terminal("describe", "labyrinth", cwd=tmp_path, columns=columns, NO_COLOR="1")
        assert done.status == 0 and "\x1b" not in done.text
        lines = done.text.splitlines()
        assert all(len(line) <= columns for line in lines)
        words = " ".join(done.text.split())
        for row in told["values"]:
            assert re.search(rf"^  {re.escape(row['key'])}  ", done.text, re.MULTILINE)
            assert row["group"] in lines and row["help"] in words
            assert f"{said_range(row)}; default {toml(row['default'])}" in words
        assert [line.split()[-1] for line in lines if " here " in line] == ["3", '"labyrinth"']
    assert "\x1b[1mLevel" in undercroft_on_terminal("describe", "isaac", cwd=tmp_path).text


@needs_terminal
def test_a_terminal_shows_formats_and_an_overview_and_json_if_asked(tmp_path: Path) -> None:
    everything = json.loads(run("describe"))
    overview = undercroft_on_terminal("describe", cwd=tmp_path, columns=120, NO_COLOR="1").text
    rows = [*everything["presets"], *everything["styles"].values(), *everything["formats"].values()]
    for row in rows:
        name = row.get("name") or row.get("format") or row["style"]
        assert re.search(rf"^  {name} +{re.escape(row['summary'])}$", overview, re.MULTILINE)
    page = undercroft_on_terminal("describe", "tiled", "--color", "never", cwd=tmp_path).text
    assert all(row["key"] in page for row in everything["formats"]["tiled"]["options"])
    as_json = undercroft_on_terminal("describe", "tiled", "--json", cwd=tmp_path).text
    assert json.loads(as_json) == {"event": "description", **everything["formats"]["tiled"]}


@pytest.mark.parametrize("preset", preset_names())
def test_a_full_preset_is_the_same_spec_with_every_value(preset: str) -> None:
    text = run("presets", preset, "--full")
    assert parse_spec(text) == load_spec(preset)
    described = json.loads(run("describe", preset))["values"]
    table = tomllib.loads(text)
    for row in described:
        head, _, last = row["key"].partition(".")
        assert last in table[head] if last else head in table
        assert " ".join(row["help"].split()) in " ".join(text.replace("\n# ", " ").split())
    assert all(len(line) <= 100 for line in text.splitlines())
    assert json.loads(run("presets", preset, "--full", "--json"))["toml"] == text


def test_a_full_preset_with_a_kit_has_its_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in new_kit_files("our-kit").items():
        path = tmp_path / "our-kit" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    with (tmp_path / "our-kit" / "kit.toml").open("a", encoding="utf-8") as kit:
        kit.write('\n[state.torches]\nrange = [0, 9]\ndefault = 2\nhelp = "torches carried"\n')
    text = run("presets", "isaac", "--full", "--set", "kit=our-kit", "--set", "state.torches=5")
    (tmp_path / "ours.toml").write_text(text, "utf-8")
    assert "# torches carried\n# 0 to 9; default 2\ntorches = 5\n" in text
    assert parse_spec(text) == load_spec("isaac").replace({"kit": "our-kit", "state.torches": 5})


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["presets", "--full"], "--full: name a preset too; there are basement, gungeon, "),
        (["presets", "isaac", "--set", "stage=2"], "--set: goes with --full; "),
        (["presets", "isaac", "--full", "--set", "stag=2"], "did you mean stage?"),
    ],
)
def test_wrong_use_of_presets(args: list[str], says: str) -> None:
    done = CliRunner().invoke(main, args)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1) and says in done.stderr


@pytest.mark.parametrize(
    "value", ["", 'a "quoted" \\ text', "tab\tand\x7f", "🗝 é", [1, 2], True, {"a b": "c"}]
)
def test_values_as_toml(value: object) -> None:
    assert tomllib.loads(f"value = {toml(value)}")["value"] == value
