"""The exports of the levels in a folder: which files show which level, and how to write them again."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path

from exporters.base import MainFile
from exporters.bundle import Bundle
from exporters.edits.digests import digest_among, digest_of_bytes
from exporters.edits.record import FolderRecord
from exporters.exported import Formats, is_of_level
from exporters.exporting import (
    Before,
    DressLevel,
    Given,
    ThemeLike,
    dressed_in,
    export_dressed,
    exported_again,
    refuse_stem,
)
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of, main_files, stem_of
from exporters.reading.found import exports_in
from exporters.registry import exporter, format_names
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.errors import BadInput
from generator.level import Level
from generator.named_tuple import NamedTuple


class MadeExports:
    """The exports that were made for the files of a level, and the levels that were dressed for these."""

    def __init__(self) -> None:
        self.bundles: dict[Hashable, Bundle] = {}
        self._looks: dict[Hashable, DressLevel] = {}

    def look(self, level: Level, theme: Theme) -> DressLevel:
        """Return what dresses a level in a theme, once for all formats."""
        dress = cache(partial(dressed_in, level, theme))
        return self._looks.setdefault((level.fingerprint, bool(level.edited), theme), dress)


class Export(NamedTuple):
    """A file of a level, and what it was exported with: options by dotted key, and the theme.

    `files` reads the file, and `made` keeps what was made, for all files of the level.
    """

    path: Path
    files: ExportFiles
    form: MainFile
    options: Mapping[str, object]
    theme: ThemeLike
    made: MadeExports

    @property
    def main(self) -> str:
        """The name of the file that an export makes, which differs from that of a scene to work in."""
        return f"{stem_of(self.path)}{self.form.suffix}"

    def is_twin(self, formats: Formats) -> bool:
        """Check whether it has another form than its format is exported in, as after *Save As* in Tiled."""
        known = formats.get(self.form.format)
        return known is not None and not self.form.made_with(known.options)

    def of(self, level: Level) -> Bundle:
        """Make the format's files for a level. Raises BadInput if the main one is not among them."""
        what = level.fingerprint, bool(level.edited), self.form.format, repr(self.options), self.theme
        made = self.made.bundles
        if what not in made:
            theme, name = self.theme_for(level), stem_of(self.path)
            look = self.made.look(level, theme)
            made[what] = export_dressed(look, level, self.form.format, self.options, theme, name)
        bundle = made[what]
        if self.main not in bundle:
            problem = f"an export with these options has no {self.main}"
            raise BadInput(f"{self.path}: {problem}; give the options that it was exported with")
        return bundle

    def recorded(self, level: Level, last_written: Callable[[str], bytes | None]) -> Bundle | None:
        """Return the export of a level as it was written last, so that it need not be made again to compare.

        None if a record does not have it, or if it has more than one file.
        """
        data = last_written(self.main) if self.main == self.path.name else None
        if data is None or not _shows(data, level):
            return None
        is_alone = f'"{stem_of(self.path)}/'.encode() not in data  # it names no files of rooms
        return Bundle({self.main: data}) if is_alone else None

    def theme_for(self, level: Level) -> Theme:
        """Return the theme, for the kinds of a level. Raises BadInput."""
        return self.theme if isinstance(self.theme, Theme) else load_theme(self.theme, level.kinds)


def export_at(path: Path, files: ExportFiles, chosen: Given, before: Before, made: MadeExports) -> Export:
    """Find the export in a main file. If nothing is known of this file, the options that show in it are used.

    Raises BadInput.
    """
    form = form_of(path)
    refuse_stem(stem_of(path), str(path))
    known = before.formats.get(form.format)
    if known and form.made_with(known.options):
        options = before.options(form.format, chosen)
    else:
        options = {**form.options(path.name, files), **chosen.for_format(form.format)}
    return Export(path, files, form, options, before.theme(form.format, chosen), made)


def left_behind(folder: Path, name: str, level: Level, new: Bundle) -> Iterable[str]:
    """Report, one line each, files that are not read back and not among the `new`, such as a map in Lua."""
    read = {form.suffix for form in main_files()}
    suffixes = {suffix for form in main_files() for suffix in exporter(form.format).suffixes}
    files = ExportFiles(folder)
    for path in (f"{name}{suffix}" for suffix in sorted(suffixes - read)):
        if path not in new and files.has(path) and _shows(files.read(path), level):
            yield f"{folder / path}: is not read back, so it shows the level as it was; export it again"


def _shows(data: bytes, level: Level) -> bool:
    """Return whether the fingerprint of a level is in a file."""
    return level.fingerprint.encode() in data or level.former_fingerprint.encode() in data


def other_formats(folder: Path, name: str) -> dict[str, list[Path]]:
    """Find a level's files in formats that cannot be read back, by format."""
    read = {form.format for form in main_files()}
    found = {
        format_: [
            file for suffix in exporter(format_).suffixes if (file := folder / f"{name}{suffix}").is_file()
        ]
        for format_ in format_names()
        if format_ not in read and format_ != "json"
    }
    return {format_: files for format_, files in found.items() if files}


def formats_beside(path: Path, record: FolderRecord) -> list[str]:
    """List the other formats in which there are files of the level that a main file shows."""
    name, damaged = stem_of(path), dict[str, BadInput]()
    found = {form_of(other).format for other in exports_in(record, name, damaged).get(name, [])}
    return sorted({*found, *other_formats(record.folder, name)} - {form_of(path).format})


def written_again(
    level: Level, existing: Iterable[Export], others: Iterable[str], before: Before, chosen: Given
) -> Bundle:
    """Write the level's files again as they were exported, also in some other formats.

    And the theme's that are missing in the folder. A twin does not change what is known of its format.
    """
    ordered = sorted(existing, key=lambda item: not item.is_twin(before.formats))
    others, made = tuple(others), [item.of(level) for item in ordered]
    options = Given(chosen.theme, {k: v for name in others for k, v in chosen.for_format(name).items()})
    bundle = Bundle()
    for part in (*made, exported_again(level, others, before, options)):
        missing = {path for path in part if not os.path.lexists(before.folder / path)}
        wanted = missing.union(own_files(part, before.name))
        bundle.update(part.only(wanted.__contains__))
    return bundle


def own_files(bundle: Bundle, name: str) -> Bundle:
    """Return the files of a level, without the theme's and those that are a person's from the beginning."""
    return bundle.only(lambda path: is_of_level(path, name) and not bundle.is_begun(path))


def files_as_exported(folder: Path, bundle: Bundle) -> set[Path]:
    """Find a bundle's files that are in the folder unchanged, including pictures, which are not read back."""
    files = {folder / path: digest_of_bytes(data) for path, data in bundle.items()}
    return {path for path, own in files.items() if path.is_file() and digest_among(path, {own}) == own}
