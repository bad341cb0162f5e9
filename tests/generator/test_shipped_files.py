"""Files that ship with the package: found where they lie, and copies of them never out of date."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import generator
from generator.kinds import SHIPPED, Kinds
from generator.shipped_files import COPY, copy_of, shipped_folder, shipped_tables
from generator.styles.gungeon.furnishing import gungeon_layouts
from generator.styles.gungeon.furnishing import gungeon_layouts as exit_fits
from generator.styles.gungeon.furnishing.gungeon_layouts import (
    copy_of_exits,
    shipped_layouts,
    shipped_layouts_folder,
)

FOLDERS = (("generator.kinds", "shipped"), ("exporters", "themes"), ("generator", "presets"))
UPDATE = bool(os.environ.get("UNDERCROFT_UPDATE_GOLDENS"))


def folder(package: str, name: str) -> Path:
    return Path(str(shipped_folder(package))) / name


@pytest.mark.parametrize(("package", "name"), FOLDERS)
def test_a_copy_is_what_its_files_make(package: str, name: str) -> None:
    """UNDERCROFT_UPDATE_GOLDENS=1 makes the copies anew, after a TOML file has changed."""
    check_copy(folder(package, name), copy_of(folder(package, name)))


def check_copy(where: Path, wanted: str) -> None:
    copy = where / COPY
    if UPDATE:
        copy.write_text(wanted, encoding="utf-8", newline="\n")
    assert copy.read_text("utf-8") == wanted, "UNDERCROFT_UPDATE_GOLDENS=1 renews it"


def test_the_copy_of_exits_is_what_the_layouts_make() -> None:
    check_copy(Path(str(shipped_layouts_folder())), copy_of_exits())
    shipped_layouts.cache_clear()  # which may have been read before the copy was renewed


@pytest.mark.parametrize("body", [1, 2, 3])
def test_exits_of_shipped_layouts_are_the_same_with_and_without_their_copy(body: int) -> None:
    for image in (image for images in shipped_layouts().values() for image in images[::7]):
        width = max(2, body)
        computed = exit_fits.exits_of(image.layout, image.image, width, body)
        assert image.exits_by_class(width, body) == computed


def test_no_process_computes_the_exits_of_shipped_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for a level of the preset nor for one of the plain style, which has a narrower body."""
    monkeypatch.setattr(gungeon_layouts, "exits_of", None)
    for image in (image for images in shipped_layouts().values() for image in images):
        for width, body in exit_fits.SHIPPED_FOR:
            image.exits(width, body)
    specs = (generator.load_spec("gungeon"), generator.GungeonSpec())
    assert {(spec.hallway_width, spec.body) for spec in specs} == {*exit_fits.SHIPPED_FOR}


def test_the_copy_of_exits_does_not_count_for_other_rows_of_decor() -> None:
    """A kit where nobody can walk over grass, say, has other exits."""
    tables = json.loads(json.dumps(SHIPPED.tables))
    rows = [row for row in tables["decor"].values() if row.get("walk") is not False]
    rows[-1]["walk"] = False
    assert all(image.copy for images in shipped_layouts(SHIPPED).values() for image in images)
    assert not any(image.copy for images in shipped_layouts(Kinds(tables)).values() for image in images)


@pytest.mark.parametrize(("package", "name"), FOLDERS)
def test_tables_are_those_of_the_files_in_their_order(package: str, name: str) -> None:
    files = sorted(folder(package, name).glob("*.toml"))
    read = {file.name: tomllib.loads(file.read_text("utf-8")) for file in files}
    # As JSON, which tells the order of keys, and 1 from 1.0 and from true.
    assert json.dumps(shipped_tables(folder(package, name))) == json.dumps(read)


def test_a_copy_counts_no_longer_when_a_file_has_changed_or_come_or_gone(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("x = 1\n")
    (tmp_path / "b.toml").write_text("y = 2\n")
    (tmp_path / COPY).write_text(copy_of(tmp_path).replace('"x":1', '"x":7'))  # tells which one was read
    assert shipped_tables(tmp_path)["a.toml"] == {"x": 7}
    (tmp_path / "a.toml").write_text("x = 3\n")
    assert shipped_tables(tmp_path)["a.toml"] == {"x": 3}
    (tmp_path / "a.toml").write_text("x = 1\n")
    (tmp_path / "c.toml").write_text("z = 4\n")
    assert shipped_tables(tmp_path) == {"a.toml": {"x": 1}, "b.toml": {"y": 2}, "c.toml": {"z": 4}}
    (tmp_path / "c.toml").unlink()
    (tmp_path / "b.toml").unlink()
    assert shipped_tables(tmp_path) == {"a.toml": {"x": 1}}


def test_files_are_read_from_a_zip_file(tmp_path: Path) -> None:
    """Everything that a level and its exports need, from a package that is not a folder."""
    root = Path(str(shipped_folder("generator"))).parent
    packed = tmp_path / "undercroft.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for package in ("generator", "exporters"):
            for file in sorted((root / package).rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts and "godot_addon" not in file.parts:
                    archive.write(file, file.relative_to(root))
    code = "import exporters, generator; print(generator.__file__, len(exporters.export(generator.generate('isaac'))))"
    environment = {**os.environ, "PYTHONPATH": str(packed), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    where, count = done.stdout.rsplit(maxsplit=1)
    assert where.startswith(str(packed))
    assert int(count) > 5
