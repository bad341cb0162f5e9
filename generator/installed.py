"""How Undercroft is installed: its extras, and who else has its folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
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
_DAMAGED = (AttributeError, KeyError, TypeError, ValueError)  # of what a file by another tool does not hold


def missing_of(extra: str) -> list[str]:
    """Return the modules of an extra that are not installed."""
    return [module for module in EXTRAS[extra] if not _is_there(module)]


def install_command(extra: str) -> str:
    """Return the command that adds an extra, of the tool that made this environment: uv, pipx or pip."""
    from pathlib import Path  # slow to import, and `clashes` needs none

    folder = Path(sys.prefix)
    if (folder / _RECEIPT).is_file():  # uv makes the environment again, from all that it is asked for
        extras, others = _receipt(folder / _RECEIPT)
        words = ["uv", "tool", "install", *_what({extra, *extras}), *others]
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
    """Return what to install: the same checkout, file or address as now, or else what the index has."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    wanted = f"{_NAME}{_listing(extras)}"
    try:
        origin = json.loads(distribution(_NAME).read_text("direct_url.json") or "{}")
        return _from_origin(wanted, origin) if origin else [wanted]
    except (PackageNotFoundError, *_DAMAGED):
        return [wanted]


def _from_origin(wanted: str, origin: dict[str, Any]) -> list[str]:
    """Return what to install as a direct_url.json says, unless its file is gone."""
    from pathlib import Path
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    url: str = origin["url"]
    part = f"#subdirectory={origin['subdirectory']}" if "subdirectory" in origin else ""
    if "vcs_info" in origin:
        return [f"{wanted} @ {origin['vcs_info']['vcs']}+{url}@{origin['vcs_info']['commit_id']}{part}"]
    if not url.startswith("file:"):
        return [f"{wanted} @ {url}{part}"]
    path = Path(url2pathname(urlsplit(url).path))
    if not path.exists():
        return [wanted]
    is_editable = origin.get("dir_info", {}).get("editable")
    return [*(["--editable"] if is_editable else []), f"{path}{wanted.removeprefix(_NAME)}"]


def _receipt(path: Path) -> tuple[list[str], list[str]]:
    """Return the extras of undercroft, and the words for what else `uv tool install` was asked for."""
    import tomllib

    extras: list[str] = []
    others: list[str] = []
    try:
        for asked in tomllib.loads(path.read_text("utf-8"))["tool"]["requirements"]:
            if asked["name"] == _NAME:
                extras += asked.get("extras", [])
            else:
                others += _with(asked)
        return sorted(set(extras)), others
    except (OSError, *_DAMAGED):
        return [], []


def _with(asked: dict[str, Any]) -> list[str]:
    """Return the words with which uv is asked again for a requirement of its receipt."""
    from urllib.parse import parse_qs

    extras = _listing(asked.get("extras", []))
    if "editable" in asked:
        return ["--with-editable", asked["editable"] + extras]
    if path := asked.get("directory") or asked.get("path"):
        return ["--with", path + extras]
    what = asked["name"] + extras
    if "git" in asked:  # https://…?rev=v1&subdirectory=row
        url, _, query = asked["git"].partition("?")
        said = {key: values[0] for key, values in parse_qs(query.partition("#")[0]).items()}
        revision = "".join(f"@{said[key]}" for key in ("rev", "tag", "branch") if key in said)
        part = f"#subdirectory={said['subdirectory']}" if "subdirectory" in said else ""
        what += f" @ git+{url}{revision}{part}"
    elif "url" in asked:
        what += f" @ {asked['url']}"
    else:
        what += asked.get("specifier", "")
    return ["--with", what + (f" ; {asked['marker']}" if "marker" in asked else "")]


def _listing(extras: Iterable[str]) -> str:
    """Return extras in brackets, or nothing if there are none."""
    names = ",".join(sorted(extras))
    return f"[{names}]" if names else ""


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
