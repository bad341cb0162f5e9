"""`undercroft init`: a project that can be built at once, in which editors mark mistakes."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporters.builder.manifest import load_manifest
from exporters.project import CI_FILES, recipe
from generator.cli import main
from generator.spec import parse_spec, preset_names
from generator.version import VERSION
from tests.editors import marked
from tests.engines import HANG


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}  # fmt: skip


def test_a_new_project_builds_and_has_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun = run("init")
    assert begun.exit_code == 0, begun.stderr
    assert begun.stdout.splitlines() == [
        "undercroft.toml", "specs/dungeon.toml", ".gitignore", ".gitattributes", ".github/workflows/levels.yml", ".schemas",
    ]  # fmt: skip
    head, *steps = begun.stderr.splitlines()
    assert head == "next:" and len(steps) == 3 and steps[0].startswith("  undercroft build ")
    assert run("build").exit_code == 0
    assert {path.name for path in (tmp_path / "levels" / "dungeon").glob("*.json")} == {
        f"dungeon-{seed}.level.json" for seed in (1, 2, 3)
    }
    checked = run("check", ".")
    assert (checked.exit_code, checked.stdout) == (0, "")
    assert run("build", "--check").exit_code == 0 and marked(tmp_path) == {}


@pytest.mark.parametrize("preset", preset_names(others=True))
def test_every_value_that_a_first_spec_shows_can_be_put_to_use(preset: str, tmp_path: Path) -> None:
    assert run("init", tmp_path, "--preset", preset, "--ci", "none").exit_code == 0
    assert load_manifest(tmp_path).groups[0].spec.style
    path = tmp_path / "specs" / "dungeon.toml"
    lines = [line.removeprefix("# ") if " = " in line else line for line in path.read_text("utf-8").splitlines()]  # fmt: skip
    path.write_text("\n".join(lines), "utf-8")
    shown = tomllib.loads("\n".join(lines))
    assert len(shown) > 5 and parse_spec("\n".join(lines))
    assert marked(tmp_path) == {}


def test_an_editor_marks_a_misspelt_key_and_a_value_out_of_range(tmp_path: Path) -> None:
    run("init", tmp_path)
    for file, old, new in (
        ("specs/dungeon.toml", "stage = 1", "stage = 13\nstagee = 1"),
        ("undercroft.toml", 'seeds = "1:4"', "seeds = 4\nset.stage = 13\nset.rums = 9"),
    ):
        text = (tmp_path / file).read_text("utf-8")
        (tmp_path / file).write_text(text.replace(old, new), "utf-8")
    found = marked(tmp_path)
    assert found["specs/dungeon.toml"] == {
        "Additional properties are not allowed ('stagee' was unexpected)",
        "13 is greater than the maximum of 12",
    }
    manifest = " ".join(found["undercroft.toml"])
    assert "'rums' was unexpected" in manifest and '4 is not of types "array", "string"' in manifest
    assert "13 is greater than the maximum of 12" in manifest


def test_the_next_steps_can_be_copied_into_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    steps = run("init", "my game", "--ci", "none").stderr.splitlines()[1:]
    assert steps[0].startswith("  undercroft build 'my game'   makes the levels in ")
    assert steps[2].startswith("  undercroft show 'my game/specs/dungeon.toml'   ")


@pytest.mark.parametrize(
    ("wanted", "is_made_in"),
    [
        (None, ""),
        ("wheels/x.whl", "game/wheels"),
        ("https://example.org/x.whl", ""),
        ("/opt/x.whl", ""),
        ("undercroft==0.1.0", ""),
    ],
)
def test_a_wheel_in_the_project_comes_with_the_command_that_makes_it(
    wanted: str | None, is_made_in: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    last = run("init", "game", *(("--install", wanted) if wanted else ())).stderr.splitlines()[-1]
    assert ("pip wheel" in last) == bool(is_made_in)
    assert f" --wheel-dir {is_made_in} " in last or not is_made_in
    assert (f"no index has undercroft=={VERSION}" in last) == (wanted is None and ".dev" in VERSION)


def test_a_ci_file_below_the_top_of_a_repository_is_to_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CI does not read it there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "project.godot").write_text("config_version=5\n", "utf-8")
    moved = "  dungeon/.github/workflows/levels.yml is found only at the top of a repository"
    assert moved in run("init", "dungeon", "--godot").stderr
    assert "repository" not in run("init", "--godot").stderr
    (tmp_path / "game" / ".git").mkdir(parents=True)
    assert "repository" not in run("init", "game").stderr
    assert "game/maps/.gitlab-ci.yml is found" in run("init", "game/maps", "--ci", "gitlab").stderr
    assert "repository" not in run("init", "game/more", "--ci", "none").stderr


def test_levels_in_a_godot_project_are_scenes(tmp_path: Path) -> None:
    """But not where Godot imports nothing."""
    (tmp_path / "project.godot").write_text("config_version=5\n", "utf-8")
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / ".gdignore").touch()
    for folder, formats in (("dungeon", ("godot",)), ("art/levels", ("json", "png"))):
        assert run("init", tmp_path / folder).exit_code == 0
        assert load_manifest(tmp_path / folder).groups[0].formats == formats
    refused = run("init", tmp_path / "art" / "more", "--godot")
    assert refused.exit_code == 2 and "Godot imports nothing below it" in refused.stderr


def test_files_that_exist_stay_and_are_all_named(tmp_path: Path) -> None:
    for name in ("specs/dungeon.toml", CI_FILES["github"], ".schemas/spec.schema.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mine", "utf-8")
    before = files_below(tmp_path)
    refused = run("init", tmp_path)
    assert refused.exit_code == 2 and files_below(tmp_path) == before
    assert refused.stderr == (
        f"undercroft: {tmp_path}: has specs/dungeon.toml, {CI_FILES['github']}, .schemas already; "
        "name another folder, or move them away\n"
    )


def test_a_project_does_not_begin_a_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init", tmp_path / "our game")
    monkeypatch.chdir(tmp_path)
    assert run("init", "our game").stderr == (
        "undercroft: our game: is a project already; run `undercroft build 'our game'`, or name another folder\n"
    )


def git(*words: str, cwd: Path) -> str:
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(cwd)}
    config = ("-c", "core.autocrlf=true", "-c", "user.name=a", "-c", "user.email=a@b")
    command = ["git", *config, *words]
    done = subprocess.run(command, cwd=cwd, env=os.environ | own, check=True, timeout=HANG, capture_output=True, text=True)  # fmt: skip
    return done.stdout


def test_git_changes_no_line_end_of_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even on Windows, where it changes those of all other texts."""
    monkeypatch.chdir(tmp_path)
    run("init", "--commit-levels", "--ci", "none")
    run("generate", "isaac", "--to", "json", "--to", "tiled", "--out", "levels/deep")
    (tmp_path / "notes.txt").write_bytes(b"one\n")
    (tmp_path / "x.ucpack").write_bytes(b"one\ntwo\n")
    ours = {
        name: data
        for name, data in files_below(tmp_path).items()
        if name.startswith(("levels/", ".schemas/")) and "/.undercroft/" not in name
    }
    git("init", "-q", cwd=tmp_path)
    git("add", ".", cwd=tmp_path)
    git("commit", "-q", "-m", "a", cwd=tmp_path)
    for path in tmp_path.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    git("checkout", "-q", "--", ".", cwd=tmp_path)
    again = files_below(tmp_path)
    assert len(ours) > 10 and {name: again[name] for name in ours} == ours
    assert again["notes.txt"] == b"one\r\n" and again["x.ucpack"] == b"one\ntwo\n"


