"""Where a level's files go: a path with placeholders, which cannot lead out of the folder.

{group}/{spec}-{seed:04}      cellars/isaac-0007, to which each format adds its suffix
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.errors import BadInput, hint, shown
from generator.files import file_name, is_device

PLACEHOLDERS = {
    "group": "the group's or the campaign's name",
    "seed": "the level's seed",
    "number": "the level's place in its group, or the stage's in its campaign, from 1",
    "name": "the name of the campaign's stage, or of the level's file without .level.json",
    "spec": "the name of the preset or of the spec's file; of a finished level, as {name}",
    "style": "the spec's style",
    "stage": "the spec's stage, 0 for a style without stages",
    "format": "the format's name",
    "theme": "the name of the theme's file",
}
_FIELD = re.compile(r"\{([^{}]*)\}")
_SPEC = re.compile(r"([a-z]+)(?::0([1-9]))?")
_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
_MAX = 400  # characters


def check_template(template: str, where: str) -> None:
    """Refuse a path that has unknown placeholders or leaves the folder. Raises BadInput."""
    for field in _FIELD.findall(template):
        match = _SPEC.fullmatch(field)
        if not match:
            raise BadInput(
                f"{where}: {shown(field)} is not a placeholder; write one like {{seed}} or {{number:02}}"
            )
        if match[1] not in PLACEHOLDERS:
            raise BadInput(
                f"{where}: unknown placeholder {shown(match[1])}; {hint(match[1], [*PLACEHOLDERS])}"
            )
    _refuse_odd(_FIELD.sub("x", template), where)


def filled(template: str, facts: Mapping[str, object], where: str) -> str:
    """Fill in the path of a level, without a suffix. Raises BadInput if it is not a valid path."""

    def fill(field: re.Match[str]) -> str:
        match = _SPEC.fullmatch(field[1])
        assert match, "the template was checked"
        value = facts[match[1]]
        if isinstance(value, int):
            return f"{value:0{match[2] or 1}}"
        return file_name(str(value))

    path = _FIELD.sub(fill, template)
    _refuse_odd(path, where)
    return path


def _refuse_odd(path: str, where: str) -> None:
    for part in path.split("/"):
        if not _PART.fullmatch(part) or part.endswith(".") or is_device(part):
            problem = "cannot be a name on every file system; use A-Za-z0-9._- and / between folders"
            raise BadInput(f"{where}: {shown(path)}: {shown(part)} {problem}")
    if len(path) > _MAX:
        raise BadInput(f"{where}: {shown(path)} is longer than {_MAX} characters; shorten it")
