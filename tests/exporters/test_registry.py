"""Formats, their options, and `export`."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import exporters
from exporters import exporting, registry
from exporters.base import Exporter
from exporters.bundle import Bundle
from exporters.registry import describe, options_of
from exporters.theme import Theme
from generator import plugins
from generator.errors import BadInput
from generator.values import Value
from tests.exporters import small_theme
from tests.exporters.small_level import drawn

LEVEL = drawn("######\n#....#\n######")

SAMPLE = Exporter(
    name="sample",
    summary="a format of another package",
    suffixes=(".txt",),
    options={
        "loud": Value(False, "whether"),
        "count": Value(3, "how many", low=1, high=9, unit="tiles"),
        "any": Value(0, "any number"),
        "target": Value("4.6", "which", choices=("4.2", "4.6")),
        "title": Value("", "free text"),
        "names": Value({}, "texts by key"),
    },
    export=lambda job: Bundle({f"{job.name}.txt": repr(sorted(job.options.items())).encode()}),
    themed=False,
)


class Entry:
    """An entry point as another package declares it."""

    def __init__(self, name: str, found: object) -> None:
        self.name, self.value, self._found = name, f"other.{name}:EXPORTER", found

    def load(self) -> object:
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


@pytest.fixture
def other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound exporter, one that breaks on import, one that is none, one that has a built-in's name."""
    broken = ImportError("no module\nat all")
    found: dict[str, object] = {"sample": SAMPLE, "broken": broken, "odd": 3, "json": 4}
    entries = [Entry(name, what) for name, what in found.items()]

    def entry_points(*, group: str, name: str | None = None) -> list[Entry]:
        assert group == "undercroft.exporters"
        return [entry for entry in entries if name in (None, entry.name)]

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    monkeypatch.setattr(plugins, "_read", plugins._read.__wrapped__)  # which keeps nothing


# ---- formats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", registry.format_names())
def test_every_format_is_what_it_says(name: str) -> None:
    """Its name, something to read, a suffix of its own, and options whose defaults are allowed."""
    found = registry.exporter(name)
    assert found.name == name and found.summary
    assert all(suffix.startswith(".") for suffix in found.suffixes)
    for key, option in found.options.items():
        assert option.help and not option.help.endswith(".")
        assert options_of([found], {f"{name}.{key}": option.default})
        assert not option.choices or option.default in option.choices
    assert json.loads(json.dumps(exporters.describe_format(name))) == describe(found)


def test_an_unknown_format_gets_a_hint() -> None:
    with pytest.raises(BadInput, match=r"unknown format 'gobot'; did you mean godot"):
        registry.exporter("gobot")
    with pytest.raises(BadInput, match=r"unknown format 'xyz'; .*; formats: json, godot, tiled, ldtk, png"):
        exporters.export(LEVEL, "xyz")


@pytest.mark.parametrize(
    ("suffix", "remedy"),
    [("tscn", "godot"), ("tmj", "tiled"), ("tmx", "tiled with --option tiled.format=tmx")],
)
def test_the_suffix_of_a_format_in_its_place_gets_a_hint(suffix: str, remedy: str) -> None:
    with pytest.raises(BadInput) as told:
        exporters.export(LEVEL, suffix)
    assert str(told.value) == f"unknown format '{suffix}'; did you mean {remedy}?"


@pytest.mark.parametrize("name", ["phaser", "html", "Unity"])
def test_an_engine_in_place_of_a_format_gets_the_page_on_engines(name: str) -> None:
    with pytest.raises(
        BadInput, match=rf"unknown format '{name}'; engines and web pages read tiled, .* docs/engines\.md"
    ):
        registry.exporter(name)


@pytest.mark.usefixtures("other_packages")
def test_other_packages_add_formats() -> None:
    """They come after the built in ones, and cannot take their place."""
    assert registry.format_names() == ("json", "godot", "tiled", "ldtk", "png")
    assert registry.format_names(others=True) == (
        "json",
        "godot",
        "tiled",
        "ldtk",
        "png",
        "broken",
        "odd",
        "sample",
    )
    assert registry.exporter("sample").options == SAMPLE.options
    assert registry.exporter("json").export is not SAMPLE.export
    with pytest.raises(BadInput, match=r"'broken': other.broken:EXPORTER cannot be loaded: .*no module$"):
        registry.exporter("broken")
    with pytest.raises(BadInput, match=r"'odd': other.odd:EXPORTER is not an exporter of that name"):
        registry.exporter("odd")


# ---- options ---------------------------------------------------------------------------------------


