"""The random chains, and each row of the table of structural edits, through the real Tiled and Godot."""

from __future__ import annotations

import random
from pathlib import Path

import generator
from exporters.edits.places import is_aside
from exporters.formats.tiled.write_project import PROJECT_NAME
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from generator.checks import problems
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.formats.godot.conftest import Project, Project3

from .chains import Chain
from .editors import Editor, GodotEditor, TiledEditor, editor_of
from .exported import FORMS, exported
from .in_programs import do_in_godot, do_in_tiled
from .structure_table import ROWS

_NO_PLACE = (AssertionError, IndexError, KeyError, StopIteration, ValueError)
_LEVELS = {"isaac": {"rooms": 7}, "rebirth": {}, "gungeon": {"rooms": 7, "flow": "random"}}


class ProgramChain(Chain):
    """A chain whose edits of maps and scenes are carried out and saved by the programs themselves."""

    def __init__(self, seed: int, folder: Path, steps: int = 2) -> None:
        super().__init__(seed, folder, steps)
        self.project = Project(folder)

    def save(self, edit: Editor) -> None:
        """Have the program of the file make the edit. Scripts that a scene refers to are there."""
        for kind, token in self.riders:
            if kind == "script":
                (self.project.folder / f"{token}.gd").write_text("extends Node2D\n")
        save_in_program(edit, self.project)


def save_in_program(edit: Editor, project: Project) -> None:
    """Have the program of a file make an edit; LDtk has none without a window."""
    if isinstance(edit, TiledEditor):
        do_in_tiled([edit], edit.main.parent, PROJECT_NAME)
    elif isinstance(edit, GodotEditor):
        project.start()
        do_in_godot([edit], project)
    else:
        edit.save()


def table_case(seed: int, folder: Path) -> None:
    """Each row by itself, in one level and one form, with one start of the program."""
    chance = random.Random(seed)
    form, style = chance.choice([each for each in FORMS if each != "scene-4.2"]), chance.choice([*_LEVELS])
    level = generator.generate(style, chance.randrange(1, 1000), **_LEVELS[style])
    project = (Project3 if form == "scene-3.6" else Project)(folder)
    made: dict[str, Editor] = {}
    for name, row in ROWS.items():
        if style not in row.styles:
            continue
        try:
            start = row.start(level)
            edit = editor_of(exported(start, form, folder / name.replace(" ", "_")), start)
            row.do(edit)
            made[name] = edit
        except _NO_PLACE:
            continue  # this level or form has no place for it
    edits = [*made.values()]
    if edits and isinstance(edits[0], TiledEditor):
        do_in_tiled(edits, edits[0].main.parent, PROJECT_NAME)
    elif edits and isinstance(edits[0], GodotEditor):
        project.start()
        do_in_godot(edits, project)
    else:
        for edit in edits:
            edit.save()
    for name, edit in made.items():
        _must_be_taken(name, edit, f"{name}, {style} {level.seed}, {form}")


def _must_be_taken(name: str, edit: Editor, where: str) -> None:
    """The edit is in the level, or a line refuses it; and the next sync has nothing to do."""
    place = edit.main.parent
    done = undercroft("sync", ".", cwd=place)
    after = load_level(place / "cellar.level.json")
    refused = "left out: " in done.stderr or "stay" in done.stderr
    assert ROWS[name].is_done(edit.level, after) or refused, (where, done.stderr)
    assert done.returncode == int(bool(problems(after))), (where, done.stderr)
    shown = form_of(edit.main).identity(edit.main.name, ExportFiles(place))["fingerprint"]
    assert shown == after.fingerprint, (where, done.stderr)
    again = undercroft("sync", ".", cwd=place)
    assert again.stdout == "", (where, done.stderr, again.stderr)
    aside = [path.name for path in place.glob("*") if is_aside(path.name) and path.suffix != ".txt"]
    assert not aside, (where, done.stderr)  # files of rooms that are gone are put aside, in their folder
