"""The table of all benchmarks as Markdown: written into a file between two markers, read back, compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.benchmarks.measure import Row

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
HEADS = ("work", "best peer", "its figure", "ours", "ratio", "target", "reached", "in yardsticks")
MOST_LOST = 0.20  # of a figure, before it counts as fallen


def shown(row: Row) -> tuple[str, ...]:
    """The cells of a row, as `HEADS` names them."""
    peer = "–" if row.peer is None else f"{number(row.peer)}{row.unit}"
    if row.elsewhere:
        peer += " (measured elsewhere)"
    target = "–" if row.target is None else f"{'≤' if row.less else '≥'} {number(row.target)}{row.unit}"
    return (
        row.work,
        row.peer_name,
        peer,
        f"{number(row.ours)}{row.unit}",
        f"{row.ours / row.peer:.2f}" if row.peer else "–",
        target,
        {None: "–", True: "yes", False: "no"}[row.is_reached],
        f"{row.yardsticks:.4g}{'↓' if row.less else ''}",
    )


def number(value: float) -> str:
    """Three or four digits that matter."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def markdown(rows: Iterable[Row]) -> str:
    """The whole table."""
    lines = [HEADS, ("---",) * len(HEADS), *map(shown, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def kept(path: Path = README) -> dict[str, str]:
    """The lines of the table that a file holds, by the work that they are about."""
    found = re.search(f"{re.escape(BEGIN)}(.*){re.escape(END)}", path.read_text("utf-8"), re.S)
    if found is None:
        raise ValueError(f"{path.name}: has no {BEGIN} and {END}; put them where the table belongs")
    lines = [line for line in found[1].splitlines() if line.startswith("| ")][2:]
    return {_cells(line)[0]: line for line in lines}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|\n ").split(" | ")]


def fallen(rows: Iterable[Row], before: dict[str, str]) -> list[str]:
    """What was measured before and is by more than a fifth worse now, in yardsticks: a line for each."""
    worse = []
    for row in rows:
        if row.work not in before:
            continue
        old = float(_cells(before[row.work])[-1].rstrip("↓"))
        left = old / row.yardsticks if row.less else row.yardsticks / old
        if left < 1 - MOST_LOST:
            worse.append(f"{row.work}: {1 - left:.0%} worse than in the last table")
    return worse


def keep(rows: Sequence[Row], path: Path = README) -> None:
    """Put rows into a file's table: in the place of those about the same work, the others stay."""
    lines = kept(path) | {row.work: markdown([row]).splitlines()[-1] for row in rows}
    table = "\n".join([*markdown([]).splitlines(), *lines.values()])
    text = path.read_text("utf-8")
    head, rest = text.split(BEGIN, 1)
    path.write_text(f"{head}{BEGIN}\n\n{table}\n\n{END}{rest.split(END, 1)[1]}", "utf-8")
