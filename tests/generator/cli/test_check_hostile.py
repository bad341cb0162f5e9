"""`undercroft check` of files with something odd anywhere: lines with the file's name, and never a traceback."""

from __future__ import annotations

import copy
import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import exporters
from exporters.formats.ldtk.check import problems
from generator.cli import main
from generator.errors import BadInput
from tests.exporters import small_level, small_theme
from tests.exporters.builder.games import SMALL
from tests.hostile import changed, shapes, toml

_FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANIFEST = f"""theme = "plain.toml"
options = {{ png = {{ scale = 2 }} }}
{SMALL}
path = "{{group}}/{{seed:04}}"
[group.more]
spec = "isaac.toml"
seeds = [1, "x", "5:7"]
set = {{ stage = 2, state = {{ coins = 3 }} }}
"""
SPEC = "style = 'isaac'\nstage = 2\nrooms = 12\nroom_size = [15, 9]\nstate = { coins = 3 }\n"


def check(path: Path) -> None:
    done = CliRunner().invoke(main, ["check", str(path)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    lines = done.stdout.splitlines()
    assert done.exit_code == bool(lines)
    assert done.stderr == ("" if lines else "undercroft: 1 file checked, no problems\n")
    assert all(line.startswith(str(path.parent)) and line.isprintable() for line in lines), lines


@cache
def project() -> Any:
    """An LDtk project of two small levels, without most of what stands in it twice."""
    bundle = exporters.export(small_level.fifteen_rooms(), ["ldtk"], {"ldtk.levels": "rooms"}, name="level")
    root = json.loads(bundle["level.ldtk"])
    return {**root, "levels": _trimmed(root["levels"][:2]), "defs": _trimmed(root["defs"])}


def _trimmed(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _trimmed(each) for key, each in node.items()}
    if not isinstance(node, list):
        return node
    told = [each.get("__identifier", each.get("type")) if isinstance(each, dict) else None for each in node]
    return [_trimmed(each) for i, each in enumerate(node) if told[:i].count(told[i]) < 2]


@_FEW
@given(data=st.data())
def test_ldtk_projects(data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "level.ldtk"
    path.write_text(json.dumps(changed(data, project())), "utf-8")
    check(path)


_ODD = ([], 10**400, [10**400, 0])


@pytest.mark.parametrize("values", [1, pytest.param(len(_ODD), marks=pytest.mark.soak)])
def test_every_place_of_an_ldtk_project(values: int, tmp_path: Path) -> None:
    """What cannot be looked up or reckoned with, everywhere in turn: one of the odd values, or each."""
    path, root = tmp_path / "level.ldtk", copy.deepcopy(project())
    for number, (*above, key) in enumerate(shapes(root)):
        holder = root
        for each in above:
            holder = holder[each]
        kept = holder[key]
        for odd in (_ODD * 2)[number % len(_ODD) :][:values]:
            holder[key] = odd
            path.write_text(json.dumps(root), "utf-8")
            try:
                problems(path)
            except BadInput as error:
                assert str(error).isprintable()
            except Exception as error:
                raise AssertionError(f"{above} {key}: {str(odd)[:20]}") from error
        holder[key] = kept


@_FEW
@given(data=st.data())
def test_levels(data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "x.level.json"
    path.write_text(json.dumps(changed(data, small_level.fifteen_rooms().to_dict())), "utf-8")
    check(path)


@pytest.mark.parametrize("name", ["plain", "undercroft", "isaac"])
@_FEW
@given(data=st.data())
def test_toml_files(name: str, data: st.DataObject, tmp_path: Path) -> None:
    """A theme, a manifest that names it, and a spec."""
    theme = small_theme.write(tmp_path)
    texts = {"plain": theme.read_text("utf-8"), "undercroft": MANIFEST, "isaac": SPEC}
    for each, text in texts.items():
        (tmp_path / f"{each}.toml").write_text(text, "utf-8")
    path = tmp_path / f"{name}.toml"
    check(path)
    path.write_text(toml(changed(data, tomllib.loads(texts[name]), null=False)), "utf-8")
    check(path)


@pytest.mark.parametrize("key", ["theme", "options", "spec"])
def test_what_a_manifest_names_is_a_folder(key: str, tmp_path: Path) -> None:
    """The line names the manifest and the key, wherever the folder lies."""
    small_theme.write(tmp_path)
    (tmp_path / "isaac.toml").write_text(SPEC, "utf-8")
    path = tmp_path / "undercroft.toml"
    named = {"spec": "isaac.toml", key: ".."}
    lines = "".join(f'{each} = "{file}"\n' for each, file in named.items())
    path.write_text(f"[group.one]\nseeds = [1]\n{lines}", "utf-8")
    check(path)
    line = CliRunner().invoke(main, ["check", str(path)]).stdout
    assert line.startswith(f"{path}: group.one.{key}: "), line