def test_options_have_defaults_and_are_checked() -> None:
    """From Python with their types, from a command line as texts."""
    defaults = {"loud": False, "count": 3, "any": 0, "target": "4.6", "title": "", "names": {}}
    assert options_of([SAMPLE], {}) == {"sample": defaults}
    given = {"loud": "true", "count": "9", "any": -5, "target": "4.2", "title": "3"}
    values = options_of([SAMPLE], {f"sample.{key}": value for key, value in given.items()})
    expected = {"loud": True, "count": 9, "any": -5, "target": "4.2", "title": "3", "names": {}}
    assert values["sample"] == expected


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("sample.luod", 1, "'sample.luod': is not an option of sample; did you mean sample.loud?"),
        (
            "png.scale",
            1,
            "'png.scale': png is not among the formats to write; add it with --to, or leave the option out",
        ),
        ("other.scale", 1, "'other.scale': is not an option of sample; choose one of sample.loud"),
        ("x" * 1000, 1, "is not an option of sample"),
        ("sample.loud", 1, "sample.loud: 1 is not of type boolean"),
        ("sample.loud", "yes", "sample.loud: 'yes' is not of type boolean"),
        ("sample.count", True, "sample.count: True is not of type integer"),
        ("sample.count", 10, r"sample.count: 10 is out of range \(1 to 9\)"),
        ("sample.count", "0", r"sample.count: 0 is out of range \(1 to 9\)"),
        ("sample.count", "3.0", "sample.count: '3.0' is not of type integer"),
        ("sample.count", "٣", "is not of type integer"),
        ("sample.any", "9" * 5000, "is not of type integer"),
        ("sample.target", 4.2, "sample.target: 4.2 is not of type string"),
        ("sample.target", "4.3", "sample.target: '4.3' is not one of the choices; choose one of 4.2, 4.6"),
        ("sample.title", "x" * 5000, "sample.title: .* is longer than 4096 characters"),
        ("sample.names", 3, "sample.names: 3 is not a table; give a table of keys and texts"),
        ("sample.names.a", 3, "sample.names.a: 3 is not of type string"),
        ("sample.names.a", "x" * 5000, "sample.names.a: .* is longer than 4096 characters"),
        ("sample.title", None, "sample.title: None is not of type string"),
    ],
)
def test_a_wrong_option_gets_one_line(key: str, value: object, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        options_of([SAMPLE], {key: value})
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300


def test_texts_are_read_by_the_options_type() -> None:
    """What a command line gives is a text always."""
    given = {"sample.loud": "true", "sample.count": "+4", "sample.any": "-40", "sample.target": "4.2"}
    values = options_of([SAMPLE], given)["sample"]
    assert values == {"loud": True, "count": 4, "any": -40, "target": "4.2", "title": "", "names": {}}


def test_a_table_of_texts_is_given_whole_or_an_entry_at_a_time() -> None:
    """Later ones go over earlier ones; a key may hold a `=`, which a command line splits at."""
    given = {"sample.names": {"a": "1", "b": "2"}, "sample.names.b": "3", "sample.names.c.d": "e=f"}
    assert options_of([SAMPLE], given)["sample"]["names"] == {"a": "1", "b": "3", "c.d=e": "f"}
    assert options_of([SAMPLE], {})["sample"]["names"] == {}


def test_options_come_from_a_file(tmp_path: Path) -> None:
    """A table a format; what is not asked for is checked all the same, and left out."""
    path = tmp_path / "options.toml"
    path.write_text('[png]\nscale = 2\n[godot]\nsplit = "rooms"\n[godot.scenes]\nenemy = "res://a.tscn"\n')
    assert exporters.load_options(path, ["png", "json"]) == {"png.scale": 2}
    found = exporters.load_options(path, ["godot"])
    assert found == {"godot.split": "rooms", "godot.scenes": {"enemy": "res://a.tscn"}}
    assert options_of([registry.exporter("godot")], found)["godot"]["split"] == "rooms"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[png]\nscale = 9", r"png.scale: 9 is out of range \(1 to 8\)"),
        ("[png]\nscal = 2", "'png.scal': is not an option of png; did you mean png.scale?"),
        ("[pgn]\nscale = 2", "unknown format 'pgn'; did you mean png?"),
        ("scale = 2", "scale: 2 is not a table; write options such as"),
        ("[godot.scenes]\nenemy = 3", "godot.scenes.enemy: 3 is not of type string"),
        ("[godot]\nscenes = 3", "godot.scenes: 3 is not a table; give a table"),
        ("[godot]\ntarget = 4.2", "godot.target: 4.2 is not of type string; give a text"),
        ("[png", "is not TOML"),
        ("[a]\n" + "[" * 100_000, "is not TOML"),
        (
            "\n".join(["[godot.scenes]", *(f"k{i} = ''" for i in range(1001))]),
            "has 1001 keys; at most 1000 are",
        ),
        ("#" * (1 << 21), "is larger than"),
    ],
)
def test_a_wrong_file_of_options_gets_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=message) as caught:
        exporters.load_options(path, ["png"])
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_file_of_options_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        exporters.load_options(tmp_path / "none.toml", ["png"])


