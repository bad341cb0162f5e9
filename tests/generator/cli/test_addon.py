"""`undercroft addon install`: the addon in a project, turned on, and what people changed left alone."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from exporters import writing
from exporters.bundle import Bundle
from exporters.writing import WriteOutcome
from exporters.writing import write as write_bundle
from generator.cli import main
from generator.cli.addon import PLUGIN, config_version, folder, with_plugin
from generator.errors import BadInput
from generator.version import VERSION
from tests.engines import godot

PLACE = "addons/undercroft"
ENABLED = f'[editor_plugins]\n\nenabled=PackedStringArray("{PLUGIN}")\n'


def install(project: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["addon", "install", str(project), *args], prog_name="undercroft")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project.godot").write_text("config_version=5\n", "utf-8")
    return tmp_path


# ---- the files --------------------------------------------------------------------------------------


def test_it_is_copied_and_turned_on(project: Path) -> None:
    done = install(project)
    assert done.exit_code == 0 and done.stdout.startswith(f"{project / PLACE}: Undercroft {VERSION}, ")
    for path in folder().rglob("*"):
        if path.is_file() and path.suffix != ".import":
            assert (project / PLACE / path.relative_to(folder())).read_bytes() == path.read_bytes()
    assert (project / "project.godot").read_text("utf-8") == f"config_version=5\n\n{ENABLED}"
    assert f'version="{VERSION}"' in (project / PLACE / "plugin.cfg").read_text("utf-8")


def test_again_changes_nothing(project: Path) -> None:
    install(project)
    before = _files(project)
    done = install(project)
    assert done.exit_code == 0 and done.stderr == ""
    assert before == _files(project)


def test_it_is_all_or_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One write has everything, so that a run that is broken off can be taken back as a whole."""
    written: list[set[str]] = []

    def write(bundle: Bundle, *args: Any, **given: Any) -> WriteOutcome:
        written.append({*bundle})
        return write_bundle(bundle, *args, **given)

    monkeypatch.setattr(writing, "write", write)
    install(project)
    (names,) = written
    assert {"project.godot", *(f"{PLACE}/{name}" for name in (".installed.json", "plugin.gd.uid"))} <= names


