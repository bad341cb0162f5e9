"""Which levels a group of a manifest asks for: by their seeds, with re-rolled rooms, or as finished files.

[group.entrance]
spec = "isaac"
seeds = [7]                             or "0:500"; those of a campaign come from its seed
rerolls = [{room = 4, kind = "library", layout = 1}, {room = 7, layout = 3, markers = 2}]

[group.handmade]
levels = ["handmade/crypt.level.json"]  a build only exports them

The rows of `rerolls` are those of a level.json, and for the group's only level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from exporters.builder.inputs import LevelFile, read_level
from generator.errors import BadInput, shown
from generator.files import file_name, real_path
from generator.json_schema import JsonSchema, documented, listed
from generator.kinds.reference import row_schema
from generator.level import RerollRow
from generator.named_tuple import NamedTuple
from generator.node import Node
from generator.rerolls.record import MAX_ROOMS, ROW, read_rows, rows_of
from generator.rng import Stream
from generator.seeds import MAX_SEED, count_of
from generator.spec import LevelSpec
from generator.styles.registry import style as style_of

# --- seeds -------------------------------------------------------------------------------------------

MAX_LEVELS = 1_000_000
RANGE = "([0-9]{1,20}):([0-9]{1,20})"


def seeds_of(section: Node, style: str) -> Sequence[int | str]:
    """Read the seeds of a group: a tuple, or a range, of which only the ends are checked. Raises BadInput."""
    node = section.needed("seeds", 'give a list, or a range such as "0:100"')
    value = node.value
    if isinstance(value, list):
        if not value:
            node.fail('is empty; give at least one, or a range such as "0:100"')
        return checked_seeds(node, value, style)
    match = re.fullmatch(RANGE, value) if isinstance(value, str) else None
    if not match:
        node.fail(f'{shown(value)} is not a list or a range; give one like "0:100"')
    seeds = range(int(match[1]), int(match[2]))
    if not 0 < count_of(seeds) <= MAX_LEVELS or seeds.stop - 1 > MAX_SEED:
        problem = f"is not a range of 1 to {MAX_LEVELS} seeds; give the first seed and the one after the last"
        node.fail(f"{shown(value)} {problem}")
    checked_seeds(node, [seeds[0], seeds[-1]], style)
    return seeds


def checked_seeds(node: Node, values: Sequence[object], style: str) -> tuple[int | str, ...]:
    """The seeds in a list, each a number or a text. Raises BadInput, which names the place of the node."""
    seeds: list[int | str] = []
    for seed in values:
        if isinstance(seed, str) and re.fullmatch(RANGE, seed):
            node.fail(f"{shown(seed)} is a range; give it alone, not in a list")
        if not isinstance(seed, (int, str)) or isinstance(seed, bool):
            node.fail(f"{shown(seed)} is not a seed; give numbers, or texts in quotes")
        with node.named():
            number, text = style_of(style).read_seed(seed)
        seeds.append(number if text is None else text)
    return tuple(seeds)


def stage_seed(seed: Node, stage_name: str, style: str) -> int | str:
    """Return the seed of a campaign's stage: the run's if its stages share one, else derived from its name.

    So a stage keeps its level when stages before it are added or removed.
    """
    (checked,) = checked_seeds(seed, [seed.value], style)
    if style_of(style).one_seed_per_run:
        return checked
    number, _ = style_of(style).read_seed(checked)
    return Stream(number, f"campaign.{stage_name}").word()


# --- a condition -------------------------------------------------------------------------------------


def condition_of(section: Node, spec: LevelSpec) -> tuple[str, int | None]:
    """Read the condition that a group's levels have to meet, empty if none, and how many are enough."""
    if not section.has("where") and not section.has("first"):
        return "", None
    from generator.batch.condition import MAX, Slip
    from generator.batch.search import ALONE, Query

    if not section.has("where"):
        section["first"].fail(f'{ALONE}; add where = "..."')
    node = section["where"]
    if section.has("rerolls"):
        section["rerolls"].fail("do not go with where, which looks at levels without re-rolls; leave one out")
    text = node.line(MAX, 1)
    with node.named():
        try:
            Query(spec, text).condition()
        except Slip as slip:
            raise BadInput(slip.message) from None
    return text, section["first"].number(1, MAX_LEVELS) if section.has("first") else None


# --- re-rolled rooms ---------------------------------------------------------------------------------

REROLLS: JsonSchema = documented(
    "the rooms to roll again, as rows of `rerolls` in a level.json; only for a group with one seed",
    listed(row_schema(ROW), 0, MAX_ROOMS),
)


def rerolls_of(section: Node, seeds: Sequence[int | str]) -> tuple[RerollRow, ...]:
    """Read the rows of a group with these seeds, in the order of the rooms. Raises BadInput.

    Whether the level has these rooms, and what they can become, is known only when it is made.
    """
    if not section.has("rerolls"):
        return ()
    node, remedy = section["rerolls"], "copy the rerolls of a level.json"
    rows = [row.table(remedy) for row in node.items(MAX_ROOMS, remedy=remedy)]
    if len(seeds) != 1:
        problem = f"they are for one level, but the group has {len(seeds)} seeds"
        node.fail(f"{problem}; give each re-rolled level a group of its own")
    with section.named():
        rolls, is_edited = read_rows(rows, MAX_ROOMS)
    if is_edited:
        problem = "the level was changed by hand, so no build can make it"
        node.fail(f"{problem}; name its level.json in `levels` instead")
    return rows_of(rolls, is_edited=False)


# --- finished levels ---------------------------------------------------------------------------------

MAX_FILES = 10_000  # of a group
NOT_WITH_LEVELS = ("spec", "set", "seeds", "where", "first", "rerolls")

LEVELS: JsonSchema = documented(
    "finished levels to export, in place of spec and seeds: their level.json files",
    listed({"type": "string", "minLength": 1, "maxLength": 1000}, 1, MAX_FILES),
)


class FinishedLevel(NamedTuple):
    """A finished level: its name, which is that of its file, and what is known of it."""

    name: str
    spec: LevelSpec
    seed: int | str
    file: LevelFile


def finished_levels(section: Node, folder: Path, out: Path) -> Iterator[FinishedLevel]:
    """Yield the levels of a group. Paths are relative to `folder`. `out` will be built. Raises BadInput."""
    for key in NOT_WITH_LEVELS:
        if section.has(key):
            section[key].fail("does not go with levels, which are finished; leave one of them out")
    remedy = 'write one like ["handmade/crypt.level.json"]'
    nodes = {file.line(1000, 1): file for file in section["levels"].items(MAX_FILES, 1, remedy)}
    names: dict[str, str] = {}
    for entry, file in nodes.items():
        path = real_path(folder / entry)
        if path.is_relative_to(out):
            problem = "is in the folder that is built; move it into another one"
            file.fail(f"{shown(entry)} {problem}")
        name = file_name(Path(entry).name.removesuffix(".json").removesuffix(".level"))
        first = names.setdefault(name.casefold(), entry)
        if first != entry:
            problem = f"{shown(first)} and {shown(entry)} have the same name"
            file.fail(f"{problem}; rename one, or put it into another group")
        with file.named():
            level, level_file = read_level(path)
        seed = level.seed if level.seed_text is None else level.seed_text
        yield FinishedLevel(name, level.spec, seed, level_file)
