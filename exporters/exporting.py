"""From a level to files in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from exporters.base import BUILT_IN_THEME, Exporter, Job
from exporters.bundle import Bundle
from exporters.exported import DRAWING, ExportedLevel, ExportedWith, Formats, exported_with, theme_in
from exporters.registry import describe, exporter, format_names, options_of
from generator import plugins
from generator.errors import BadInput, is_unicode, shown
from generator.garbage import no_collections
from generator.named_tuple import NamedTuple
from generator.pattern import pattern
from generator.stages import enter_stage

if TYPE_CHECKING:
    from exporters.dress import Layers
    from exporters.theme import Theme
    from generator.level import Level

ThemeLike: TypeAlias = "Theme | str | os.PathLike[str] | None"
DressLevel: TypeAlias = "Callable[[], tuple[Theme, Layers]]"

_STEM = pattern(r'(?! )[^\x00-\x1f\x7f"*/:<>?\\|]{1,200}(?<! )')


def export(
    level: Level,
    formats: str | Iterable[str] | None = None,
    options: Mapping[str, object] | None = None,
    theme: ThemeLike = None,
    name: str | None = None,
) -> Bundle:
    """Export a level in some formats (default: all built-in ones) and return the files in memory.

    `options` has dotted keys (`{"png.scale": 2}`) and typed values or texts; `load_options` reads it from a
    file. `theme` is a loaded theme or the path of a TOML file; the default is the built-in theme. `name` is
    the stem of the file names; the default is `STYLE-SEED`. Raises BadInput for an unknown format or option,
    a wrong value, or an invalid file name, and ThemeError, a kind of BadInput, for a bad theme.
    """
    look = cache(lambda: dressed_in(level, theme))
    return export_dressed(look, level, formats, options, theme, name)


def export_dressed(
    look: DressLevel,
    level: Level,
    formats: str | Iterable[str] | None,
    options: Mapping[str, object] | None,
    theme: ThemeLike,
    name: str | None,
) -> Bundle:
    """Do what `export` does, with a `look` that several exports of a level in a theme share."""
    if formats is None:
        formats = format_names()
    chosen = [exporter(form) for form in dict.fromkeys([formats] if isinstance(formats, str) else formats)]
    values = options_of(chosen, options or {})
    stem = f"{level.style}-{level.seed}" if name is None else name
    refuse_stem(stem, "name")
    if any(form.themed for form in chosen) and look()[0].bears(stem):
        raise BadInput(f"name: {stem} is also the name of the theme's files; give another")
    bundle = Bundle()
    exported: dict[str, ExportedWith] = {}
    for form in chosen:
        enter_stage(f"format {form.name}")
        with no_collections():
            files = files_of(form, Job(level, stem, values[form.name], look))
        for path in files.keys() & bundle.keys():
            if files[path] != bundle[path]:
                raise BadInput(
                    f"{path}: the format {form.name} and another one both write this file; export them "
                    "separately"
                )
        bundle.update(files)
        if form.options or form.themed:
            theme_path = _place_of(look()[0]) if form.themed else ""
            exported[form.name] = exported_with(form, values[form.name], theme_path)
    way = partial(
        export, formats=tuple(form.name for form in chosen), options=options, theme=theme, name=stem
    )
    bundle.exported[stem] = ExportedLevel(level, exported, (way,))
    if level.is_by_hand:
        bundle.mark_edited(stem)
    if any(form.themed for form in chosen):
        if level.looks:
            bundle.notes += _looks_left_out(level, stem, *look())
        bundle.notes += look()[0].left_out
        bundle.guard(look()[0].sources)  # never overwrite a team's own sheet with our extended copy
    return bundle


def _looks_left_out(level: Level, stem: str, theme: Theme, layers: Layers) -> list[str]:
    from exporters.looks import looks_left_out  # few levels have looks

    return [f"{stem}: {line}" for line in looks_left_out(level, theme, layers._asdict())]


def files_of(form: Exporter, job: Job) -> Bundle:
    """Export one level in one format. Mistakes of another package's exporter raise UndercroftError."""
    if form.name in format_names():
        try:
            return form.export(job)
        except UnicodeEncodeError as error:
            raise BadInput(f"{job.name}: {_unwritable(job.level) or error}") from None
    files: Bundle = plugins.guarded(f"format {form.name}: its export", partial(_whole_bundle, form))(job)
    return files


