"""Which tests lie near a change."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.changed import ROOT, changed_files, nearest_tests

PRODUCT = ("generator", "exporters")

pytestmark = pytest.mark.xdist_group("test_changed")  # who imports what is read once


def test_a_module_has_its_mirror_and_whoever_imports_it() -> None:
    near = nearest_tests(["generator/rng.py"])
    assert {
        "tests/generator/test_rng.py",
        "tests/generator/styles/gungeon/furnishing/test_quiet_rooms.py",
    } <= near
    assert len(near) < 90


def test_a_helper_of_the_tests_leads_to_those_that_use_it_however_far() -> None:
    near = nearest_tests(["tests/exporters/formats/godot/crypt_level.py"])
    assert "tests/exporters/formats/godot/test_in_godot.py" in near
    assert all(path.startswith("tests/") for path in near)


def test_late_and_relative_imports_count() -> None:
    assert "tests/exporters/formats/godot/test_in_godot.py" in nearest_tests(
        ["tests/exporters/formats/godot/conftest.py"]
    )
    assert "tests/generator/test_crossing.py" in nearest_tests(["generator/checks/crossing.py"])


def test_data_pages_and_scripts_have_tests_near_them_too() -> None:
    assert "tests/test_docs.py" in nearest_tests(["README.md"])
    assert "tests/test_guides.py" in nearest_tests(["docs/write-a-theme.md"])
    assert "tests/generator/test_layouts.py" in nearest_tests(["generator/interiors/layouts/boss/arena.txt"])
    assert nearest_tests([]) == set()
    for file, test in (
        ("pyproject.toml", "tests/test_release.py"),
        (".ci/run", "tests/test_docs.py"),
        (".github/workflows/release.yml", "tests/test_wheel.py"),
        ("docs/website/links.py", "tests/test_site.py"),
        ("docs/art/draw.py", "tests/test_art.py"),
        ("docs/conf.py", "tests/test_site.py"),
        ("docs/examples/garden/kit.toml", "tests/generator/kits/test_garden.py"),
    ):
        assert test in nearest_tests([file]), file


def test_a_file_that_modules_beside_it_name_has_their_tests_and_those_that_name_it() -> None:
    near = nearest_tests(["exporters/selftest.json"])
    assert "tests/exporters/test_selftest.py" in near and len(near) < 60
    near = nearest_tests(["tests/goldens/versions.toml"])
    assert "tests/test_versions.py" in near and len(near) < 10
    assert "tests/godot_addon/play/test_doors.py" in nearest_tests(["tests/godot_addon/scripts/doors.gd"])


def test_the_addons_scripts_have_the_tests_that_run_them() -> None:
    addon, tests = "godot_addon/addons/undercroft", "tests/godot_addon"
    dock = nearest_tests([f"{addon}/dock/form.gd"])
    assert {f"{tests}/dock/test_dock.py", f"{tests}/test_style.py"} <= dock
    assert f"{tests}/ldtk/test_levels.py" not in dock
    assert f"{tests}/play/test_gates.py" in nearest_tests([f"{addon}/runtime/gates.gd"])


def test_each_module_of_the_product_has_tests_near_it() -> None:
    modules = [
        path.relative_to(ROOT).as_posix() for each in PRODUCT for path in sorted((ROOT / each).rglob("*.py"))
    ]
    assert len(modules) > 300
    assert [module for module in modules if not nearest_tests([module])] == []
    assert "tests/exporters/merge/test_exported_anew.py" in nearest_tests(["exporters/merge/ldtk_ids.py"])


def run_git(folder: Path, *commands: str) -> None:
    for command in commands:
        subprocess.run(["git", *command.split()], cwd=folder, check=True)


def asked_in(folder: Path, question: str) -> str:
    """What an expression gives in another repository, so that this one may be changed or not."""
    script = f"from tests import changed; changed.ROOT = changed.Path({str(folder)!r}); print({question})"
    return subprocess.check_output([sys.executable, "-c", script], cwd=ROOT, text=True).strip()


def test_new_files_count_as_changed(tmp_path: Path) -> None:
    run_git(tmp_path, "init -q", "-c user.name=a -c user.email=a@b commit -q --allow-empty -m a")
    (tmp_path / "new.py").write_text("")
    assert asked_in(tmp_path, "changed.changed_files('HEAD')") == "['new.py']"
    assert isinstance(changed_files("HEAD"), list)


def test_whoever_imports_a_module_that_was_renamed_is_near(tmp_path: Path) -> None:
    """A test that was renamed itself is near by its new name alone."""
    for place, text in (
        ("generator/__init__.py", ""),
        ("generator/old.py", "A = 1\n" * 9),
        ("tests/one/test_old.py", "B = 1\n" * 9),
        ("tests/two/test_user.py", "from generator.old import A"),
        ("tests/three/test_user.py", "from generator import old"),
        ("tests/four/test_other.py", "from generator import new"),
    ):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    run_git(tmp_path, "init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m a")
    run_git(
        tmp_path, "mv generator/old.py generator/new.py", "mv tests/one/test_old.py tests/one/test_new.py"
    )
    said = asked_in(tmp_path, "sorted(changed.nearest_tests(changed.changed_files('HEAD')))")
    assert ast.literal_eval(said) == [
        "tests/four/test_other.py",
        "tests/one/test_new.py",
        "tests/three/test_user.py",
        "tests/two/test_user.py",
    ]