def test_a_list_of_ignored_files_stays_and_its_new_lines_are_reported(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("mine\n", "utf-8")
    done = run("init", tmp_path, "--json")
    assert done.exit_code == 0 and (tmp_path / ".gitignore").read_text("utf-8") == "mine\n"
    assert "stays as it is; add these lines to it: /levels/ .undercroft/" in done.stderr
    told = json.loads(done.stdout)
    assert (
        told["event"] == "written"
        and len(told["next"]) == 3
        and str(tmp_path / "undercroft.toml") in told["files"]
    )


def test_in_a_godot_project_the_levels_are_scenes_that_godot_imports(tmp_path: Path) -> None:
    outside = run("init", tmp_path / "levels", "--godot")
    assert outside.exit_code == 2 and "is not in a Godot project" in outside.stderr
    (tmp_path / "project.godot").write_text("config_version=5\n", "utf-8")
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / ".gdignore").touch()
    ignored = run("init", tmp_path / "art" / "x", "--godot")
    assert ignored.exit_code == 2 and "Godot imports nothing below it" in ignored.stderr
    assert not (tmp_path / "art" / "x").exists() and not (tmp_path / "levels").exists()
    done = run("init", tmp_path / "dungeon", "--godot", "--ci", "gitlab", "--commit-levels")
    assert done.exit_code == 0 and f"undercroft addon install {tmp_path} " in done.stderr
    (group,) = load_manifest(tmp_path / "dungeon").groups
    assert group.formats == ("godot",)
    assert not list((tmp_path / "dungeon").rglob(".gdignore"))
    assert "/levels/" not in (tmp_path / "dungeon" / ".gitignore").read_text("utf-8")
    assert (tmp_path / "dungeon" / ".gitlab-ci.yml").read_text("utf-8") == recipe("gitlab", committed=True)