def test_options_describe_themselves() -> None:
    """For help texts and editors' panels."""
    rows = {row["key"]: row for row in describe(SAMPLE)}
    count = {"key": "sample.count", "type": "integer", "default": 3, "low": 1, "high": 9}
    assert rows["sample.count"] == count | {"unit": "tiles", "help": "how many"}
    assert rows["sample.target"]["choices"] == ["4.2", "4.6"]
    assert rows["sample.loud"]["type"] == "boolean"
    assert (rows["sample.names"]["type"], rows["sample.names"]["default"]) == ("texts", {})
    assert "low" not in rows["sample.any"]


# ---- export ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("other_packages")
def test_export_gathers_the_files_of_all_formats(plain: Theme) -> None:
    """In the order asked for, each format once, named after style and seed."""
    bundle = exporters.export(LEVEL, ["png", "sample", "png"], {"sample.count": "4"}, plain)
    assert list(bundle) == ["isaac-7.png", "isaac-7.txt"]
    assert b"('count', 4)" in bundle["isaac-7.txt"]
    assert list(exporters.export(LEVEL, "sample", name="my-level_1.0")) == ["my-level_1.0.txt"]
    assert list(exporters.export(LEVEL, [])) == []


def test_two_formats_cannot_write_one_file(plain: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = SAMPLE._replace(name="twin", export=lambda job: Bundle({f"{job.name}.png": b"other"}))
    real = registry.exporter
    monkeypatch.setattr(exporting, "exporter", lambda name: twin if name == "twin" else real(name))
    with pytest.raises(
        BadInput, match=r"^isaac-7\.png: the format twin and another one both write this file; export"
    ):
        exporters.export(LEVEL, ["png", "twin"], theme=plain)


def test_json_needs_no_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    """The level is all there is to it."""
    monkeypatch.setattr("exporters.exporting.dressed_in", None)
    bundle = exporters.export(LEVEL, "json", name="a")
    assert list(bundle) == ["a.level.json"]
    assert json.loads(bundle["a.level.json"])["format"] == "undercroft-level"


def test_a_level_that_nobody_could_read_again_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(exporters.export(LEVEL, "json", name="a")["a.level.json"])
    monkeypatch.setattr("generator.serialise.MAX_LEVEL_BYTES", size)
    assert len(exporters.export(LEVEL, "json", name="a")["a.level.json"]) == size
    monkeypatch.setattr("generator.serialise.MAX_LEVEL_BYTES", size - 1)
    said = rf"a\.level\.json: has {size} bytes, and at most {size - 1} are read again; ask for fewer rooms"
    with pytest.raises(BadInput, match=said):
        exporters.export(LEVEL, "json", name="a")


def test_a_theme_is_given_as_it_is_or_by_its_path(plain: Theme, tmp_path: Path) -> None:
    path = small_theme.write(tmp_path)
    assert exporters.export(LEVEL, "png", theme=path) == exporters.export(LEVEL, "png", theme=plain)
    assert exporters.export(LEVEL, "png", theme=str(path)) != exporters.export(LEVEL, "png")


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", "a:b", " a", "a ", "x" * 201, "a\n", "\ud800"])
def test_a_name_must_be_one_for_a_file(name: str) -> None:
    with pytest.raises(BadInput, match=r"name: .* is not a valid file name; use 1 to 200"):
        exporters.export(LEVEL, "json", name=name)


def test_a_level_cannot_take_its_themes_name(plain: Theme) -> None:
    """Both would write plain.png; on some systems Plain.png too."""
    with pytest.raises(BadInput, match=r"name: Plain is also the name of the theme's files"):
        exporters.export(LEVEL, "png", theme=plain, name="Plain")


def test_importing_the_package_imports_no_format() -> None:
    """Nor does asking for the formats' names: a command line must answer at once."""
    code = (
        "import sys, exporters; exporters.format_names(); "
        "print([m for m in sys.modules if m.startswith(('PIL', 'importlib.metadata', 'exporters.'))])"
    )
    root = str(Path(exporters.__file__).parents[1])
    run = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert set(eval(run.stdout)) == {"exporters.base", "exporters.registry"}
