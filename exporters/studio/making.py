"""Floorplans, levels and searches, made in a worker and told as JSON. Themes that did not change are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from exporters.studio.project import check_texts, inside
from exporters.studio.requests import LevelRequest, Reply, RollRequest, packed
from exporters.studio.telling import level_data, plan_data
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.batch.search import Query, search_block
from generator.errors import BadInput, shown
from generator.level import Level
from generator.pipeline import generate
from generator.seeds import MAX_SEED
from generator.spec import LevelSpec, load_spec, preset_names
from generator.styles.registry import style_names

_read: dict[str, tuple[tuple[tuple[int, int], ...], Theme]] = {}
_MAX_READ = 8


def theme_at(path: str) -> Theme:
    """Return the theme of a TOML file, or the built-in one for an empty path. Raises ThemeError."""
    if not path:
        return load_theme()
    kept = _read.get(path)
    if kept and kept[0] == _stamps(kept[1].sources):
        return kept[1]
    theme = load_theme(path)
    if len(_read) >= _MAX_READ:
        _read.clear()
    _read[path] = _stamps(theme.sources), theme
    return theme


def _stamps(sources: tuple[Path, ...]) -> tuple[tuple[int, int], ...]:
    """Return a value that changes when one of the files does."""
    stamps = []
    for source in sources:
        try:
            status = source.stat()
            stamps.append((status.st_mtime_ns, status.st_size))
        except OSError:
            stamps.append((0, -1))
    return tuple(stamps)


def warm() -> Reply:
    """Import what most levels need, and make one."""
    request = LevelRequest(preset_names()[0], {}, None, "", ())
    level_data(made_level(request), theme_of(request), frozenset())
    return Reply(200, b"{}")


def spec_asked(request: LevelRequest) -> LevelSpec:
    """Return the requested spec. Raises BadInput."""
    name = request.name
    if Path(name).suffix.lower() == ".toml":
        inside(name, "spec")
    elif name not in (*preset_names(), *style_names(others=False)) and name not in style_names():
        raise BadInput(f"spec: {shown(name)} is neither a preset nor a TOML file; choose one of the list")
    check_texts(request.values, "")
    spec = load_spec(name)
    return spec.replace(request.values) if request.values else spec


def made_level(request: LevelRequest) -> Level:
    """Generate the requested level with its re-rolls. Raises BadInput, GenerationFailed."""
    return generate(spec_asked(request), request.seed, rerolls=request.rerolls)


def theme_of(request: LevelRequest) -> Theme:
    """Return the requested theme, which is cached as long as its files stay the same."""
    return theme_at(inside(request.theme, "theme") if request.theme else "")


def floorplan(request: LevelRequest) -> Reply:
    """Return the floorplan alone."""
    spec = spec_asked(request)
    plan = generate(spec, request.seed, until="floorplan")
    return Reply(200, packed(plan_data(plan, spec.load_kit().kinds)))


def level(request: LevelRequest, known: frozenset[str]) -> Reply:
    """Return the whole level, dressed. `known` are the pictures that need not be sent."""
    data, pictures = level_data(made_level(request), theme_of(request), known)
    return Reply(200, packed(data), tuple(pictures.items()))


def reroll(request: LevelRequest, roll: RollRequest, known: frozenset[str]) -> Reply:
    """Return the level with some rooms rolled again. Its rows are in `rerolls`."""
    from generator.rerolls.reroll import reroll as rolled

    spec = spec_asked(request)
    before = generate(spec, request.seed, rerolls=request.rerolls)
    after = rolled(
        before,
        room=roll.rooms,
        pin=roll.pins,
        what=roll.what,
        layouts=getattr(spec, "layouts", ""),
        kit=spec.kit,
    )
    data, pictures = level_data(after, theme_of(request), known)
    data["changed"] = [room.id for room in after.rooms if _row(after, room.id) != _row(before, room.id)]
    return Reply(200, packed(data), tuple(pictures.items()))


def _row(level: Level, room: int) -> dict[str, Any] | None:
    return next((dict(row) for row in level.rerolls if row.get("room") == room), None)


# --- search ------------------------------------------------------------------------------------------

_CARD = ("seed", "fingerprint", "size", "rooms", "paths", "gates", "colours", "signs", "tiles", "atlas")
_OF_ROOM = ("id", "kind", "distance", "at", "rings")


def search(
    request: LevelRequest, where: str, first: int, count: int, cards: int, known: frozenset[str]
) -> Reply:
    """Try `count` seeds from `first` on. Write a line for each hit, and one with the counts at the end.

    At most `cards` hits are told. Raises Slip for a condition that cannot be read.
    """
    query = Query(spec_asked(request), where)
    query.condition()
    theme = theme_of(request)
    seeds = range(first, min(first + count, MAX_SEED + 1))
    made: dict[int, Level] = {}
    result = search_block((query, seeds), made).up_to(cards)
    pictures: dict[str, bytes] = {}
    lines: list[dict[str, Any]] = []
    for hit in result.hits:
        level = made.get(hit.seed) or generate(query.spec, hit.seed)
        data, sheet = level_data(level, theme, known | pictures.keys())
        pictures |= sheet
        card = {key: data[key] for key in _CARD}
        card["rooms"] = [{key: room[key] for key in _OF_ROOM} for room in data["rooms"]]
        lines.append({"hit": {"facts": hit.facts, **card}})
    counts = {"tried": len(result.seeds), "failed": len(result.failed), "hits": len(result.hits)}
    lines.append({"block": counts})
    return Reply(200, b"\n".join(map(packed, lines)), tuple(pictures.items()))