def _files(project: Path) -> dict[Path, tuple[int, bytes]]:
    """The files of a project with their times, without the record, which notes each run."""
    files = (path for path in project.rglob("*") if path.is_file() and ".undercroft" not in path.parts)
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def an_older_version(project: Path) -> Path:
    """As if one had been installed that kept no record of its own: another plugin.gd, and a file that is gone."""
    place = project / PLACE
    install(project)
    (record,) = project.rglob(".undercroft")
    shutil.rmtree(record)
    installed = place / ".installed.json"
    listed = json.loads(installed.read_text("utf-8"))
    for name in ("plugin.gd", "old/gone.gd"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("# older\n", "utf-8")
        listed["files"][name] = hashlib.sha256(b"# older\n").hexdigest()
    installed.write_text(json.dumps(listed), "utf-8")
    return place


def test_an_older_copy_is_replaced(project: Path) -> None:
    place = an_older_version(project)
    (place / "old" / "gone.gd.uid").write_text("uid://x", "utf-8")
    (place / "mine.gd").write_text("# my own\n", "utf-8")
    (place / "import" / "problem.gd.uid").write_text("uid://theirs", "utf-8")
    done = install(project)
    assert done.exit_code == 0 and done.stderr == ""
    assert (place / "plugin.gd").read_bytes() == (folder() / "plugin.gd").read_bytes()
    assert not (place / "old").exists()
    assert (place / "mine.gd").read_text("utf-8") == "# my own\n"
    assert (place / "import" / "problem.gd.uid").read_text("utf-8") == "uid://theirs", "scenes may name it"


def test_what_people_changed_is_named_and_kept(project: Path) -> None:
    place = an_older_version(project)
    (place / "plugin.gd").write_text("# mine\n", "utf-8")
    for _time in range(2):  # the second time it still is no version of ours
        done = install(project, "--json")
        assert done.exit_code == 0
        assert done.stderr == (
            f"undercroft: {place / 'plugin.gd'}: already exists, and nothing says that Undercroft wrote it, so it stays; "
            "the new file is plugin.gd.new; --edits replace uses the new file\n"
        )
        assert json.loads(done.stdout)["kept"] == [str(place / "plugin.gd")]
        assert (place / "plugin.gd").read_text("utf-8") == "# mine\n"
    assert "is replaced; the old file is now plugin.gd.mine\n" in install(project, "--force").stderr
    assert (place / "plugin.gd.mine").read_text("utf-8") == "# mine\n"
    assert not (place / "plugin.gd.new").exists(), "ours stands in its place"
    assert (place / "plugin.gd").read_bytes() == (folder() / "plugin.gd").read_bytes()


def test_the_same_version_says_what_people_changed_and_keeps_it(project: Path) -> None:
    install(project)
    script = project / PLACE / "plugin.gd"
    script.write_text("# mine\n", "utf-8")
    for _time in range(2):
        done = install(project)
        assert done.exit_code == 0 and script.read_text("utf-8") == "# mine\n"
        assert done.stderr == (
            f"undercroft: {script}: was changed by hand and stays; --force replaces it and keeps a copy\n"
        )
    assert "is replaced; the old file is now plugin.gd.mine\n" in install(project, "--force").stderr
    assert install(project).stderr == ""


def test_a_copy_without_a_list_is_not_guessed_at(project: Path) -> None:
    """Unpacked from a zip, say: nobody knows which version it was."""
    install(project)
    (project / PLACE / ".installed.json").unlink()
    assert install(project).exit_code == 0, "the same version has nothing to lose"
    (project / PLACE / ".installed.json").write_text("[", "utf-8")
    (project / PLACE / "plugin.gd").write_text("# older or mine\n", "utf-8")
    done = install(project)
    assert done.exit_code == 2 and "give --edits replace" in done.stderr and done.stderr.count("\n") == 1
    assert (project / PLACE / "plugin.gd").read_text("utf-8") == "# older or mine\n"
    assert install(project, "--force").exit_code == 0


def test_a_link_to_a_checkout_is_left_alone(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("checkout")
    (project / "addons").mkdir()
    (project / PLACE).symlink_to(other)
    done = install(project)
    assert done.exit_code == 1 and "is a link to" in done.stderr
    assert (
        not list(other.iterdir()) and (project / "project.godot").read_text("utf-8") == "config_version=5\n"
    )


def test_path_prints_where_it_lies() -> None:
    done = CliRunner().invoke(main, ["addon", "path"])
    assert (Path(done.stdout.strip()) / "plugin.cfg").is_file()


# ---- wrong use --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "contains no project.godot; name the folder of a Godot project"),
        ("config_version=4\n", "is not a Godot 4 project; the addon needs Godot 4.3 or newer"),
        ("", "is not a Godot 4 project"),
        (
            "config_version=5\n[editor_plugins]\nenabled=7\n",
            "'7' is not a PackedStringArray; repair it in Godot",
        ),
        (b"config_version=5\n\xff", "is not UTF-8"),
    ],
)
def test_a_file_that_is_not_a_project_is_refused(tmp_path: Path, text: str | bytes | None, says: str) -> None:
    if text is not None:
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "project.godot").write_bytes(data)
    done = install(tmp_path)
    assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "addons").exists()


