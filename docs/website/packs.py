"""The packs of the start page: what they hold, and a build that makes them.

`undercroft build` makes them from a manifest, in a folder beside what Sphinx keeps between two runs. So only
packs whose spec, seeds, theme or version changed are made again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from generator.kinds import shipped_kit

_FLOWS = Path(__file__).parents[2] / "godot_addon" / "demo" / "specs" / "flows"
_RULES = shipped_kit().rules
# The first stage of each chapter: it has two.
_STAGES = {row.name: 2 * number + 1 for number, row in enumerate(_RULES.main_chapters)}
_OTHER_PATH = {row.name: _STAGES[row.alternate_to] for row in _RULES.chapters.values() if row.alternate_to}
_LOCKED = {"one_key": (_FLOWS / "cellar.toml").as_posix(), "two_keys": "two_keys", "shortcut": "shortcut"}

_MANY = 100  # levels that are worth the start of processes
FEW = 7  # levels of each preset, so that the site is built fast


class Playable(NamedTuple):
    """What one can choose on the page: the levels of a pack."""

    style: str
    flow: str
    chapter: str
    values: Mapping[str, Any]  # of the spec
    seeds: range


def _on_grid(stage: int) -> Mapping[str, Any]:
    return {"stage": stage, "stage_variant": "main"}


def _with_hallways(chapter: str, **more: Any) -> Mapping[str, Any]:
    """Values of `gungeon`. One sheet of tiles for each chapter is less to load than districts are."""
    stage = _STAGES[chapter]
    return {"chapter": chapter, "districts": "none", "enemy_stages": [stage, stage + 1], **more}


# By preset, flow and chapter: values of the spec. The preset `locked` is `gungeon` with plans.
PRESETS: dict[str, dict[tuple[str, str], Mapping[str, Any]]] = {
    "isaac": {("", name): _on_grid(stage) for name, stage in _STAGES.items()},
    "rebirth": {
        **{("", name): _on_grid(_STAGES[name]) for name in ("cellar", "depths")},
        **{("", name): {**_on_grid(stage), "alternate_path": True} for name, stage in _OTHER_PATH.items()},
    },
    "gungeon": {
        ("led", name): _with_hallways(name, enemy_rooms=[4 + stage // 2, 6 + stage // 2])
        for name, stage in _STAGES.items()
    },
    "locked": {
        (flow, name): _with_hallways(name, flow=given)
        for name in ("cellar", "caverns", "hollow", "keep")
        for flow, given in _LOCKED.items()
    },
}


def choices(levels: int) -> dict[str, Playable]:
    """Divide so many levels of each preset among its chapters and flows, by the names of the packs."""
    found = {}
    for preset, specs in PRESETS.items():
        least, more = divmod(levels, len(specs))
        seed = 1
        for place, ((flow, chapter), values) in enumerate(specs.items()):
            style = "gungeon" if preset == "locked" else preset
            seeds = range(seed, seed + least + (place < more))
            if seeds:
                name = "-".join(filter(None, (preset, flow, chapter)))
                found[name] = Playable(style, flow, chapter, values, seeds)
            if preset == "locked":  # its chapters are no more than looks: the same seed gives the same rooms
                seed = seeds.stop
    return found


def make(folder: Path, wanted: Mapping[str, Playable]) -> Path:
    """Make the packs that are missing or out of date, and return the folder with all of them.

    Exits with the messages of `undercroft build` if one cannot be made.
    """
    from generator.cli.build import command

    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / "undercroft.toml"
    manifest.write_text(_manifest(wanted), "utf-8")
    here = ["--jobs", "1"] if sum(len(one.seeds) for one in wanted.values()) < _MANY else []
    command.main([str(manifest), "--prune", "--quiet", *here], standalone_mode=False)
    return folder / "build"


def _manifest(wanted: Mapping[str, Playable]) -> str:
    lines = ['formats = ["pack"]']
    for name, one in wanted.items():
        lines += [f"[group.{name}]", f'spec = "{one.style}"']
        lines += [f'seeds = "{one.seeds.start}:{one.seeds.stop}"']
        lines += [f"set.{key} = {json.dumps(value)}" for key, value in one.values.items()]
    return "\n".join([*lines, ""])
