"""Files in memory, and the one place that writes to disk."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from exporters.begun import Begun
from generator.errors import BadInput, UndercroftError

_NOT_IN_PATHS = re.compile(r"[\\:\x00-\x1f\x7f]")  # Windows' folders and drives; nobody's file names


class Bundle(Mapping[str, bytes]):
    """Relative POSIX paths and their bytes, in order.

    Some files are only begun here, for a person to go on with: they are written `once`, and never again.
    `notes` are lines for whoever asked for the files.
    """

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._files: dict[str, bytes] = {}
        self._guarded: list[Path] = []
        self._once: set[str] = set()
        self._moved: dict[str, Path] = {}
        self.notes: list[str] = []
        for path, data in (files or {}).items():
            self.add(path, data)

    def add(self, path: str, data: bytes, *, once: bool = False) -> None:
        """Add a file. ValueError if its path leaves the folder, or another content has it already."""
        _refuse_odd(path)
        if self._files.setdefault(path, data) != data:
            raise ValueError(f"{path!r} is in the bundle already, with other content")
        if once:
            self._once.add(path)

    def move(self, path: str, source: Path) -> None:
        """Have `write` move a large file here that lies ready in the same file system. It is no item."""
        _refuse_odd(path)
        self._moved[path] = source

    def update(self, other: Mapping[str, bytes]) -> None:
        """Add all files of another bundle."""
        once = other._once if isinstance(other, Bundle) else ()
        self.notes += other.notes if isinstance(other, Bundle) else ()
        for path, data in other.items():
            self.add(path, data, once=path in once)

    def __getitem__(self, path: str) -> bytes:
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def guard(self, paths: Iterable[Path]) -> None:
        """Name files that `write` must not change: what the bundle was made from."""
        self._guarded += [path.resolve() for path in paths]

    def is_begun(self, path: str) -> bool:
        """Whether a file is written `once` only."""
        return path in self._once

    def kept(self, folder: str | os.PathLike[str]) -> list[Path]:
        """The files in `folder` that are a person's by now, and that `write` leaves as they are."""
        places = {Path(folder) / name: self._files[name] for name in self._files if name in self._once}
        return [path for path, data in places.items() if os.path.lexists(path) and not _is_ours(path, data)]

    def write(
        self, folder: str | os.PathLike[str], begun_in: str | os.PathLike[str] | None = None
    ) -> list[Path]:
        """Write every file below `folder` and return their paths, without those that `kept` names.

        All are written beside their targets first, or in the folder `begun_in` of the same file system,
        and then renamed over them, so that no half file is ever seen and a full disk keeps what was there.
        What a killed run left beside them is removed; `begun_in` is its owner's to clear. A file that holds
        the same bytes already is left untouched, so that programs which watch it do not import it again. Of a
        link it is the file that it leads to that is replaced, if that lies in `folder` too.

        Raises UndercroftError if anything cannot be written, BadInput if what `guard` names would change.
        """
        root = Path(folder)
        kept = set(self.kept(root))
        path = root  # what a message is about
        with Begun(Path(begun_in) if begun_in else None) as begun:
            try:
                ready = []
                for name, data in self._files.items():
                    path = root / name
                    if path not in kept:
                        ready += self._begin(root, name, data, begun)
                for name, source in self._moved.items():
                    path = root / name
                    ready.append((path, source, self._place(root, name)))
                for each, temporary, target in ready:
                    path = each
                    temporary.replace(target)
            except OSError as error:
                raise UndercroftError(f"{path}: cannot be written: {error.strerror}") from None
        return [path for path in (root / name for name in self._files) if path not in kept]

    def _begin(self, root: Path, name: str, data: bytes, begun: Begun) -> list[tuple[Path, Path, Path]]:
        """Write a file beside its target, unless that holds the same: its path, where it is, its target."""
        target = self._place(root, name, data)
        begun.clear(target.parent)
        if _holds(target, data):
            return []
        temporary = begun.path(target.parent)
        with temporary.open("xb") as file:  # its rights are those of any new file
            file.write(data)
        return [(root / name, temporary, target)]

    def _place(self, root: Path, name: str, data: bytes | None = None) -> Path:
        """Where a file goes; its folder is made. Raises BadInput if a guarded file would change."""
        target = _target(root, name)
        if target in self._guarded and not (data is not None and _holds(target, data)):
            raise _made_from(root / name)
        target.parent.mkdir(parents=True, exist_ok=True)
        return target


def _refuse_odd(path: str) -> None:
    pure = PurePosixPath(path)
    plain = str(pure) == path and pure.name and not pure.is_absolute() and ".." not in pure.parts
    if not plain or _NOT_IN_PATHS.search(path):
        raise ValueError(f"{path!r} is no path inside a folder")


def _made_from(path: Path) -> BadInput:
    what = "is what these files are made from; give another folder or name"
    return BadInput(f"{path}: would be replaced, but {what}")


def _target(folder: Path, name: str) -> Path:
    """Where a file really goes, links followed: a regular file in the folder, or none yet."""
    root = Path(os.path.realpath(folder))
    target = Path(os.path.realpath(root / name))
    if not target.is_relative_to(root):
        raise UndercroftError(
            f"{folder / name}: is a link to {target}, out of the folder; remove it, or write elsewhere"
        )
    if target.exists() and not target.is_file():
        raise UndercroftError(f"{folder / name}: cannot be written: is not a file; remove it")
    return target


def _is_ours(path: Path, data: bytes) -> bool:
    """Whether a file that was begun here is as it was begun; a link or one that cannot be read is not."""
    try:
        return not path.is_symlink() and _holds(path, data)
    except OSError:
        return False


def _holds(target: Path, data: bytes) -> bool:
    return target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data
