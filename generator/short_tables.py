"""How an interpreter and a notebook show something with many rows: its size, and the first rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

FIRST = 5  # rows
_MOST_COLUMNS = 10  # of lines of text


def table_text(title: str, rows: Iterable[Sequence[object]]) -> str:
    """Return a title and rows, of which the first has the columns' names, as lines of text."""
    texts = [[*map(str, row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ["  ".join(map(str.rjust, row, widths)) for row in texts]
    return "\n".join([title, *lines])


def table_html(title: str, rows: Iterable[Sequence[object]]) -> str:
    """Return the same as HTML."""
    head, *others = ([*map(escape, map(str, row))] for row in rows)
    cells = [f"<tr><th>{'</th><th>'.join(head)}</th></tr>"]
    cells += [f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in others]
    return f"<p>{escape(title)}</p><table>{''.join(cells)}</table>"


def frames_text(frames: Any) -> str:
    """Return the sizes and the first rows of a tuple of tables of pandas, as lines of text."""
    parts = [f"{title}\n{first.to_string(max_cols=_MOST_COLUMNS)}" for title, first in _beginnings(frames)]
    return "\n\n".join([type(frames).__name__, *parts])


def frames_html(frames: Any) -> str:
    """Return the same as HTML."""
    return "".join(f"<p>{title}</p>{first.to_html(border=0)}" for title, first in _beginnings(frames))


def _beginnings(frames: Any) -> list[tuple[str, Any]]:
    return [
        (f"{name}: {len(frame):,} rows, {len(frame.columns)} columns", frame.head(FIRST))
        for name, frame in frames._asdict().items()
    ]
