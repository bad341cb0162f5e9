"""The real programs can be had, run, and draw; see engines.py."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests import engines
from tests.browser import browser

LISTING = """\
'http://mirror.example/debian/dists/bookworm/InRelease' mirror.example_debian_dists_bookworm_InRelease 0
'http://mirror.example/debian/dists/bookworm-updates/InRelease' mirror.example_debian_dists_x_InRelease 0
'https://security.example/debian/dists/bookworm-security/InRelease' security.example_InRelease 0
'https://tools.example/apt/dists/nodistro/InRelease' tools.example_apt_dists_nodistro_InRelease 0
'http://mirror.example/debian/dists/bookworm/main/binary-amd64/Packages.xz' mirror.example_Packages 0
"""

MARKER = """\
extends SceneTree

func _initialize() -> void:
\tprint("marker %d" % (6 * 7))
\tquit()
"""

SHOT = """\
extends SceneTree

func _initialize() -> void:
\tvar rect := ColorRect.new()
\trect.color = Color(1, 0, 0)
\trect.size = Vector2(64, 32)
\troot.add_child(rect)
\tawait RenderingServer.frame_post_draw
\t# The window itself may be larger: the system has a smallest size.
\tvar picture := root.get_texture().get_image().get_region(Rect2i(0, 0, 64, 32))
\tpicture.save_png("res://shot.png")
\tquit()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty Godot project whose window is 64x32."""
    size = "window/size/viewport_width=64\nwindow/size/viewport_height=32\n"
    (tmp_path / "project.godot").write_text(f"config_version=5\n\n[display]\n\n{size}")
    return tmp_path


def test_godot_is_new_enough() -> None:
    version = engines.version_in(engines.godot().version)
    assert version is not None
    assert version >= (4, 3)


def test_godot_runs_a_script(project: Path) -> None:
    (project / "marker.gd").write_text(MARKER)
    done = engines.godot().run("--headless", "--path", project, "-s", "marker.gd")
    assert "marker 42" in done.stdout
    assert done.stderr == ""
    assert done.returncode == 0


def test_godot_draws(project: Path) -> None:
    (project / "shot.gd").write_text(SHOT)
    done = engines.godot().run("--path", project, "-s", "shot.gd", display=True)
    assert done.returncode == 0, done.stderr
    with Image.open(project / "shot.png") as shot:
        assert shot.size == (64, 32)
        assert shot.convert("RGB").getcolors() == [(64 * 32, (255, 0, 0))]


MAIN = """\
extends Node

func _ready() -> void:
\tprint("marker %d, project %s" % [6 * 7, FileAccess.file_exists("res://project.godot")])
\tget_tree().quit()
"""

MAIN_SCENE = """\
[gd_scene format=3]

[ext_resource type="Script" path="res://main.gd" id="1"]

[node name="Main" type="Node"]
script = ExtResource("1")
"""

PRESET = """\
[preset.0]
name="game"
platform="Linux"
export_filter="all_resources"

[preset.0.options]
custom_template/release="{}"
"""


def test_an_exported_game_runs_from_a_folder_of_its_own(project: Path, tmp_path: Path) -> None:
    (project / "main.gd").write_text(MAIN)
    (project / "main.tscn").write_text(MAIN_SCENE)
    with (project / "project.godot").open("a") as settings:
        settings.write('\n[application]\n\nrun/main_scene="res://main.tscn"\n')
    (project / "export_presets.cfg").write_text(PRESET.format(engines.godot_template()))
    game = tmp_path / "apart/game"
    game.parent.mkdir()
    engines.godot().run("--headless", "--path", project, "--export-release", "game", game)
    done = engines.exported(game).run("--headless", cwd=game.parent)
    assert "marker 42, project false" in done.stdout
    assert done.stderr == ""
    assert done.returncode == 0


def test_chromium_draws_in_letters_of_its_own(tmp_path: Path) -> None:
    """With every process that it starts, each under the loader that came with it."""
    (tmp_path / "page.html").write_text("<body style='background: red; font: 40px sans-serif'>MMMM")
    with browser() as page:
        page.size(64, 32)
        page.open(tmp_path / "page.html")
        shot = page.shot()
    assert shot.size == (64, 32)
    colours = {colour for _, colour in shot.getcolors(4096) or []}
    assert {(255, 0, 0), (0, 0, 0)} <= colours
    version = engines.version_in(engines.chromium().version)
    assert version is not None and version >= (120, 0)


def own_program(folder: Path, name: str, says: str) -> None:
    """A program on the PATH of a machine that tells its version."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\necho {says}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def own_chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The path of a browser that the machine has; only its version is known."""
    own_program(tmp_path / "bin", "chromium", "Chromium 999.0")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(engines, "refused", "")
    engines._find.cache_clear()
    yield str(tmp_path / "bin" / "chromium")
    engines._find.cache_clear()


