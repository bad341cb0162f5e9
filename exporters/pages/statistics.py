"""Distributions on a page: for each fact a plot, a summary and the numbers. Facts that moved come first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import Template

from exporters.pages.page import asset, escaped, page
from exporters.pages.plots import inline_svg
from generator.batch.facts import Answer, facts_of
from generator.batch.stats import FAILED, Stats, ordered, summary
from generator.value_words import how_many

_MAX_ROWS = 200  # per table
_MAX_FACTS = 250  # twice the number of facts; a baseline is not trusted


def statistics(
    stats: Stats,
    title: str,
    baseline: Stats | None = None,
    moved: Mapping[str, float] | None = None,
    styles: Iterable[str] = (),
) -> bytes:
    """Write the page. `moved` are the facts whose distributions moved, in display order, with the distance.

    `styles` are the styles of the levels, whose facts are explained too.
    """
    moved, helps = moved or {}, _helps(styles)
    rest = {name: counts for name, counts in stats.facts.items() if name not in moved}
    same = {name: next(iter(counts)) for name, counts in rest.items() if len(counts) == 1}
    names = [*moved, *(name for name in rest if name not in same)][:_MAX_FACTS]
    facts = "\n".join(_fact(name, helps.get(name, ""), stats, baseline, moved.get(name)) for name in names)
    heading = how_many(stats.levels, "level")
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


def _fact(name: str, help: str, stats: Stats, baseline: Stats | None, moved: float | None) -> str:
    nothing: Mapping[Answer, int] = {}
    counts = stats.facts.get(name, nothing)
    before = None if baseline is None else baseline.facts.get(name, nothing)
    text = summary(counts)
    badge = "" if moved is None else f'<p class="moved">moved by {moved:.3f}</p>'
    return (
        f'<li class="fact" data-name="{escaped(name)}"><h2><code>{escaped(name)}</code></h2>'
        f'<p class="help">{escaped(help)}</p>{badge}'
        f"{inline_svg(counts, before, f'{name}: {text}')}"
        f'<p class="said">{escaped(text)}</p>{_table(counts, before)}</li>'
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
