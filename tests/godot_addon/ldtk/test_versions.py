"""A project is the same scene in whichever version of LDtk, and with whichever line ends, it was written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.godot_addon.rounds import Part, imported

from .projects import Json, sheet
from .versions import ENDS, HEIGHT, VERSIONS, WIDTH, as_of, content, files, newest

FILES = {name: version for name, (version, _) in files().items()}
APART = ("1.5.3", "0.9.3", "0.7.2")  # with each level in a file of its own, which 0.7 was the first to have


@imported
def ldtk_versions(folder: Path) -> None:
    """A project as each version writes it."""
    sheet(folder)
    for name, (version, end) in files().items():
        (folder / f"{name}.ldtk").write_bytes(content(as_of(newest(), version), end))
    for version in APART:
        _write_apart(folder, as_of(newest(), version))


def _write_apart(folder: Path, written: Json) -> None:
    name = _apart(written["jsonVersion"])
    written["externalLevels"] = True
    (folder / name).mkdir()
    for one in written["levels"]:
        path = f"{name}/{one['identifier']}.ldtkl"
        (folder / path).write_bytes(ENDS["crlf"](json.dumps(one, indent="\t")))
        one |= {"layerInstances": None, "externalRelPath": path}
    (folder / f"{name}.ldtk").write_bytes(content(written, "bom"))


def _apart(version: str) -> str:
    return f"apart{version.replace('.', '_')}"


@pytest.fixture(scope="module")
def scenes(ldtk_versions: Part) -> dict[str, Any]:
    """Every file's nodes; none of them gives a warning."""
    assert ldtk_versions.said == []
    names = [*FILES, *map(_apart, APART)]
    told = ldtk_versions.ask("tree.gd", *(f"res://{name}.ldtk" for name in names))
    return {name: told[f"res://{name}.ldtk"] for name in names}


def test_the_newest_has_everything(scenes: dict[str, Any]) -> None:
    nodes = scenes[next(iter(FILES))]
    for name, left in (("West", 0), ("East", WIDTH * 16)):
        assert nodes[name]["position"] == [left, 0]
        assert len(nodes[f"{name}/Drawn"]["cells"]) == len(range(0, WIDTH * HEIGHT, 7))
        assert len(nodes[f"{name}/Grid/Values"]["cells"]) == sum(n * n % 3 > 0 for n in range(WIDTH * HEIGHT))
        assert len(nodes[f"{name}/Grid"]["cells"]) == 30
        assert nodes[f"{name}/Auto"]["position"] == [4, 0]
        thing = nodes[f"{name}/Things/Point"]
        assert thing["position"] == [56, 40]
        assert thing["meta"]["size"] == "Vector2(16, 24)"
        assert "Vector2(24, 40), Vector2(56, 72)" in thing["meta"]["way"]
        assert "none" not in thing["meta"]
        assert "neighbours" in nodes[name]["meta"]


@pytest.mark.parametrize("name", [*FILES, *map(_apart, APART)])
def test_all_others_are_like_it(scenes: dict[str, Any], name: str) -> None:
    want, got = scenes[next(iter(FILES))], scenes[name]
    # The root is called after the file.
    assert {path: _facts(node) for path, node in got.items()} == {
        path: _facts(node) for path, node in want.items()
    }


def _facts(node: dict[str, Any]) -> dict[str, Any]:
    """What is the same in all versions: before 1.0 nothing had an iid."""
    meta = {key: value for key, value in node["meta"].items() if key != "iid"}
    return {**node, "meta": meta}


def test_what_had_no_iid_has_one_all_the_same(scenes: dict[str, Any]) -> None:
    nodes = scenes[next(name for name, version in FILES.items() if version == VERSIONS[-1])]
    iids = [node["meta"]["iid"] for node in nodes.values() if node["meta"].get("iid", '""') != '""']
    assert len(iids) == len(set(iids)) == 2 * (1 + 4 + 1)
