"""The sweeps: each tries one case per seed, and raises if something is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

STYLES = ("isaac", "rebirth", "gungeon")


class Sweep(NamedTuple):
    """A name, what it shows, one case, and how many cases a slice has: some ten seconds of work."""

    name: str
    what: str
    case: Callable[[int, Path], None]
    slice: int


def _until_godot_ends(case: Callable[[int, Path], None]) -> Callable[[int, Path], None]:
    """End the processes of Godot that a case has begun: its folder goes, and they would miss it."""

    def ended(seed: int, folder: Path) -> None:
        from tests import godot_server

        try:
            case(seed, folder)
        finally:
            godot_server.stop()

    return ended


def _levels(seed: int, folder: Path) -> None:
    from tests.soak.made import level_case

    level_case(seed, folder)


def _floors(seed: int, folder: Path) -> None:
    from tests.soak.made import floor_case

    floor_case(seed, folder)


def _proofs(seed: int, _: Path) -> None:
    from tests.generator.styles.gungeon.flows.test_brute_force import differing

    assert differing(range(100 * seed + 300, 100 * seed + 400)) == []


def _inputs(seed: int, folder: Path) -> None:
    from tests.soak.fuzzed import case

    case(seed, folder)


def _kits(seed: int, folder: Path) -> None:
    from tests.soak.changed_kits import case

    case(seed, folder)


def _kills(seed: int, folder: Path) -> None:
    from tests.soak.killed import case

    case(seed, folder)


def _merges(seed: int, _: Path) -> None:
    from tests.exporters.merge.conftest import VERSIONS, exported
    from tests.exporters.merge.people import PEOPLE
    from tests.exporters.merge.test_sequences import go_on

    made = [exported(preset, 7 + seed // 30, **values) for preset, values in VERSIONS]
    go_on(sorted(PEOPLE)[seed % len(PEOPLE)], seed, made)


def _chains(seed: int, folder: Path) -> None:
    from tests.exporters.reading.chains import Chain

    Chain(seed, folder).run()


def _programs(seed: int, folder: Path) -> None:
    from tests.exporters.reading.chains_in_programs import ProgramChain

    ProgramChain(seed, folder).run()


def _designs(seed: int, folder: Path) -> None:
    from tests.exporters.reading.chains_in_ldtk import LdtkChain

    LdtkChain(seed, folder).run()


def _structure(seed: int, folder: Path) -> None:
    from tests.exporters.reading.chains_in_programs import table_case

    table_case(seed, folder)


def _bodies(seed: int, folder: Path) -> None:
    from tests.exporters.formats.godot.test_bodies_in_godot import levels, not_arrived

    radius = random.Random(seed).choice([3, 5, 7])
    some = levels(STYLES[seed % len(STYLES)], range(4 * seed + 1, 4 * seed + 5))
    assert not not_arrived(folder, some, radius, 4.0, {"godot.agent_radius": radius})


def _walks(seed: int, _: Path) -> None:
    from tests.godot_addon.play.walks import walk_all

    walk_all(seed)


def _packs(seed: int, folder: Path) -> None:
    from tests.godot_addon.pack.conftest import PackProject

    style, first = STYLES[seed % len(STYLES)], 2 * seed + 1
    project = PackProject(folder / "game")
    project.add(style, first, 2)
    project.import_all()
    project.compare(style, first, 2)


def _tests(seed: int, folder: Path) -> None:
    from tests.soak.marked import case

    case(seed, folder)


SWEEPS = {
    each.name: each
    for each in (
        Sweep("levels", "levels of presets, flows and random specs pass every check", _levels, 100),
        Sweep("floors", "floors of rebirth are those of the kept facts and of the oracle", _floors, 100),
        Sweep("proofs", "flows are proved as playing every game of them says", _proofs, 4),
        Sweep("inputs", "files with odd values get clear lines, and no traceback", _inputs, 14),
        Sweep(
            "kits", "of changed kits, no level is written that `check` refuses (2 levels per case)", _kits, 30
        ),
        Sweep("kills", "commands killed at any moment leave no half-written file", _kills, 8),
        Sweep("merges", "people's edits survive levels that are made anew", _merges, 9),
        Sweep("chains", "edits, syncs and new levels in turn lose nothing in silence", _chains, 5),
        Sweep("programs", "the same through the real Tiled and Godot", _programs, 2),
        Sweep("designs", "the same in LDtk alone, as LDtk saves it, with syncs undone", _designs, 4),
        Sweep("structure", "rooms, doors and hallways are changed in the programs, each way", _structure, 1),
        Sweep(
            "bodies", "bodies that walk in Godot arrive (4 levels per case)", _until_godot_ends(_bodies), 1
        ),
        Sweep(
            "walks",
            "a body walks to the boss in Godot, through the levels of twelve flows (12 levels per case)",
            _until_godot_ends(_walks),
            1,
        ),
        Sweep(
            "packs",
            "packs built in Godot are the scenes that are written (2 levels per case)",
            _until_godot_ends(_packs),
            1,
        ),
        Sweep("tests", "what the usual run of the tests leaves out passes (a file per case)", _tests, 1),
    )
}