PACKAGED = engines.Program(("packaged",), {})


def test_what_the_machine_has_does_not_count_where_packages_can_be_had(
    own_chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_packaged", lambda recipe: PACKAGED)
    assert engines._find("chromium") is PACKAGED
    assert engines.at_hand("chromium").argv == (own_chromium,)
    monkeypatch.setenv("PATH", "")
    assert engines.at_hand("chromium") is PACKAGED


def test_without_packages_the_machines_own_serves(own_chromium: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(recipe: engines.Recipe) -> engines.Program:
        raise engines.EngineMissing("without apt-get")

    monkeypatch.setattr(engines, "_packaged", lacking)
    found = engines._find("chromium")
    assert isinstance(found, engines.Program) and (found.argv, found.origin) == ((own_chromium,), "the PATH")
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")
    engines._find.cache_clear()
    assert "the variable CHROMIUM has /no/such/browser" in str(engines._find("chromium"))


def test_godot_leaves_the_home_folder_alone(project: Path) -> None:
    (project / "where.gd").write_text(MARKER.replace('"marker %d" % (6 * 7)', "OS.get_user_data_dir()"))
    done = engines.godot().run("--headless", "--path", project, "-s", "where.gd")
    assert str(Path.home()) not in done.stdout
    assert "undercroft-" in done.stdout


def ask(name: str, tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run engines.py by itself, with an empty cache."""
    env = os.environ | {"UNDERCROFT_ENGINES": str(tmp_path / "cache")} | variables
    command = [sys.executable, engines.__file__, name]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("godot", "complaint"),
    [("/no/such/godot", "No such file"), (f"{sys.executable} -c 'print(\"3.6.2\")'", "'3.6.2'")],
)
def test_a_wrong_variable_is_named(tmp_path: Path, godot: str, complaint: str) -> None:
    done = ask("godot", tmp_path, GODOT=godot)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("godot is missing: the variable GODOT has ")
    assert complaint in done.stderr
    assert "Set GODOT to the path of godot 4.3 or newer" in done.stderr


def test_without_debian_the_variable_is_asked_for(tmp_path: Path) -> None:
    done = ask("godot", tmp_path, GODOT="", PATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("godot is missing: not on the PATH, and without apt-get ")
    assert "Set GODOT" in done.stderr
    assert not (tmp_path / "cache").exists()


def test_an_unknown_name(tmp_path: Path) -> None:
    done = ask("gimp", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("gimp is not one of: godot,")


def test_a_missing_program_is_an_exception() -> None:
    code = "from tests import engines; engines.godot()"
    env = os.environ | {"GODOT": "/no/such/godot"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert "EngineMissing: godot is missing: the variable GODOT has /no/such/godot" in done.stderr


def test_mirrors_are_the_archives_that_apt_uses() -> None:
    assert engines.mirrors_in(LISTING) == ("http://mirror.example/debian", "https://tools.example/apt")
    assert engines.mirrors_in("") == ()


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("4.6.3.stable.debian4.6.3+ds-2", (4, 6)),
        ("Tiled 1.11.0", (1, 11)),
        ("Godot Engine v4.10.stable.official", (4, 10)),
        ("command not found", None),
    ],
)
def test_version_in(said: str, version: tuple[int, int] | None) -> None:
    assert engines.version_in(said) == version
