"""`undercroft merge-driver`: git asks it to merge two versions of a file of a level."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from generator.cli import common, json_lines, writing
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, UndercroftError
from generator.files import read_bytes

_MAX_BYTES = 1 << 28
_MAX_VERSIONS = 200  # of a level.json that are looked at
_ATTRIBUTES = ("*.level.json", "*.tmj", "*.tmx", "*.ldtk", "levels/**/*.tscn")


@click.command(cls=HelpfulCommand)
@click.argument("versions", metavar="BASE OURS THEIRS", nargs=-1, type=common.FILE)
@click.option("--path", metavar="PATH", help="The file's path in the repository, which says what it is.")
@common.flag("--install", "Tell the git repository around the current folder to use this command.")
@common.json_option
def command(versions: tuple[Path, ...], path: str | None, install: bool, as_json: bool) -> None:
    """Merge two versions of a file of a level for git: a level.json by what it means, a .tmj, .tmx, .ldtk or
    .tscn value by value. The result is in OURS.

    `undercroft merge-driver --install` sets it up, once in each clone; .gitattributes says for which files:
    `*.level.json merge=undercroft`. git gives the versions (%O %A %B) and the path (%P).

    The exit status is 1 if both sides changed the same, or if a file cannot be read: git then marks the file
    as unmerged. Where both changed the same, OURS stays, and one line on standard error says where.
    """
    if install:
        if versions or path:
            raise BadInput("--install: goes with no other argument; leave out the files and --path")
        _install(as_json)
        return
    if len(versions) != 3 or not path:
        raise BadInput("merge-driver: needs BASE OURS THEIRS and --path; --install has git give them")
    _merge(versions, path, as_json)


def _merge(versions: tuple[Path, ...], path: str, as_json: bool) -> None:
    from exporters.merge.outcome import CannotMerge
    from exporters.reading.three_way import merged_versions

    try:
        base, ours, theirs = (read_bytes(version, _MAX_BYTES, BadInput) for version in versions)
        merged = merged_versions(path, base, ours, theirs, _level_with)
    except CannotMerge as error:
        raise UndercroftError(f"{path}: {error.reason}; ours stays") from None
    except BadInput as error:  # not wrong use: the versions are git's
        raise UndercroftError(f"{path}: {error}; ours stays") from None
    if merged.data != ours:
        target = versions[1]
        writing.WriteOptions().put(writing.bundle_of(target, merged.data), target.parent, None)
    if as_json:
        json_lines.emit("merged", path=path, conflicts=list(merged.conflicts))
    else:
        common.tell_all(f"{path}: {line}" for line in merged.conflicts)
    if merged.conflicts:
        raise SystemExit(1)


def _level_with(path: str, fingerprint: str) -> bytes | None:
    """Find the version of a level.json with a fingerprint in the repository's history, the latest first."""
    try:
        pulled = _git("rev-parse", "--revs-only", "FETCH_HEAD").split()  # may be in no branch here
        shown = ("-m", "--format=", "--raw", "--no-abbrev")  # -m: merges, too
        log = _git("log", "--all", "--reflog", *pulled, *shown, "--", path)
        blobs = dict.fromkeys(line.split()[3] for line in log.splitlines())
        for blob in islice((name for name in blobs if name.strip("0")), _MAX_VERSIONS):
            data = _git("cat-file", "blob", blob)
            if re.search(rf'"fingerprint": ?"{re.escape(fingerprint)}"', data):
                return data.encode()
    except BadInput:  # git's own messages say why; then the file is merged alone
        return None
    return None


# --- setting it up -----------------------------------------------------------------------------------


def _install(as_json: bool) -> None:
    """Write the driver into the configuration of the repository, which git does not commit."""
    top = Path(_git("rev-parse", "--show-toplevel"))
    program = shlex.quote(Path(sys.executable).as_posix())
    settings = {
        "merge.undercroft.name": "levels of Undercroft",
        "merge.undercroft.driver": f"{program} -P -m undercroft merge-driver %O %A %B --path %P",
    }
    for key, value in settings.items():
        _git("config", "--local", key, value)
    driven = tuple(_driven(top))
    lines = [
        f"{pattern} merge=undercroft"
        for pattern in _ATTRIBUTES
        if not any(other.endswith(pattern.rpartition("*")[2]) for other in driven)
    ]
    if as_json:
        json_lines.emit("installed", folder=str(top), settings=settings, attributes=lines)
        return
    for key, value in settings.items():
        click.echo(f"{key} = {value}")
    if lines:
        common.tell(f"{top / '.gitattributes'}: add these lines, for all who clone: {', '.join(lines)}")


def _driven(top: Path) -> Iterator[str]:
    """Yield the patterns for which the attributes in a repository name the driver."""
    for name in _git(
        "ls-files", "--full-name", "-co", "--exclude-standard", ":/*.gitattributes"
    ).splitlines():
        for line in (top / name).read_text("utf-8", "replace").splitlines() if (top / name).is_file() else ():
            pattern, *attributes = line.split() or [""]
            if "merge=undercroft" in attributes:
                yield pattern


def _git(*words: str) -> str:
    """Run git in the current folder. Raises BadInput if there is no git, or no repository."""
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError:
        raise BadInput("git: is not on the PATH; install it") from None
    if done.returncode:
        reason = done.stderr.strip().removeprefix("fatal: ").partition("\n")[0]
        raise BadInput(f"{Path.cwd()}: git cannot be asked: {reason}")
    return done.stdout.rstrip("\n")
