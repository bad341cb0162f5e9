"""A run on one page: a table of its stages, with their rooms and bosses, above the gallery of its levels."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from string import Template

from exporters.pages.cards import CardOptions, card
from exporters.pages.gallery import gallery
from exporters.pages.page import asset, escaped
from exporters.theme.loader import load_theme
from generator.kinds import SHIPPED, Kinds
from generator.level import Level
from generator.runs import RunSummary, StageSummary, run_summary


def run_page(levels: Sequence[Level], theme: Path | None, title: str, command: Sequence[str]) -> bytes:
    """Write the page of a run's levels, in order. `command` with a seed and stage makes one of them again.

    Raises ThemeError, and BadInput if the page would be too large.
    """
    summary = run_summary(levels)
    styles = tuple(dict.fromkeys(level.style for level in levels))
    look = CardOptions(None, theme, styles)
    cards = [
        card(level, look, f"Stage {row.stage}, {row.chapter}", title, _command(command, level, row.stage))
        for level, row in zip(levels, summary.stages, strict=True)
    ]
    kinds = levels[0].kinds if levels else SHIPPED
    return gallery(cards, load_theme(theme), title, styles=styles, head=_head(summary, kinds))


def _command(words: Sequence[str], level: Level, stage: int) -> str:
    seed = level.seed_text or str(level.seed)
    return shlex.join([*words, "--seed", seed, "--stages", f"{stage}:{stage + 1}"])


def _head(summary: RunSummary, known: Kinds) -> str:
    most = max((stage.rooms for stage in summary.stages), default=1)
    return Template(asset("run.html")).substitute(
        rooms=summary.rooms,
        layouts=len(summary.layouts),
        repeats=f"{summary.repeats:.0%}",
        most=summary.most,
        rows="\n".join(_row(stage, most, known) for stage in summary.stages),
    )


def _row(stage: StageSummary, most: int, known: Kinds) -> str:
    kinds = "".join(
        f'<li><svg class="dot" viewBox="0 0 1 1" role="presentation"><rect width="1" height="1" '
        f'fill="{escaped(known.room(kind).color)}"/></svg>{escaped(kind.replace("_", " "))}'
        f"{f' {count}' if count > 1 else ''}</li>"
        for kind, count in stage.special_rooms.items()
    )
    bosses = ", ".join(map(escaped, stage.bosses)) or "-"
    minor = f"<small>{', '.join(map(escaped, stage.mini_bosses))}</small>" if stage.mini_bosses else ""
    state = stage.state
    hearts = f"{_half(state.get('red_hearts', 0))}/{_half(state.get('heart_containers', 0))}"
    hearts += f" +{_half(state['soul_hearts'])}" if state.get("soul_hearts") else ""
    curse = f"<small>curse of the {escaped(stage.curse)}</small>" if stage.curse != "none" else ""
    return (
        f"<tr><th scope=row>{stage.stage}</th><td>{escaped(stage.chapter)}{curse}</td>"
        f"<td>{_bar(stage, most)}{stage.rooms}</td><td>{1 - stage.new / max(1, stage.rooms):.0%}</td>"
        f"<td>{stage.enemies}</td><td>{bosses}{minor}</td><td><ul role=list>{kinds}</ul></td>"
        f"<td>{hearts}</td><td>{state.get('keys', 0)}</td><td>{state.get('coins', 0)}</td></tr>"
    )


def _half(halves: object) -> str:
    """Convert a number of half hearts to hearts."""
    return f"{int(str(halves)) / 2:g}"


def _bar(stage: StageSummary, most: int) -> str:
    """Draw a bar for the number of rooms and the share of new ones."""
    return (
        f'<svg class="share" viewBox="0 0 {most} 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="again" width="{stage.rooms}" height="1"/><rect width="{stage.new}" height="1"/></svg>'
    )
