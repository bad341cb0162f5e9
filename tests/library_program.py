"""A program that uses every public name, as somebody else's strictly typed code would: it runs, and mypy takes it.

`python library_program.py FOLDER` writes below FOLDER and prints what it found.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import undercroft


def levels(folder: Path) -> undercroft.Level:
    """Make, save, load, check and roll."""
    spec: undercroft.LevelSpec = undercroft.load_spec("rebirth").replace({"stage": np.int64(4)})
    level: undercroft.Level = undercroft.generate(spec, np.uint64(7))
    undercroft.export(level, ["json", "tiled"], name="kept").write(folder)
    back: undercroft.BroughtBack = undercroft.bring_back(folder / "kept.tmj")
    assert back.level == level
    drawn: undercroft.DrawnLevel = undercroft.drawn_level(folder / "kept.tmj")
    assert [room.kind for room in drawn.level.rooms] == [room.kind for room in level.rooms]
    assert undercroft.load_level(folder / "kept.level.json") == level
    assert undercroft.level_from_dict(level.to_dict()) == level
    found: list[undercroft.Problem] = undercroft.problems(level)
    assert not found
    rolled = undercroft.reroll(level, room=np.arange(1, 3))
    assert undercroft.generate(rolled.spec, rolled.seed, rerolls=rolled.rerolls) == rolled
    room: undercroft.Room = level.rooms[0]
    bounds: undercroft.Rect = room.bounds
    frame: undercroft.GridFrame | None = level.grid
    door: undercroft.Door = level.doors[0]
    marker: undercroft.Marker = level.markers[0]
    assert frame is not None and frame.cell_rect(room.cells[0]) == bounds
    assert room.kind in undercroft.ROOM_KINDS and marker.kind in undercroft.MARKER_KINDS
    kind: undercroft.RoomKind = undercroft.room_kind(room.kind)
    assert kind.name == "start" and not kind.secret
    assert door.kind in [kind.name for kind in undercroft.DOOR_KINDS]
    print(level, level.graph().number_of_nodes(), undercroft.__version__)
    return level


def specs() -> None:
    """Presets, values, styles and floorplans."""
    for name in undercroft.preset_names():
        assert undercroft.parse_spec(undercroft.preset_text(name)) == undercroft.load_spec(name)
    made: list[undercroft.LevelSpec] = [
        undercroft.IsaacSpec(stage=2, state=undercroft.State(coins=5)),
        undercroft.RebirthSpec(state=undercroft.RebirthState(keys=1)),
        undercroft.GungeonSpec(rooms=6),
    ]
    for spec in made:
        assert undercroft.spec_from_dict(spec.to_dict()) == spec
        style: undercroft.Style = undercroft.style(spec.style)
        assert style.name in undercroft.style_names() and style.spec is type(spec)
        plan: undercroft.Plan = undercroft.generate(spec, 1, until="floorplan")
        first: undercroft.PlanRoom = plan.rooms[0]
        assert first.kind == "start"
        assert isinstance(plan, undercroft.HeapPlan if spec.style == "gungeon" else undercroft.Floorplan)
    hallways: Sequence[undercroft.Hallway] = undercroft.generate(made[2], 1).hallways
    assert hallways
    terrain: undercroft.TerrainKind = undercroft.TERRAIN_KINDS[0]
    decor: undercroft.DecorKind = undercroft.DECOR_KINDS[0]
    shut: list[undercroft.DoorKind] = [kind for kind in undercroft.DOOR_KINDS if kind.starts_shut]
    stream = undercroft.Stream(7, "loot", 3)
    print(terrain.name, decor.name, shut[0].name, stream.below(6), stream.pick("abc"))


def made(name: str, **values: Unpack[undercroft.SpecKeywords]) -> undercroft.Level:
    """Pass values on."""
    return undercroft.generate(name, 3, **values)


def typed() -> None:
    """Values of all types, as keywords and from tables."""
    table: dict[str, Any] = {"stage": 2, "state.coins": 15}
    assert undercroft.generate("rebirth", 3, **table) == made(
        "rebirth", stage=np.int64(2), state={"coins": np.int16(15)}
    )
    rooms = made("gungeon", enemy_rooms=(5, 6), chest_rooms=[1, 1], shop_rooms=0, procedural={"boss": 100})
    assert 5 <= sum(room.kind == "normal" for room in rooms.rooms) <= 6
    gates: undercroft.Level = made(
        "isaac", plan={"locks": 1, "keys": "alike"}, room_size=(15, 9), curse="lost"
    )
    whole = undercroft.RebirthSpec().replace({"stage": 2, "state.keys": 1})
    assert any(door.needs for door in gates.doors) and undercroft.generate(whole, 3, hard=True).rooms


def many() -> None:
    """Questions to many seeds."""
    failed: list[undercroft.GenerationFailed] = []
    assert undercroft.generate_many is undercroft.levels  # as it was called in 0.2.0
    made = undercroft.levels("isaac", [0, np.int64(1), "two"], failed=failed.append, stage=2)
    print([level.seed for level in made], len(failed))
    hits: list[undercroft.Hit] = list(undercroft.search("isaac", "rooms >= 9", range(20)))
    stats: undercroft.Stats = undercroft.stats("isaac", range(20), facts=["rooms"])
    plans: undercroft.PlanColumns = undercroft.floorplans("isaac", range(20))
    assert plans.rooms.shape == (20,)
    print(len(hits), sum(count for rooms, count in stats.facts["rooms"].items() if rooms in (9, 10)))


def files(level: undercroft.Level, folder: Path) -> None:
    """Formats, their options, themes, and an exporter of one's own."""
    theme: undercroft.Theme = undercroft.load_theme()
    bundle: undercroft.Bundle = undercroft.export(level, ["png"], {"png.scale": np.int64(1)}, theme, "a")

    def looks() -> tuple[undercroft.Theme, undercroft.Layers]:
        raise NotImplementedError  # a format of text asks for no tiles

    def write(job: undercroft.Job) -> undercroft.Bundle:
        loud: undercroft.OptionValue = job.options["loud"]
        assert loud
        return undercroft.Bundle({f"{job.name}.txt": repr(job.level).encode()})

    narrower = undercroft.When("loud", (True,), {"high": 3}, "set loud to false")
    loud = undercroft.Value(False, "whether")
    often = undercroft.Value(1, "how often", low=1, high=9, when=(narrower,))
    own = undercroft.Exporter(
        "text", "a line", (".txt",), {"loud": loud, "often": often}, write, themed=False
    )
    png: undercroft.Exporter = undercroft.exporter("png")
    (folder / "options.toml").write_text("[png]\nscale = 2\n", "utf-8")
    options: Mapping[str, object] = undercroft.load_options(folder / "options.toml", ["png"])
    bundle.update(own.export(undercroft.Job(level, "own", {"loud": True}, looks)))
    (written, *_) = bundle.write(folder)
    assert undercroft.last_written(written) in (written.read_bytes(), None)  # pictures are not kept
    print(sorted(bundle), png.suffixes, options, undercroft.describe_format("png")[0]["key"])
    print(undercroft.format_names(), undercroft.check_theme(folder / "no.toml")[1][:0])


