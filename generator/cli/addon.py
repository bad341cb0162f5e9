"""`undercroft addon`: put the Godot addon into a project."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

import click

from generator.cli import common, json_lines, writing
from generator.cli.helpful import HelpfulGroup
from generator.errors import BadInput, UndercroftError, shown
from generator.files import read_bytes, read_text
from generator.named_tuple import NamedTuple
from generator.pattern import pattern
from generator.version import VERSION

PLUGIN = "res://addons/undercroft/plugin.cfg"
_PLACE = "addons/undercroft"  # in a project
_LIST = ".installed.json"  # what was installed, beside it; Godot does not look at hidden files
_UID, _IMPORT = ".uid", ".import"  # what Godot makes beside a script or a picture is the project's
_MAX_BYTES = 1 << 24  # of a file in a project


@click.group(cls=HelpfulGroup)
def command() -> None:
    """Put the Godot addon into a project."""


@command.command("path")
@common.json_option
def path(as_json: bool) -> None:
    """Print the folder of the addon that comes with this version."""
    json_lines.tell(as_json, str(folder()), "addon", folder=str(folder()), version=VERSION)


@command.command("install")
@click.argument("project", type=common.FOLDER)
@common.flag("--force", "Short for --edits replace.")
@writing.writes_files()
def install(project: Path, force: bool, output: writing.WriteOptions) -> None:
    """Copy the addon into PROJECT, the folder of a Godot project, and turn it on there.

    An older copy is replaced. Files that somebody changed since they were installed are named and kept.
    """
    from exporters.bundle import Bundle
    from exporters.edits.record import folder_record

    file = project / "project.godot"
    if not file.is_file():
        raise BadInput(f"{project}: contains no project.godot; name the folder of a Godot project")
    with folder_record(project, dry_run=output.dry_run, tell=common.tell):
        pass  # a write that was broken off is taken back before anything is looked at
    text = read_text(file, _MAX_BYTES, BadInput)
    if config_version(text) != "5":
        raise BadInput(f"{file}: is not a Godot 4 project; the addon needs Godot 4.3 or newer")
    try:
        text = with_plugin(text, PLUGIN)
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
    new = _files(folder())
    uids = {
        name: data for name, data in _files(folder(), _UID).items() if not (project / _PLACE / name).exists()
    }
    if force:
        output = output._replace(edits="replace")
    target = project / _PLACE
    installed = _installed(target, new, output.edits == "replace")
    bundle = Bundle({f"{_PLACE}/{name}": data for name, data in (new | uids).items()})
    gone = _gone(target, new, installed)
    left = {name: digest for name, digest in installed.items() if target / name in gone}
    listed = {"version": VERSION, "files": {**left, **{name: _digest(data) for name, data in new.items()}}}
    rest = {f"{_PLACE}/{_LIST}": (json.dumps(listed, indent=1) + "\n").encode()}
    rest["project.godot"] = text.encode()  # last: what it names is there by then; all of it is kept
    bundle.update(rest)
    known = _known_by(installed, rest)
    outcome = output.put(bundle, project, output.edits, known=known, inert=True, persons=[*rest])
    if not outcome.refused:
        for path in outcome.same:
            common.tell(f"{path}: was changed by hand and stays; --force replaces it and keeps a copy")
        outcome = outcome._replace(removed=outcome.removed + gone, same=[])
        if output.dry_run:
            output.dry_run.count_in(gone)
        else:
            _remove(target, gone)
        if not (output.quiet or output.as_json or output.dry_run):
            count = len(new) - len(outcome.kept)
            click.echo(f"{target}: Undercroft {VERSION}, {count} files, turned on")
    output._replace(quiet=output.quiet or not output.dry_run).report(outcome, {"version": VERSION})


def folder() -> Path:
    """Find the addon's folder: in a wheel inside this package, in a checkout where Godot opens it."""
    import generator

    package = Path(generator.__file__).parent
    for candidate in (package / "godot_addon" / _PLACE, package.parent / "godot_addon" / _PLACE):
        if (candidate / "plugin.cfg").is_file():
            return candidate
    raise UndercroftError(f"{package}: the addon is missing beside it; install undercroft again")


def _installed(target: Path, new: Mapping[str, bytes], may_replace: bool) -> dict[str, str]:
    """Return the installed copy's digests. Raises BadInput if nobody knows what people changed in it."""
    installed = _list_of(target)
    if installed is None and not may_replace:
        current = {name: data for name, data in _files(target).items() if name in new}
        if any(data != new[name] for name, data in current.items()):
            raise BadInput(
                f"{target}: was not put there by this command ({_LIST} is missing), so nobody knows which "
                "files were changed; give --edits replace to replace them and keep a copy of each"
            )
    return installed or {}


def _known_by(installed: Mapping[str, str], rest: Collection[str]) -> Callable[[str, Path], bool]:
    """Return a test of whether a file is as it was installed, also if that was on another machine.

    Those in `rest` are, whatever is in them: they were read before they are written.
    """

    def is_known(name: str, file: Path) -> bool:
        if name in rest:
            return True
        digest = installed.get(name.removeprefix(f"{_PLACE}/"))
        return bool(digest) and digest == _digest(read_bytes(file, _MAX_BYTES, BadInput))

    return is_known


