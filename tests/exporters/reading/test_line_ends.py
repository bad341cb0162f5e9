"""Git may check files out with other line ends. That is no edit, in any format, with the folder's record or without."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli.group import main
from tests.exporters.reading.exported import VALUES

_OPTIONS = {
    "plain": [],
    "rooms": ["tiled.split=rooms", "godot.split=rooms", "ldtk.external=true"],
    "xml": ["tiled.format=tmx"],
}


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def generate(folder: Path, options: str, *more: str) -> Result:
    words: list[str | Path] = ["generate", "isaac", "--name", "cellar", "--out", folder]
    for key, value in VALUES["isaac"].items():
        words += ["--seed", str(value)] if key == "seed" else ["--set", f"{key}={value}"]
    for format_ in ("json", "tiled", "ldtk", "godot"):
        words += ["--to", format_]
    for option in _OPTIONS[options]:
        words += ["--option", option]
    return run(*words, *more)


def checked_out(folder: Path) -> dict[Path, bytes]:
    """Write all texts with the line ends of Windows, and return all files."""
    files = [path for path in folder.rglob("*") if path.is_file() and ".undercroft" not in path.parts]
    for path in files:
        if path.suffix != ".png":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return {path: path.read_bytes() for path in files}


@pytest.mark.parametrize("record", ["recorded", "cloned"])
@pytest.mark.parametrize("options", _OPTIONS)
def test_other_line_ends_are_no_edit(options: str, record: str, tmp_path: Path) -> None:
    generate(tmp_path, options)
    before = checked_out(tmp_path)
    if record == "cloned":
        shutil.rmtree(tmp_path / ".undercroft")
    done = run("sync", tmp_path)
    assert (done.exit_code, done.stderr) == (0, "undercroft: cellar: nothing was edited\n")
    assert {path: path.read_bytes() for path in before} == before
    done = generate(tmp_path, options, "--set", "hard=true", "--edits", "merge")
    assert done.exit_code == 0 and "changed" not in done.stderr and "edit" not in done.stderr
    assert not [*tmp_path.rglob("*.mine*"), *tmp_path.rglob("*.new*")]


@pytest.mark.parametrize("options", _OPTIONS)
def test_files_with_other_line_ends_are_replaced_as_ours(options: str, tmp_path: Path) -> None:
    generate(tmp_path, options)
    checked_out(tmp_path)
    done = generate(tmp_path, options, "--set", "hard=true", "--edits", "fail")
    assert (done.exit_code, done.stderr) == (0, "")
    for name in ("cellar.level.json", "cellar.ldtk", "cellar.tscn"):
        assert b"\r\n" not in (tmp_path / name).read_bytes()
