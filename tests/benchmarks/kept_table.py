"""The table of all benchmarks as Markdown: written into a file between two markers, read back, compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.benchmarks.measure import Row

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
HEADS = ("work", "peer", "times the peer", "in yardsticks", "target", "reached")
MAX_LOST = 0.20  # of a figure, before it counts as fallen


def shown(row: Row) -> tuple[str, ...]:
    """The cells of a row, as `HEADS` names them."""
    less = "↓" if row.less else ""
    unit = " × the peer" if row.of_peer else ""
    return (
        row.work,
        row.peer,
        "–" if row.ratio is None else f"{number(row.ratio)}{less}",
        f"{number(row.yardsticks)}{less}",
        "–" if row.target is None else f"{'≤' if row.less else '≥'} {number(row.target)}{unit}",
        {None: "–", True: "yes", False: "no"}[row.is_reached],
    )


def number(value: float) -> str:
    """Three or four digits that matter."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def markdown(rows: Iterable[Row]) -> str:
    """The whole table."""
    return "\n".join(map(line, [HEADS, ("---",) * len(HEADS), *map(shown, rows)]))


def line(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def kept(path: Path = README) -> dict[str, str]:
    """The lines of the table that a file holds, by the work that they are about."""
    found = re.search(f"{re.escape(BEGIN)}(.*){re.escape(END)}", path.read_text("utf-8"), re.S)
    if found is None:
        raise ValueError(f"{path.name}: has no {BEGIN} and {END}; put them where the table belongs")
    lines = [each for each in found[1].splitlines() if each.startswith("| ")][2:]
    return {cells(each)["work"]: each for each in lines}


def cells(text: str) -> dict[str, str]:
    """The cells of a line of the table, by its heads."""
    return dict(zip(HEADS, [cell.strip() for cell in text.strip("|\n ").split(" | ")], strict=True))


def fallen(rows: Iterable[Row], before: dict[str, str]) -> list[str]:
    """What was measured before and is by more than a fifth worse now, in yardsticks: a line for each."""
    worse = []
    for row in rows:
        if row.work not in before:
            continue
        old = float(cells(before[row.work])["in yardsticks"].rstrip("↓"))
        left = old / row.yardsticks if row.less else row.yardsticks / old
        if left < 1 - MAX_LOST:
            worse.append(f"{row.work}: {1 - left:.0%} worse than in the last table")
    return worse


def keep(rows: Sequence[Row], path: Path = README) -> None:
    """Put rows into a file's table: in the place of those about the same work, the others stay."""
    lines = kept(path) | {row.work: markdown([row]).splitlines()[-1] for row in rows}
    table = "\n".join([*markdown([]).splitlines(), *lines.values()])
    text = path.read_text("utf-8")
    head, rest = text.split(BEGIN, 1)
    path.write_text(f"{head}{BEGIN}\n\n{table}\n\n{END}{rest.split(END, 1)[1]}", "utf-8")
