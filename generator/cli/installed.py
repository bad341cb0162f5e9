"""What is installed: this version, Python, and which extras there are, as of `undercroft[studio]`."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from generator.cli import json_lines
from generator.version import VERSION

_MODULES: Mapping[str, Sequence[str]] = {  # of each extra in pyproject.toml that is for users
    "zstd": ("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd",),
    "fast": ("numba",),
    "dask": ("distributed",),
    "pandas": ("pandas",),
    "plots": ("matplotlib",),
    "studio": ("starlette", "uvicorn", "tomlkit"),
}


def missing_of(extra: str) -> list[str]:
    """Return the modules of an extra that are not installed."""
    return [module for module in _MODULES[extra] if not _is_there(module)]


def print_installed() -> None:
    """Print the version, and what it runs on, as an event."""
    extras = {extra: not missing_of(extra) for extra in _MODULES}
    json_lines.emit(
        "version", version=VERSION, python=platform.python_version(), platform=sys.platform, extras=extras
    )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package around it
        return False
