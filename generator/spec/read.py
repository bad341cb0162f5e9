"""Read specs: from presets, TOML files, and tables of any source."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import SpecError, hint, shown
from generator.files import is_digest, parsed_toml, read_text
from generator.kinds.kit_files import digest_of_kit, is_former_digest
from generator.shipped_files import shipped_folder, shipped_tables
from generator.spec.base import FOLDERS, LevelSpec, kit_at_hand, spec_of_style
from generator.styles.registry import BUILT_IN, style, style_names, usable_styles

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_BYTES = 1 << 20  # a spec is a page of text; anything larger is not one


def spec_from_dict(table: Mapping[str, Any], where: str = "") -> LevelSpec:
    """Build the spec that a table of TOML or JSON describes.

    `where` names the source in messages. Raises SpecError for an unknown style or key, or a value of a
    wrong type or out of range.
    """
    where = f"{where}: " if where else ""
    kit_at_hand(table.get("kit", ""), where)  # what is wrong with the kit is said first
    name = table.get("style")
    if name is None:
        raise SpecError(f"{where}style: is missing; choose one of {', '.join(style_names())}")
    try:
        kind = style(name).spec
    except SpecError as error:
        raise SpecError(f"{where}{error}") from None
    return spec_of_style(kind, table, where)


def saved_spec(table: Mapping[str, Any], where: str = "") -> LevelSpec:
    """Build the spec that a level was saved with: what it was saved without is as it was then.

    Raises SpecError as `spec_from_dict` does.
    """
    spec = spec_from_dict(table, where)
    return with_former_defaults(spec, {field.name for field in dataclasses.fields(spec)} - table.keys())


def with_former_defaults(spec: LevelSpec, keys: Collection[str]) -> LevelSpec:
    """Give some keys the values that they had without being given, before they had other defaults."""
    fields = [field for field in dataclasses.fields(spec) if field.metadata and field.name in keys]
    older = {field.name: before for field in fields if (before := field.metadata["value"].before) is not None}
    return dataclasses.replace(spec, **older) if older else spec


def preset_names(*, others: bool = False) -> tuple[str, ...]:
    """Return the sorted names of the shipped presets, with `others` also the styles of other packages.

    The name of a style means a spec with its defaults, unless a preset has that name.
    """
    shipped = _shipped()
    if not others:
        return shipped
    styles = (style.name for style in usable_styles() if style.name not in BUILT_IN)
    return tuple(sorted({*shipped, *styles}))


def _presets() -> Traversable:
    return shipped_folder("generator") / "presets"


@cache
def _shipped() -> tuple[str, ...]:
    names = (entry.name for entry in _presets().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def preset_text(name: str) -> str:
    """Return the TOML of a preset, or of a style's defaults. Raises SpecError for an unknown name."""
    if name not in _shipped():
        if name in style_names():
            return f'# {style(name).summary}\nstyle = "{name}"\n'
        with suppress(OSError, ValueError):  # of what cannot be a path
            if Path(name).is_dir():
                raise SpecError(f"{shown(name)} is a folder; name a TOML file in it, or a preset")
        remedy = hint(name, preset_names(others=True))
        raise SpecError(f"{shown(name)} is neither a preset nor a TOML file; {remedy}")
    return (_presets() / f"{name}.toml").read_text("utf-8")


def preset_summary(name: str) -> str:
    """Return what a preset says of itself in its first line. Raises SpecError for an unknown name."""
    return preset_text(name).splitlines()[0].removeprefix("#").strip()


def load_spec(name: str | Path) -> LevelSpec:
    """Load a spec by the name of a preset, the name of a style, or the path of a TOML file.

    The name of a style means its defaults. Folders in a file are relative to the file's folder.
    Raises SpecError if there is no such preset, style or file, or if it is not a spec.
    """
    if name in _shipped():
        return _shipped_spec(str(name))
    path = Path(name)
    if path.suffix.lower() != ".toml":
        return parse_spec(preset_text(str(name)), str(name))
    return parse_spec(read_text(path, MAX_BYTES, SpecError), str(path), path.parent)


@cache
def _shipped_spec(name: str) -> LevelSpec:
    """Read the spec of a shipped preset, only once because it never changes."""
    return spec_from_dict(shipped_tables(_presets())[f"{name}.toml"], name)


_Changes = tuple[tuple[str, type, Any], ...]  # key, type and value: 1 and True are equal, but not the same


@lru_cache(maxsize=256)
def _changed(preset: str, changes: _Changes) -> LevelSpec:
    """Build the spec of a shipped preset with some plain values changed. Raises SpecError."""
    return _shipped_spec(preset).replace({key: value for key, _, value in changes})


def _plain_changes(values: Mapping[str, object]) -> _Changes | None:
    """Return the changes, if all are numbers, booleans and texts that do not name a folder, else None."""
    if any(type(value) not in (bool, int, str) or key in FOLDERS for key, value in values.items()):
        return None
    return tuple((key, type(value), value) for key, value in values.items())


def spec_of(spec: LevelSpec | str | Path, values: Mapping[str, object]) -> LevelSpec:
    """Read a spec, a preset's name or a TOML file's path, with some values changed.

    The spec of a level has digests instead of the folders of your own layouts and kit: `layouts` and `kit` in
    `values` must be folders with the same contents. Raises SpecError, KitError, and LayoutError for a bad
    layout.
    """
    if isinstance(spec, str) and spec in _shipped():
        changes = _plain_changes(values)
        if changes is not None:
            return _changed(spec, changes)
    base = spec if isinstance(spec, LevelSpec) else load_spec(spec)
    if not values:
        return base
    if "kit" in values and is_digest(base.kit):  # checked before its facts are looked up
        kit = kit_at_hand(values["kit"])
        digest = digest_of_kit(kit) if kit and not kit.is_shipped else ""
        if is_former_digest(base.kit):
            raise SpecError(
                f"kit: an earlier version made the level, and its digest {base.kit} cannot be compared; use "
                "spec.replace({'kit': FOLDER}) to make a level with this kit"
            )
        _check_same("kit", base.kit, str(values["kit"]), digest)
    chosen = base.replace(values)
    layouts = getattr(base, "layouts", "")
    if "layouts" in values and is_digest(layouts):
        _check_same("layouts", layouts, getattr(chosen, "layouts", ""), chosen.layouts_digest())
    return chosen


def _check_same(key: str, wanted: str, folder: str, digest: str) -> None:
    """Raise SpecError if a folder contains other layouts, or another kit, than a level was made with."""
    if digest != wanted:
        folder = shown(folder, 200)
        contents = "other layouts" if key == "layouts" else "another kit"
        raise SpecError(
            f"{key}: {folder} contains {contents} (digest {digest or 'none'}) than the level was made with "
            f"({wanted}); give the folder as it was then, or use spec.replace({{'{key}': FOLDER}}) to make "
            "another level"
        )


def parse_spec(text: str, where: str = "", folder: Path | None = None) -> LevelSpec:
    """Parse the spec that a TOML text describes. `where` names it in messages. Raises SpecError.

    Its folders and files are relative to `folder`.
    """
    table = parsed_toml(text, where, SpecError)
    for key in FOLDERS if folder else ():
        if isinstance(table.get(key), str) and table[key]:
            table[key] = str(folder / table[key])
    spec = spec_from_dict(table, where)
    return spec.from_folder(folder) if folder else spec
