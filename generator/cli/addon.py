"""`undercroft addon`: the Godot addon, put into a project."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from generator.cli import common
from generator.errors import BadInput, UndercroftError, one_line

PLUGIN = "res://addons/undercroft/plugin.cfg"
_PLACE = "addons/undercroft"  # in a project
_LIST = ".installed.json"  # what was installed, beside it; Godot does not look at hidden files
_UID, _IMPORT = ".uid", ".import"  # what Godot makes beside a script or a picture is the project's
_MOST_BYTES = 1 << 24  # of a file in a project


@click.group()
def command() -> None:
    """Put the Godot addon into a project."""


@command.command("path")
def path() -> None:
    """Print the folder of the addon that comes with this version."""
    click.echo(folder())


@command.command("install")
@click.argument("project", type=click.Path(path_type=Path, file_okay=False))
@click.option("--force", is_flag=True, help="Replace files that people changed, too.")
@common.quiet_option
@common.json_option
def install(project: Path, force: bool, quiet: bool, as_json: bool) -> None:
    """Copy the addon into PROJECT, the folder of a Godot project, and turn it on there.

    An older copy is replaced. Files of it that people changed are named and kept: they are not what was
    installed, by the list of digests that lies beside them.
    """
    from exporters.bundle import Bundle
    from generator.cli.godot_project import config_version, with_plugin
    from generator.files import read_text
    from generator.version import VERSION

    file = project / "project.godot"
    if not file.is_file():
        raise BadInput(f"{project}: holds no project.godot; name the folder of a Godot project")
    text = read_text(file, _MOST_BYTES, BadInput)
    if config_version(text) != "5":
        raise BadInput(f"{file}: is no project of Godot 4; the addon needs Godot 4.3 or newer")
    try:
        text = with_plugin(text, PLUGIN)
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
    new = _files(folder())
    uids = {
        name: data for name, data in _files(folder(), _UID).items() if not (project / _PLACE / name).exists()
    }
    plan = _planned(project / _PLACE, new, force)
    bundle = Bundle(
        {f"{_PLACE}/{name}": data for name, data in (new | uids).items() if name not in plan.kept}
    )
    listed = {"version": VERSION, "files": {name: _digest(data) for name, data in new.items()}}
    bundle.add(f"{_PLACE}/{_LIST}", (json.dumps(listed, indent=1) + "\n").encode())
    bundle.add("project.godot", text.encode())  # last: what it names is there by then
    paths = bundle.write(project)
    _remove(project / _PLACE, plan.gone)
    kept = [project / _PLACE / name for name in plan.kept]
    if as_json:
        click.echo(json.dumps({"version": VERSION, "files": [*map(str, paths)], "kept": [*map(str, kept)]}))
    elif not quiet:
        click.echo(f"{project / _PLACE}: Undercroft {VERSION}, {len(new) - len(kept)} files, turned on")
    for each in kept:
        said = "was changed by somebody, and left as it is; --force replaces it"
        click.echo(f"undercroft: {one_line(str(each))}: {said}", err=True)


def folder() -> Path:
    """The addon's files: in the wheel inside of this package, in a checkout where Godot opens them."""
    import generator

    package = Path(generator.__file__).parent
    for place in (package / "godot_addon" / _PLACE, package.parent / "godot_addon" / _PLACE):
        if (place / "plugin.cfg").is_file():
            return place
    raise UndercroftError(f"{package}: has no addon beside it; install undercroft anew")


class _CopyPlan(NamedTuple):
    kept: list[str]  # changed by people
    gone: list[str]  # of an older copy, as it was installed, and in the new one no more


def _planned(place: Path, new: Mapping[str, bytes], force: bool) -> _CopyPlan:
    """What to do with a copy that is there. Raises BadInput if it cannot be told what people changed."""
    there = {name: _digest(data) for name, data in _files(place).items()}
    installed = _list_of(place)
    differ = [name for name, digest in there.items() if name in new and digest != _digest(new[name])]
    if differ and installed is None and not force:
        raise BadInput(
            f"{place}: was not put there by this command ({_LIST} is missing), so what people changed in it "
            "cannot be told; give --force to replace it"
        )
    installed = installed or {}
    kept = [] if force else [name for name in differ if installed.get(name) != there[name]]
    gone = [name for name in there if name not in new and installed.get(name) == there[name]]
    return _CopyPlan(kept, gone)


def _list_of(place: Path) -> dict[str, str] | None:
    """The digests of what was installed; None without a list, or if it is damaged."""
    from generator.files import read_text

    try:
        files = json.loads(read_text(place / _LIST, _MOST_BYTES, BadInput))["files"]
        return {str(name): str(digest) for name, digest in files.items()}
    except (BadInput, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None


def _files(place: Path, only: str = "") -> dict[str, bytes]:
    """The addon's files below a folder by their relative paths: of one suffix, or all but Godot's own."""
    from generator.files import read_bytes

    found = {}
    for file in sorted(place.rglob("*")):
        name = file.relative_to(place).as_posix()
        wanted = file.suffix == only if only else file.suffix not in (_UID, _IMPORT) and name != _LIST
        if wanted and file.is_file():
            found[name] = read_bytes(file, _MOST_BYTES, BadInput)
    return found


def _remove(place: Path, names: list[str]) -> None:
    for name in names:
        for end in ("", _UID, _IMPORT):
            (place / f"{name}{end}").unlink(missing_ok=True)
        for above in (place / name).parents:  # a folder that is empty now
            if above == place or any(above.iterdir()):
                break
            above.rmdir()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
