"""The chart of a spec: each value, and levels of one seed in which nothing but this value differs.

A number is shown at its least, as it is, and at its greatest; of choices, up to six that look different, each
with those that look the same. A value may have no effect on the level of a seed: then a few more seeds are
tried, and then other values that it needs.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from string import Template
from typing import Any

from exporters.comparison.differences import compared
from exporters.pages.cards import Card, CardOptions, card, card_facts
from exporters.pages.gallery import USUAL_FACTS, check_size, page_data
from exporters.pages.page import asset, escaped, page
from exporters.theme import Theme
from generator.errors import UndercroftError
from generator.level import Level
from generator.named_tuple import NamedTuple
from generator.pipeline import generate
from generator.spec import LevelSpec
from generator.value_words import by_group, how_many, range_and_default, said_rules, toml

ValueRow = Mapping[str, Any]
"""A value as `describe` explains it."""

MAX_PICTURES = 6  # of a value
_MOST_CHOICES = 12  # all of which are tried; of more, six
SEEDS = 6  # tried for one at which a value has an effect
_SHORT_RANGE = 128  # shown to its end; a longer one only as far as is usual
_FAR = 40  # from the least number, where the usual ones do not tell
_NEARER = 4  # values tried, ever nearer to the usual one, until a level can be made
_MAX_FACTS = 3  # of the usual ones, told below a picture
_MAX_OTHERS = 2
_MINOR_FACTS = ("enemies(", "rooms.")  # told if no others differ
# Values that some others need to have an effect.
_NEEDED: Mapping[str, Mapping[str, Any]] = {
    "body": {"door_width": 3},
    "late_special_rooms": {"stage": 11},
    "plan.in_sequence": {"plan.locks": [2, 2]},
    "plan.keys": {"plan.locks": [2, 2]},
    "state.black_candle": {"curse": "random"},
    "state.bloody_crown": {"stage": 7},
    "state.book_picked_up": {"stage": 2},
    "state.coins": {"stage": 2},
    "state.devil_room_visited": {"stage": 2},
    "state.mini_boss_met": {"stage": 2},
    "state.silver_dollar": {"stage": 7},
    "tree": {"flow": "random"},
    "void_bosses": {"stage": 12},
    "void_spread": {"stage": 12},
}
# Of values that are free texts; those that a spec refuses, or that change nothing, are left out.
_EXAMPLES: Mapping[str, Sequence[str]] = {
    "only_layout": ("boss/colosseum", "normal/hubs/wheel"),
    "set_pieces": ("none", "cathedral"),
}
_STYLES = ("common.css", "overlay.css", "gallery.css", "chart.css")
_SCRIPTS = (
    "common.js",
    "statistics.js",
    "picture.js",
    "overlay.js",
    "small.js",
    "large.js",
    "chart.js",
)


class Chart(NamedTuple):
    """What a chart is of. `given` are the spec's values by dotted key, and `words` make a level of a seed.

    `needed` are those that were set so that another value has an effect.
    """

    spec: LevelSpec
    given: Mapping[str, Any]
    words: tuple[str, ...]
    seeds: tuple[int | str, ...]
    options: CardOptions
    needed: Mapping[str, Any] = {}


class LevelPicture(NamedTuple):
    """A level with one value of its own. `said` is what differs in it if no fact tells.

    The levels of the values `alike` look the same.
    """

    value: Any
    card: Card
    said: str = ""
    alike: tuple[Any, ...] = ()


class ChartedValue(NamedTuple):
    """A value with its pictures. Without any, `said` is why, unless it is no number and no choice.

    `needed` are other values of all these levels, without which the value has no effect.
    """

    row: ValueRow
    pictures: tuple[LevelPicture, ...] = ()
    said: str = ""
    needed: Mapping[str, Any] = {}


# --- levels ------------------------------------------------------------------------------------------


def charted_block(task: tuple[Chart, Sequence[ValueRow]]) -> list[ChartedValue]:
    """Make the pictures of some values, in a worker."""
    chart, rows = task
    return [_charted(chart, row) for row in rows]


def _charted(chart: Chart, row: ValueRow) -> ChartedValue:
    charted = _pictured(chart, row)
    given = _NEEDED.get(row["key"], {})
    needed = {key: value for key, value in given.items() if chart.given.get(key, value) != value}
    if charted.pictures or not needed:
        return charted
    try:
        spec = chart.spec.replace(needed)
    except UndercroftError:  # does not go with the other values of this spec
        return charted
    words = (word for key, value in needed.items() for word in ("--set", f"{key}={toml(value)}"))
    with_needed = Chart(
        spec,
        {**chart.given, **needed},
        (*chart.words, *words),
        chart.seeds,
        chart.options,
        needed,
    )
    other = _pictured(with_needed, row)
    return other._replace(needed=needed) if other.pictures else charted


def _pictured(chart: Chart, row: ValueRow) -> ChartedValue:
    usual = chart.given.get(row["key"], row["default"])
    asked = list(_values(row, usual, chart.given))
    if len(asked) < 2:
        return ChartedValue(row)
    said = ""
    for seed in chart.seeds:
        made: dict[str, tuple[Any, Level]] = {}
        for values in asked:
            try:
                value, level = _first_level(chart.spec, row["key"], values, seed)
                made[toml(value)] = (value, level)
            except UndercroftError as error:
                said = said or f"no level with another value: {error}"
        if toml(usual) not in made:
            continue
        before = made[toml(usual)][1]
        usual_content = _content(before)
        differing = [level for _, level in made.values() if _content(level) != usual_content]
        if differing:
            same = _card(chart, row, usual, seed, before)
            pictures = []
            for value, level in made.values():
                own = _card(chart, row, value, seed, level) if level in differing else same
                is_told = value == usual or own.values != same.values
                told = "" if is_told else _said(before, level if own is not same else before)
                pictures.append(LevelPicture(value, own, told))
            if row["key"] in _EXAMPLES:
                pictures = [each for each in pictures if each.value == usual or each.card is not same]
            if row.get("choices"):
                pictures = _looking_different(pictures, usual)
            if len(pictures) > 1:
                return ChartedValue(row, tuple(pictures))
        if len(made) > 1:
            said = f"no difference in the levels of these seeds: {', '.join(map(str, chart.seeds))}"
    return ChartedValue(row, said=said)


def _looking_different(pictures: Sequence[LevelPicture], usual: Any) -> list[LevelPicture]:
    """Put pictures together that look the same, and return a few."""
    looks: dict[str, list[LevelPicture]] = {}
    for picture in pictures:
        card = picture.card
        looks.setdefault(repr((card.size, card.tiles, card.rooms, card.gates)), []).append(picture)
    found = []
    for group in looks.values():
        first = next((picture for picture in group if picture.value == usual), group[0])
        found.append(first._replace(alike=tuple(picture.value for picture in group if picture is not first)))
    shown = _few([picture.value for picture in found], usual)
    return [picture for picture in found if picture.value in shown]


def _first_level(spec: LevelSpec, key: str, values: Sequence[Any], seed: int | str) -> tuple[Any, Level]:
    """Make the level of the first of some values that has one. Raises the error of the first."""
    why_not: UndercroftError | None = None
    for value in values:
        try:
            return value, _level(spec.replace({key: value}), seed)
        except UndercroftError as error:
            why_not = why_not or error
    raise why_not or UndercroftError(f"{key}: no values")


def _values(row: ValueRow, usual: Any, given: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """Yield the values to show in order, each with others to try if it gives no level."""
    limits = _limits(row, given)
    names = limits.get("choices") or limits.get("sizes") or limits.get("names") or ()
    if row["type"] == "boolean":
        names = (False, True)
    if row["key"] in _EXAMPLES and row["type"] == "string":
        names = [usual, *(name for name in _EXAMPLES[row["key"]] if name != usual)]
    if names:
        is_few = "choices" in limits and len(names) <= _MOST_CHOICES and usual in names
        yield from ([name] for name in (names if is_few else _few([*names], usual)))
    elif row["type"] in ("integer", "integers") and "low" in limits:
        low, high = (_toward(end, usual, limits) for end in (limits["low"], _greatest(limits, usual)))
        off = [limits["off"]] if "off" in limits else []
        yield from ([value] for value in off if value != usual)
        middle = [] if low and high else (low or high)[1:]  # the usual one is an end
        found = [values for values in (low, [usual], middle, high) if values]
        yield from sorted(found, key=lambda values: values[0])


def _limits(row: ValueRow, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the narrower limits that apply while other values are what they are."""
    limits, table = dict(row), row["key"].rpartition(".")[0]
    for rule in row.get("when", ()):
        if given.get(f"{table}.{rule['key']}" if table else rule["key"]) in rule["values"]:
            limits |= {name: rule[name] for name in ("choices", "sizes") if name in rule}
            limits |= {name: max(rule[name], limits[name]) for name in ("low",) if name in rule}
            limits |= {name: min(rule[name], limits[name]) for name in ("high",) if name in rule}
    return limits


