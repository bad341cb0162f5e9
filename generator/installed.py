"""How Undercroft is installed: its extras, and who else has its folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

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


def clashes() -> list[str]:
    """Tell which other distributions have files in our packages, and which modules of ours were changed.

    pip lets one distribution overwrite another one's files, and removes them with it. The lists of files tell
    that, which wheels have and a checkout has not. Sizes are compared, so this takes some milliseconds.
    """
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    told: list[str] = []
    changed: list[str] = []
    beside = sorted(os.listdir(site)) if os.path.isdir(site) else []  # a wheel on the path is a file
    for folder in (name for name in beside if name.endswith(".dist-info")):
        name, _, version = folder.removesuffix(".dist-info").partition("-")
        lines = b""
        with suppress(OSError), open(f"{site}/{folder}/RECORD", "rb") as record:  # if there is one
            lines = b"\n" + record.read()
        if name == _NAME:
            changed = [path for path, size in _sizes(lines.decode()) if _size(f"{site}/{path}") != size]
        elif found := [package for package in _PACKAGES if f"\n{package}".encode() in lines]:
            told.append(
                f"{name} {version} has files in {' and '.join(found)} too, and may overwrite undercroft's; "
                "install undercroft into a separate virtual environment"
            )
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        path = os.path.join(site, changed[0])
        told.append(f"{path}{more}: not as installed; install undercroft again, with --force-reinstall")
    return told


def _sizes(lines: str) -> Iterator[tuple[str, int]]:
    """Yield the modules in our RECORD, and their sizes: `generator/x.py,sha256=…,123`."""
    for line in lines.splitlines():
        path, _, size = line.rpartition(",")
        path = path.rpartition(",")[0]
        if path.endswith(".py") and size.isdecimal():
            yield path, int(size)


def _size(path: str) -> int:
    """Return a file's size, or -1 if there is none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return -1
