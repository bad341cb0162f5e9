"""The numbers in docs, summaries and help texts are those of the code: each sentence is filled in from it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from exporters import registry
from exporters.edits import contents
from exporters.edits import store as edits_store
from exporters.formats import pack as limits
from exporters.pages import gallery
from exporters.studio import project, requests
from exporters.studio import workers as desk
from exporters.theme.file import TILE_SIZE
from exporters.theme.tileset import MAX_TILESET_BYTES
from generator import files as names
from generator import notebook
from generator.algorithms import lock_proof
from generator.batch import cluster, many_seeds, run
from generator.encounters import encounter
from generator.encounters import encounter as fairness
from generator.interiors import drawings as drawn_files
from generator.interiors.interior import too_near
from generator.kinds import kinds
from generator.kinds.chapters import MAX_CHAPTERS
from generator.spec import game as memory
from generator.spec import load_spec
from generator.spec import read as presets
from generator.spec.schema import describe
from generator.styles.gungeon.flows import flow_file as schema
from generator.styles.gungeon.flows import library as pacing
from generator.styles.gungeon.flows import records
from generator.styles.gungeon.spec import MAX_SIDE, GungeonSpec
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.rebirth import growth as counts
from generator.styles.rebirth.growth import MAX_TRIES
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.registry import style_names

ROOT = Path(__file__).parents[1]
WORDS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
KIB, MIB = 1 << 10, 1 << 20


@cache
def text_of(path: str) -> str:
    return re.sub(r"\s+", " ", (ROOT / path).read_text("utf-8"))


def word(number: int) -> str:
    return WORDS[number]


def in_the_void() -> set[int]:
    spec = load_spec("void")
    assert isinstance(spec, RebirthSpec)
    return {counts.counts(spec, seed).rooms for seed in range(1, 301)}


def rooms_of_isaac() -> str:
    row = next(each for each in describe(IsaacSpec) if each["key"] == "rooms")
    limits = {key: value for each in row["when"] for key, value in each.items() if key in ("low", "high")}
    return (
        f"{row['low']} to {limits['high']} rooms, or {limits['low']} to {row['high']} under the curse of the "
        f"labyrinth, or {row['off']}"
    )


def steps_of_layouts() -> str:
    """How near to a tile in front of a door a layout may have no enemy."""
    return word(max(step for step in range(9) if too_near("enemy", (step, 0), [(0, 0)])))


FORMATS, STYLES = len(registry.format_names(others=False)), len(style_names(others=False))
CHAPTERS = MAX_CHAPTERS
SENTENCES = [
    ("README.md", f"in all {word(FORMATS)} formats"),
    ("README.md", f"{word(STYLES).capitalize()} styles of levels"),
    ("README.md", f"the looks of {word(CHAPTERS)} chapters"),
    ("docs/commands.md", f"{word(FORMATS).capitalize()} formats are built in: "),
    ("docs/commands.md", f"stays as it is: up to {names._MAX_NAME} of `A-Za-z0-9._-`"),
    ("docs/describe.md", f"`isaac` may have {rooms_of_isaac()}"),
    ("docs/draw-rooms.md", f"({drawn_files._MAX_BYTES // MIB} MB)"),
    ("docs/edits.md", f"the bytes of up to {contents._MAX_FILES:,} files, up to {contents._MAX_BYTES // MIB} MB"),
    ("docs/edits.md", f"files of more than {contents._MAX_CONTENT // MIB} MB"),
    ("docs/edits.md", f"others wait for up to {word(edits_store._WAIT_S // 60)} minutes"),
    ("docs/enemies.md", f"at most one for each {word(encounter._TILES_EACH)}"),
    ("docs/enemies.md", f"No enemy is placed within {word(fairness.NEAR)} steps of the tile in front of a door"),
    ("docs/enemies.md", f"at most {word(fairness.SIGHT)} tiles away"),
    ("docs/enemies.md", f"its `wakes_after` is {fairness.WAIT:g} second."),
    ("docs/flows.md", f"A flow has at most {schema.MAX_ROOMS} rooms, or {schema.MAX_GROWN} with those that its rules"),
    ("docs/flows.md", f"A room has at most {word(records.MAX_CONNECTIONS)} connections"),
    ("docs/flows.md", f"how many there are, {schema.MAX_KEYS} at most; a room has at most {schema.MAX_KEYS} keys"),
    ("docs/flows.md", f"at most {word(pacing._MAX_IN_A_ROW)} rooms with fights follow each other"),
    ("docs/flows.md", f"more than {lock_proof.MAX_STATES:,} states"),
    ("docs/how-levels-are-made.md", f"There are {word(STYLES)} styles"),
    ("docs/how-levels-are-made.md", f"twelve stages form {word(CHAPTERS)} chapters"),
    ("docs/kits.md", f"up to {kinds.MAX_NAME} of `A-Z`"),
    ("docs/layouts.md", f"any outline up to {MAX_SIDE} × {MAX_SIDE}"),
    ("docs/layouts.md", f"none within {word(fairness.NEAR)} steps of a door"),
    ("docs/layouts.md", f"No enemy is within {steps_of_layouts()} steps of a tile in front of a door."),
    ("docs/library.md", f"{notebook._MAX_TILES:,} tiles is shown as a line"),
    ("docs/many-levels.md", f"A gallery is one HTML file with up to {gallery.MAX_LEVELS:,} levels"),
    ("docs/pack.md", f"A pack holds at most {limits.MAX_LEVELS:,} levels"),
    ("docs/pack.md", f"at most {limits.MAX_ROWS} nodes and at most {limits.MAX_LEVEL_BYTES // KIB} KiB"),
    ("docs/pipelines.md", f"all workers are gone for {word(cluster._ALONE)} seconds"),
    ("docs/platforms.md", f"at most {run._MAX_ON_WINDOWS} of them on Windows"),
    ("docs/rebirth.md", f"{MAX_TRIES:,}; from the tenth on, one more room every five tries"),
    ("docs/research.md", f"{IsaacSpec.few:,} seeds of `isaac`, {RebirthSpec.few:,} of `rebirth`"),
    ("docs/research.md", f"{GungeonSpec.few} of `gungeon`"),
    ("docs/research.md", f"after the first {many_seeds._TURNS} in each process"),
    ("docs/runs.md", f"Each list holds at most {memory.MAX_SEEN:,} texts"),
    ("docs/studio.md", f"more than {word(project.MAX_DEPTH)} folders deep"),
    ("docs/studio.md", f"after the first {project.MAX_ENTRIES:,} files"),
    ("docs/studio.md", f"more than {word(int(desk.PATIENCE))} seconds of a processor"),
    ("docs/studio.md", f"A request may take {word(int(desk.LIMIT) // 60)} minutes at most"),
    ("docs/studio.md", f"at most {requests.MAX_BYTES // MIB} MB, and must arrive within {requests.LIMIT:g} seconds"),
    ("docs/themes.md", f"tiles of {TILE_SIZE[0]} to {TILE_SIZE[1]} px, with or without"),
    ("docs/themes.md", f"square tiles of {TILE_SIZE[0]} to {TILE_SIZE[1]} px, and less than {MAX_TILESET_BYTES // MIB} MiB"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "sentence"), SENTENCES)
def test_a_page_states_the_number_of_the_code(path: str, sentence: str) -> None:
    assert sentence in text_of(path)


def test_the_void_is_as_large_as_its_summary_says() -> None:
    rooms = in_the_void()
    assert f"Rooms of the Void | {min(rooms)} to {max(rooms)} |" in text_of("docs/rebirth.md")
    assert f"The Void has {min(rooms)} to {max(rooms)} rooms." in text_of("docs/seeds.md")
    assert f": {min(rooms)} to {max(rooms)} rooms besides" in presets.preset_summary("void")
    (row,) = [each for each in describe(RebirthSpec) if each["key"] == "void_spread"]
    low, most = min(rooms), max(rooms) - min(rooms) + 1
    assert (
        RebirthSpec(stage=12).void_sizes == most and f"{most}: {low} to {low + most - 1} rooms" in row["help"]
    )
