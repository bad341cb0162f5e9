"""The manifest `undercroft.toml`: groups of levels, their inputs, and where they are written.

    out = "levels"                          the folder to build, inside the manifest's folder
    theme = "look/crypt.toml"               values at the top apply to all groups
    formats = ["json", "godot"]

    [group.cellars]                         levels that differ only in their seeds
    spec = "specs/cellar.toml"
    seeds = "0:500"                         or [3, 5, "a text"]
    set.stage = 2

    [campaign.descent]                      one level per stage; the stages' seeds come from this one
    seed = "my game"
    spec = "isaac"
    [[campaign.descent.stages]]
    name = "basement"
    set.stage = 1

    [group.handmade]                        finished levels, which are only exported
    levels = ["handmade/crypt.level.json"]

Paths are relative to the manifest's folder. `docs/pipelines.md` lists every key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from exporters.base import Exporter
from exporters.builder import keys, levels_asked
from exporters.builder.groups import Group, Manifest, own_values, planned_run
from exporters.registry import exporter, format_names, load_options, options_in, options_of
from generator.errors import BadInput, kept_in, refuse_all, shown
from generator.files import parsed_toml, read_text, real_path
from generator.named_tuple import NamedTuple
from generator.node import Node
from generator.runs import RunStage
from generator.spec import LevelSpec, load_spec
from generator.spec.base import FOLDERS

DEFAULT_NAME = "undercroft.toml"
MAX_BYTES = 1 << 20
_MAX_GROUPS = 10_000  # a campaign's stage counts as one


class SharedByAll(NamedTuple):
    """The values at the top of a manifest, empty where it has none."""

    theme: Path | None
    formats: tuple[str, ...]  # without `pack`
    options: Mapping[str, object]  # dotted


class _Request(NamedTuple):
    """The values of a group, as far as they are known at one place of the manifest."""

    theme: Path | None = None
    formats: tuple[str, ...] = ()
    options: Mapping[str, object] = {}
    web: bool = False
    spec_name: str = ""
    values: Mapping[str, object] = {}
    path: str = ""


def load_manifest(path: Path, out: Path | None = None) -> Manifest:
    """Read and check a manifest. Raises BadInput with file, key, value and remedy.

    `out` is the folder to build, if it is not the manifest's.
    """
    path = path / DEFAULT_NAME if path.is_dir() else path
    return _ManifestReader(path, out).read(_table_of(path))


def manifest_of(table: Mapping[str, object], path: Path, out: Path | None = None) -> Manifest:
    """Read the table of a manifest that is no file. Paths in it are relative to the folder of `path`."""
    return _ManifestReader(path, out).read(Node(table, str(path), is_file=True))


def shared_by_all(path: Path) -> SharedByAll:
    """Read the values that a manifest sets for all its groups, but not the groups. Raises BadInput."""
    return _ManifestReader(path).shared(_table_of(path))


def shared_as_written(path: Path) -> dict[str, object]:
    """Return the same values as the manifest has them, for another one in its folder. Raises BadInput."""
    table = _table_of(path).value
    return {key: table[key] for key in SharedByAll._fields if key in table}


def _table_of(path: Path) -> Node:
    if not path.exists():
        problem = f"{path}: cannot be read: there is no such file"
        raise BadInput(f"{problem}; name another, or begin a project with `undercroft init`")
    return Node(
        parsed_toml(read_text(path, MAX_BYTES, BadInput), str(path), BadInput), str(path), is_file=True
    )


class _ManifestReader:
    """Reads one manifest, and remembers the files that it names."""

    def __init__(self, path: Path, out: Path | None = None) -> None:
        self._path, self._given_out = path, out
        self._folder = real_path(path.parent)  # a worker may have another working directory
        self._sources = [real_path(path)]
        self._specs: dict[str, LevelSpec] = {}
        self._web: Node | None = None  # where the first section asks for the reader beside packs

    def read(self, top: Node) -> Manifest:
        top.only(tuple(keys.TOP))
        request = self._request(top, _Request(formats=format_names()))
        groups: list[Group] = []
        out = self._out(top)
        mistakes: list[BadInput] = []
        for name, section in _sections(top, "group"):
            with kept_in(mistakes):
                groups += self._groups(name, section, request, out)
        for name, section in _sections(top, "campaign"):
            with kept_in(mistakes):
                groups += self._campaign(name, section, request, top)
            if len(groups) > _MAX_GROUPS:
                raise BadInput(f"{self._path}: has more than {_MAX_GROUPS} groups and stages; split it")
        refuse_all(mistakes)
        if not groups:
            raise BadInput(f"{self._path}: asks for no levels; add [group.NAME] with spec and seeds")
        if self._web and not any(group.packed and group.web for group in groups):
            self._web.fail(f'needs a pack; add "{keys.PACK}" to the formats, or leave web out')
        levels = sum(len(group.seeds) for group in groups)
        if levels > levels_asked.MAX_LEVELS:
            raise BadInput(f"{self._path}: asks for {levels} levels; give at most {levels_asked.MAX_LEVELS}")
        return Manifest(self._path, out, tuple(groups), tuple(dict.fromkeys(self._sources)))

    def shared(self, top: Node) -> SharedByAll:
        request = self._request(top, _Request())
        return SharedByAll(
            request.theme, tuple(name for name in request.formats if name != keys.PACK), request.options
        )

    def _out(self, top: Node) -> Path:
        if self._given_out is not None:
            return real_path(self._given_out)
        node = top.at("out", "build")
        value = node.line(keys.MAX_LINE, 1)
        out = self._file(value)
        if not out.is_relative_to(self._folder) or "\\" in value:
            node.fail(
                f"{shown(value)} leads out of the manifest's folder; name a folder in it, or give --out"
            )
        return out

    # --- groups and campaigns ----------------------------------------------------------------------------

    def _groups(self, name: str, section: Node, above: _Request, out: Path) -> list[Group]:
        """Return a section's group, or one for each of its finished levels."""
        section.only(tuple(keys.GROUP))
        if not section.has("levels"):
            return [self._group(name, section, above)]
        request = self._request(section, above._replace(path="{group}/{name}"))
        finished = list(levels_asked.finished_levels(section, self._folder, out))
        self._sources += [level.file.path for level in finished]
        return [
            replace(self._made(section, name, request, level), stage_name=level.name, number=number)
            for number, level in enumerate(finished, 1)
        ]

    def _group(self, name: str, section: Node, above: _Request) -> Group:
        request = self._request(section, above._replace(path="{group}/{spec}-{seed}"))
        group = self._made(section, name, request)
        seeds = levels_asked.seeds_of(section, group.spec.style)
        condition, first = levels_asked.condition_of(section, group.spec)
        rerolls = levels_asked.rerolls_of(section, seeds)
        return replace(group, seeds=seeds, condition=condition, first=first, rerolls=rerolls)

    def _campaign(self, name: str, section: Node, above: _Request, top: Node) -> list[Group]:
        section.only(tuple(keys.CAMPAIGN))
        request = self._request(section, above._replace(path="{group}/{number:02}-{name}"))
        if name in top.at("group", {}).table():
            section.fail("a group has the same name; rename one of them")
        seed = section.needed("seed", "give the campaign a number, or a text in quotes")
        remedy = "write [[...stages]] for each"
        stages = section.needed("stages", remedy).items(keys.MAX_STAGES, 1, remedy)
        groups = [self._stage(name, seed, request, stage, number) for number, stage in enumerate(stages, 1)]
        names: dict[str, str] = {}
        for group in groups:
            first = names.setdefault(group.stage_name.casefold(), group.where)
            if first != group.where:
                raise BadInput(
                    f"{group.where}.name: another stage is also called {group.stage_name}; rename one"
                )
        return self._run(section, groups, stages) if section.at("memory", True).truth() else groups

    def _run(self, section: Node, groups: list[Group], stages: Sequence[Node]) -> list[Group]:
        """Return the stages of a campaign, with their run."""
        with section.named():
            run = planned_run(
                [
                    RunStage(group.spec, group.seeds[0], own_values(stage.at("set", {}).table()))
                    for group, stage in zip(groups, stages, strict=True)
                ]
            )
        return [replace(group, run=run) for group in groups]

    def _stage(self, name: str, seed: Node, above: _Request, section: Node, number: int) -> Group:
        section.only(tuple(keys.STAGE))
        if section.has("spec"):
            above = above._replace(values={})  # they may not fit this spec
        request = self._request(section, above)
        stage_name = section.needed("name", "give a text").matching(
            keys.NAME, "a name; use up to 64 of A-Za-z0-9_-"
        )
        group = replace(self._made(section, name, request), stage_name=stage_name, number=number)
        if section.has("seed"):
            seeds = levels_asked.checked_seeds(section["seed"], [section["seed"].value], group.spec.style)
        else:
            seeds = (levels_asked.stage_seed(seed, stage_name, group.spec.style),)
        return replace(group, seeds=seeds)

    # --- values that several tables may have -------------------------------------------------------------

    def _request(self, section: Node, above: _Request) -> _Request:
        """Merge the values of a section over those from above it."""
        request = above
        if section.has("theme"):
            request = request._replace(theme=self._file(section["theme"].line(keys.MAX_LINE, 1)))
        if section.has("formats"):
            nodes = section["formats"].items(least=1, remedy='write one like ["json", "godot"]')
            for node in nodes:
                with node.named():
                    _exporter(node.line(keys.MAX_LINE, 1))
            request = request._replace(formats=tuple(dict.fromkeys(node.value for node in nodes)))
        if section.has("options"):
            request = request._replace(options={**request.options, **self._options(section)})
        if section.has("web"):
            request = request._replace(web=section["web"].truth())
            if request.web and not self._web:
                self._web = section["web"]
        if section.has("spec"):
            request = request._replace(spec_name=section["spec"].line(keys.MAX_LINE, 1))
        if section.has("set"):
            request = request._replace(values=_merged(request.values, section["set"].table("write [set]")))
        if section.has("path"):
            request = request._replace(path=section["path"].line(keys.MAX_LINE, 1))
            keys.check_template(request.path, section["path"].place)
        return request

    def _options(self, section: Node) -> dict[str, object]:
        """Read the options of every format, written or not: the formats may be listed elsewhere."""
        node = section["options"]
        if isinstance(node.value, str):
            path = self._file(node.line(keys.MAX_LINE, 1))
            self._sources.append(path)
            with node.named():
                return load_options(path, format_names(others=True))
        return options_in(node.table("write [options]"), format_names(others=True), node.place)

    def _file(self, name: str) -> Path:
        return real_path(self._folder / name)

    def _made(
        self, section: Node, name: str, request: _Request, finished: levels_asked.FinishedLevel | None = None
    ) -> Group:
        """Make the group of a request, without its seeds unless it is a finished level."""
        if not re.fullmatch(keys.NAME, name):
            section.fail("this cannot be the name of a group; use up to 64 of A-Za-z0-9_-")
        if not finished and not request.spec_name:
            section.needed("spec", "give a preset's name or a TOML file")
        chosen = [_exporter(format_name) for format_name in dict.fromkeys(request.formats)]
        chosen_names = {exporter.name for exporter in chosen}
        options = {
            key: value for key, value in request.options.items() if key.partition(".")[0] in chosen_names
        }
        return Group(
            where=section.place,
            name=name,
            stage_name="",
            number=1,
            spec_name=finished.name if finished else Path(request.spec_name).stem,
            spec=finished.spec if finished else self._spec(section, request),
            seeds=(finished.seed,) if finished else (),
            theme=request.theme,
            formats=tuple(name for name in request.formats if name != keys.PACK),
            packed=keys.PACK in request.formats,
            web=request.web,
            options=options_of(chosen, options),
            path=request.path,
            file=finished.file if finished else None,
        )

    def _spec(self, section: Node, request: _Request) -> LevelSpec:
        name = request.spec_name
        if name.lower().endswith(".toml"):
            name = str(self._file(name))
            self._sources.append(Path(name))
        if name not in self._specs:
            with section.at("spec", name).named():
                self._specs[name] = load_spec(name)
        values = dict(request.values)
        for key in FOLDERS:
            if isinstance(values.get(key), str) and values[key]:
                values[key] = str(self._file(str(values[key])))
        where = section.at("set", {}).place
        return self._specs[name].replace(values, where) if values else self._specs[name]


def _sections(top: Node, key: str) -> Iterator[tuple[str, Node]]:
    """The tables in a table, by name."""
    for name in top.at(key, {}).table(f"write [{key}]"):
        section = top[key][name]
        section.table(f"write [{key}.NAME]")
        yield name, section


def _merged(outer: Mapping[str, object], inner: Mapping[str, object]) -> dict[str, object]:
    """Merge values over others. Those of a table, such as a spec's `state`, are merged value by value."""
    result = {**outer, **inner}
    for key, value in inner.items():
        above = outer.get(key)
        if isinstance(value, dict) and isinstance(above, dict):
            result[key] = {**above, **value}
    return result


def _exporter(name: str) -> Exporter:
    """Return the exporter of a format. A pack is made from the output of `godot`."""
    return exporter("godot" if name == keys.PACK else name)
