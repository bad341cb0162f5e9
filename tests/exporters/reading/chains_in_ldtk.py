"""The random chains with LDtk alone, whose every save is LDtk's own: see tests/exporters/formats/ldtk/saved.py.

some edits, a save  ─▶  sync  ─▶  undo, perhaps, and sync again
  ─▶  another seed | a room rolled again | all others rolled | nothing new  ─▶  sync
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generator.level import Level, Marker
from tests.exporters.formats.ldtk.official_schema import faults
from tests.exporters.formats.ldtk.saved import save, unlike_ldtk

from .chain_structure import Told, ends
from .chains import NAME, Chain
from .editors import LdtkEditor
from .structure_table import remove_half

Done = Callable[[Level], bool]
Json = dict[str, Any]
REFUSED = "left out|stays?\\b|no place|not in the new level|but its"


def set_value(holder: Json, name: str, wrapper: str, value: object) -> None:
    """Set a field as LDtk's inspector does; only `realEditorValues` count."""
    (field,) = (each for each in holder["fieldInstances"] if each["__identifier"] == name)
    field["realEditorValues"] = [{"id": wrapper, "params": [value]}]


class Designer:
    """What somebody does in LDtk with entities, levels and fields. Each edit says how to find it in the level."""

    def __init__(self, edit: LdtkEditor, level: Level, chance: random.Random, token: str) -> None:
        self.edit, self.level, self.chance, self.token = edit, level, chance, token

    def _markers(self, kind: str) -> list[Marker]:
        return [each for each in self.level.markers if each.kind == kind and each.room is not None]

    def _set(self, kind: str, field: str, wrapper: str, value: object) -> Done | None:
        """Set a field of a marker, and find the value at the marker's place."""
        found = self._markers(kind)
        if not found:
            return None
        marker = self.chance.choice(found)
        ((_, entity),) = self.edit._entities(marker.id, doors=False)
        set_value(entity, field, wrapper, value)
        return lambda level: any(
            (each.kind, each.x, each.y) == (kind, marker.x, marker.y)
            and each.properties.get(field) == value
            for each in level.markers
        )  # fmt: skip

    def rename(self) -> Done | None:
        if len(self.edit.levels) == 1:
            return None
        room = self.chance.choice(self.level.rooms)
        name = f"Hall_{self.token.replace('-', '_')}"
        self.edit.rename_room(room.id, name)
        return lambda level: any(each.name == name for each in level.rooms)

    def pick_enemy(self) -> Done | None:
        return self._set("enemy", "name", "V_String", self.chance.choice([*self.level.kinds.enemies]))

    def tick_champion(self) -> Done | None:
        return self._set("enemy", "champion", "V_Bool", True)

    def drag_number(self) -> Done | None:
        return self._set("enemy", "wakes_after", "V_Float", 1.25)

    def pick_fire(self) -> Done | None:
        return self._set("fire", "color", "V_String", self.chance.choice(["orange", "red"]))

    def own_tier(self) -> Done | None:
        """Add a value to the enum of chests' tiers, and pick it."""
        value = self.token.replace("-", "_")
        for enum in self.edit.project["defs"]["enums"]:
            if enum["identifier"] == "ChestTier":
                enum["values"].append({**enum["values"][0], "id": value})
        return self._set("chest", "tier", "V_String", value)

    def close_door(self) -> Done | None:
        """Remove one side of a door without which all rooms can be reached."""
        away = {room.id for room in ends(self.level)}
        doors = [door for door in self.level.doors if door.kind == "open" and away.isdisjoint(door.rooms)]
        if not doors or self.level.grid is None:
            return None
        door = self.chance.choice(doors)
        remove_half(self.edit, door.id)
        return lambda level: all(each.tiles != door.tiles for each in level.doors)

    def break_reference(self) -> Done | None:
        """Clear where a door leads: the level knows it."""
        level = self.chance.choice(self.edit.levels)
        for entity in self.edit._entities_of(level):
            for field in entity["fieldInstances"] if entity["__identifier"] == "Door" else ():
                if field["__identifier"] == "to":
                    field["realEditorValues"] = [None]
        return lambda _: True

    def own_fields(self) -> Done | None:
        """A colour and a point of one's own at an entity, whose values are in the file only."""
        found = self._markers("torch") or self._markers("enemy")
        if not found:
            return None
        ((_, entity),) = self.edit._entities(self.chance.choice(found).id, doors=False)
        (known,) = (each for each in self.edit.project["defs"]["entities"] if each["uid"] == entity["defUid"])
        like = known["fieldDefs"][0]
        for type_, wrapper, value in (("Color", "V_Int", 0xAB1234), ("Point", "V_String", "3,4")):
            uid = self.edit.project["nextUid"]
            self.edit.project["nextUid"] += 1
            name = f"{type_}_{self.token.replace('-', '_')}"
            own = {"__type": type_, "type": f"F_{type_}", "uid": uid, "doc": self.token}
            known["fieldDefs"].append({**like, **own, "identifier": name})
            entity["fieldInstances"].append(
                {"__identifier": name, "__value": None, "defUid": uid, "realEditorValues": []}
            )
            set_value(entity, name, wrapper, value)
        return lambda _: True


