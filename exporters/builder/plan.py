"""The plan of a build, level by level: each level's key, its outputs and their keys, and their paths.

A key is a digest of everything that decides the bytes: equal keys mean equal bytes.

    level    spec, seed, layouts, version, and in a campaign those of the stages before it; or a level.json
    output   its level's key, format, options, path, and the theme if the format uses one
    pack     all its levels' specs, seeds, layouts and options, the theme, version
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.builder import inputs
from exporters.builder.groups import Group, Manifest
from exporters.builder.inputs import canonical, digest_of, parts_of, parts_of_spec
from exporters.builder.keys import PACK, filled
from exporters.exported import exported_with, is_usual, placed, text_of
from exporters.registry import BUILT_IN, GROUP, exporter
from generator.errors import BadInput, KitError, SpecError, ThemeError, kept_in, refuse_all, shown
from generator.files import is_device
from generator.named_tuple import NamedTuple
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.builder.pack_sources import PackSource

_RECIPE = 1  # raise it when the composition of keys changes


class Output(NamedTuple):
    """One level in one format: `path` without its suffix, relative to the build's folder.

    Outputs with the same `recipe` in the same folder share the theme's files. `exported` says, as text, what
    all files with this path are exported with, and `parts` what the output is made from.
    """

    format: str
    path: str
    key: bytes
    recipe: bytes
    exported: str = ""
    parts: str = ""


class Planned(NamedTuple):
    """One level: its group (without seeds), the outputs to make, and the digests of its inputs."""

    group: Group
    seed: int | str
    key: bytes
    outputs: tuple[Output, ...]
    layouts: str
    theme: bytes

    @property
    def label(self) -> str:
        """The level's name in messages, for example `cellars, seed 7` or `descent, basement`."""
        return f"{self.group.name}, {self.group.stage_name or f'seed {self.seed}'}"


class PlannedPack(NamedTuple):
    """The pack of a group or campaign: its output, and what its levels are made from."""

    name: str  # the group's or the campaign's
    output: Output
    parts: tuple[PackPart, ...]
    web: bool  # whether the reader for browsers lies beside it

    @property
    def label(self) -> str:
        """The file's name, such as `cellars.ucpack`."""
        return f"{self.output.path}.ucpack"

    @property
    def levels(self) -> int:
        """The number of its levels."""
        return sum(len(part.source.seeds) for part in self.parts)


class PackPart(NamedTuple):
    """Levels of a pack that differ only in their seeds."""

    source: PackSource
    layouts: str  # their digest


