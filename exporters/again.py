"""Export a level's files again: as they were exported before, unless a person says otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from exporters.bundle import Bundle
from exporters.exported import Formats, theme_in
from exporters.exporting import export
from exporters.options import options_of
from exporters.registry import exporter
from exporters.theme import Theme
from generator.level import Level

ThemeLike = Theme | str | os.PathLike[str] | None


class Given(NamedTuple):
    """What a person says: a theme, and options by dotted key. Anything else stays as it was."""

    theme: ThemeLike = None
    options: Mapping[str, object] = MappingProxyType({})

    def check(self, formats: Iterable[str]) -> None:
        """Raise BadInput for an option that none of some formats has, or for a wrong value."""
        options_of([exporter(format_) for format_ in formats], self.options)

    def for_format(self, format_: str) -> dict[str, object]:
        """Return the options of one format."""
        return {key: value for key, value in self.options.items() if key.partition(".")[0] == format_}


class Before(NamedTuple):
    """A level's files in a folder: what they were exported with, as far as that is known."""

    folder: Path
    name: str
    formats: Formats = MappingProxyType({})

    def theme(self, format_: str, chosen: Given) -> ThemeLike:
        """Return the theme of a format. A format that is new here gets that of another one.

        Raises BadInput if it is missing.
        """
        if chosen.theme is not None or not exporter(format_).themed:
            return chosen.theme
        known = self.formats.get(format_) or next(iter(self.formats.values()), None)
        return theme_in(self.folder, self.name, known)

    def options(self, format_: str, chosen: Given) -> dict[str, object]:
        """Return the options of a format, by dotted key."""
        known = self.formats[format_].dotted(format_) if format_ in self.formats else {}
        return known | chosen.for_format(format_)

    def kept(self, formats: Iterable[str], chosen: Given) -> str:
        """Describe, for messages, what was not given and is no default, or return an empty text."""
        known = {format_: self.formats[format_] for format_ in formats if format_ in self.formats}
        options = [key for format_, with_ in known.items() for key in with_.dotted(format_)]
        listed = ", ".join(key for key in options if key not in chosen.options)
        themes = {with_.theme for with_ in known.values() if with_.theme and chosen.theme is None}
        return "; ".join(
            [*(f"theme: {theme}" for theme in sorted(themes)), *([f"options: {listed}"] if listed else [])]
        )


def exported_again(level: Level, formats: Iterable[str], before: Before, chosen: Given) -> Bundle:
    """Export a level in some formats, as before. Raises BadInput."""
    chosen.check(formats := tuple(formats))
    by_theme: dict[ThemeLike, list[str]] = {}
    for format_ in formats:
        by_theme.setdefault(before.theme(format_, chosen), []).append(format_)
    bundle = Bundle()
    for theme, names in by_theme.items():
        options = {key: value for format_ in names for key, value in before.options(format_, chosen).items()}
        bundle.update(export(level, tuple(names), options=options, theme=theme, name=before.name))
    return bundle