def _few(values: list[Any], usual: Any) -> list[Any]:
    """Return the usual value and others, evenly spread, in their order."""
    others, most = [value for value in values if value != usual], MAX_PICTURES - 1
    if len(others) > most:
        others = [others[i * len(others) // most] for i in range(most)]
    kept = [value for value in values if value == usual or value in others]
    return kept if usual in kept else [usual, *kept]


def _greatest(limits: Mapping[str, Any], usual: Any) -> int:
    """Return the end of a short range, or of a long one a number that is large beside the usual ones."""
    low, high = int(limits["low"]), int(limits["high"])
    numbers = [*_listed(usual), *_listed(limits["default"])]
    return high if high - low <= _SHORT_RANGE else min(high, max(low + _FAR, 4 * max(numbers)))


def _toward(end: int, usual: Any, limits: Mapping[str, Any]) -> list[Any]:
    """Return the end of a range, and values between it and the usual one, ever nearer to that."""
    low, high, step = limits["low"], limits["high"], limits.get("step", 1)
    found: list[Any] = []
    for part in range(_NEARER):
        numbers = []
        for number in _listed(usual):
            near = number if low <= number <= high else (low + end) // 2
            numbers.append(low + (near + (end - near) // 2**part - low) // step * step)
        value = numbers if isinstance(usual, list) else numbers[0]
        if value not in (usual, *found):
            found.append(value)
    return found


def _listed(value: Any) -> list[int]:
    return value if isinstance(value, list) else [value]


@lru_cache(maxsize=2 * MAX_PICTURES)
def _level(spec: LevelSpec, seed: int | str) -> Level:
    return generate(spec, seed)


def _content(level: Level) -> dict[str, Any]:
    """Return what a level is, without the spec that it was made from."""
    return {**level.to_dict(), "spec": None, "fingerprint": None}


def _card(chart: Chart, row: ValueRow, value: Any, seed: int | str, level: Level) -> Card:
    is_usual = value == chart.given.get(row["key"], row["default"])
    own = () if is_usual else ("--set", f"{row['key']}={toml(value)}")
    words = [*chart.words, *own, "--seed", str(seed)]
    changed = {**chart.needed, **({} if is_usual else {row["key"]: value})}
    name = _assignments(changed, ", ") or "unchanged"
    return card(level, chart.options, f"{name}, seed {seed}", "", shlex.join(words))


def _assignments(values: Mapping[str, Any], joint: str) -> str:
    return joint.join(f"{key} = {toml(value)}" for key, value in values.items())


def _said(before: Level, after: Level) -> str:
    """Count the differences by what differs: `2 rooms moved, 9 tiles of decor changed`."""
    counts: Counter[tuple[str, str]] = Counter()
    for difference in compared(before, after).differences:
        is_ground = difference.subject in ("terrain", "decor", "look")
        counts[difference.subject, difference.action] += len(difference.tiles) if is_ground else 1
    lines = (
        f"{how_many(count, 'tile')} of {subject} {action}"
        if subject in ("terrain", "decor", "look")
        else f"{how_many(count, subject)} {action}"
        for (subject, action), count in counts.items()
        if subject != "level"
    )
    return ", ".join(lines) or ("no difference" if after is before else "no difference in the rooms")


# --- the page ----------------------------------------------------------------------------------------


def chart_page(title: str, summary: str, chart: Chart, values: Sequence[ChartedValue], theme: Theme) -> bytes:
    """Write the page. Raises BadInput if it would be too large."""
    cards: dict[str, Card] = {}
    for charted in values:
        cards |= {picture.card.command: picture.card for picture in charted.pictures}
    numbers = {command: number for number, command in enumerate(cards)}
    by_key = {charted.row["key"]: charted for charted in values}
    rows = {key: charted.row for key, charted in by_key.items()}
    groups = by_group(rows.values(), "Values")
    parts = [
        f'<section><h2 id="group-{i}">{escaped(group)}</h2>\n'
        + "\n".join(_value(by_key[row["key"]], chart, rows, numbers) for row in members)
        + "\n</section>"
        for i, (group, members) in enumerate(groups.items())
    ]
    body = Template(asset("chart.html")).substitute(
        title=escaped(title),
        told=escaped(f"{summary}: {how_many(len(values), 'value')}"),
        groups="".join(f'<a href="#group-{i}">{escaped(group)}</a>' for i, group in enumerate(groups)),
        values="\n".join(parts),
        large=asset("large.html"),
    )
    data = page_data(list(cards.values()), theme, chart.options.styles)
    html = page(title, body, styles=_STYLES, scripts=_SCRIPTS, data=data)
    check_size(len(html))
    return html


def _value(
    charted: ChartedValue, chart: Chart, rows: Mapping[str, ValueRow], numbers: Mapping[str, int]
) -> str:
    row, key = charted.row, escaped(charted.row["key"])
    usual = chart.given.get(row["key"], row["default"])
    lines = [range_and_default(row), *said_rules(row, rows)]
    if usual != row["default"]:
        lines.append(f"here {toml(usual)}")
    if charted.needed:
        needed = _assignments(charted.needed, " and ")
        lines.append(f"no difference alone; these are levels with {needed}")
    levels = f'<p class="none">{escaped(charted.said)}</p>' if charted.said else ""
    if charted.pictures:
        if (seed := charted.pictures[0].card.seed) != str(chart.seeds[0]):
            lines.append(f"no difference for seed {chart.seeds[0]}; these are levels of seed {seed}")
        facts = _telling_facts([picture.card for picture in charted.pictures], chart.options.styles)
        mark = "default" if usual == row["default"] else "here"
        items = [
            _picture(
                numbers[picture.card.command],
                [picture.value, *picture.alike],
                mark if picture.value == usual else "",
                _told(picture, facts),
            )
            for picture in charted.pictures
        ]
        levels = f'<ul class="levels" role="list" aria-label="Levels by {key}">{"".join(items)}</ul>'
    said = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return (
        f'<article class="fact" id="value-{key}" data-name="{key}"><h3><code>{key}</code></h3>'
        f'<p class="help">{escaped(row["help"])}</p><ul class="said" role="list">{said}</ul>{levels}'
        "</article>"
    )


def _picture(number: int, values: Sequence[Any], mark: str, told: str) -> str:
    sign = f' <span class="usual">{mark}</span>' if mark else ""
    others = escaped(", ".join(map(toml, values[1:])))
    alike = f'<span class="usual">also {others}</span>' if others else ""
    return (
        f'<li data-number="{number}"><button class="card" type="button" tabindex="-1">'
        '<span class="picture"><canvas width="1" height="1"></canvas></span><span class="about">'
        f'<span class="name">{escaped(toml(values[0]))}{sign}{alike}</span>'
        f'<span class="told">{told}</span></span></button></li>'
    )


def _told(picture: LevelPicture, facts: Mapping[str, int]) -> str:
    """Write what is told below a picture: what differs in it, or else its facts."""
    if picture.said:
        return f"<span>{escaped(picture.said)}</span>"
    answers = ((name, picture.card.values[i]) for name, i in facts.items())
    return "".join(
        f"<span>{escaped(name)} <b>{'-' if answer is None else escaped(answer)}</b></span>"
        for name, answer in answers
    )


def _telling_facts(cards: Sequence[Card], styles: tuple[str, ...]) -> dict[str, int]:
    """Find the usual facts that differ between levels, and the others that differ most, with their places."""
    spread, places = {}, {}
    for i, asked in enumerate(card_facts(styles)):
        answers = [card.values[i] for card in cards]
        known = [answer or 0 for answer in answers if not isinstance(answer, str)]
        if len({*answers}) > 1 and len(known) == len(answers):
            spread[asked.name] = (min(known) - max(known)) / (max(map(abs, known)) or 1)
            places[asked.name] = i
    usual = [name for name in USUAL_FACTS if name in places][:_MAX_FACTS]
    others = sorted(
        places.keys() - {*USUAL_FACTS},
        key=lambda name: (name.startswith(_MINOR_FACTS), spread[name], places[name]),
    )
    return {name: places[name] for name in (*usual, *others[:_MAX_OTHERS])}
