"""A digest of a kit's rows and of the layouts in its folders, wherever the folders are."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from generator.errors import KitError, shown
from generator.files import read_bytes, why_not_read
from generator.kinds.kit import Kit
from generator.kinds.kit_files import check_no_link

_ENDINGS = (".txt", ".tmj", ".tmx", ".tsj", ".tsx", ".ldtk")
_MAX_BYTES = 1 << 24  # of a layout
_MAX_FILES = 20_000

LayoutStamp = tuple[str, int, int]  # a file's path in the folder, its size and its time


def digest_of_kit(kit: Kit) -> str:
    """Compute 16 hexadecimal digits, the same for kits with the same rows and layouts. Raises KitError."""
    digest = hashlib.blake2b(kit.tables_digest.encode(), digest_size=8)
    for folder in kit.layouts:
        digest.update(_of_folder(folder, tuple(sorted(_stamps(folder)))))
    return digest.hexdigest()


def _stamps(folder: Path) -> Iterator[LayoutStamp]:
    count = 0
    for root, _, files in os.walk(folder):
        for name in files:
            if name.lower().endswith(_ENDINGS):
                count += 1
                if count > _MAX_FILES:
                    raise KitError(f"kit: {shown(str(folder), 200)} has more than {_MAX_FILES} layouts")
                path = Path(root, name)
                check_no_link(path)
                try:
                    state = path.stat()
                except OSError as error:
                    raise KitError(f"{path}: cannot be read: {why_not_read(error, path)}") from None
                yield path.relative_to(folder).as_posix(), state.st_mtime_ns, state.st_size


@lru_cache(maxsize=64)
def _of_folder(folder: Path, stamps: tuple[LayoutStamp, ...]) -> bytes:
    digest = hashlib.blake2b(digest_size=8)
    for name, *_ in stamps:
        data = read_bytes(folder / name, _MAX_BYTES, KitError)
        data = data.replace(b"\r\n", b"\n")  # line ends of Windows
        digest.update(f"{name}\n{len(data)}\n".encode(errors="surrogateescape") + data)
    return digest.digest()
