"""The curve of difficulty of a run: an inline SVG with what waits in a fight, from level to level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exporters.pages.page import escaped
from generator.named_tuple import NamedTuple
from generator.runs import StageSummary

_WIDTH, _HEIGHT = 720, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 132, 14, 48  # margins, for the axes and the names of the lines
_TICKS = 5  # on the vertical axis, about
_LINE_GAP = 15  # least distance of two names
_MAX_NAMES = 7  # of chapters; with more levels, only their numbers fit


class FightAverage(NamedTuple):
    """What waits in a fight of one level, on average. `label` stands below the axis, `name` below that."""

    label: str
    name: str
    cost: float
    enemies: float
    champions: float


def fight_average(stage: StageSummary) -> FightAverage:
    """Return the averages of a level of a run."""
    fights = max(1, stage.fights)
    sums = stage.cost, stage.enemies, stage.champions
    return FightAverage(str(stage.stage), stage.chapter, *(number / fights for number in sums))


# Told apart by their dashes, too.
_LINES = (("cost", "cost of enemies", ""), ("enemies", "enemies", "6 4"), ("champions", "champions", "2 3"))


def curve(points: Sequence[FightAverage]) -> str:
    """Draw a line for each average of some levels. Its colours are those of the text around it."""
    if len(points) < 2:
        return ""
    most = max((max(point.cost, point.enemies) for point in points), default=0)
    step = next(size for size in _steps() if size * _TICKS >= most)
    top = step * max(1, -(-most // step))
    said = "; ".join(f"{point.label}: {point.cost:.1f}" for point in points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="Average cost of the enemies in a fight, by level: {escaped(said)}" fill="currentColor" '
        'font-family="system-ui, sans-serif" font-size="12">',
        *_axes(points, step, top),
        *_lines(points, top),
        "</svg>",
    ]
    return "".join(parts)


def _steps() -> Iterator[float]:
    """Yield round distances of ticks, ascending."""
    size = 1.0
    while True:
        yield from (size, 2 * size, 5 * size)
        size *= 10


def _x(points: Sequence[FightAverage], number: int) -> float:
    return _LEFT + 16 + (_WIDTH - _LEFT - _RIGHT - 32) * number / (len(points) - 1)


def _y(value: float, top: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value / top)


def _axes(points: Sequence[FightAverage], step: float, top: float) -> Iterator[str]:
    right, low = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    value = 0.0
    while value <= top:
        y = _y(value, top)
        yield (
            f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="currentColor" stroke-opacity=".2"/>'
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
        value += step
    middle = (_TOP + low) / 2
    turned = f'transform="rotate(-90 12 {middle})"'
    yield f'<text x="12" y="{middle}" text-anchor="middle" {turned}>per fight</text>'
    for number, point in enumerate(points):
        x = _x(points, number)
        yield f'<text x="{x:.1f}" y="{low + 17}" text-anchor="middle">{escaped(point.label)}</text>'
        if len(points) <= _MAX_NAMES:
            yield f'<text x="{x:.1f}" y="{low + 32}" text-anchor="middle">{escaped(point.name)}</text>'
    if len(points) > _MAX_NAMES:
        yield f'<text x="{(_LEFT + right) / 2}" y="{low + 36}" text-anchor="middle">level of the run</text>'


def _lines(points: Sequence[FightAverage], top: float) -> Iterator[str]:
    lowest = float(_HEIGHT)
    # From the lowest name to the highest, each above the one before.
    for key, name, dashes in sorted(_LINES, key=lambda line: float(getattr(points[-1], line[0]))):
        at = [(_x(points, i), _y(getattr(point, key), top)) for i, point in enumerate(points)]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        yield f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="2"{dashed}/>'
        yield "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in at)
        lowest = min(lowest - _LINE_GAP, at[-1][1] + 4)
        yield f'<text x="{at[-1][0] + 10:.1f}" y="{lowest:.1f}">{name}</text>'