def runs() -> None:
    """All stages of a seed, and a run put together by hand."""
    made: undercroft.Run = undercroft.run("isaac", 7, hard=True)
    second = made.spec(2)
    assert isinstance(second, undercroft.IsaacSpec)
    memory: undercroft.Memory = second.memory
    own = undercroft.Run([undercroft.RunStage(second, 8), undercroft.RunStage(second, 9, (("stage", 3),))])
    rules: undercroft.RunRules | None = undercroft.style("isaac").run_rules
    print(len(made), memory.place, memory.bosses, own.level(2).spec.to_dict()["stage"], rules is not None)


def errors() -> None:
    """One line each."""
    kinds: tuple[type[undercroft.UndercroftError], ...] = (
        undercroft.SpecError,
        undercroft.LayoutError,
        undercroft.LevelError,
        undercroft.RerollError,
        undercroft.ThemeError,
    )
    assert all(issubclass(kind, undercroft.BadInput) for kind in kinds)
    try:
        undercroft.generate("isaac", stage=13)
    except undercroft.BadInput as error:
        print(error)


def main() -> None:
    """Everything."""
    folder = Path(sys.argv[1])
    level = levels(folder)
    specs()
    typed()
    many()
    files(level, folder)
    runs()
    errors()


if __name__ == "__main__":
    main()
