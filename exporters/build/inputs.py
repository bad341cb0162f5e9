"""Digests of what levels are made from: themes and layouts, by content.

Whoever reads such files makes the digest of what was read, so that a file that is changed in the middle of
a build cannot be taken for what it was before.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import BadInput, ThemeError
from generator.files import read_bytes
from generator.spec import GridSpec, LevelSpec

if TYPE_CHECKING:
    from exporters.theme import Theme

BUILT_IN = "undercroft"


def digest_of(*parts: bytes) -> bytes:
    """16 bytes that stand for some parts, each of which ends where it ends."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.digest()


class Look:
    """A theme that was read, its name, and a digest of its files."""

    def __init__(self, theme: Theme) -> None:
        from exporters.theme.file import MOST_IMAGE_BYTES

        self.theme = theme
        self.name = theme.name
        self.sources = theme.sources
        self.digest = digest_of(*(read_bytes(path, MOST_IMAGE_BYTES, ThemeError) for path in theme.sources))


def look_of(path: Path | None) -> tuple[str, bytes]:
    """The name and digest of a theme as it is now; the built-in one changes with the version alone.

    Raises ThemeError.
    """
    if path is None:
        return BUILT_IN, b""
    look = _read(path)
    return look.name, look.digest


@lru_cache(maxsize=16)
def theme_of(path: Path | None, digest: bytes) -> Theme:
    """The theme of this digest, read once in each process. Raises BadInput if its files are others now."""
    from exporters.theme.loader import load_theme

    if path is None:
        return load_theme()
    look = _read(path)
    if look.digest != digest:
        raise BadInput(f"{path}: was changed while it was built from; build again")
    return look.theme


def _read(path: Path) -> Look:
    from exporters.theme.loader import load_theme

    return Look(load_theme(path))


def layouts_digest(spec: LevelSpec) -> str:
    """The digest of the layouts that a spec names, as they are now; empty if it names none.

    Raises SpecError or LayoutError for bad ones.
    """
    if not getattr(spec, "layouts", ""):
        return ""
    from generator.interiors.own_layouts import own_layouts

    assert isinstance(spec, GridSpec)
    return own_layouts(spec).digest