def _gone(target: Path, new: Mapping[str, bytes], installed: Mapping[str, str]) -> list[Path]:
    """List what an older copy had and the new one has not, if it is as it was installed."""
    current = {name: data for name, data in _files(target).items() if name in installed and name not in new}
    names = [name for name, data in current.items() if installed[name] == _digest(data)]
    files = (target / f"{name}{end}" for name in names for end in ("", _UID, _IMPORT))
    return [file for file in files if file.exists()]


def _list_of(target: Path) -> dict[str, str] | None:
    """Read the digests of what was installed. None without a list, or if it is damaged."""
    try:
        files = json.loads(read_text(target / _LIST, _MAX_BYTES, BadInput))["files"]
        return {str(name): str(digest) for name, digest in files.items()}
    except (BadInput, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None


def _files(target: Path, only: str = "") -> dict[str, bytes]:
    """Read the addon's files below a folder, by relative path: of one suffix, or all but Godot's own."""
    files = {}
    for file in sorted(target.rglob("*")):
        name = file.relative_to(target).as_posix()
        wanted = file.suffix == only if only else file.suffix not in (_UID, _IMPORT) and name != _LIST
        if wanted and file.is_file():
            files[name] = read_bytes(file, _MAX_BYTES, BadInput)
    return files


def _remove(target: Path, files: list[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)
        for above in file.parents:  # a folder that is empty now
            if above == target or any(above.iterdir()):
                break
            above.rmdir()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# --- project.godot -----------------------------------------------------------------------------------

# One plugin turned on, and not a character else changed:
#
#     [editor_plugins]
#
#     enabled=PackedStringArray("res://addons/undercroft/plugin.cfg")
#
# The file has sections and `key=value` lines. A value is one of Godot's literals and may go over several
# lines: it ends with the line on which every bracket and text is closed. A `;` outside of a text begins a
# comment.

SECTION, KEY = "editor_plugins", "enabled"
_TOKEN = pattern(r'"(?:\\.|[^"\\])*"|;[^\n]*|[(\[{]|[)\]}]|\n|[^"();\[\]{}\n]+|"', re.DOTALL)
_LINE = pattern(r"[ \t]*(?:\[(?P<section>[^\]\n]*)\]|(?P<key>[^\s;=\[][^=\n]*?)[ \t]*=)?")
_ARRAY = pattern(
    r'\s*PackedStringArray\(\s*(?P<texts>(?:"(?:\\.|[^"\\])*"\s*(?:,\s*)?)*)\)[ \t]*(?:;.*)?', re.DOTALL
)
_TEXT = pattern(r'"((?:\\.|[^"\\])*)"', re.DOTALL)


class _Entry(NamedTuple):
    """A section's heading (its key is empty) or a value: where in the text its own characters are."""

    section: str
    key: str
    start: int  # of the value; of a heading, the line
    end: int  # behind the last character, in front of the line's end


def config_version(text: str) -> str:
    """Read `config_version` as it is written: 5 for Godot 4, 4 for Godot 3, empty if there is none."""
    for entry in _entries(text):
        if entry.key == "config_version" and not entry.section:
            return text[entry.start : entry.end].split(";", maxsplit=1)[0].strip()
    return ""


def with_plugin(text: str, plugin: str) -> str:
    """Turn on a plugin in the text: its `res://` path joins those that are on already.

    The same text if it is on. Raises BadInput if the value is not a list.
    """
    entries = list(_entries(text))
    newline = "\r\n" if "\r\n" in text else "\n"
    quoted = json.dumps(plugin, ensure_ascii=False)
    for entry in entries:
        if (entry.section, entry.key) == (SECTION, KEY):
            value = text[entry.start : entry.end]
            return text[: entry.start] + _joined(value, plugin, quoted) + text[entry.end :]
    line = f"{KEY}=PackedStringArray({quoted})"
    for entry in entries:
        if (entry.section, entry.key) == (SECTION, ""):
            return f"{text[: entry.end]}{newline}{newline}{line}{text[entry.end :]}"
    gap = "" if not text or text.endswith(newline * 2) else newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}[{SECTION}]{newline}{newline}{line}{newline}"


def _joined(value: str, plugin: str, quoted: str) -> str:
    array = _ARRAY.fullmatch(value)
    if not array:
        raise BadInput(
            f"[{SECTION}] {KEY}: {shown(value.strip())} is not a PackedStringArray; repair it in Godot"
        )
    texts = _TEXT.findall(array["texts"])
    if plugin in texts:
        return value
    at = array.start("texts") + len(array["texts"].rstrip(", \t\r\n"))
    return f"{value[:at]}{', ' if texts else ''}{quoted}{value[at:]}"


def _entries(text: str) -> Iterator[_Entry]:
    section, at = "", 0
    while at < len(text):
        line = _LINE.match(text, at)
        assert line  # it may be empty
        if line["section"] is not None:
            section = line["section"].strip()
            yield _Entry(section, "", at, line.end())
            at = _end_of_value(text, line.end()) + 1
        elif line["key"] is not None:
            end = _end_of_value(text, line.end())
            yield _Entry(section, line["key"].strip(), line.end(), end)
            at = end + 1
        else:  # a comment, or nothing
            end = text.find("\n", at)
            at = len(text) if end < 0 else end + 1


def _end_of_value(text: str, at: int) -> int:
    """Find where the line ends on which all that a value opened is closed."""
    depth = 0
    while token := _TOKEN.match(text, at):
        sign = token[0]
        if sign == "\n" and depth <= 0:
            return at - 1 if text[at - 1] == "\r" else at
        depth += (sign in "([{") - (sign in ")]}")
        at = token.end()
    return len(text)
