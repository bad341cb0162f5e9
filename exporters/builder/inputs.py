"""Digests of what levels are made from: themes and layouts, by content.

Whoever reads such files makes the digest of what was read, so that a file that is changed in the middle of
a build cannot be taken for what it was before.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import BadInput, ThemeError
from generator.files import read_bytes
from generator.spec import LevelSpec

if TYPE_CHECKING:
    from exporters.theme import Theme

BUILT_IN = "undercroft"


def digest_of(*parts: bytes) -> bytes:
    """16 bytes that stand for some parts, each of which ends where it ends."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.digest()


class ThemeStamp(NamedTuple):
    """What is known of a theme that need not be loaded: its name, a digest of its files, and the files."""

    name: str
    digest: bytes
    sources: tuple[Path, ...]


def stamp_of(path: Path | None) -> ThemeStamp:
    """A theme as it is now; the built-in one changes with the version alone. Raises ThemeError."""
    if path is None:
        return ThemeStamp(BUILT_IN, b"", ())
    return _read(path)[1]


@lru_cache(maxsize=16)
def theme_of(path: Path | None, digest: bytes) -> Theme:
    """The theme of this digest, read once in each process. Raises BadInput if its files are others now."""
    from exporters.theme.loader import load_theme

    if path is None:
        return load_theme()
    theme, stamp = _read(path)
    if stamp.digest != digest:
        raise BadInput(f"{path}: was changed while it was built from; build again")
    return theme


def _read(path: Path) -> tuple[Theme, ThemeStamp]:
    from exporters.theme.file import MOST_IMAGE_BYTES
    from exporters.theme.loader import load_theme

    theme = load_theme(path)
    digest = digest_of(*(read_bytes(source, MOST_IMAGE_BYTES, ThemeError) for source in theme.sources))
    return theme, ThemeStamp(theme.given_name, digest, theme.sources)


def files_digest(spec: LevelSpec) -> str:
    """The digest of the layouts, the flow and the kit that a spec names, as they are now; empty for none.

    Raises SpecError, LayoutError or KitError for bad ones.
    """
    return spec.files_digest() + spec.digests().get("kit", "")


def spec_key(spec: LevelSpec, files: str) -> dict[str, object]:
    """What stands for a spec in keys: not where its files lie, but what is in them."""
    return {**spec.saved(), **spec.digests(), **({"files": files} if files else {})}
