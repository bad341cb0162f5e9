"""Digests of the files that levels are made from, such as themes and layouts.

Code that reads such a file computes the digest of the bytes it read. So a file that changes during a build
cannot be mistaken for its earlier version.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exporters.base import BUILT_IN_THEME
from generator.errors import BadInput, LevelError, ThemeError
from generator.files import read_bytes
from generator.spec import LevelSpec

if TYPE_CHECKING:
    from exporters.theme import Theme
    from generator.level import Level


def digest_of(*parts: bytes) -> bytes:
    """Compute a digest of 16 bytes. The boundaries between the parts count."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.digest()


class ThemeStamp(NamedTuple):
    """A theme's name, the digest of its files, and their paths: enough to plan without loading it."""

    name: str
    digest: bytes
    sources: tuple[Path, ...]


def stamp_of(path: Path | None) -> ThemeStamp:
    """Stamp a theme as it is now. The built-in one depends only on the version. Raises ThemeError."""
    if path is None:
        return ThemeStamp(BUILT_IN_THEME, b"", ())
    return _read(path)[1]


@lru_cache(maxsize=16)
def theme_of(path: Path | None, digest: bytes) -> Theme:
    """Read the theme with this digest, once per process. Raises BadInput if its files have changed."""
    from exporters.theme.loader import load_theme

    if path is None:
        return load_theme()
    theme, stamp = _read(path)
    if stamp.digest != digest:
        raise BadInput(f"{path}: was changed during the build; build again")
    return theme


def _read(path: Path) -> tuple[Theme, ThemeStamp]:
    from exporters.theme.file import MAX_IMAGE_BYTES
    from exporters.theme.loader import load_theme

    theme = load_theme(path)
    digest = digest_of(*(read_bytes(source, MAX_IMAGE_BYTES, ThemeError) for source in theme.sources))
    return theme, ThemeStamp(theme.given_name, digest, theme.sources)


class LevelFile(NamedTuple):
    """A finished level: its level.json, and the digest that the file must have."""

    path: Path
    digest: bytes

    def load(self) -> Level:
        """Read the level. Raises LevelError, and BadInput if the file has changed."""
        level, file = read_level(self.path)
        if file != self:
            raise BadInput(f"{self.path}: was changed during the build; build again")
        return level


def read_level(path: Path) -> tuple[Level, LevelFile]:
    """Read the level in a file, and its stamp. Raises LevelError, also if it was changed by hand."""
    from generator.level_file import level_from_bytes
    from generator.serialise import MAX_LEVEL_BYTES

    data = read_bytes(path, MAX_LEVEL_BYTES, LevelError)
    try:
        level = level_from_bytes(data, str(path))
    except LevelError:
        level_from_bytes(data, str(path), accept_edits=True)  # if this fails too, it says why
        remedy = f"undercroft export {path} --accept-edits --edits replace --to json --out {path.parent}"
        raise LevelError(f"{path}: was changed by hand; accept that with `{remedy}`") from None
    return level, LevelFile(path, digest_of(data))


def files_digest(spec: LevelSpec) -> str:
    """Compute the digest of the layouts, flow and kit that a spec names, as they are now. Empty if none.

    Raises SpecError, LayoutError or KitError for bad ones.
    """
    return spec.files_digest() + spec.digests().get("kit", "")


def spec_key(spec: LevelSpec, files: str) -> dict[str, object]:
    """Return a spec's part of a key: with the content of its files, not their paths."""
    return {**spec.saved(), **spec.digests(), **({"files": files} if files else {})}
