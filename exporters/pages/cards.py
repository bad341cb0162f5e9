"""Cards, which show one level each in a gallery. Workers make them in blocks.

A level's picture is stored as tile numbers instead of pixels, which takes a tenth of the size and is exact at
any scale: for each tile layer and the marker icons, one number per tile (0: no tile, else the tile's number
plus 1), compressed with zlib. The page has the pixels of each tile once (`gallery.sprite`) and draws the
level itself.
"""

from __future__ import annotations

import shlex
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from exporters.dress import EMPTY, dressed
from exporters.image import icon_layer
from exporters.pages.overlay import paths_of, rooms_of
from exporters.places import gates_of
from exporters.theme import Theme
from exporters.theme.loader import all_looks, fitted, load_theme
from generator.batch.condition import parse_condition
from generator.batch.facts import Answer, Asked, SavedSubject, Subject, ask
from generator.batch.stats import asked_for, usual_facts
from generator.errors import GenerationFailed
from generator.kinds import SHIPPED, Kinds
from generator.level import Level
from generator.level_file import load_level
from generator.named_tuple import NamedTuple
from generator.spec import LevelSpec

LEVELS_A_BLOCK = 8  # if all are shown
SEEDS_A_BLOCK = 100  # if a condition chooses
LAYERS = 6  # per card: five tile layers and the markers


class CardOptions(NamedTuple):
    """The levels to show, and how: a condition and a theme, both optional.

    `styles` are the possible styles of the levels, whose facts are shown too.
    """

    where: str | None
    theme: Path | None
    styles: tuple[str, ...] = ()
    accept_edits: bool = False  # for saved levels
    kinds: tuple[Kinds, ...] = ()  # from the specs' kits


class CardSource(NamedTuple):
    """Levels of a spec: its name, the command for one of them without the seed, and their names."""

    spec: LevelSpec
    name: str
    words: tuple[str, ...]
    named: Callable[[str], str]


class Card(NamedTuple):
    """The card of a level. `used` are the numbers of its tiles."""

    name: str
    source: str
    seed: str
    command: str
    size: tuple[int, int]
    values: tuple[Answer, ...]  # in the order of `card_facts` for the options' styles
    rooms: list[dict[str, Any]]
    paths: list[list[Any]]
    gates: list[list[Any]]
    tiles: bytes
    used: frozenset[int]
    kinds: Kinds = SHIPPED


class Cards(NamedTuple):
    """The result of a block: cards, and how many of them come before each level that could not be made."""

    cards: list[Card]
    failed: list[int]

    def up_to(self, count: int) -> Cards:
        """Return what there is up to card number `count`, or all if there are fewer cards."""
        if len(self.cards) < count:
            return self
        return Cards(self.cards[:count], [before for before in self.failed if before < count])


@cache
def card_facts(styles: tuple[str, ...] = ()) -> tuple[Asked, ...]:
    """List the facts on cards: the usual facts of finished levels, and those of some styles."""
    names = [name for name in usual_facts(styles) if name != "tries"]
    return (*asked_for(names, styles), ask("curse"), ask("chapter"))


def seed_block(task: tuple[CardOptions, CardSource, Sequence[int]]) -> Cards:
    """Make the cards of a block of seeds, in a worker."""
    options, source, seeds = task
    cards: list[Card] = []
    failed = []
    for seed in seeds:
        subject = Subject(source.spec, seed)
        command = shlex.join([*source.words, "--seed", str(seed)])
        try:
            if _shown(subject, options):
                cards.append(card(subject.level, options, source.named(str(seed)), source.name, command))
        except GenerationFailed:
            failed.append(len(cards))
    return Cards(cards, failed)


def file_block(task: tuple[CardOptions, Sequence[str], Sequence[tuple[Path, str]]]) -> Cards:
    """Make the cards of some level files, each with its source, in a worker. Raises LevelError."""
    options, words, files = task
    cards = []
    for path, source in files:
        subject = SavedSubject(load_level(path, accept_edits=options.accept_edits))
        if _shown(subject, options):
            name = path.name.removesuffix(".json").removesuffix(".level")
            command = shlex.join(["undercroft", "export", str(path), *words])
            cards.append(card(subject.level, options, name, source, command))
    return Cards(cards, [])


def _shown(subject: Subject, options: CardOptions) -> bool:
    if options.where is None:
        return True
    return _condition(options.where, options.styles, options.kinds).holds(subject)


_condition = cache(parse_condition)


def card(level: Level, options: CardOptions, name: str, source: str, command: str) -> Card:
    """Make the card of a level. `command` makes the level's files."""
    subject = SavedSubject(level)  # does not generate the floorplan again
    tiles, used = _tiles(level, fitted(_theme(options.theme), level.kinds))
    return Card(
        name=name,
        source=source,
        seed=level.seed_text or str(level.seed),
        command=command,
        size=(level.width, level.height),
        values=tuple(_answer(selected, subject) for selected in card_facts(options.styles)),
        rooms=rooms_of(level),
        paths=paths_of(level),
        gates=gates_of(level),
        tiles=tiles,
        used=used,
        kinds=level.kinds,
    )


def _answer(selected: Asked, subject: Subject) -> Answer:
    """Return the value of a fact. A text fact is text even if a saved level has a number there."""
    answer = selected.of(subject)
    return str(answer) if selected.fact.is_text and answer is not None else answer


@cache
def _theme(path: Path | None) -> Theme:
    return load_theme(path)


def _tiles(level: Level, theme: Theme) -> tuple[bytes, frozenset[int]]:
    """Compress the numbers [layer, y, x], little endian, and collect the tile numbers in them.

    A tile's number is its atlas index, counted through the sheets of all looks.
    """
    look, dressed_layers = dressed(level, theme)
    layers = np.stack([*dressed_layers, icon_layer(level, theme)])
    looks = [theme_look.look for theme_look in all_looks(theme)]
    sheets = np.array([looks.index(sheet.look) for sheet in look.sheets], np.int32)
    drawn = layers != EMPTY
    sheet, tile = np.divmod(layers[drawn], look.sheet_tiles)
    layers[drawn] = sheets[sheet] * look.sheet_tiles + tile
    numbers = layers - EMPTY  # so that 0 means no tile
    kind = "<u2" if len(looks) * theme.columns * theme.rows < 0xFFFF else "<u4"
    used = frozenset(np.unique(layers).tolist()) - {EMPTY}
    return zlib.compress(numbers.astype(kind).tobytes()), used
