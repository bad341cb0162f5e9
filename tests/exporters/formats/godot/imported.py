"""Pictures that Godot has imported once: another project with the same picture needs no editor.

The start of the editor takes most of the time of an import, and what comes of a picture depends on nothing but its
content and the version of Godot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Imported(NamedTuple):
    """What Godot wrote of a picture of a project."""

    path: str  # of the picture, res://
    notes: str  # the text of its .import file
    files: dict[str, bytes]  # by their paths in the project


class Imports:
    """The pictures that one version of Godot has imported, by their content."""

    def __init__(self) -> None:
        self._known: dict[bytes, Imported] = {}

    def bring(self, project: Path) -> bool:
        """Give a project what is known of its pictures; False, and nothing is done, if one is unknown."""
        pictures = {path: path.read_bytes() for path in project.rglob("*.png")}
        if any(data not in self._known for data in pictures.values()):
            return False
        for path, data in pictures.items():
            _write(project, path, self._known[data])
        return True

    def lay_out(self, project: Path, pictures: Iterable[bytes]) -> Path:
        """Put pictures that are not known yet into a folder of a project; return the folder."""
        folder = project / "other pictures"
        folder.mkdir()
        for number, data in enumerate(pictures):
            if data not in self._known:
                (folder / f"{number}.png").write_bytes(data)
        return folder

    def keep(self, project: Path) -> None:
        """Remember what Godot has written."""
        for path in project.rglob("*.png"):
            notes_path = path.with_name(f"{path.name}.import")
            if notes_path.exists():
                notes, name = notes_path.read_text("utf-8"), _resource(project, path)
                mark = f"{path.name}-{_digest(name)}"
                written = project.rglob(f"{mark}*")
                files = {each.relative_to(project).as_posix(): each.read_bytes() for each in written}
                self._known[path.read_bytes()] = Imported(name, notes, files)


def _write(project: Path, path: Path, known: Imported) -> None:
    name = _resource(project, path)
    old, new = (f"{Path(each).name}-{_digest(each)}" for each in (known.path, name))
    # A number of its own would be right; without one, the path alone leads to it.
    lines = [line for line in known.notes.split("\n") if not line.startswith("uid=")]
    text = "\n".join(lines).replace(old, new).replace(f'"{known.path}"', f'"{name}"')
    path.with_name(f"{path.name}.import").write_text(text, "utf-8")
    for place, data in known.files.items():
        target = project / place.replace(old, new)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _resource(project: Path, path: Path) -> str:
    return f"res://{path.relative_to(project).as_posix()}"


def _digest(name: str) -> str:
    return hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()
