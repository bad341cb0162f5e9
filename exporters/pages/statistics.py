"""Distributions on a page: a plot a fact, what it says in words, and its numbers; moved ones first."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

from exporters.pages.page import asset, escaped, page
from exporters.pages.plots import inline_svg
from generator.batch.facts import FACTS, Answer
from generator.batch.stats import FAILED, Stats, ordered, summary

_MOST_ROWS = 200  # of a fact's table


def statistics(
    stats: Stats, title: str, baseline: Stats | None = None, moved: Mapping[str, float] | None = None
) -> bytes:
    """The page. `moved` are the facts whose distributions did, with how far, in the order to be shown."""
    moved = moved or {}
    same = {
        name: answer for name, (answer, *others) in stats.facts.items() if not others and name not in moved
    }
    names = [
        *(name for name in moved if name in stats.facts),
        *(name for name in stats.facts if name not in moved),
    ]
    names = [name for name in names if name not in same]
    facts = "\n".join(_fact(name, stats, baseline, moved.get(name)) for name in names)
    told = f"{stats.levels} levels"
    if baseline:
        told += f", against {baseline.levels}: {len(moved)} of {len(stats.facts)} facts moved"
    body = Template(asset("statistics.html")).substitute(
        title=escaped(title),
        told=escaped(told),
        legend=asset("legend.html") if baseline else "",
        facts=facts,
        same="".join(
            f"<li><code>{escaped(name)}</code> {escaped(answer)}</li>" for name, answer in same.items()
        ),
    )
    return page(title, body, styles=("common.css", "statistics.css"), scripts=("common.js", "statistics.js"))


def _fact(name: str, stats: Stats, baseline: Stats | None, moved: float | None) -> str:
    counts = stats.facts[name]
    before = baseline.facts.get(name, {}) if baseline else None
    said = summary(counts)
    badge = f'<p class="moved">moved by {moved:.3f}</p>' if moved is not None else ""
    return (
        f'<li class="fact" data-name="{escaped(name)}"><h2><code>{escaped(name)}</code></h2>'
        f'<p class="help">{escaped(_help(name))}</p>{badge}'
        f"{inline_svg(counts, before, f'{name}: {said}')}"
        f'<p class="said">{escaped(said)}</p>{_table(counts, before)}</li>'
    )


def _help(name: str) -> str:
    if name == FAILED:
        return "seeds that no level was found for"
    for fact in FACTS.values():
        if name in (fact.name, *(fact.written(word) for word in fact.of)):
            return fact.help
    return ""


def _table(counts: Mapping[Answer, int], before: Mapping[Answer, int] | None) -> str:
    others: Mapping[Answer, int] = before or {}
    totals = sum(counts.values()) or 1, sum(others.values()) or 1
    rows = ordered({**dict.fromkeys(others, 0), **counts})
    head = "<th>answer</th><th>levels</th><th>share</th>" + ("" if before is None else "<th>before</th>")
    lines = []
    for answer, count in rows[:_MOST_ROWS]:
        cells = [count, f"{count / totals[0]:.2%}"]
        cells += [] if before is None else [f"{others.get(answer, 0) / totals[1]:.2%}"]
        name = "none" if answer is None else answer
        lines.append(
            f'<tr><th scope="row">{escaped(name)}</th>' + "".join(f"<td>{cell}</td>" for cell in cells)
        )
    if len(rows) > _MOST_ROWS:
        lines.append(f'<tr><th scope="row">{len(rows) - _MOST_ROWS} more</th>')
    return (
        "<details><summary>Numbers</summary><table><thead><tr>"
        + head + "</tr></thead><tbody>" + "</tr>".join(lines) + "</tr></tbody></table></details>"
    )  # fmt: skip
