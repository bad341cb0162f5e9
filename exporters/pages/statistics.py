"""Distributions on a page: for each fact a plot, a summary and the numbers. Facts that moved come first.

matplotlib draws the plots: single ones for a page, or all on a sheet. The answers of a fact are sorted, with
one bar each, as high as its share of the levels. Many numbers are grouped into bins. Bars of a baseline are
outlines.
"""

from __future__ import annotations

import io
import logging
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from string import Template
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from exporters.pages.page import asset, escaped, page
from generator.batch.expressive_range import CELLS, ExpressiveRange
from generator.batch.facts import Answer, facts_of
from generator.batch.stats import FAILED, Stats, ordered, summary
from generator.errors import BadInput, shown
from generator.installed import install_command, missing_of
from generator.named_tuple import NamedTuple
from generator.value_words import how_many

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from generator.batch.facts import Answer
    from generator.batch.stats import Stats

    Counts = Mapping[Answer, int]

# --- plots -------------------------------------------------------------------------------------------

_MAX_BARS = 40
_MIN_BARS = 5  # leave space for as many, so that a single bar is not as wide as the plot
_LABELS = 40  # characters below a plot
_OTHERS = "others"
_SHARES = 20  # bars from 0 to 1


class Colours(NamedTuple):
    """The colours of a plot, as `#rrggbb`."""

    text: str
    line: str
    bar: str
    outline: str


# In a page, plots use the page's colours, light or dark. matplotlib does not accept CSS variables, so it gets
# placeholder colours, which are replaced afterwards.
_STAND_INS = {
    "#010101": "var(--soft)",
    "#020202": "var(--line)",
    "#030303": "var(--accent)",
    "#040404": "var(--plot-2)",
}
_OF_PAGE = Colours(*_STAND_INS)
_OF_SHEET = Colours("#25202e", "#bbb3a5", "#c07a35", "#1f4f6b")


class Bins(NamedTuple):
    """Bars from left to right: their labels, and for each distribution the shares, 0 to 1."""

    labels: list[str]
    shares: list[list[float]]