class BuildPlan:
    """All levels of a manifest, in its order. They are planned one by one, so a million need little memory.

    The constructor checks all of them. Raises BadInput for a theme or layouts that cannot be read, and for
    two levels with the same path, ignoring case.
    """

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.levels = sum(len(group.seeds) for group in manifest.groups)
        self.steps = sum(len(group.seeds) * (bool(group.formats) + group.packed) for group in manifest.groups)
        stamp_of = cache(inputs.stamp_of)  # each theme is read once
        self._recipes = []
        mistakes: list[BadInput] = []
        for group in manifest.groups:
            with kept_in(mistakes):
                try:
                    stamp = stamp_of(group.theme)
                except ThemeError as error:
                    raise BadInput(f"{group.where}.theme: {error}") from None
                recipe = _GroupRecipe(replace(group, seeds=()), stamp, manifest.out)
                self._recipes.append((recipe, group.seeds))
        refuse_all(mistakes)
        of_themes = (path for group in manifest.groups for path in stamp_of(group.theme).sources)
        self.sources = tuple(dict.fromkeys((*manifest.sources, *of_themes)))  # never overwritten
        self._refuse_same_paths()
        self.packs = tuple(self._packs())

    def groups(self) -> Iterator[str]:
        """Yield the names that counts are kept for: groups and campaigns with files, and packs."""
        yield from dict.fromkeys(group.name for group in self.manifest.groups if group.formats)
        yield from (pack.label for pack in self.packs)

    def __iter__(self) -> Iterator[Planned]:
        for recipe, seeds in self._recipes:
            if recipe.formats:
                yield from recipe.levels(seeds)

    def stages(self) -> Iterator[Planned]:
        """Yield the stages of campaigns that remember earlier stages."""
        for recipe, seeds in self._recipes:
            if recipe.formats and recipe.group.run:
                yield from recipe.levels(seeds)

    def _packs(self) -> Iterator[PlannedPack]:
        by_name: dict[str, list[tuple[_GroupRecipe, Sequence[int | str]]]] = {}
        for recipe, seeds in self._recipes:
            if recipe.group.packed:
                by_name.setdefault(recipe.group.name, []).append((recipe, seeds))
        folded: dict[str, str] = {}
        for name, recipes in by_name.items():
            where = recipes[0][0].group.where
            if is_device(name):
                raise BadInput(f"{where}: its pack would be {name}.ucpack, a device on Windows; rename it")
            first = folded.setdefault(name.casefold(), name)
            if first != name:
                raise BadInput(f"{where}: its pack and that of {first} would have the same name; rename one")
            yield _planned_pack(name, recipes)

    def _refuse_same_paths(self) -> None:
        """Compare paths by 64-bit hashes. Only if two are equal, the paths are made again."""
        seen: set[int] = set()
        for planned in self:
            for path in _places(planned):
                number = hash(path)
                if number in seen:
                    self._raise_same_path(planned, path)
                seen.add(number)

    def _raise_same_path(self, second: Planned, path: str) -> None:
        levels = list(islice((planned for planned in self if path in _places(planned)), 2))
        if len(levels) > 1:
            names = f"{levels[0].label} and {levels[1].label}"
            is_twice = levels[0].label == levels[1].label
            remedy = "give that seed once" if is_twice else "add a placeholder such as {group} or {seed}"
            problem = f"{names} would both be {shown(path)}; {remedy}"
            raise BadInput(f"{second.group.where}.path: {problem}")


def _places(planned: Planned) -> set[str]:
    """Return the paths of a level, as a file system that ignores case sees them."""
    return {output.path.casefold() for output in planned.outputs}


def _planned_pack(name: str, recipes: Sequence[tuple[_GroupRecipe, Sequence[int | str]]]) -> PlannedPack:
    from exporters.builder.pack_sources import check_sources, source_of_group
    from exporters.formats.pack.file import FORMAT_VERSION, LEVELS_A_BLOCK

    parts: list[PackPart] = []
    keys: list[object] = ["pack", _RECIPE, VERSION, FORMAT_VERSION, LEVELS_A_BLOCK, name]
    try:
        for recipe, seeds in recipes:
            group = recipe.group
            source = source_of_group(group, seeds, group.options["godot"])
            parts.append(PackPart(source, recipe.layouts))
            seed_list = [seeds.start, seeds.stop] if isinstance(seeds, range) else list(seeds)
            keys += [group.stage_name, recipe.spec.decode(), seed_list, source.options]
            keys += [group.run.key_before(group.number).hex()] if group.run else []
        check_sources([part.source for part in parts])
    except BadInput as error:
        raise BadInput(f"{recipes[0][0].group.where}.formats: pack: {error}") from None
    first, web = recipes[0][0], any(recipe.group.web for recipe, _ in recipes)
    reader = ["web"] if web else []  # packs without it stay up to date
    key = digest_of(canonical([*keys, *reader]), first.theme, canonical(first.theme_name))
    made_from = {
        "specs": [[recipe.group.stage_name, recipe.contents] for recipe, _ in recipes],
        "seeds": [str(seeds) if isinstance(seeds, range) else list(seeds) for _, seeds in recipes],
        "theme": first.theme_contents,
        "options": [*(part.source.options for part in parts), *reader],
    }
    text = f"version={VERSION} {parts_of(made_from)}"
    return PlannedPack(name, Output(PACK, name, key, b"", parts=text), tuple(parts), web)