@pytest.mark.parametrize("flags", [[], ["--godot"]])
def test_git_has_the_scenes_to_work_in_and_nothing_else_of_the_levels(
    tmp_path: Path, flags: list[str]
) -> None:
    (tmp_path / "project.godot").touch()
    assert run("init", tmp_path / "game", "--ci", "none", *flags).exit_code == 0
    files = {"a.tscn", "a_edit.tscn", "a.level.json", "b/c/a.tscn", "b/c/a_edit.tscn", ".undercroft/state.db"}
    for name in files:
        path = tmp_path / "game" / "levels" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    git("init", "-q", cwd=tmp_path)
    shown = git("ls-files", "--others", "--exclude-standard", "game/levels", cwd=tmp_path)
    assert shown.split() == ["game/levels/a_edit.tscn", "game/levels/b/c/a_edit.tscn"]


def test_what_ci_installs_is_said_once_and_cannot_break_the_file(tmp_path: Path) -> None:
    run("init", tmp_path / "a", "--install", "undercroft==9.9")
    assert 'UNDERCROFT: "undercroft==9.9" #' in (tmp_path / "a" / CI_FILES["github"]).read_text("utf-8")
    refused = run("init", tmp_path / "b", "--install", 'x" # y')
    assert refused.exit_code == 2 and not (tmp_path / "b").exists()


def test_kits_and_themes_of_a_project_name_its_schemas(tmp_path: Path) -> None:
    alone = run("kit", "new", tmp_path / "alone")
    run("init", tmp_path / "game")
    inside = run("kit", "new", tmp_path / "game" / "kits" / "own")
    assert alone.exit_code == inside.exit_code == 0
    assert "#:schema" not in (tmp_path / "alone" / "kit.toml").read_text("utf-8")
    kit = tmp_path / "game" / "kits" / "own" / "kit.toml"
    assert kit.read_text("utf-8").startswith("#:schema ../../.schemas/kit.schema.json\n")
    assert marked(tmp_path / "game") == {}
    kit.write_text(kit.read_text("utf-8").replace("cost = 2", "cost = 13"), "utf-8")
    assert marked(tmp_path / "game") == {"kits/own/kit.toml": {"13 is greater than the maximum of 12"}}
    sheet = Path(__file__).parents[3] / "exporters" / "themes" / "undercroft.png"
    (tmp_path / "game" / "look").mkdir()
    (tmp_path / "game" / "look" / "sheet.png").write_bytes(sheet.read_bytes())
    first = run("theme", "new", tmp_path / "game" / "look" / "sheet.png", "--tile-size", "16")
    assert first.exit_code == 0, first.stderr
    theme = (tmp_path / "game" / "look" / "sheet.toml").read_text("utf-8")
    assert theme.startswith("#:schema ../.schemas/theme.schema.json\n") and tomllib.loads(theme)


