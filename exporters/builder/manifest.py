"""The manifest `undercroft.toml`: groups of levels, what they are made from, and where they are written.

    out = "levels"                          the folder that is built, inside the manifest's
    theme = "look/crypt.toml"               what stands here holds for all groups
    formats = ["json", "godot"]

    [group.cellars]                         levels that are alike but for their seeds
    spec = "specs/cellar.toml"
    seeds = "0:500"                         or [3, 5, "a text"]
    set.stage = 2

    [campaign.descent]                      one level per stage, whose seeds come from the campaign's
    seed = "my game"
    spec = "isaac"
    [[campaign.descent.stages]]
    name = "basement"
    set.stage = 1

Paths count from the manifest's folder. `docs/pipelines.md` lists every key.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from exporters.base import Exporter
from exporters.builder.campaign import PlannedRun, own_values, planned_run
from exporters.builder.paths import check_template
from exporters.builder.section import ManifestTable
from exporters.builder.seeds import MOST_LEVELS, checked_seeds, seeds_of, stage_seed
from exporters.options import load_options, options_in, options_of
from exporters.registry import exporter, format_names
from generator.errors import BadInput, SpecError, shown
from generator.files import read_text
from generator.runs import RunStage
from generator.spec import LevelSpec, load_spec
from generator.spec.base import FOLDERS

DEFAULT_NAME = "undercroft.toml"
_MOST_BYTES = 1 << 20
_MOST_GROUPS = 10_000  # a campaign's stage counts as one
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SHARED = ("theme", "formats", "options")
_GROUP = (*_SHARED, "spec", "set", "path")
PACK = "pack"  # among the formats: all levels of a group or campaign in one file


@dataclass(frozen=True)
class Group:
    """Levels that are alike but for their seeds; a campaign's stage is a group with one."""

    where: str  # for messages: FILE: group.cellars
    name: str  # the group's or the campaign's
    stage_name: str  # of a campaign's stage, or empty
    number: int  # the first level's, from 1
    spec_name: str
    spec: LevelSpec
    seeds: Sequence[int | str]
    theme: Path | None
    formats: tuple[str, ...]  # of each level a file; without `pack`
    packed: bool
    options: Mapping[str, Mapping[str, object]]  # by format: all that it has; a pack has those of `godot`
    path: str  # with placeholders
    run: PlannedRun | None = None  # the campaign's, in which the stage's place is `number`


class Manifest(NamedTuple):
    """Everything that is to be built, and the files that say so."""

    path: Path
    out: Path
    groups: tuple[Group, ...]
    sources: tuple[Path, ...]


class _Wish(NamedTuple):
    """What a level is to be, as far as it is known at one place of the manifest."""

    theme: Path | None = None
    formats: tuple[str, ...] = ()
    options: Mapping[str, object] = {}
    spec_name: str = ""
    values: Mapping[str, object] = {}
    path: str = ""


def load_manifest(path: Path) -> Manifest:
    """Read and check a manifest. Raises BadInput with file, key, value and remedy."""
    path = path / DEFAULT_NAME if path.is_dir() else path
    try:
        table = tomllib.loads(read_text(path, _MOST_BYTES, BadInput))
    except (ValueError, RecursionError) as error:  # ValueError: bad TOML, or a number of 5000 digits
        raise BadInput(f"{path}: is not TOML: {str(error).splitlines()[0]}") from None
    return _ManifestReader(path).read(ManifestTable(str(path), table))