class _GroupRecipe:
    """What all levels of a group share."""

    def __init__(self, group: Group, stamp: inputs.ThemeStamp, out: Path) -> None:
        self.group = group
        try:
            self.layouts = "" if group.file else inputs.files_digest(group.spec)
        except (SpecError, KitError) as error:
            raise BadInput(f"{group.where}: {error}") from None
        self.theme_name, self.theme = stamp.name, stamp.digest
        self.theme_contents = [stamp.name, stamp.digest.hex()]
        self.contents: dict[str, object] = {
            **parts_of_spec(group.spec, self.layouts),
            "rerolls": group.rerolls,
        }
        of_level: list[object] = [inputs.spec_key(group.spec, self.layouts)]
        if group.file:
            of_level = [group.file.digest.hex()]
            self.contents = {"level": group.file.digest.hex()}
        elif group.rerolls:
            of_level.append(group.rerolls)
        self.spec = canonical(["level", _RECIPE, VERSION, *of_level])
        self.formats = [(name, self._format_key(name)) for name in group.formats]
        self.one_path = "{format" not in group.path
        self._out = out
        self._exported = cache(self._exported_in)
        self._parts = cache(self._parts_of)

    def _parts_of(self, name: str, exported: bytes = b"") -> str:
        """Name what the outputs in a format are made from, all that they share.

        `exported` is what a level.json says of the formats beside it.
        """
        own = {
            "exporter": _version_of(name),
            "theme": self.theme_contents if exporter(name).themed else None,
            "options": self.group.options[name],
            "formats": exported.decode(),
        }
        return f"version={VERSION} {parts_of({**self.contents, **own})}"

    def _format_key(self, name: str) -> bytes:
        themed = exporter(name).themed
        parts = ["output", _RECIPE, VERSION, name, _version_of(name), self.group.options[name]]
        return digest_of(
            canonical(parts), self.theme if themed else b"", canonical(self.theme_name if themed else "")
        )

    def levels(self, seeds: Sequence[int | str]) -> Iterator[Planned]:
        return (self._level(seed, number) for number, seed in enumerate(seeds, self.group.number))

    def _level(self, seed: int | str, number: int) -> Planned:
        group = self.group
        before = group.run.key_before(number) if group.run else b""
        key = digest_of(self.spec, canonical(seed), *([before] if before else []))
        of_level = parts_of({"seed": "" if group.file else str(seed), "stages": before})
        facts: dict[str, object] = {
            "group": group.name,
            "seed": seed,
            "number": number,
            "name": group.stage_name or group.name,
            "spec": group.spec_name,
            "style": group.spec.style,
            "stage": getattr(group.spec, "stage", 0),
            "theme": self.theme_name,
        }
        outputs, paths = [], self._paths(facts)
        for name, format_key in self.formats:
            path = paths[name]
            beside = tuple(sibling for sibling in paths if paths[sibling] == path)
            exported, is_said = self._exported(path.rpartition("/")[0], beside)
            extra = [exported.encode()] if name == "json" and is_said else []
            output_key = digest_of(key, format_key, path.encode(), *extra)
            parts = f"{self._parts(name, *extra)} {of_level}"
            outputs.append(Output(name, path, output_key, format_key, exported, parts))
        return Planned(group, seed, key, tuple(outputs), self.layouts, self.theme)

    def _paths(self, facts: dict[str, object]) -> dict[str, str]:
        """Return the paths of a level, by format."""
        paths: dict[str, str] = {}
        path = ""
        for name, _ in self.formats:
            if not path or not self.one_path:
                path = filled(self.group.path, {**facts, "format": name}, f"{self.group.where}.path")
            paths[name] = path
        return paths

    def _exported_in(self, folder: str, names: tuple[str, ...]) -> tuple[str, bool]:
        """Say what files in a folder are exported with, in some formats, and whether level.json says so."""
        formats, theme = {}, str(self.group.theme or "")
        for form in map(exporter, names):
            if form.options or form.themed:
                formats[form.name] = exported_with(form, self.group.options[form.name], theme)
        return text_of(placed(formats, self._out / folder)), not is_usual(formats)


def _version_of(name: str) -> str:
    """Return the version of the package that a format comes from, empty for built-in formats."""
    if name in dict(BUILT_IN):
        return ""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    packages = [entry.dist for entry in entry_points(group=GROUP, name=name)]
    return f"{packages[0].name} {packages[0].version}" if packages and packages[0] else ""