def bins_of(several: Sequence[Counts]) -> Bins:
    """Compute the bars for distributions of the same fact: sorted numbers, then texts.

    Numbers that do not occur get bars of height 0; otherwise the picture would hide gaps.
    """
    answers = [answer for answer, _ in ordered({answer: 0 for counts in several for answer in counts})]
    values = [answer for answer in answers if isinstance(answer, (int, float))]
    is_share = any(0 < value < 1 for value in values) and values[0] >= 0 and values[-1] <= 1
    parts = _SHARES if is_share else 1  # bars in which a whole number is cut
    numbers = [_floor(value, parts) for value in values]
    words = [answer for answer in answers if not isinstance(answer, (int, float))]
    least, most = (numbers[0], numbers[-1]) if numbers else (0, -1)
    step = max(1, (most - least) // _MAX_BARS + 1)
    keys: list[Answer] = [*range(least, most + 1, step), *words[:_MAX_BARS]]
    if len(words) > _MAX_BARS:
        keys.append(_OTHERS)

    def key_of(answer: Answer) -> Answer:
        if isinstance(answer, (int, float)):
            return least + (_floor(answer, parts) - least) // step * step
        return answer if answer in words[:_MAX_BARS] else _OTHERS

    shares = []
    for counts in several:
        sums = dict.fromkeys(keys, 0)
        for answer, count in counts.items():
            sums[key_of(answer)] += count
        total = sum(counts.values()) or 1
        shares.append([number / total for number in sums.values()])
    return Bins([_label(key, step, parts) for key in keys], shares)


def _floor(number: float, parts: int) -> int:
    """Return which bar a number is in. A share of 1 belongs to the last bar."""
    return math.floor(number) if parts == 1 else min(parts - 1, math.floor(parts * number + 1e-9))


def _label(key: Answer, step: int, parts: int = 1) -> str:
    if isinstance(key, int) and parts > 1:
        return f"{key / parts:.2f}"
    if isinstance(key, int):
        return f"{key}–{key + step - 1}" if step > 1 else str(key)
    return "none" if key is None else shown(key, 12).strip("'")


def inline_svg(counts: Counts, baseline: Counts | None, label: str) -> str:
    """Draw one fact as an SVG element in the page's colours. `label` is its text alternative."""
    with _figures() as figure_of:
        figure = figure_of(figsize=(3.6, 1.7))
        axes = figure.add_axes((0.11, 0.17, 0.88, 0.79))
        _draw(axes, counts, baseline, _OF_PAGE)
        return _plain(_saved(figure, "svg", transparent=True), label)


def sheet(stats: Stats, baseline: Stats | None, kind: str) -> bytes:
    """Draw all facts in one picture, as `png` or `svg`."""
    columns = min(4, max(1, len(stats.facts)))
    rows = -(-len(stats.facts) // columns)
    with _figures() as figure_of:
        figure = figure_of(figsize=(4 * columns, 2.3 * rows), layout="constrained", facecolor="white")
        for i, (name, counts) in enumerate(stats.facts.items()):
            axes = figure.add_subplot(rows, columns, i + 1)
            axes.set_title(name, fontsize=10, color=_OF_SHEET.text, loc="left")
            _draw(axes, counts, baseline.facts.get(name, {}) if baseline else None, _OF_SHEET)
        return _saved(figure, kind, dpi=110)


def range_sheet(cells: ExpressiveRange, title: str, kind: str) -> bytes:
    """Draw an expressive range in one picture, as `png` or `svg`: the more levels in a cell, the darker."""
    grid = [[cells.cells.get((x, y), 0) for x in range(CELLS)] for y in range(CELLS)]
    with _figures() as figure_of:
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.ticker import MaxNLocator

        colours = ["#f4dcc0", _OF_SHEET.bar, "#4a2408"]
        shades = LinearSegmentedColormap.from_list("shades", colours).with_extremes(under="white")
        figure = figure_of(figsize=(6.4, 5.6), layout="constrained", facecolor="white")
        axes = figure.add_subplot()
        extent = (cells.x.least, cells.x.most, cells.y.least, cells.y.most)
        most = max(2, *map(max, grid))
        image = axes.imshow(
            grid, shades, origin="lower", extent=extent, aspect="auto", vmin=0.5, vmax=most, rasterized=True
        )
        axes.set_xlabel(cells.x.fact, color=_OF_SHEET.text)
        axes.set_ylabel(cells.y.fact, color=_OF_SHEET.text)
        told = f"{title}\n{len(cells.cells)} of {CELLS * CELLS} cells"
        axes.set_title(told, fontsize=10, color=_OF_SHEET.text, loc="left")
        for least, far, locate in ((*extent[:2], axes.set_xticks), (*extent[2:], axes.set_yticks)):
            locate([least + i * (far - least) / CELLS for i in range(CELLS + 1)], minor=True)
        axes.grid(which="minor", color=_OF_SHEET.line, linewidth=0.4)
        axes.tick_params(which="minor", length=0)
        axes.tick_params(labelsize=8, labelcolor=_OF_SHEET.text, color=_OF_SHEET.line)
        for spine in axes.spines.values():
            spine.set_color(_OF_SHEET.line)
        bar = figure.colorbar(image, ax=axes, label="levels", ticks=MaxNLocator(integer=True))
        bar.ax.tick_params(labelsize=8, labelcolor=_OF_SHEET.text)
        return _saved(figure, kind, dpi=110)


def inline_range(cells: ExpressiveRange) -> str:
    """Draw an expressive range as an SVG element in the page's colours: the more levels, the stronger."""
    with _figures() as figure_of:
        from matplotlib.patches import Rectangle

        figure = figure_of(figsize=(3.6, 3.2))
        axes = figure.add_axes((0.17, 0.17, 0.8, 0.8))
        most = max(cells.cells.values(), default=1)
        for (x, y), count in sorted(cells.cells.items()):
            strength = 0.25 + 0.75 * count / most
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=_OF_PAGE.bar, alpha=strength, linewidth=0))
        for axis, labels in ((axes.xaxis, cells.x.labels()), (axes.yaxis, cells.y.labels())):
            axis.set_ticks(range(0, CELLS, 4), labels[::4])
        axes.set(xlim=(0, CELLS), ylim=(0, CELLS))
        axes.set_xlabel(cells.x.fact, fontsize=8, color=_OF_PAGE.text)
        axes.set_ylabel(cells.y.fact, fontsize=8, color=_OF_PAGE.text)
        axes.grid(color=_OF_PAGE.line, linewidth=0.4)
        axes.tick_params(length=0, labelsize=8, labelcolor=_OF_PAGE.text)
        for spine in axes.spines.values():
            spine.set_color(_OF_PAGE.line)
        return _plain(_saved(figure, "svg", transparent=True), next(cells.rows()))