# ---- project.godot ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("config_version=5", f"config_version=5\n\n{ENABLED}"),
        ("a=1\n\n", f"a=1\n\n{ENABLED}"),
        ("a=1\r\n", "a=1\r\n\r\n" + ENABLED.replace("\n", "\r\n")),
        ("[editor_plugins]\n\n[x]\ny=1\n", f'[editor_plugins]\n\nenabled=PackedStringArray("{PLUGIN}")\n\n[x]\ny=1\n'),
        ("[editor_plugins]\nenabled=PackedStringArray()\n", f'[editor_plugins]\nenabled=PackedStringArray("{PLUGIN}")\n'),
        (
            '[editor_plugins]\n; mine\nenabled=PackedStringArray( "res://addons/a/plugin.cfg" ) ; two\nx=1\n',
            f'[editor_plugins]\n; mine\nenabled=PackedStringArray( "res://addons/a/plugin.cfg", "{PLUGIN}" ) ; two\nx=1\n',
        ),
        (
            '[editor_plugins]\nenabled = PackedStringArray(\n"res://b.cfg",\n)\n',
            f'[editor_plugins]\nenabled = PackedStringArray(\n"res://b.cfg", "{PLUGIN}",\n)\n',
        ),
        # What only looks like it: in a text over several lines, in a comment, in another section.
        (
            'd="\n[editor_plugins]\nenabled=PackedStringArray()\n\\""\n; [editor_plugins]\n[x]\nenabled=true\n',
            f'd="\n[editor_plugins]\nenabled=PackedStringArray()\n\\""\n; [editor_plugins]\n[x]\nenabled=true\n\n{ENABLED}',
        ),
        (ENABLED, ENABLED),
    ],
)  # fmt: skip
def test_a_plugin_joins_those_that_are_on(before: str, after: str) -> None:
    """As a person would write it: every other character stays."""
    assert with_plugin(before, PLUGIN) == after
    assert with_plugin(after, PLUGIN) == after


_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters='\r"\\'), max_size=12)
_VALUES = st.one_of(
    st.integers().map(str),
    _TEXTS.map('"{}"'.format),
    st.lists(_TEXTS, max_size=3).map(
        lambda texts: "{\n" + ",\n".join(f'"{text}": [1, 2]' for text in texts) + "\n}"
    ),
)
_LINES = st.one_of(
    st.tuples(st.from_regex(r"[a-z][a-z/_.]{0,8}", fullmatch=True), _VALUES).map(
        lambda pair: f"{pair[0]}={pair[1]}"
    ),
    st.sampled_from(["", '; a comment with ( and "', "[x]", "[editor_plugins]", "  "]),
)


@given(st.lists(_LINES, max_size=12))
def test_nothing_else_changes(lines: list[str]) -> None:
    """Whatever a project holds, one line is all that comes, in one place; what was on stays on."""
    text = "\n".join(lines) + "\n"
    try:
        done = with_plugin(text, PLUGIN)
    except BadInput:
        assert re.search(r"^enabled=", text, re.MULTILINE)
        return
    assert done.count(PLUGIN) == 1 and len(done) - len(text) <= len(ENABLED) + 2
    start = next((at for at, (a, b) in enumerate(zip(text, done, strict=False)) if a != b), len(text))
    assert done.endswith(text[start:]) and done[:start] == text[:start]


@given(st.text(max_size=60))
def test_any_text_is_read_to_its_end(text: str) -> None:
    config_version(text)
    try:
        assert PLUGIN in with_plugin(text, PLUGIN)
    except BadInput as error:
        assert "PackedStringArray" in str(error)


def test_godot_reads_what_was_written(project: Path) -> None:
    """A description over several lines, sections in front and behind, and another plugin that stays on."""
    (project / "project.godot").write_text(
        'config_version=5\n\n[application]\n\nconfig/description="a\n[editor_plugins]\n; b"\n\n[editor_plugins]\n\n'
        'enabled=PackedStringArray("res://addons/other/plugin.cfg")\n\n[rendering]\n\nx/y=3\n',
        "utf-8",
    )
    install(project)
    (project / "probe.gd").write_text(
        'extends SceneTree\nfunc _init() -> void:\n\tprint(ProjectSettings.get_setting("editor_plugins/enabled"))\n'
        '\tprint(ProjectSettings.get_setting("rendering/x/y"))\n\tquit()\n',
        "utf-8",
    )
    done = godot().run("--headless", "--path", project, "-s", "probe.gd")
    assert f'["res://addons/other/plugin.cfg", "{PLUGIN}"]\n3\n' in done.stdout
