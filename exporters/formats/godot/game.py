"""What a Godot project around a folder has of the game's own files that a scene there uses."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_ROOT = "res://"


def missing_files(options: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Yield a line for each file named in the options of an export that the project lacks.

    Nothing without a project, as in a folder whose files are copied into one later.
    """
    named = {"tileset": options.get("tileset", ""), **_named(options.get("scenes", {}))}
    absolute = folder.absolute() if any(named.values()) else None
    above = [absolute, *absolute.parents] if absolute else []
    project = next((place for place in above if os.path.isfile(place / "project.godot")), None)  # noqa: PTH113 - never raises
    for key, path in named.items() if project else ():
        if path and not os.path.isfile(project / path.removeprefix(_ROOT)):  # noqa: PTH113 - never raises
            yield f"{project}: has no {path}, which godot.{key} names; put it there, or correct the path"


def _named(scenes: Mapping[str, str]) -> dict[str, str]:
    return {f"scenes.{key}": path for key, path in scenes.items()}
