"""The dock offers the style of another package as it offers ours, and makes its levels."""

from __future__ import annotations

import json
import os
from pathlib import Path

from generator import generate
from generator.styles.registry import style, style_names
from tests.other_packages import CAVES, ROOT, install, installed_here

from .conftest import Played, story


@story()
def other_package(folder: Path) -> str:
    """A package with a style, which the story names to the command."""
    packages = install(CAVES, folder.with_name("packages"))
    with installed_here(packages):
        (name,) = set(style_names()) - set(style_names(others=False))
        level, summary = generate(name, 7, chambers=3), style(name).summary
    told = {
        "style": name,
        "python_path": os.pathsep.join([str(packages), str(ROOT)]),
        "summary": summary,
        "size": [level.width * 16, level.height * 16],
        "rooms": len(level.rooms),
    }
    (folder / "other_package.json").write_text(json.dumps(told), "utf-8")
    return ""


def test_a_person_makes_a_level_of_another_packages_style(other_package: Played) -> None:
    seen, wanted = other_package.seen, json.loads((other_package.folder / "other_package.json").read_bytes())
    assert seen["summary"] == wanted["summary"]
    assert seen["preview_size"] == wanted["size"]
    scene = f"levels/{wanted['style']}-7-chambers-3_edit.tscn"
    assert seen["message"] == f"res://{scene} was written." and (other_package.folder / scene).is_file()
    assert seen["rooms"] == wanted["rooms"]
