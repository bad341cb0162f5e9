"""The dock offers the style of another package as it offers ours, and makes its levels."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator import generate
from generator.styles.registry import style, style_names
from tests.other_packages import CAVES, ROOT, install, installed_here

from .conftest import Editor


def test_a_person_makes_a_level_of_another_packages_style(
    editor: Editor, on_path: None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = install(CAVES, tmp_path_factory.mktemp("packages"))
    with installed_here(packages):
        (name,) = set(style_names()) - set(style_names(others=False))
        level, summary = generate(name, 7, chambers=3), style(name).summary
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(packages), str(ROOT)]))
    monkeypatch.setenv("STYLE_TO_CHOOSE", name)
    seen = editor.play("other_package")
    assert seen["summary"] == summary
    assert seen["preview_size"] == [level.width * 16, level.height * 16]
    scene = f"levels/{name}-7-chambers-3_edit.tscn"
    assert seen["message"] == f"res://{scene} was written." and (Path(editor.folder) / scene).is_file()
    assert seen["rooms"] == len(level.rooms)
