"""Files in memory, and the one place that writes to disk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from generator.errors import UndercroftError


class Bundle(Mapping[str, bytes]):
    """Relative POSIX paths and their bytes, in order."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._files: dict[str, bytes] = {}
        for path, data in (files or {}).items():
            self.add(path, data)

    def add(self, path: str, data: bytes) -> None:
        """Add a file. ValueError if its path leaves the folder, or another content has it already."""
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or "\\" in path or not pure.name:
            raise ValueError(f"{path!r} is no path inside a folder")
        if self._files.setdefault(path, data) != data:
            raise ValueError(f"{path!r} is in the bundle already, with other content")

    def update(self, other: Mapping[str, bytes]) -> None:
        """Add all files of another bundle."""
        for path, data in other.items():
            self.add(path, data)

    def __getitem__(self, path: str) -> bytes:
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every file below `folder` and return their paths.

        Each is written beside its target and renamed over it, so that no half file is ever seen and a
        failure keeps what was there. A file that holds the same bytes already is left untouched, so that
        programs which watch it do not import it again.
        """
        written = []
        for path, data in self._files.items():
            target = Path(folder) / path
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                if not _holds(target, data):
                    _replace(target, data)
            except OSError as error:
                raise UndercroftError(f"{target}: cannot be written: {error.strerror}") from None
            written.append(target)
        return written


def _holds(target: Path, data: bytes) -> bool:
    return target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
