"""The tool Draw Room of Undercroft in Tiled: a room with its doors, one step of Undo, and what comes home."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import exporters
import generator
from exporters.dress import dress
from exporters.reading.new_room import map_of_level, new_room
from exporters.theme.districts import theme_of_level
from exporters.theme.loader import load_theme
from generator.cli.group import main
from generator.errors import BadInput
from generator.geometry import Rect
from generator.level import Level
from generator.level_file import load_level
from tests.combinations import usually

from .conftest import layer, properties, read
from .editor import editor
from .test_extension import installed

# A rectangle, the room that it gives, and the rooms behind its doors; None for the hallway that is dug to one.
PLACES = {
    "rebirth": (42, (95, 30, 3, 3), (92, 29, 15, 9), {7}),
    "gungeon": (7, (20, 20, 14, 10), (20, 20, 14, 10), {7}),
}

_DRAWN = """
  const look = () => map.layers.map(one => one.isTileLayer
    ? Array.from({ length: map.width * map.height }, (_, i) => one.cellAt(i %% map.width, Math.floor(i / map.width)).tileId)
    : one.isObjectLayer ? one.objects.map(each => [each.id, each.className, each.x, each.y, each.width, each.height]) : 0);
  const first = JSON.stringify(look());
  const made = undercroft.drawRoom(map, { x: %d, y: %d, width: %d, height: %d }, "normal");
  const drawn = JSON.stringify(look()), kind = map.selectedObjects[0].property("kind");
  map.undo();
  const undone = JSON.stringify(look());
  map.redo();
  const steps = { kind, changed: drawn !== first, undone: undone === first, redone: JSON.stringify(look()) === drawn };
  steps.home = undercroft.bringHome(map).status;
  steps.problems = undercroft.check(tiled.openAssets.find(one => one.fileName === map.fileName));
  const out = new TextFile(%s, TextFile.WriteOnly);
  out.write(JSON.stringify(steps));
  out.commit();
"""


@pytest.mark.parametrize("style", usually(["gungeon"], PLACES))
def test_a_drawn_room_comes_home(style: str, tmp_path: Path) -> None:
    seed, area, bounds, others = PLACES[style]
    folder, home, answer = tmp_path / "levels", tmp_path / "home", tmp_path / "steps.json"
    before = generator.generate(style, seed)
    exporters.export(before, ["json", "tiled", "ldtk"], name="a").write(folder)
    command = installed(tmp_path, home)
    with editor(_DRAWN % (*area, json.dumps(str(answer))), folder / "a.tmj", home=home, command=command):
        steps = json.loads(answer.read_bytes())
    assert steps == {
        **{"changed": True, "undone": True, "redone": True},
        **{"kind": "normal", "home": 0, "problems": []},
    }
    after = load_level(folder / "a.level.json")
    (room,) = (room for room in after.rooms if room.bounds == Rect(*bounds))
    assert len(after.rooms) == len(before.rooms) + 1
    assert _beside(after, room.id) == others
    map_, drawn = read(folder / "a.tmj"), dress(after, theme_of_level(load_theme(), after))
    first = map_["tilesets"][0]["firstgid"]
    for name, cells in drawn._asdict().items():
        shown = np.array(layer(map_, name.capitalize())["data"]).reshape(cells.shape)
        assert (shown == np.where(cells < 0, 0, cells + first)).all(), name
    assert sum(one["type"] == "room" for one in layer(map_, "Rooms")["objects"]) == len(after.rooms)
    assert exporters.bring_back(folder / "a.ldtk").level == after
    done = CliRunner().invoke(main, ["sync", str(folder)])
    assert done.exit_code == 0 and not list(folder.glob("*conflicts*")), done.output


def _beside(level: Level, room: int) -> set[int]:
    """Rooms to which doors or hallways lead."""
    own = {door.id for door in level.doors if room in door.rooms}
    ends = {end for way in level.hallways if own & {*way.doors} for end in way.doors} | own
    return {number for end in ends for number in level.doors[end].rooms if number is not None} - {room}


def test_changes_that_are_not_saved_count(tmp_path: Path) -> None:
    """A room that is deleted on the map, and not in its file, makes way for a new one."""
    exporters.export(generator.generate("rebirth", 42), ["json", "tiled"], name="a").write(tmp_path)
    path, area = tmp_path / "a.tmj", Rect(109, 22, 20, 3)  # the boss room's
    map_ = read(path)
    rooms = layer(map_, "Rooms")["objects"]
    rooms.remove(next(one for one in rooms if properties(one)["kind"] == "boss"))
    now = map_of_level(path, json.dumps(map_).encode())
    made = new_room(now, area, "shop")
    assert made.bounds == (107, 20, 30, 9) and [door.kind for door in made.doors] == ["open"]
    with pytest.raises(BadInput, match=r"room 8 \(boss at 107,20\) is there"):
        new_room(map_of_level(path, path.read_bytes()), area, "shop")


def test_the_command_says_what_is_drawn(tmp_path: Path) -> None:
    exporters.export(generator.generate("isaac", 7), ["json", "tiled"], name="a").write(tmp_path)
    done = CliRunner().invoke(main, ["tiled", "room", str(tmp_path / "a.tmj"), "--at", "32,20,15,9"])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[:4] == [
        "normal room at 32,20,15,9",
        "open door at 39,19,1,2",
        "open door at 46,24,2,1",
        "open door at 31,24,2,1",
    ]
    assert "it would break a rule: room 6 (shop at 47,20): the shop room has 2 doors" in done.stdout
    for words, why in (
        (["a.tmj", "--at", "0,0,15,9"], "a.tmj: no room can be at 0,0,15,9: the level keeps its size"),
        (["a.tmj", "--at", "1,2,3"], "--at: 1,2,3: is not a room's place and size in tiles"),
        (["a.tmj", "--at", "1,2,0,3"], "is not a room's place and size"),
        (["a.tmj", "--at", "1,2,3,00"], "is not a room's place and size"),
        (["undercroft.tsj"], "is not a map of Tiled"),
        (["b.tmj"], "b.tmj: cannot be read"),
    ):
        done = CliRunner().invoke(main, ["tiled", "room", str(tmp_path / words[0]), *words[1:]])
        assert done.exit_code == 2 and why in done.output and "Traceback" not in done.output, done.output


def test_no_room_where_none_fits(tmp_path: Path) -> None:
    """The reason is one line, and says what to do."""
    exporters.export(generator.generate("gungeon", 7), ["json", "tiled"], name="a").write(tmp_path)
    path = tmp_path / "a.tmj"
    map_ = map_of_level(path, path.read_bytes())
    for area, kind, why in (
        ((140, 65, 12, 4), "normal", "there is a hallway at 148,65; draw the room beside it"),
        ((112, 60, 10, 10), "normal", "room 8 (normal at 112,55) is there; draw the new one beside it"),
        ((-5, 20, 10, 10), "normal", "the level keeps its size"),
        ((20, 20, 2, 9), "normal", "a room has at least 3 x 3 tiles"),
        ((20, 20, 14, 10), "shopp", "did you mean shop?"),
    ):
        with pytest.raises(BadInput, match=re.escape(why)):
            new_room(map_, Rect(*area), kind)
