"""Themes and their sheets, read once as long as their files stay the same."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.theme.loader import load_theme

if TYPE_CHECKING:
    from exporters.theme import Theme

_read: dict[str, tuple[tuple[tuple[int, int], ...], Theme]] = {}
_MAX_READ = 8


def theme_at(path: str) -> Theme:
    """Return the theme of a TOML file, or the built-in one for an empty path. Raises ThemeError."""
    if not path:
        return load_theme()
    kept = _read.get(path)
    if kept and kept[0] == _stamps(kept[1].sources):
        return kept[1]
    theme = load_theme(path)
    if len(_read) >= _MAX_READ:
        _read.clear()
    _read[path] = _stamps(theme.sources), theme
    return theme


def _stamps(sources: tuple[Path, ...]) -> tuple[tuple[int, int], ...]:
    """Return a value that changes when one of the files does."""
    stamps = []
    for source in sources:
        try:
            status = source.stat()
            stamps.append((status.st_mtime_ns, status.st_size))
        except OSError:
            stamps.append((0, -1))
    return tuple(stamps)


@lru_cache(maxsize=8)
def sheet_of(theme: Theme) -> tuple[str, bytes]:
    """Draw a theme's tiles in one look side by side. Return the digest, which is the name, and the PNG."""
    from exporters.pages.gallery import sprite_png

    data = sprite_png(theme, range(theme.columns * theme.rows))
    return hashlib.blake2b(data, digest_size=16).hexdigest(), data