def _unwritable(level: Level) -> str:
    """Name the text of a level that no file can have. Empty if it is not a person's."""
    from generator.things import called  # few levels have such a text

    texts = [("the level's facts", *fact) for fact in level.facts.items()]
    texts += [(called(level, "room", room.id), "name", room.name) for room in level.rooms]
    for marker in level.markers:
        thing = called(level, "marker", marker.id)
        texts += [(thing, *each) for each in marker.properties.items()]
    for thing, key, value in texts:
        for text in (key, value):
            if isinstance(text, str) and not is_unicode(text):
                return f"{thing}: {shown(key)[1:-1]}: {shown(text)} is not valid Unicode; type it again"
    return ""


def _whole_bundle(form: Exporter, job: Job) -> Bundle:
    """Write the files of another package's format. Raises TypeError if they are not bytes in a Bundle."""
    bundle = form.export(job)
    if not isinstance(bundle, Bundle):
        raise TypeError(f"it returns {type(bundle).__name__}, not a Bundle")
    for path, data in bundle.items():
        if not isinstance(data, bytes):
            raise TypeError(f"{shown(path)} is {type(data).__name__}, not bytes")
    return bundle


def dressed_in(level: Level, theme: ThemeLike) -> tuple[Theme, Layers]:
    """Dress a level in a theme, which may have to be read. Raises BadInput."""
    from exporters.dress import dressed  # a level alone needs no theme
    from exporters.theme import Theme
    from exporters.theme.loader import load_theme

    return dressed(level, theme if isinstance(theme, Theme) else load_theme(theme, level.kinds))


def _place_of(theme: Theme) -> str:
    """Return a theme's path, empty for the built-in one, or its name if it is not from a file."""
    if theme.path is not None:
        return os.path.abspath(theme.path)  # noqa: PTH100 - do not resolve links
    return "" if theme.given_name == BUILT_IN_THEME else theme.given_name


def refuse_stem(name: str, where: str) -> None:
    """Raise BadInput at `where` if files cannot have a name on every system."""
    if not _STEM.fullmatch(name) or not is_unicode(name):
        remedy = r"use 1 to 200 characters other than \"*/:<>?\|, with no space at the ends"
        raise BadInput(f"{where}: {shown(name)} is not a valid file name; {remedy}")


def describe_format(name: str) -> list[dict[str, Any]]:
    """Describe a format's options: key, type, default, range or choices, unit, help, for JSON.

    Raises BadInput for an unknown format.
    """
    return describe(exporter(name))


def export_run(
    name: str, levels: Mapping[str, Level], formats: Iterable[str], chosen: Given
) -> Iterator[Bundle]:
    """Make the files that show the levels of a run together, by format. `levels` are by name."""
    from exporters.dress import dressed_together
    from exporters.theme import Theme
    from exporters.theme.loader import load_theme

    forms = [exporter(format_) for format_ in dict.fromkeys(formats)]
    options, made = options_of(forms, chosen.options), list(levels.values())
    theme = chosen.theme if isinstance(chosen.theme, Theme) else load_theme(chosen.theme, made[0].kinds)
    looks = dressed_together(made, theme)
    for form in forms:
        if form.of_run and form.shows_runs(options[form.name]):
            jobs = [
                Job(level, stem, options[form.name], look)
                for (stem, level), look in zip(levels.items(), looks, strict=True)
            ]
            bundle = form.of_run(name, jobs)
            bundle.guard(theme.sources)
            yield bundle


# --- again, as before, unless a person says otherwise ------------------------------------------------


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
        others = sorted(self.formats, key=lambda name: name == DRAWING)
        known = self.formats.get(format_) or next((self.formats[name] for name in others), None)
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
