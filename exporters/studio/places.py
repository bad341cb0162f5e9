"""Paths that the page names: they count from the project's folder, and never lead out of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from generator.errors import BadInput, shown

_MAX_TEXT = 1000  # characters of a path


def project() -> Path:
    """Return the project's folder, which is a worker's current folder."""
    return Path(os.path.realpath(Path.cwd()))


def inside(path: str, key: str) -> str:
    """Return a path as written if it lies in the project's folder, links resolved. Raises BadInput."""
    folder = project()
    try:
        real = Path(os.path.realpath(folder / path))
        is_inside = len(path) <= _MAX_TEXT and path.isprintable() and real.is_relative_to(folder)
    except (OSError, ValueError):  # a null, a name that is too long
        is_inside = False
    if not is_inside:
        raise BadInput(f"{key}: {shown(path)} is not a path in the project's folder; pick one there")
    return path


def to_write_in(path: str) -> Path:
    """Return a folder of the project that levels may be written to. Raises BadInput.

    Folders that begin with a dot, such as `.git` and `.github`, belong to programs that act on what is there.
    """
    folder = Path(inside(path, "folder"))
    real = Path(os.path.realpath(folder)).relative_to(project())
    if any(part.startswith(".") and part != ".." for part in (*folder.parts, *real.parts)):
        raise BadInput(f"folder: {shown(path)} is in a folder that begins with a dot; pick another one")
    return folder


def check_texts(values: object, key: str) -> None:
    """Refuse every text among some values that, read as a path, leads out of the project. Raises BadInput.

    Which values name files is for styles and formats to know, those of other packages too. So no text may.
    """
    if isinstance(values, dict):
        for name, item in values.items():
            check_texts(item, str(name) if not key else f"{key}.{name}")
    elif isinstance(values, list):
        for item in values:
            check_texts(item, key)
    elif isinstance(values, str):
        for part in [values, *values.split(",")]:  # a flow's text is a list, such as "a.toml 2, b.toml"
            _check_text(part.strip().strip('"'), key)


def _check_text(text: str, key: str) -> None:
    looks_like_a_path = "/" in text or "\\" in text or text.startswith((".", "~"))
    may_be_a_name = len(text) <= _MAX_TEXT and text.isprintable()  # of a link that leads elsewhere, perhaps
    if looks_like_a_path or may_be_a_name:
        inside(text.replace("\\", "/"), key)


def relative(path: Any) -> str:
    """Return a path relative to the project's folder."""
    return Path(os.path.relpath(path, project())).as_posix()