DEEDS: tuple[Callable[[Designer], Done | None], ...] = (
    Designer.rename,
    Designer.pick_enemy,
    Designer.tick_champion,
    Designer.drag_number,
    Designer.pick_fire,
    Designer.own_tier,
    Designer.close_door,
    Designer.break_reference,
    Designer.own_fields,
)


class LdtkChain(Chain):
    """A chain whose edits are all in the project, which LDtk saves after each."""

    stale = "overlaps"  # a copy of a level lies over it; LDtk leaves nothing else to mend

    def __init__(self, seed: int, folder: Path, steps: int = 3) -> None:
        super().__init__(seed, folder, steps)
        self.deeds: list[tuple[str, Done]] = []

    @property
    def mains(self) -> list[str]:
        return [f"{NAME}.ldtk"]

    def _two_people(self) -> None:
        for _ in range(3):
            self._edit(self.folder)

    def _edit(self, folder: Path, name: str = "") -> None:
        main, before = folder / f"{NAME}.ldtk", self._bytes(folder)
        if self.chance.random() < 0.5:
            self._design(main)
        else:
            super()._edit(folder, name)
        if self._bytes(folder) != before:
            save(main)
            text = self._texts()
            self.riders = [each for each in self.riders if each[1] in text]  # others were written over
            self.edited |= {path for path, data in self._bytes().items() if before.get(path) != data}

    def _know(self, told: Told, level: Level) -> None:
        super()._know(told, level)
        if told.kind in ("move", "drop"):  # what was done in the room is elsewhere, or gone with it
            self.deeds.clear()

    def _design(self, main: Path) -> None:
        level = self.level()
        if not self._shows(level, main):
            return
        self.count += 1
        edit, token = LdtkEditor(main, level, self.theme), f"edit-{self.count}-"
        deed = self.chance.choice(DEEDS)
        done = deed(Designer(edit, level, self.chance, token))
        if done is None:
            return
        edit.save()
        self.log.append(f"{deed.__name__} {token}")
        if deed is Designer.own_fields:
            self.riders.append(("own_field", token))
        self.deeds.append((deed.__name__, done))

    def _sync(self) -> None:
        """Sync; what was done last is in the level, or a line says why not. An undone sync can be done again."""
        before, began = self._bytes(), len(self.lines)
        super()._sync()
        if self.is_refused:
            return
        after, level = self._bytes(), self.level()
        refusals = [line for line in self.lines[began:] if re.search(REFUSED, line)]
        lost = [name for name, done in self.deeds if not done(level)]
        assert len(lost) <= len(refusals), (self.seed, self.log, self.lines[began:], lost)
        self.deeds.clear()
        self._must_be_sound()
        if after != before and self.chance.random() < 0.4:
            self._call("undo", self.folder)
            assert self._bytes() == before, (self.seed, self.log)
            self._call("sync", self.folder)
            assert self._bytes() == after, (self.seed, self.log)

    def _must_be_sound(self) -> None:
        """The project is as the official schema wants it, and LDtk would save it as it is."""
        main = self.folder / f"{NAME}.ldtk"
        assert not faults(json.loads(main.read_bytes())), (self.seed, self.log)
        assert not (found := unlike_ldtk(main)), (self.seed, self.log, found[:9])

    def _step(self) -> bool:
        self.deeds.clear()  # a level of another seed has other rooms
        if self.chance.random() < 0.3:
            return self._roll_others()
        return super()._step()

    def _roll_others(self) -> bool:
        """Keep a room, and roll all others: their markers."""
        self._sync()
        saved = self.folder / f"{NAME}.level.json"
        room = str(self.chance.choice(self.level().rooms).id)
        self._call("reroll", saved, "--pin", room, "--what", "markers", "--accept-edits")
        self._call("export", saved, "--accept-edits", *self._how(("json", "tiled", "ldtk", "godot")))
        return False
