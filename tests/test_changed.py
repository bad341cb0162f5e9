"""Which tests lie near a change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.changed import ROOT, changed_files, nearest_tests

pytestmark = pytest.mark.xdist_group("test_changed")  # who imports what is read once


def test_a_module_has_its_mirror_and_whoever_imports_it() -> None:
    near = nearest_tests(["generator/rng.py"])
    assert {
        "tests/generator/test_rng.py",
        "tests/generator/styles/gungeon/furnishing/test_quiet_rooms.py",
    } <= near
    assert len(near) < 60


def test_a_helper_of_the_tests_leads_to_those_that_use_it_however_far() -> None:
    near = nearest_tests(["tests/exporters/godot/crypt_level.py"])
    assert "tests/exporters/godot/test_in_godot.py" in near
    assert all(path.startswith("tests/") for path in near)


def test_late_and_relative_imports_count() -> None:
    assert "tests/exporters/godot/test_in_godot.py" in nearest_tests(["tests/exporters/godot/conftest.py"])
    assert "tests/generator/test_crossing.py" in nearest_tests(["generator/checks/crossing.py"])


def test_data_pages_and_scripts_have_tests_near_them_too() -> None:
    assert "tests/test_docs.py" in nearest_tests(["README.md"])
    assert "tests/test_guides.py" in nearest_tests(["docs/write-a-theme.md"])
    assert "tests/generator/test_layouts.py" in nearest_tests(["generator/interiors/layouts/boss/arena.txt"])
    assert "tests/godot_addon/test_style.py" in nearest_tests(["godot_addon/addons/undercroft/plugin.gd"])
    assert nearest_tests([]) == set()


def test_new_files_count_as_changed(tmp_path: Path) -> None:
    """In a repository of its own, so that this one may be changed or not."""
    script = (
        "from tests import changed; changed.ROOT = changed.Path({!r}); print(changed.changed_files('HEAD'))"
    )
    for command in (
        ["init", "-q"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "a"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / "new.py").write_text("")
    said = subprocess.check_output([sys.executable, "-c", script.format(str(tmp_path))], cwd=ROOT, text=True)
    assert said.strip() == "['new.py']"
    assert isinstance(changed_files("HEAD"), list)
