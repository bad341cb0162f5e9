"""Cards: what a gallery shows of one level. Made by workers, a block of levels at a time.

A level's picture is not packed as pixels but as the tiles that it is made of, which is a tenth of the
size and exact at any scale: for each tile layer and the markers' icons a number a tile (0: none, else the
atlas index and 1), packed by zlib. The page holds each tile's pixels once (`gallery.sprite`) and draws the
level itself.
"""

from __future__ import annotations

import shlex
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from exporters.dress import EMPTY, dress
from exporters.image import icon_layer
from exporters.pages.overlay import rooms_of, ways_of
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.batch.condition import parse_condition
from generator.batch.facts import Answer, Asked, Subject, ask
from generator.batch.saved import SavedSubject
from generator.batch.stats import USUAL, asked_for
from generator.errors import GenerationFailed
from generator.level import Level
from generator.level_file import load_level
from generator.spec import LevelSpec

LEVELS_A_BLOCK = 8  # that are all shown
SEEDS_A_BLOCK = 100  # of which a condition chooses
LAYERS = 6  # of a card's tiles: five tile layers and the markers


class Look(NamedTuple):
    """Which levels are shown, and how: a condition and a theme, either of which may be none."""

    where: str | None
    theme: Path | None


class Source(NamedTuple):
    """Levels of a spec: its name, the command that makes one of them but for the seed, and their names."""

    spec: LevelSpec
    name: str
    words: tuple[str, ...]
    named: Callable[[str], str]


class Card(NamedTuple):
    """A level as a gallery shows it; `used` are the atlas indexes of its tiles."""

    name: str
    source: str
    seed: str
    command: str
    size: tuple[int, int]
    values: tuple[Answer, ...]  # of `card_facts`, in their order
    rooms: list[dict[str, Any]]
    ways: list[list[Any]]
    tiles: bytes
    used: frozenset[int]


class Cards(NamedTuple):
    """What a block gave: cards, and how many levels could not be made."""

    cards: list[Card]
    failed: int


@cache
def card_facts() -> tuple[Asked, ...]:
    """The facts of a card: all usual ones that a finished level tells."""
    names = [name for name in USUAL if name != "tries"]
    return (*asked_for(names), ask("curse"), ask("chapter"))


def seed_block(task: tuple[Look, Source, range]) -> Cards:
    """The cards of a block of seeds; for a worker."""
    look, source, seeds = task
    made, failed = [], 0
    for seed in seeds:
        subject = Subject(source.spec, seed)
        command = shlex.join([*source.words, "--seed", str(seed)])
        try:
            if _shown(subject, look):
                made.append(_card(subject.level, look, source.named(str(seed)), source.name, command))
        except GenerationFailed:
            failed += 1
    return Cards(made, failed)


def file_block(task: tuple[Look, Sequence[str], Sequence[tuple[Path, str]]]) -> Cards:
    """The cards of some level files, each with its source; for a worker. Raises LevelError."""
    look, words, files = task
    made = []
    for path, source in files:
        subject = SavedSubject(load_level(path))
        if _shown(subject, look):
            name = path.name.removesuffix(".json").removesuffix(".level")
            command = shlex.join(["undercroft", "export", str(path), *words])
            made.append(_card(subject.level, look, name, source, command))
    return Cards(made, 0)


def _shown(subject: Subject, look: Look) -> bool:
    return look.where is None or _condition(look.where).holds(subject)


_condition = cache(parse_condition)


def _card(level: Level, look: Look, name: str, source: str, command: str) -> Card:
    subject = SavedSubject(level)  # its floorplan need not be made again
    tiles, used = _tiles(level, _theme(look.theme))
    return Card(
        name=name,
        source=source,
        seed=level.seed_text or str(level.seed),
        command=command,
        size=(level.width, level.height),
        values=tuple(_answer(each, subject) for each in card_facts()),
        rooms=rooms_of(level),
        ways=ways_of(level),
        tiles=tiles,
        used=used,
    )


def _answer(asked: Asked, subject: Subject) -> Answer:
    """What a fact is; texts are texts, even if a saved level has a number there."""
    answer = asked.of(subject)
    return str(answer) if asked.fact.is_text and answer is not None else answer


@cache
def _theme(path: Path | None) -> Theme:
    return load_theme(path)


def _tiles(level: Level, theme: Theme) -> tuple[bytes, frozenset[int]]:
    """The packed numbers [layer, y, x], little endian, and the atlas indexes among them."""
    layers = np.stack([*dress(level, theme), icon_layer(level, theme)])
    numbers = layers - EMPTY  # so that 0 is none
    kind = "<u2" if theme.columns * theme.rows < 0xFFFF else "<u4"
    used = frozenset(np.unique(layers).tolist()) - {EMPTY}
    return zlib.compress(numbers.astype(kind).tobytes()), used
