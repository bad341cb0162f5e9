"""Random chains of edits, syncs and new levels, with an oracle that finds rooms in its own simple way.

    edit in Tiled | LDtk | Godot, by one person or two  ─▶  sync, perhaps
      ─▶  generate | build | export with another seed | rooms | theme, or a room rolled again, or nothing new,
          perhaps in a clone without the record  ─▶  sync

After each step all files of the level show one level. An edit is in the level wherever its room is, in the files as a
lost edit, or on the list.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter
from pathlib import Path

from click.testing import CliRunner, Result

import generator
from exporters.formats.godot.syntax.sections import sections
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from generator.checks import problems
from generator.checks.told import told as told_of
from generator.cli.group import main
from generator.level import Level
from generator.level_file import load_level
from tests.exporters import small_theme

from .chain_edits import any_edit, has, places_in, rider
from .chain_structure import Told, effect, facts, step_of
from .editors import Editor, editor_of
from .tiles_beyond import beyond_sheets

NAME = "cellar"
FORMATS = ("json", "tiled", "ldtk", "godot")
STYLES: dict[str, list[list[str]]] = {
    "isaac": [["rooms=7"], ["rooms=9"], ["rooms=7", "hard=true"]],
    "rebirth": [["stage=1"], ["stage=2"], ["stage=1", "hard=true"]],
    "gungeon": [["rooms=7"], ["rooms=9"], ["rooms=7", "roughness=30"]],
}
SPLITS: list[list[str]] = [
    [], [], [], ["tiled.encoding=zlib"], ["ldtk.external=true"], ["godot.split=rooms"], ["ldtk.levels=one"],
    ["tiled.split=rooms"], ["tiled.split=rooms", "godot.split=rooms", "ldtk.external=true"],
]  # fmt: skip
LOST = r": \d+ stays|, but |does not have|has no such|has no place|is not in the new level|another shape"
STRUCTURE_LOST = r"(?:a new room|a new door|room \d+|door \d+:|the terrain).*new level|no longer joins"
UNKNOWN = "shows another level|is another level than"
COUNTED = ("drop", "dig", "close")
STALE = "__neighbours|overlaps|layerInstances: do|; LDtk adds it|autoLayerTiles|gridTiles"


class Chain:
    """A folder, what was done in it, and what was said."""

    stale = STALE  # what LDtk mends when it saves

    def __init__(self, seed: int, folder: Path, steps: int = 3) -> None:
        self.chance = random.Random(seed)
        self.folder, self.seed, self.steps = folder / "levels", seed, steps
        self.style = self.chance.choice(sorted(STYLES))
        self.values = self.chance.choice(STYLES[self.style])
        self.options = self.chance.choice(SPLITS)
        self.builds = self.chance.random() < 0.2
        self.number = self.chance.randrange(1, 50)
        self.theme: Path | None = None
        self.count = 0
        self.done: list[Told] = []
        self.riders: list[tuple[str, str]] = []
        self.taken: set[object] = set()
        self.edited: set[Path] = set()
        self.lines: list[str] = []
        self.since = 0
        self.more = Counter[str]()  # rooms and hallways than the level had when it was generated
        self.dropped: list[Told] = []  # rooms that the level no longer has
        self.is_refused = False  # a clone cannot know every level that its files show
        self.log: list[str] = []
        self.seen: object = None  # what the files were when they were looked at

    @property
    def mains(self) -> list[str]:
        tiled = ".world" if "tiled.split=rooms" in self.options else ".tmj"
        return [f"{NAME}{suffix}" for suffix in (tiled, ".ldtk", ".tscn")]

    def run(self) -> None:
        """Go on for some steps, and look at all files after each."""
        self._make()
        for _ in range(self.chance.randint(1, self.steps)):
            if self.chance.random() < 0.2:
                self._two_people()
            else:
                for _ in range(self.chance.randint(1, 4)):
                    self._edit(self.folder)
            if self.chance.random() < 0.4:
                self._sync()
            if self.chance.random() < 0.15:
                shutil.rmtree(self.folder / ".undercroft")
                self.log.append("a clone")
            if self.is_refused or not self._step() or self.is_refused:
                return
            if not self.edited:
                self.look()
            self._sync()
            if self.is_refused:
                return

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self) -> bool:
        """Make the level again in some way. False if nothing can follow."""
        kinds = ("seed", "values", "nothing", "fewer", "theme", "export", "reroll", "keep", "replace")
        change = self.chance.choice(kinds)
        if change == "export":
            self._call("export", self.folder / f"{NAME}.level.json", *self._how(FORMATS), "--edits", "merge")
            return True
        if change == "reroll":
            return self._reroll()
        if change in ("keep", "replace"):
            return self._without_merge(change)
        if change == "seed":
            self.number = self.chance.randrange(1, 50)
        elif change == "values":
            self.values = self.chance.choice(STYLES[self.style])
        elif change == "theme" and self.theme is None:
            self.theme = small_theme.write(
                self.folder.parent, ("tile_size = 8", "tile_size = 16"), image=small_theme.sheet(tile=16)
            )
        self._make("merge", ("tiled",) if change == "fewer" else FORMATS)
        return True

    def _reroll(self) -> bool:
        self._sync()
        rooms = [room.id for room in self.level().rooms if room.kind == "normal"]
        corners = {told.corner for told in self.done}
        rooms = [number for number in rooms if self.level().rooms[number].bounds[:2] not in corners]
        if not rooms:
            return False
        saved = self.folder / f"{NAME}.level.json"
        self._call("reroll", saved, "--room", str(self.chance.choice(rooms)), "--accept-edits")
        done = self._call("export", saved, "--accept-edits", *self._how(FORMATS), "--edits", "merge")
        if self.is_refused or "shows another level" in done.stderr:
            return False
        self.look()
        before = self._bytes()
        done = self._call("sync", self.folder)
        assert self._bytes() == before, (self.seed, self.log, done.stderr)
        return False

    def _without_merge(self, edits: str) -> bool:
        """With `keep`, nothing of an edited level changes; with `replace`, what was edited is put aside."""
        is_edited = bool(self.edited) or bool(self.level().edited)
        before = self._bytes()
        number, self.number = self.number, self.chance.randrange(1, 50)
        began = len(self.lines)
        self._make(edits)
        stays = any(
            "so all files of" in line for line in self.lines[began:]
        )  # a clone does not know whose they are
        if edits == "keep" and (is_edited or stays):
            now = self._bytes()
            assert now == before, (self.seed, self.log, _different(before, now))
            self.number = number
            return True
        now = {path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        for path in self.edited:
            assert path.suffix == ".tscn" or before[path] in now, (self.seed, self.log, path)
        self._forget()
        return True

    def _forget(self) -> None:
        self.done, self.riders, self.taken, self.edited = [], [], set(), set()
        self.more.clear()
        self.dropped.clear()

    def _two_people(self) -> None:
        """Each works on other files of a copy; one of them may sync; the files come together."""
        other = self.folder.parent / "other"
        shutil.copytree(self.folder, other)
        mains = self.mains
        self.chance.shuffle(mains)
        before = self._bytes(other)
        for main_file in mains[:1]:
            self._edit(self.folder, main_file)
        for main_file in mains[1:]:
            self._edit(other, main_file)
        is_synced = self.chance.random() < 0.5
        copied = {
            path.relative_to(other) for path, data in self._bytes(other).items() if before.get(path) != data
        }
        if is_synced:
            self._call("sync", self.folder)
        for path in sorted(copied):
            shutil.copy(other / path, self.folder / path)
            self.edited.add(self.folder / path)
        shutil.rmtree(other)
        self.log.append(f"two people, {'one synced' if is_synced else 'no sync'}: {sorted(map(str, copied))}")

    def _sync(self) -> None:
        """Sync, and once more if that wrote anything: the last time, nothing was edited."""
        before = self._bytes(record=True)
        done = self._call("sync", self.folder)
        if self.is_refused:
            return
        self.edited.clear()
        self.look()
        now = self._bytes(record=True)
        if now != before:
            before = self._bytes()
            done = self._call("sync", self.folder)
            now = self._bytes()
        assert "changed by hand" not in done.stderr, (self.seed, self.log, done.stderr)
        assert now == before, (self.seed, self.log, _different(before, now))

    def _make(self, edits: str = "", formats: tuple[str, ...] = FORMATS) -> None:
        """Make the level with `generate` or `build`."""
        with_edits = ["--edits", edits] if edits else []
        before = self._bytes() if self.builds and edits else {}
        if self.builds:
            self._write_manifest(formats)
            self._call("build", self.folder.parent / "undercroft.toml", "--jobs", "1", *with_edits)
        else:
            words = ["generate", self.style, "--seed", str(self.number), "--name", NAME]
            for value in self.values:
                words += ["--set", value]
            self._call(*words, *self._how(formats), *with_edits)
        if edits in ("merge", ""):  # a build with nothing to build leaves files alone
            now = self._bytes() if before else {}
            self.edited = {path for path in self.edited if before and before.get(path) == now.get(path)}

    def _how(self, formats: tuple[str, ...]) -> list[str | Path]:
        words: list[str | Path] = ["--theme", self.theme] if self.theme else []
        for option in self.options:
            words += ["--option", option] if option.partition(".")[0] in formats else []
        for format_ in formats:
            words += ["--to", format_]
        return [*words, "--out", self.folder]

    def _write_manifest(self, formats: tuple[str, ...]) -> None:
        lines = ['out = "levels"', f"formats = {json.dumps(['json', *(f for f in formats if f != 'json')])}"]
        lines += [f'theme = "{self.theme.name}"'] if self.theme else []
        lines += ["[group.one]", f'spec = "{self.style}"', f"seeds = [{self.number}]", f'path = "{NAME}"']
        lines += [f"set.{value}" for value in self.values]
        for option in self.options:
            key, _, value = option.partition("=")
            if key.partition(".")[0] in formats:
                lines.append(f"options.{key} = {value if value == 'true' else json.dumps(value)}")
        (self.folder.parent / "undercroft.toml").write_text("\n".join(lines) + "\n")

    def _call(self, *words: str | Path) -> Result:
        done = CliRunner().invoke(main, [str(word) for word in words])
        self.log.append(" ".join(map(str, words)))
        self.lines += done.stderr.splitlines()
        crash = done.exception if not isinstance(done.exception, SystemExit) else None
        if crash is not None:
            raise crash
        is_unknown = bool(re.search(UNKNOWN, done.stderr)) and "a clone" in self.log
        self.is_refused = self.is_refused or is_unknown
        is_fine = is_unknown or done.exit_code == 0 or "]" in done.stderr or "room " in done.stderr
        assert is_fine, (self.seed, self.log, done.stderr)
        return done

    def level(self) -> Level:
        return load_level(self.folder / f"{NAME}.level.json")

    def _bytes(self, folder: Path | None = None, *, record: bool = False) -> dict[Path, bytes]:
        """The files of the level, with the folder's `record` or without."""
        paths = (folder or self.folder).rglob("*")
        return {
            path: path.read_bytes()
            for path in paths
            if path.is_file() and (record or ".undercroft" not in path.parts)
        }

    def _edit(self, folder: Path, name: str = "") -> None:
        """Edit one file, which shows the level as it is."""
        level, name = self.level(), name or self.chance.choice(self.mains)
        path = folder / name
        if not self._shows(level, path):
            return
        self.count += 1
        token = f"edit-{self.count}-"
        before = self._bytes(folder)
        if self.chance.random() < 0.3:
            own = sorted((folder / NAME).glob("*")) if (folder / NAME).is_dir() else []
            path = self.chance.choice([path, *(each for each in own if each.suffix[1:] == _suffix(name))])
            kind = rider(path, self.chance, token)
            if kind:
                self.riders.append((kind, token))
                self.log.append(f"{path.name}: {kind} {token}")
        else:
            edit = editor_of(path, level, self.theme)
            try:
                told = any_edit(edit, level, self.chance, token, self.taken)
            except StopIteration:  # the layer has another name now
                return
            if told is None:
                return
            self.save(edit)
            self._know(told, level)
            self.log.append(f"{name}: {told}")
        if folder == self.folder:
            self.edited |= {path for path, data in self._bytes().items() if before.get(path, data) != data}

    def _shows(self, level: Level, path: Path) -> bool:
        return form_of(path).identity(path.name, ExportFiles(path.parent))["fingerprint"] == level.fingerprint

    def _know(self, told: Told, level: Level) -> None:
        """Remember an edit. A room that moves takes along what was done in it; what is removed with it is gone."""
        rooms, hallways = effect(told, level)
        self.more.update(rooms=rooms, hallways=hallways)
        if told.kind == "move":
            dx, dy = step_of(told)
            old = told.corner[0] - dx, told.corner[1] - dy
            self.done = [
                each._replace(tile=(each.tile[0] + dx, each.tile[1] + dy), corner=told.corner)
                if each.corner == old
                else each
                for each in self.done
            ]
        if told.kind == "drop":
            text = self._texts()
            self.done = [each for each in self.done if each.corner != told.corner]
            self.riders = [each for each in self.riders if each[1] in text]
            self.dropped.append(told)
        self.done.append(told)

    def save(self, edit: Editor) -> None:
        """Write what an editor changed."""
        edit.save()

    # --- what must be so ---------------------------------------------------------------------------------

    def look(self) -> None:
        """All files show one level, and each edit is where its room is, or is told."""
        level = self.level()
        files = ExportFiles(self.folder)
        shown = {
            name: form_of(self.folder / name).identity(name, files)["fingerprint"] for name in self.mains
        }
        assert set(shown.values()) == {level.fingerprint}, (self.seed, self.log, self.lines[-9:], shown)
        said = self._said()
        self._count(level, said)
        self._look_for_edits(level, said)
        self._look_for_riders(said)
        self._look_at_files(level)

    def _said(self) -> str:
        """What was said since the last look, and all lists."""
        lines, self.since = self.lines[self.since :], len(self.lines)
        lists = [path.read_text("utf-8") for path in self.folder.rglob("*.conflicts*.txt")]
        return "\n".join([*lines, *lists])

    def _count(self, level: Level, said: str) -> None:
        """As many rooms and hallways as were generated, added and removed; a line for each edit that was lost.

        A room that was removed from another level and is not in this one counts no more. A level that was added
        in LDtk becomes a room where nothing is in its way.
        """
        values = dict(value.split("=") for value in self.values)
        given = {
            name: value == "true" if value in ("true", "false") else int(value)
            for name, value in values.items()
        }
        base = generator.generate(self.style, seed=self.number, **given)
        now = Counter(
            rooms=len(level.rooms) - len(base.rooms), hallways=len(level.hallways) - len(base.hallways)
        )
        known = [facts(base, room) for room in base.rooms]
        moot = [told for told in self.dropped if told.room not in known]
        self.dropped = [told for told in self.dropped if told not in moot]
        may_come = len(moot) + sum(kind == "add_level" for kind, _ in self.riders)
        self.more["rooms"] += min(may_come, max(0, now["rooms"] - self.more["rooms"]))
        off = sum(abs(now[name] - self.more[name]) for name in ("rooms", "hallways"))
        lost = len(re.findall(STRUCTURE_LOST, said))
        assert off <= 2 * lost, (self.seed, self.log, said, now, self.more)
        self.more = now

    def _look_for_edits(self, level: Level, said: str) -> None:
        any_kind = any(told.kind == "room" for told in self.done)
        left, lost = [], []
        for told in self.done:
            if told.kind in COUNTED:
                continue
            standing = next(
                (
                    found
                    for room in level.rooms
                    for found in places_in(told, level, room, any_kind=any_kind)
                    if has(level, found, room)
                ),
                None,
            )
            if standing:
                left.append(standing)
            else:
                lost.append(told)
        unsaid = [told for told in lost if not self._is_said(told, said)]
        kept = len(re.findall(LOST, said)) + sum(map(int, re.findall(r"(\d+) tiles left out", said)))
        assert len(unsaid) <= kept, (self.seed, self.log, said, unsaid)
        self.done = left
        self.taken = {told.tile for told in left}
        self.taken |= {"draw" for told in left if told.kind == "draw"}

    def _is_said(self, told: Told, said: str) -> bool:
        """Whether a line names the place, or a file has what was made."""
        x, y = told.tile
        local = x - told.corner[0], y - told.corner[1]
        if told.kind in ("gone", "moved") or f"{x},{y}" in said or f"{local[0]},{local[1]}" in said:
            return True
        return "edit-" in told.value and told.value in said + self._texts()

    def _texts(self) -> str:
        return "".join(
            data.decode("utf-8", "replace") for path, data in self._bytes().items() if path.suffix != ".png"
        )

    def _look_for_riders(self, said: str) -> None:
        text = said + self._texts()
        gone = [each for each in self.riders if each[1] not in text]
        assert not gone, (self.seed, self.log, self.lines[-20:], gone)

    def _look_at_files(self, level: Level) -> None:
        """Files that are as they were at the last look are not looked at again."""
        state = self._bytes(), tuple(self.riders), not self.done
        if state == self.seen:
            return
        self.seen = state
        known = {*told_of(problems(level), level)}
        done = CliRunner().invoke(main, ["check", "--accept-edits", str(self.folder)])
        lines = done.stdout.splitlines()
        if any(kind in ("add_level", "add_layer", "add_field") for kind, _ in self.riders):
            lines = [line for line in lines if not re.search(self.stale, line)]
        if any("another look that the level does not hold" in line for line in self.lines):
            lines = [line for line in lines if "is drawn twice" not in line]  # over what the rules draw
        found = [line for line in lines if not any(line.endswith(each) for each in known)]
        assert not found, (self.seed, self.log, found)
        if not self.done and not level.edited:
            assert not known, (self.seed, self.log, known)
        for path, data in self._bytes().items():
            if path.suffix == ".tscn":
                list(sections(data.decode()))
        beyond = list(beyond_sheets(self.folder))
        assert not beyond, (self.seed, self.log, beyond)


def _suffix(name: str) -> str:
    suffix = name.rpartition(".")[2]
    return {"world": "tmj", "ldtk": "ldtkl"}.get(suffix, suffix)


def _different(before: dict[Path, bytes], now: dict[Path, bytes]) -> list[str]:
    return [path.name for path in {**before, **now} if before.get(path) != now.get(path)]