def printed(to: Path, *args: str | Path, mode: str = "w") -> str:
    """What a file holds that a command prints to."""
    with to.open(mode, encoding="utf-8") as file, redirect_stdout(file), pytest.raises(SystemExit):
        main([str(arg) for arg in args])
    return to.read_text("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell where standard output goes")
def test_what_is_printed_to_a_file_of_a_project_names_its_schema(tmp_path: Path) -> None:
    run("init", tmp_path / "game")
    specs, graph = tmp_path / "game" / "specs", tmp_path / "game" / "graph.dot"
    spec = printed(specs / "a.toml", "presets", "gungeon", "--full")
    assert spec.startswith("#:schema ../.schemas/spec.schema.json\n# ")
    plain = run("presets", "gungeon", "--full").stdout
    assert (
        spec.partition("\n")[2] == plain == printed(tmp_path / "alone.toml", "presets", "gungeon", "--full")
    )
    graph.write_text(run("flow", "show", "hub", "--dot").stdout, "utf-8")
    flow = printed(specs / "hub.toml", "flow", "show", "hub", "--toml")
    assert flow.startswith(line := "#:schema ../.schemas/flow.schema.json\n")
    assert printed(specs / "drawn.toml", "flow", "import", graph).startswith(line)
    assert flow + flow.removeprefix(line) == printed(
        specs / "hub.toml", "flow", "show", "hub", "--toml", mode="a"
    )
    printed(specs / "hub.toml", "flow", "show", "hub", "--toml")
    assert run("check", tmp_path / "game").stdout == "" and marked(tmp_path / "game") == {}
    (specs / "a.toml").write_text(spec + "misspelt = 1\n", "utf-8")
    assert set(marked(tmp_path / "game")) == {"specs/a.toml"}


def test_a_moved_file_is_told_its_right_line(tmp_path: Path) -> None:
    run("init", tmp_path / "game")
    spec = tmp_path / "game" / "specs" / "dungeon.toml"
    moved = spec.parent.parent / spec.name
    spec.rename(moved)
    told = run("check", moved)
    right = "#:schema ./.schemas/spec.schema.json"
    assert (told.exit_code, told.stdout) == (0, "") and told.stderr.splitlines()[0] == (
        f"undercroft: note: {moved}: line 1: '../.schemas/spec.schema.json' is not there, so no editor checks the file; write {right}"
    )  # fmt: skip
    moved.write_text("\n".join([right, *moved.read_text("utf-8").splitlines()[1:]]), "utf-8")
    assert "note" not in run("check", moved).stderr
    lone = tmp_path / "lone file.toml"
    lone.write_text("#:schema in/spec.schema.json\nstyle = 'isaac'\n", "utf-8")
    remedy = f"run `undercroft schema --out {shlex.quote(str(tmp_path / 'in'))}`, or remove the line"
    assert run("check", lone).stderr.splitlines()[0].endswith(remedy)
    for long in (f"{'a' * 300}.schema.json", f"{'a' * 300}/spec.schema.json", "a/" * 2000):
        lone.write_text(f"#:schema {long}\nstyle = 'isaac'\n", "utf-8")
        told = run("check", lone)
        assert (told.exit_code, told.stderr.count("is not there")) == (0, 1), told.output
    for address in ("https://example.com/spec.schema.json", "file:///none/spec.schema.json"):
        lone.write_text(f"#:schema {address}\nstyle = 'isaac'\n", "utf-8")
        assert "note" not in run("check", lone).stderr


def test_hidden_files_and_folders_of_a_folder_are_not_checked(tmp_path: Path) -> None:
    for name in ("a.toml", ".hidden/b.toml", ".c.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("style = 3\n", "utf-8")
    told = run("check", tmp_path).stdout.splitlines()
    assert len(told) == 1 and told[0].startswith(str(tmp_path / "a.toml"))
    assert run("check", tmp_path / ".hidden").exit_code == 1