class _ManifestReader:
    """One manifest on its way in; remembers the files that it names."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = Path(os.path.realpath(path.parent))  # a worker may stand elsewhere
        self._sources = [Path(os.path.realpath(path))]
        self._specs: dict[str, LevelSpec] = {}

    def read(self, top: ManifestTable) -> Manifest:
        top.only(("out", "group", "campaign", *_SHARED))
        wish = self._wish(top, _Wish(formats=format_names()))
        groups = [self._group(name, section, wish) for name, section in top.sections("group")]
        for name, section in top.sections("campaign"):
            groups += self._campaign(name, section, wish, top)
            if len(groups) > _MOST_GROUPS:
                raise BadInput(f"{self._path}: has more than {_MOST_GROUPS} groups and stages; split it")
        if not groups:
            raise BadInput(f"{self._path}: asks for no levels; add [group.NAME] with spec and seeds")
        levels = sum(len(group.seeds) for group in groups)
        if levels > MOST_LEVELS:
            raise BadInput(f"{self._path}: asks for {levels} levels; give at most {MOST_LEVELS}")
        return Manifest(self._path, self._out(top), tuple(groups), tuple(dict.fromkeys(self._sources)))

    def _out(self, top: ManifestTable) -> Path:
        given = top.text("out", "build")
        out = Path(os.path.realpath(self._folder / given))
        if not out.is_relative_to(self._folder) or "\\" in given:
            raise top.fail("out", f"{shown(given)} leads out of the manifest's folder; see also --out")
        return out

    # --- groups and campaigns ----------------------------------------------------------------------------

    def _group(self, name: str, section: ManifestTable, above: _Wish) -> Group:
        section.only((*_GROUP, "seeds"))
        wish = self._wish(section, above._replace(path="{group}/{spec}-{seed}"))
        group = self._made(section, name, wish)
        return replace(group, seeds=seeds_of(section, group.spec.style))

    def _campaign(self, name: str, section: ManifestTable, above: _Wish, top: ManifestTable) -> list[Group]:
        section.only((*_GROUP, "seed", "memory", "stages"))
        wish = self._wish(section, above._replace(path="{group}/{number:02}-{name}"))
        if name in top.table("group"):
            raise BadInput(f"{section.where}: is a group's name too; rename one of the two")
        seed = section.raw("seed", "give the campaign a number, or a text in quotes")
        stages = section.list_of_sections("stages", 1000)
        made = [self._stage(name, seed, wish, stage, number) for number, stage in enumerate(stages, 1)]
        names: dict[str, str] = {}
        for group in made:
            other = names.setdefault(group.stage_name.casefold(), group.where)
            if other != group.where:
                raise BadInput(
                    f"{group.where}: name: {group.stage_name} is that of another stage; rename one"
                )
        return self._run(section, made, stages) if section.truth("memory", True) else made

    def _run(self, section: ManifestTable, made: list[Group], stages: Sequence[ManifestTable]) -> list[Group]:
        """The stages of a campaign, which know that they are those of a run."""
        try:
            run = planned_run(
                [
                    RunStage(group.spec, group.seeds[0], own_values(stage.table("set")))
                    for group, stage in zip(made, stages, strict=True)
                ]
            )
        except SpecError as error:
            raise BadInput(f"{section.where}: {error}") from None
        return [replace(group, run=run) for group in made]

    def _stage(self, name: str, seed: object, above: _Wish, section: ManifestTable, number: int) -> Group:
        section.only((*_GROUP, "name", "seed"))
        if "spec" in section:
            above = above._replace(values={})  # they may be no values of this spec
        wish = self._wish(section, above)
        stage_name = section.text("name")
        if not _NAME.fullmatch(stage_name):
            raise section.fail("name", f"{shown(stage_name)} is no name; use up to 64 of A-Za-z0-9_-")
        group = replace(self._made(section, name, wish), stage_name=stage_name, number=number)
        if "seed" in section:
            seeds = checked_seeds(section, "seed", [section.raw("seed", "")], group.spec.style)
        else:
            seeds = (stage_seed(section, seed, stage_name, group.spec.style),)
        return replace(group, seeds=seeds)

    # --- what may stand at several places ----------------------------------------------------------------

    def _wish(self, section: ManifestTable, above: _Wish) -> _Wish:
        """What a section says, over what was said above it."""
        wish = above
        if "theme" in section:
            wish = wish._replace(theme=self._file(section.text("theme")))
        if "formats" in section:
            formats = section.texts("formats")
            for form in formats:
                try:
                    _exporter(form)
                except BadInput as error:
                    raise section.fail("formats", str(error)) from None
            wish = wish._replace(formats=formats)
        if "options" in section:
            wish = wish._replace(options={**wish.options, **self._options(section)})
        if "spec" in section:
            wish = wish._replace(spec_name=section.text("spec"))
        if "set" in section:
            wish = wish._replace(values=_merged(wish.values, section.table("set")))
        if "path" in section:
            wish = wish._replace(path=section.text("path"))
            check_template(wish.path, f"{section.where}: path")
        return wish

    def _options(self, section: ManifestTable) -> dict[str, object]:
        """Those of every format, written or not: the formats may be said elsewhere."""
        given = section.raw("options", "")
        if isinstance(given, str):
            path = self._file(section.text("options"))
            self._sources.append(path)
            try:
                return load_options(path, format_names(others=True))
            except BadInput as error:
                raise section.fail("options", str(error)) from None
        where = f"{section.where}: options"
        return options_in(section.table("options"), format_names(others=True), where)

    def _file(self, name: str) -> Path:
        return Path(os.path.realpath(self._folder / name))

    def _made(self, section: ManifestTable, name: str, wish: _Wish) -> Group:
        """The group that a wish comes to, but for its seeds."""
        if not _NAME.fullmatch(name):
            raise BadInput(f"{section.where}: is no name for a group; use up to 64 of A-Za-z0-9_-")
        if not wish.spec_name:
            raise section.fail("spec", "is missing; give a preset's name or a TOML file")
        chosen = [_exporter(form) for form in dict.fromkeys(wish.formats)]
        forms = {each.name for each in chosen}
        options = {key: value for key, value in wish.options.items() if key.partition(".")[0] in forms}
        return Group(
            where=section.where,
            name=name,
            stage_name="",
            number=1,
            spec_name=Path(wish.spec_name).stem,
            spec=self._spec(section, wish),
            seeds=(),
            theme=wish.theme,
            formats=tuple(form for form in wish.formats if form != PACK),
            packed=PACK in wish.formats,
            options=options_of(chosen, options),
            path=wish.path,
        )

    def _spec(self, section: ManifestTable, wish: _Wish) -> LevelSpec:
        name = wish.spec_name
        if name.lower().endswith(".toml"):
            name = str(self._file(name))
            self._sources.append(Path(name))
        if name not in self._specs:
            try:
                self._specs[name] = load_spec(name)
            except SpecError as error:
                raise section.fail("spec", str(error)) from None
        values = dict(wish.values)
        for key in FOLDERS:
            if isinstance(values.get(key), str) and values[key]:
                values[key] = str(self._file(str(values[key])))
        return self._specs[name].replace(values, f"{section.where}: set") if values else self._specs[name]


def _exporter(form: str) -> Exporter:
    """The exporter of a format; a pack is made of what `godot` writes."""
    return exporter("godot" if form == PACK else form)


def _merged(outer: Mapping[str, object], inner: Mapping[str, object]) -> dict[str, object]:
    """Values over others; of a table, such as a spec's `state`, value by value."""
    merged = {**outer, **inner}
    for key, given in inner.items():
        above = outer.get(key)
        if isinstance(given, dict) and isinstance(above, dict):
            merged[key] = {**above, **given}
    return merged
