"""How Undercroft is installed: its extras, and who else has its folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from generator.pattern import pattern

if TYPE_CHECKING:
    from pathlib import Path

EXTRAS: Mapping[str, Sequence[str]] = {  # and their modules: those in pyproject.toml that are for users
    "zstd": ("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd",),
    "fast": ("numba",),
    "dask": ("distributed",),
    "pandas": ("pandas",),
    "plots": ("matplotlib",),
    "studio": ("starlette", "uvicorn", "tomlkit"),
}
_NAME = "undercroft"
_PACKAGES = ("generator/", "exporters/")  # names that others may have, too
_MODULE = pattern(r"\n([^,\n]+\.py),[^,\n]*,(\d+)")  # in a RECORD, and its size: `x.py,sha256=…,123`
_RECEIPT = "uv-receipt.toml"  # in an environment of `uv tool`: what it was asked to install


def missing_of(extra: str) -> list[str]:
    """Return the modules of an extra that are not installed."""
    return [module for module in EXTRAS[extra] if not _is_there(module)]


def install_command(extra: str) -> str:
    """Return the command that adds an extra, of the tool that made this environment: uv, pipx or pip."""
    from pathlib import Path  # slow to import, and `clashes` needs none

    folder = Path(sys.prefix)
    if (folder / _RECEIPT).is_file():  # uv makes the environment again, from all that it is asked for
        extras, others = _receipt(folder / _RECEIPT)
        words = ["uv", "tool", "install", *_what({extra, *extras})]
        words += [word for other in others for word in ("--with", other)]
    elif (folder / "pipx_metadata.json").is_file():
        words = ["pipx", "inject", folder.name, *_what({extra})]
    elif _is_there("pip"):
        words = [sys.executable, "-m", "pip", "install", *_what({extra})]
    else:
        words = ["uv", "pip", "install", "--python", sys.executable, *_what({extra})]
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline(words)
    from shlex import join

    return join(words)


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


def _what(extras: set[str]) -> list[str]:
    """Return what to install: the same checkout or file as now, or else what the index has."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    wanted = f"[{','.join(sorted(extras))}]"
    try:
        origin: dict[str, Any] = json.loads(distribution(_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        origin = {}
    url = origin.get("url", "")
    path = Path(url2pathname(urlsplit(url).path))
    if url.startswith("file:") and path.exists():
        is_editable = origin.get("dir_info", {}).get("editable")
        return [*(["--editable"] if is_editable else []), f"{path}{wanted}"]
    if "vcs_info" in origin:
        return [f"{_NAME}{wanted} @ {origin['vcs_info']['vcs']}+{url}@{origin['vcs_info']['commit_id']}"]
    return [f"{_NAME}{wanted}"]


def _receipt(path: Path) -> tuple[list[str], list[str]]:
    """Return the extras of undercroft, and what else `uv tool install` was asked for."""
    import tomllib

    extras, others = [], []
    for asked in tomllib.loads(path.read_text("utf-8"))["tool"]["requirements"]:
        if asked["name"] == _NAME:
            extras += asked.get("extras", [])
        else:
            others.append(asked.get("directory") or asked["name"] + asked.get("specifier", ""))
    return extras, others


def clashes(*, thorough: bool = True) -> list[str]:
    """Tell which other distributions have files in our packages, and which modules of ours were changed.

    pip lets one distribution overwrite another one's files, and removes them with it. The lists of files tell
    that, which wheels have and a checkout has not. Modules are compared by their sizes, which takes some
    milliseconds; unless `thorough`, only where there is such a distribution.
    """
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    beside = sorted(os.listdir(site)) if os.path.isdir(site) else []  # a wheel on the path is a file
    told: list[str] = []
    own = ""
    for folder in (name for name in beside if name.endswith(".dist-info")):
        name, _, version = folder.removesuffix(".dist-info").partition("-")
        if name == _NAME:
            own = folder
            continue
        lines = _listed(site, folder)
        if found := [package for package in _PACKAGES if f"\n{package}".encode() in lines]:
            told.append(
                f"{name} {version} has files in {' and '.join(found)} too, and may overwrite undercroft's; "
                "install undercroft into a separate virtual environment"
            )
    if own and (told or thorough):
        sizes = _MODULE.findall(_listed(site, own).decode())
        changed = [path for path, size in sizes if _size(f"{site}/{path}") != size]
        if changed:
            path = os.path.join(site, changed[0])
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            told.append(f"{path}{more}: not as installed; install undercroft again, with --force-reinstall")
    return told


def _listed(site: str, folder: str) -> bytes:
    """Return a distribution's list of files, each line behind a line break, or nothing."""
    with suppress(OSError), open(f"{site}/{folder}/RECORD", "rb") as record:
        return b"\n" + record.read()
    return b""


def _size(path: str) -> str:
    """Return a file's size, or nothing if there is none."""
    try:
        return str(os.stat(path).st_size)
    except OSError:
        return ""
