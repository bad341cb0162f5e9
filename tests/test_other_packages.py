"""Styles and formats of other packages that are broken, or that take a name: a line each, and the rest works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.styles.registry import GROUP as STYLES
from tests.other_packages import fake, undercroft

FORMATS = "undercroft.exporters"

# A style that works: `isaac` by another name, with one thing wrong that a line tells.
_STYLE = """
import sys
from dataclasses import dataclass, replace
from typing import ClassVar
from generator.styles.isaac import STYLE as ISAAC
from generator.styles.isaac.spec import IsaacSpec

@dataclass(frozen=True, kw_only=True)
class OwnSpec(IsaacSpec):
    style: ClassVar[str] = "quarry"

def wrong(*given):
    return 1 // 0

def wrong_check(level):
    yield from wrong()

STYLE = ISAAC._replace(**{"name": "quarry", "spec": OwnSpec, **dict({wrong})})
"""

_FORMAT = """
from exporters.base import Exporter
from exporters.bundle import Bundle
from generator.values import Value

EXPORTER = Exporter(
    name="rows",
    summary="the level as text",
    suffixes=(".txt",),
    options={"loud": Value(False, "whether")},
    export=lambda job: Bundle({f"{job.name}.txt": b"rows"}),
    themed=False,
)
"""


def style(wrong: str) -> str:
    return _STYLE.replace("{wrong}", wrong)


def refused(packages: Path, *args: str) -> str:
    """What the command says, in one line, when it refuses."""
    done = undercroft(packages, packages, *args)
    assert done.returncode in (1, 2) and done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("code", "entry", "says"),
    [
        ("import nothing_of_that_name", "quarry=it:STYLE", "it:STYLE cannot be loaded: ModuleNotFoundError: No module"),
        ("raise SystemExit(3)", "quarry=it:STYLE", "it:STYLE cannot be loaded: SystemExit: 3"),
        ("STYLE = 3", "quarry=it:STYLE", "it:STYLE is not a style of that name"),
        (style("spec=3"), "quarry=it:STYLE", "it:STYLE is not a style of that name"),
        (style("spec=type('Spec', (), {'style': 'quarry'})"), "quarry=it:STYLE", "it:STYLE is not a style of that name"),
        (style(""), "mole=it:STYLE", "it:STYLE is not a style of that name"),
        ("", "quarry=it:STYLE", "it:STYLE cannot be loaded: AttributeError: module 'it' has no attribute 'STYLE'"),
        (style("summary='two' + chr(10) + 'lines'"), "quarry=it:STYLE", "it:STYLE: its summary must be one line of text"),
        (style("run_rules=3"), "quarry=it:STYLE", "it:STYLE: its run_rules must be RunRules, or None"),
        (style("room_kinds=('Big Hall',)"), "quarry=it:STYLE", "it:STYLE: its room_kinds must be a tuple of names"),
        ("", "two words=it:STYLE", "it:STYLE has a bad name; use up to 64 of A-Za-z0-9._-"),
    ],
)  # fmt: skip
def test_a_broken_style_is_left_out_and_told(code: str, entry: str, says: str, tmp_path: Path) -> None:
    """For lists, with a line number; it can also be requested alone."""
    packages, name = fake(tmp_path, "it", code, STYLES, entry), entry.partition("=")[0]
    for command in ("describe", "presets"):
        done = undercroft(packages, tmp_path, command)
        assert done.returncode == 0 and name not in done.stdout.split() and "labyrinth" in done.stdout
        assert done.stderr.startswith(f"undercroft: style: '{name}': {says}")
        assert len(done.stderr.splitlines()) == 1
    assert refused(packages, "generate", name).startswith(f"undercroft: style: '{name}': {says}")
    (tmp_path / "x.toml").write_text(f'style = "{name}"\n', "utf-8")
    assert refused(packages, "show", "x.toml").startswith(f"undercroft: x.toml: style: '{name}': {says}")


@pytest.mark.parametrize(
    ("wrong", "args", "says"),
    [
        ("plan=wrong", ["generate", "quarry"], "style quarry: its plan failed: ZeroDivisionError: "),
        ("build=wrong", ["show", "quarry"], "style quarry: its build failed: ZeroDivisionError: "),
        ("plan=lambda *given: sys.exit()", ["show", "quarry"], "style quarry: its plan failed: SystemExit: "),
        ("plan=lambda *given: None", ["show", "quarry", "--floorplan"], "style quarry: its plan failed: AttributeError: "),
        ("build=lambda *given: None", ["show", "quarry"], "style quarry: its build failed: TypeError: it returns NoneType, not a Level"),
        ("read_seed=wrong", ["generate", "quarry"], "style quarry: its read_seed failed: ZeroDivisionError: "),
        ("read_seed=lambda typed: 5", ["describe", "quarry"], "style quarry: its read_seed failed: TypeError: "),
        ("checks=wrong", ["audit", "quarry", "--seeds", "0:2"], "style quarry: its checks failed: ZeroDivisionError: "),
        ("facts=lambda: None", ["search", "quarry", "--facts"], "style quarry: its facts failed: TypeError: "),
        ("build=wrong", ["audit", "quarry", "--seeds", "0:2", "--jobs", "2"], "style quarry: its build failed: ZeroDivisionError: "),
        ("checks=lambda: [wrong_check]", ["audit", "quarry", "--seeds", "0:2"], "style quarry: its check wrong_check failed: "),
        ("facts=wrong", ["stats", "quarry", "--seeds", "0:2"], "style quarry: its facts failed: ZeroDivisionError: "),
    ],
)  # fmt: skip
def test_a_style_that_fails_at_work_is_reported_in_a_line(
    wrong: str, args: list[str], says: str, tmp_path: Path
) -> None:
    """With the place of the mistake, for its authors."""
    said = refused(fake(tmp_path, "it", style(wrong), STYLES, "quarry=it:STYLE"), *args)
    assert said.startswith(f"undercroft: {says}") and said.endswith("; report this to its authors")
    assert ("it.py, line " in said) == (": None" not in wrong and ": 5" not in wrong)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("terrain=level.terrain.ravel()", "failed: IndexError: "),
        ("terrain=level.terrain + 100", "made a level that cannot be read: level: terrain[0]: "),
        ("decor=level.decor[:3]", "made a level that cannot be read: level: decor: "),
        ("rooms=()", "made a level that cannot be read: level: doors[0]"),
        ("markers=(replace(level.markers[0], x=9999),)", "made a level that cannot be read: level: markers[0]: "),
        ("markers=(replace(level.markers[0], kind='Big Hall'),)", "made a level that cannot be read: level: markers[0].kind: "),
        ("markers=(replace(level.markers[0], properties={'a': None}),)", "made a level that cannot be read: level: markers[0].properties.a: "),
    ],
)  # fmt: skip
def test_a_level_that_no_exporter_could_take_is_reported_in_a_line(
    change: str, says: str, tmp_path: Path
) -> None:
    """Before any file is written."""
    code = style("build=build").replace(
        "STYLE =",
        f"def build(*given):\n    level = ISAAC.build(*given)\n    return replace(level, {change})\n\nSTYLE =",
    )
    packages = fake(tmp_path, "it", code, STYLES, "quarry=it:STYLE")
    said = refused(packages, "generate", "quarry", "--to", "godot")
    assert said.startswith(f"undercroft: style quarry: its build {says}") and not list(
        tmp_path.glob("*.tscn")
    )


def test_a_roller_that_fails_is_reported_in_a_line(tmp_path: Path) -> None:
    roller = "class Roller:\n    def __init__(self, *given): ...\n    make = wrong\n\nSTYLE ="
    code = style("roller=Roller").replace("STYLE =", roller)
    packages = fake(tmp_path, "it", code, STYLES, "quarry=it:STYLE")
    assert undercroft(packages, tmp_path, "generate", "quarry", "--to", "json").returncode == 0
    said = refused(packages, "reroll", "quarry-0.level.json", "--room", "1")
    assert said.startswith("undercroft: style quarry: its roller failed: ZeroDivisionError: ")


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("stages=wrong", "stages failed: ZeroDivisionError: "),
        ("stages=lambda spec: []", "stages failed: TypeError: it returns no specs"),
        ("begin=lambda spec: 3", "begin failed: TypeError: "),
        (
            "carry=lambda *given: {'memory': 3}",
            "carry failed: TypeError: it does not return the tables of a spec",
        ),
    ],
)
def test_rules_for_runs_that_fail_are_reported_in_a_line(rules: str, says: str, tmp_path: Path) -> None:
    code = style(f"run_rules=ISAAC.run_rules._replace({rules})")
    packages = fake(tmp_path, "it", code, STYLES, "quarry=it:STYLE")
    said = refused(packages, "run", "quarry", "--stats")
    assert said.startswith(f"undercroft: style quarry: its {says}")


def test_what_is_built_in_wins_and_of_two_others_none(tmp_path: Path) -> None:
    packages = fake(tmp_path, "it", style(""), STYLES, "isaac=it:STYLE", "quarry=it:STYLE")
    done = undercroft(packages, tmp_path, "describe")
    assert done.stderr == "undercroft: 'isaac': it:STYLE is ignored: Undercroft has one of that name\n"
    assert json.loads(done.stdout)["styles"].keys() == {"isaac", "rebirth", "gungeon", "quarry"}
    assert undercroft(packages, tmp_path, "generate", "quarry", "--to", "json").returncode == 0

    fake(tmp_path, "that", style(""), STYLES, "quarry=that:STYLE")
    both = "style: 'quarry': it:STYLE and that:STYLE both have that name; uninstall one"
    assert refused(packages, "generate", "quarry") == f"undercroft: {both}"
    assert f"undercroft: {both}\n" in undercroft(packages, tmp_path, "presets").stderr


def test_formats_of_other_packages_are_listed_and_written(tmp_path: Path) -> None:
    packages = fake(tmp_path, "rows", _FORMAT, FORMATS, "rows=rows:EXPORTER")
    fake(tmp_path, "broken", "import nothing_of_that_name", FORMATS, "broken=broken:EXPORTER")
    done = undercroft(packages, tmp_path, "describe")
    formats = json.loads(done.stdout)["formats"]
    assert list(formats) == ["json", "godot", "tiled", "ldtk", "png", "rows"]
    assert formats["rows"]["suffixes"] == [".txt"] and formats["rows"]["options"][0]["key"] == "rows.loud"
    assert done.stderr.startswith(
        "undercroft: 'broken': broken:EXPORTER cannot be loaded: ModuleNotFoundError"
    )
    described = json.loads(undercroft(packages, tmp_path, "describe", "rows").stdout)
    assert described == {"event": "description", **formats["rows"]}
    made = undercroft(packages, tmp_path, "generate", "isaac", "--to", "rows", "--option", "rows.loud=true")
    assert (made.stdout, made.stderr) == ("isaac-0.txt\n", "")
    assert "formats: json, godot, tiled, ldtk, png, broken, rows" in refused(
        packages, "generate", "isaac", "--to", "xyz"
    )
    given = ["generate", "isaac", "--to", "png", "--option", "rows.loud=true"]
    assert "'rows.loud': rows is not among the formats to write; add it with --to" in refused(
        packages, *given
    )


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("Exporter(", "dict(", "it:EXPORTER is not an exporter of that name"),
        ('name="rows"', 'name="columns"', "it:EXPORTER is not an exporter of that name"),
        ('Value(False, "whether")', "False", "it:EXPORTER: its options are not declared; give a Value for each"),
        ('{"loud": Value(False, "whether")}', "['loud']", "it:EXPORTER: its options are not declared; give a Value for each"),
    ],
)  # fmt: skip
def test_a_broken_format_is_left_out_and_told(right: str, wrong: str, says: str, tmp_path: Path) -> None:
    assert right in _FORMAT
    packages = fake(tmp_path, "it", _FORMAT.replace(right, wrong), FORMATS, "rows=it:EXPORTER")
    done = undercroft(packages, tmp_path, "describe")
    assert list(json.loads(done.stdout)["formats"]) == ["json", "godot", "tiled", "ldtk", "png"]
    assert done.stderr == f"undercroft: 'rows': {says}\n"
    assert refused(packages, "generate", "isaac", "--to", "rows") == f"undercroft: 'rows': {says}"


@pytest.mark.parametrize(
    ("export", "says"),
    [
        ("lambda job: Bundle({f'{job.nothing}.txt': b''})", "AttributeError: "),
        ("lambda job: None", "TypeError: it returns NoneType, not a Bundle"),
        ("lambda job: Bundle({'../up.txt': b''})", "ValueError: "),
        ("lambda job: Bundle({'a.txt': 'text'})", "TypeError: 'a.txt' is str, not bytes"),
    ],
)
def test_a_format_that_fails_at_work_is_reported_in_a_line(export: str, says: str, tmp_path: Path) -> None:
    right = """lambda job: Bundle({f"{job.name}.txt": b"rows"})"""
    assert right in _FORMAT
    packages = fake(tmp_path, "it", _FORMAT.replace(right, export), FORMATS, "rows=it:EXPORTER")
    said = refused(packages, "generate", "isaac", "--to", "rows")
    assert said.startswith(f"undercroft: format rows: its export failed: {says}")
    assert ".py, line " in said and not list(tmp_path.glob("*.txt"))
