"""`undercroft selftest`: its digests are those of this version, and it finds what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporters import selftest
from exporters.registry import format_names
from generator import generate
from generator.cli import main
from generator.level import Level
from generator.spec import preset_names
from generator.version import VERSION


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["selftest", *words])


def test_the_list_has_every_format_and_preset() -> None:
    assert len(selftest.levels()) > 300  # each another one, because they are keys
    assert {one.format for one in selftest.exports()} == set(format_names())
    assert {each.preset for each in selftest.levels()} == set(preset_names())


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of the levels, because the test above makes all of them."""
    levels, exports = selftest.levels()[:3], selftest.exports()[:12]
    monkeypatch.setattr(selftest, "levels", lambda: levels)
    monkeypatch.setattr(selftest, "exports", lambda: exports)


@pytest.mark.usefixtures("few")
def test_equal_is_one_line_and_quiet_says_nothing() -> None:
    done = run()
    assert done.exit_code == 0
    assert done.output.startswith("3 levels and ") and done.output.endswith(
        f"files are equal to those of {VERSION}\n"
    )
    assert run("--quiet").output == ""
    told = json.loads(run("--json").output)
    assert (told["event"], told["version"], told["levels"], told["different"]) == ("done", VERSION, 3, 0)


@pytest.mark.usefixtures("few")
def test_what_differs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One level of another seed, and the exports of one format."""

    def other(case: selftest.LevelToMake) -> Level:
        return generate(case.preset, "3" if case.seed == "2" else case.seed, **case.values)

    monkeypatch.setattr(selftest.LevelToMake, "level", other)
    flat = selftest._plain
    monkeypatch.setattr(
        selftest, "_plain", lambda path, data: flat(path, data) + b"x" * path.endswith(".lua")
    )
    done = run("--quiet")
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "differs: undercroft generate isaac --seed 2 --set stage=3",
        "differs: undercroft generate isaac --seed 7 --set stage=4 --to tiled --option tiled.format=lua",
        f"2 of {len(selftest.kept()['levels']) + 36} levels and exports differ from those of {VERSION}",
    ]
    assert json.loads(run("--json").stdout.splitlines()[0])["event"] == "difference"


def test_digests_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(selftest.kept(), "version", "0.1.0")
    done = run()
    assert done.exit_code == 1 and "is of 0.1.0, not of " in done.output


@pytest.mark.parametrize("text", ["{", "[]", '{"levels": {}}', "\xff"])
def test_a_damaged_installation_is_told_in_a_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / selftest.NAME).write_bytes(text.encode("latin-1"))
    monkeypatch.setattr(selftest, "shipped_folder", lambda _: tmp_path)
    monkeypatch.setattr(selftest, "kept", selftest.kept.__wrapped__)
    done = run()
    assert isinstance(done.exception, SystemExit) and done.exit_code == 1
    assert done.stderr == f"undercroft: {selftest.NAME}: is damaged: install Undercroft again\n"