def need_matplotlib() -> None:
    """Raise BadInput, with the remedy, if matplotlib is missing."""
    if missing_of("plots"):
        raise BadInput(f"--html, --plot: plots need matplotlib; run {install_command('plots')}")


@contextmanager
def _figures() -> Iterator[type[Figure]]:
    """Yield the class of figures, with settings that give the same bytes everywhere."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it logs its search for fonts
    from matplotlib import rc_context, rcdefaults, rcParams
    from matplotlib.figure import Figure

    with rc_context():
        rcdefaults()  # ignore the user's settings
        rcParams["svg.hashsalt"] = "undercroft"
        rcParams["svg.fonttype"] = "none"
        rcParams["font.family"] = "DejaVu Sans"
        rcParams["text.parse_math"] = False  # dollar signs are plain text
        yield Figure


def _saved(figure: Figure, kind: str, **how: Any) -> bytes:
    """Write a figure without the time and matplotlib's version."""
    out = io.BytesIO()
    about = {"Date": None} if kind == "svg" else {"Software": None}
    figure.savefig(out, format=kind, metadata=about, **how)
    return out.getvalue()


def _draw(axes: Axes, counts: Counts, baseline: Counts | None, colours: Colours) -> None:
    bins = bins_of([counts] if baseline is None else [counts, baseline])
    places = range(len(bins.labels))
    axes.bar(
        places, bins.shares[0], 0.84, color=colours.bar, alpha=1 if baseline is None else 0.5, clip_on=False
    )
    if baseline is not None:
        edge = colours.outline
        axes.bar(places, bins.shares[1], 0.84, fill=False, edgecolor=edge, linewidth=1.4, clip_on=False)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(colours.line)
    axes.tick_params(length=0, labelsize=8, labelcolor=colours.text)
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    axes.locator_params(axis="y", nbins=3)
    axes.grid(axis="y", color=colours.line, linewidth=0.6)
    axes.set_axisbelow(True)
    step = max(1, -(-sum(len(label) + 1 for label in bins.labels) // _LABELS))
    axes.set_xticks(places[::step], bins.labels[::step])
    middle, half = (len(places) - 1) / 2, max(len(places) + 0.2, _MIN_BARS) / 2
    axes.set_xlim(middle - half, middle + half)


def _plain(picture: bytes, label: str) -> str:
    """Convert matplotlib's SVG to a page's element. Inline styles, which its policy forbids, become
    attributes.

    <path d="…" style="fill: #030303"/>      ->  <path d="…" fill="var(--accent)"/>
    <text style="font: 8px 'DejaVu Sans'; …" ->  <text font-size="8px" …
    """
    root = ElementTree.fromstring(picture)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in ("metadata", "defs", "use"):
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        style = element.attrib.pop("style", "")
        for name in ("id", "clip-path"):
            element.attrib.pop(name, None)
        for key, _, value in (part.strip().partition(": ") for part in style.split(";") if part.strip()):
            if key == "font":  # older versions write a single property
                element.set("font-size", re.findall(r"[\d.]+px", value)[0])
            elif key != "font-family":
                element.set(key, _STAND_INS.get(value, value))
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib |= {"class": "plot", "role": "img", "aria-label": label}
    return ElementTree.tostring(root, encoding="unicode")


# --- the page ----------------------------------------------------------------------------------------

_MAX_ROWS = 200  # per table
_MAX_FACTS = 250  # twice the number of facts; a baseline is not trusted
_MAX_PARTS = 24  # of a sweep, in words below each plot


def statistics(
    stats: Stats,
    title: str,
    baseline: Stats | None = None,
    moved: Mapping[str, float] | None = None,
    styles: Iterable[str] = (),
    cells: ExpressiveRange | None = None,
    parts: Mapping[str, Stats] | None = None,
) -> bytes:
    """Write the page. `moved` are the facts whose distributions moved, in display order, with the distance.

    `styles` are the styles of the levels, whose facts are explained too. `cells` are drawn before the facts.
    `parts` are what was counted for each of the values of a sweep, which `stats` has together.
    """
    moved, helps, parts = moved or {}, _helps(styles), parts or {}
    apart = parts if len(parts) <= _MAX_PARTS else {}
    rest = {name: counts for name, counts in stats.facts.items() if name not in moved}
    same = {name: next(iter(counts)) for name, counts in rest.items() if len(counts) == 1}
    names = [*moved, *(name for name in rest if name not in same)][:_MAX_FACTS]
    facts = "\n".join(
        _fact(name, helps.get(name, ""), stats, baseline, moved.get(name), apart) for name in names
    )
    if cells:
        facts = f"{_range(cells)}\n{facts}"
    heading = how_many(stats.levels, "level")
    if parts:
        heading += ": all values of the sweep together" + ", and in words one by one" * bool(apart)
    if baseline:
        heading += f", against {baseline.levels}: {len(moved)} of {len(moved) + len(rest)} facts moved"
    body = Template(asset("statistics.html")).substitute(
        title=escaped(title),
        told=escaped(heading),
        legend=asset("legend.html") if baseline else "",
        facts=facts,
        same="".join(
            f"<li><code>{escaped(name)}</code> {escaped(answer)}</li>" for name, answer in same.items()
        ),
    )
    return page(title, body, styles=("common.css", "statistics.css"), scripts=("common.js", "statistics.js"))


def _fact(
    name: str,
    help: str,
    stats: Stats,
    baseline: Stats | None,
    moved: float | None,
    parts: Mapping[str, Stats],
) -> str:
    nothing: Mapping[Answer, int] = {}
    counts = stats.facts.get(name, nothing)
    before = None if baseline is None else baseline.facts.get(name, nothing)
    text = summary(counts)
    of_parts = "".join(
        f'<p class="said"><code>{escaped(label)}</code> {escaped(summary(part.facts.get(name, {})))}</p>'
        for label, part in parts.items()
    )
    badge = "" if moved is None else f'<p class="moved">moved by {moved:.3f}</p>'
    return (
        f'<li class="fact" data-name="{escaped(name)}"><h2><code>{escaped(name)}</code></h2>'
        f'<p class="help">{escaped(help)}</p>{badge}'
        f"{inline_svg(counts, before, f'{name}: {text}')}"
        f'<p class="said">{escaped(text)}</p>{of_parts}{_table(counts, before)}</li>'
    )


def _range(cells: ExpressiveRange) -> str:
    name = f"{cells.x.fact} × {cells.y.fact}"
    return (
        f'<li class="fact" data-name="{escaped(name)}"><h2><code>{escaped(name)}</code></h2>'
        '<p class="help">the expressive range: the stronger, the more levels</p>'
        f'{inline_range(cells)}<p class="said">{escaped(next(cells.rows()))}</p></li>'
    )


def _helps(styles: Iterable[str]) -> dict[str, str]:
    """Collect the description of each fact, by its full name."""
    facts = facts_of(styles).values()
    helps = {name: fact.help for fact in facts for name in (fact.name, *map(fact.written, fact.of))}
    return helps | {FAILED: "seeds for which no level was found"}


def _table(counts: Mapping[Answer, int], before: Mapping[Answer, int] | None) -> str:
    """Write one row per answer: the number of levels, their share, and the baseline's."""
    columns = [counts] if before is None else [counts, before]
    totals = [sum(column.values()) or 1 for column in columns]
    answers = [answer for answer, _ in ordered({answer: 0 for column in columns for answer in column})]
    rows = []
    for answer in answers[:_MAX_ROWS]:
        shares = [
            f"{column.get(answer, 0) / total:.2%}" for column, total in zip(columns, totals, strict=True)
        ]
        cells = "".join(f"<td>{cell}</td>" for cell in (counts.get(answer, 0), *shares))
        rows.append(f'<tr><th scope="row">{escaped("none" if answer is None else answer)}</th>{cells}</tr>')
    if len(answers) > _MAX_ROWS:
        rows.append(f'<tr><th scope="row">and {len(answers) - _MAX_ROWS} more</th></tr>')
    words = ("answer", "levels", "share", "before")[: 2 + len(columns)]
    head = "".join(f'<th scope="col">{word}</th>' for word in words)
    return (
        f"<details><summary>Numbers</summary><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></details>"
    )
