"""`undercroft show`: a level as text, in which what is alike has one colour."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from colorsys import rgb_to_hsv
from functools import cache
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import common, json_lines, progress, streams
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput
from generator.kinds import Kinds
from generator.kinds.signs import contrast
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from generator.level import Level

_OF_PACKS = ("group", "style", "stage", "rooms", "loops", "rooms.boss.distance", "curse")


@click.command(cls=HelpfulCommand)
@click.argument(
    "source", metavar="SPEC|LEVEL.json|PACK.ucpack", shell_complete=common.completes("levels_and_specs")
)
@common.seed_option
@common.set_option
@common.flag("--floorplan", "Only the floorplan: which rooms there are, and where.", "plan_only")
@common.accept_edits_option
@common.color_option
@common.json_option
def command(
    source: str,
    seed: str | None,
    values: tuple[str, ...],
    plan_only: bool,
    accept_edits: bool,
    color: str,
    as_json: bool,
) -> None:
    """Print a level as text: the level of SPEC, the name of a preset or style or a TOML file, or a saved one.

    For -, print the level of the spec, or the saved ones, on standard input. Of a pack, print its levels, one
    per line, with their facts. --seed, --set and --floorplan are for a SPEC.
    """
    from generator.pipeline import generate

    name = streams.name_of(source)
    saved = streams.has_levels() if streams.is_dash(source) else source.lower().endswith((".json", ".ucpack"))
    if saved:
        if unused := common.first_given("seed", "values", "plan_only"):
            raise BadInput(f"{name}: {unused} is for a spec, and this level is made already; leave it out")
    elif accept_edits:
        raise BadInput(f"{name}: --accept-edits is for a saved level, and this is a spec; leave it out")
    if source.lower().endswith(".ucpack"):
        _show_pack(Path(source), as_json)
    elif saved:
        from generator.level_file import level_from_bytes

        for text in streams.level_texts(Path(source)):
            with progress.working("reading"):
                level = level_from_bytes(*text, accept_edits=accept_edits)
            _of_level(level).print(color, as_json)
    elif plan_only:
        from generator.picture import floorplan_rows

        spec = common.spec_with(source, values)
        plan = generate(spec, seed, until="floorplan")
        kinds = spec.load_kit().kinds
        _GlyphPicture(*floorplan_rows(plan, kinds), kinds, [], of_rooms=True).print(color, as_json)
    else:
        with progress.working("generating"):
            level = generate(common.spec_with(source, values), seed)
        _of_level(level).print(color, as_json)


class _GlyphPicture(NamedTuple):
    """A level or a floorplan as text: its rows, the meaning of each glyph, and lines about its rooms."""

    rows: list[str]
    legend: dict[str, str]
    kinds: Kinds
    lines: list[str]
    of_rooms: bool = False

    def print(self, color: str, as_json: bool) -> None:
        """Print it, as an event or in the colours that were chosen."""
        if as_json:
            json_lines.emit("picture", rows=self.rows, legend=self.legend)
            return
        paint: Callable[[str], str] = str
        if is_coloured := common.is_coloured(color):
            paint = GlyphColours(self.legend, self.kinds, of_rooms=self.of_rooms).painted
        lines = [*map(paint, self.rows), *self.lines, *_columns(self.legend, paint)]
        click.echo("\n".join(lines), color=is_coloured)


def _of_level(level: Level) -> _GlyphPicture:
    from generator.picture import level_rows, room_lines

    return _GlyphPicture(*level_rows(level), level.kinds, room_lines(level))


def _show_pack(path: Path, as_json: bool) -> None:
    """Print a line for each level: its index, seed and facts. People see only the foremost."""
    from exporters.formats.pack.reader import load_pack

    pack = load_pack(path)
    for level in range(pack.count):
        facts = pack.facts(level)
        seed = str(pack.seed(level))
        pairs = [f"{name} = {facts[name]}" for name in _OF_PACKS if name in facts]
        text = "  ".join([f"{level:5}", f"{seed:>12}", *pairs])
        about = {"index": level, "seed": seed, "fingerprint": pack.fingerprint(level)}
        json_lines.tell(as_json, text, "level", **about, facts=facts)


def _columns(legend: dict[str, str], paint: Callable[[str], str]) -> list[str]:
    """Lay out four glyphs per line, each with what it stands for."""
    cells = [f"{paint(glyph)} {name:20}" for glyph, name in legend.items()]
    return ["  ".join(cells[i : i + 4]).rstrip() for i in range(0, len(cells), 4)]


# --- colours -----------------------------------------------------------------------------------------

# Of the 256 colours that terminals share: each has a contrast of at least 3.5 with black and with white.
GREY, BLUE, BROWN, TEAL, PURPLE, RED, GREEN = 244, 33, 130, 30, 163, 196, 28
_LEGIBLE = 3.5
_PLAIN: Mapping[str, Any] = {}


class GlyphColours:
    """The colour of each glyph of a picture, by what the legend says that it is."""

    def __init__(self, legend: Mapping[str, str], kinds: Kinds, *, of_rooms: bool) -> None:
        style_of = _style_of_room if of_rooms else _style_of_glyph
        self._styles = {glyph: style_of(name.split("/")[0], kinds) for glyph, name in legend.items()}

    def painted(self, text: str) -> str:
        """Colour a row of glyphs. It ends as plain as it began."""
        runs = groupby(text, key=lambda glyph: self._styles.get(glyph, _PLAIN))
        return "".join(click.style("".join(run), **style) if style else "".join(run) for style, run in runs)


def _style_of_glyph(name: str, kinds: Kinds) -> Mapping[str, Any]:
    """Return the style of a terrain, a piece of decor, a door or a marker, as a legend names it."""
    kind = name.split(maxsplit=1)[0]
    if name == "door" or name.endswith(" door"):
        return {"fg": PURPLE if name.endswith(" door") else TEAL, "bold": True}
    if kind in kinds.markers and kind not in kinds.light_markers:
        return _style_of_marker(kind)
    terrain = {row.name: row for row in kinds.terrain}
    decor = {row.name: row for row in kinds.decor}
    ground = terrain.get(kind) or decor.get(kind)
    if ground is None:
        return _PLAIN
    if ground.hazard or ground.walk:
        return {"fg": BROWN if ground.hazard else GREY}
    return {"fg": BLUE} if kind in terrain and ground.fly else _PLAIN


def _style_of_marker(kind: str) -> Mapping[str, Any]:
    if kind in ("boss", "enemy"):
        return {"fg": RED, "bold": kind == "boss"}
    return {"fg": GREEN, "bold": kind in ("player_start", "exit")}


def _style_of_room(name: str, kinds: Kinds) -> Mapping[str, Any]:
    """Return the style of a room kind, or of what else a floorplan holds."""
    if name not in kinds.rooms:
        return {"fg": TEAL, "bold": True} if name == "door" else {"fg": GREY} if name == "hallway" else _PLAIN
    kind = kinds.rooms[name]
    return {"fg": nearest(kind.color), "bold": bool(kind.icon)}


@cache
def nearest(colour: str) -> int:
    """Return the terminal's colour with the hue most like that of `#rrggbb`, legible on any ground."""
    levels = (0, 95, 135, 175, 215, 255)
    cube = {16 + i: rgb for i, rgb in enumerate(product(levels, repeat=3))}
    legible = {
        number: rgb
        for number, rgb in cube.items()
        if min(contrast(f"#{bytes(rgb).hex()}", ground) for ground in ("#000000", "#ffffff")) >= _LEGIBLE
    }
    hue, saturation, _ = rgb_to_hsv(*bytes.fromhex(colour[1:]))

    def difference(number: int) -> float:
        other_hue, other_saturation, _ = rgb_to_hsv(*legible[number])
        apart = abs(hue - other_hue)
        return 4 * min(apart, 1 - apart) + abs(saturation - other_saturation)

    return min(legible, key=difference)
