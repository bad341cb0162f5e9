"""The rows and rules of the shipped kit and styles: every key of a kit, every rule of levels, the roster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from website import markdown

if TYPE_CHECKING:
    from generator.checks import Check


def every_key() -> str:
    """Every table of a kit with its keys, as `undercroft kit keys` prints it."""
    from generator.kinds.reference import reference

    return reference()


def every_rule() -> str:
    """A table of the rules that `check` holds levels against, for all styles and for each."""
    from generator.checks import CHECKS
    from generator.styles.registry import BUILT_IN, style

    parts = [f"## All styles\n\n{_rules(CHECKS, 'all')}"]
    parts += [f"## {name}\n\n{_rules(style(name).checks(), name)}" for name in BUILT_IN]
    return "".join(parts)


def roster() -> str:
    """A table of the enemies, from the first chapter on."""
    from generator.kinds import ROSTER

    rows = (
        (
            markdown.anchored(f"enemy-{name}", markdown.code(name)),
            str(enemy.chapter),
            enemy.role,
            str(enemy.cost),
            ", ".join(enemy.habits) + (f" ({markdown.code(enemy.makes)})" if enemy.makes else ""),
        )
        for name, enemy in ROSTER.items()
    )
    return markdown.table(("name", "from chapter", "role", "cost", "habits"), rows)


def _rules(checks: Iterable[Check], where: str) -> str:
    return markdown.values(("rule", "what it checks", "may be broken"), _rows(checks, where))


def _rows(checks: Iterable[Check], where: str) -> Iterator[tuple[str, str, str]]:
    """The rules with the first paragraphs of what their code says about them."""
    from generator.checks import REQUIRED, name_of

    for check in checks:
        name = name_of(check)
        said = " ".join((check.__doc__ or "").partition("\n\n")[0].split()).removeprefix("Check that ")
        allow = "" if check in REQUIRED else markdown.code(f"--allow {name}")
        yield (
            markdown.anchored(f"{where}-{name}", markdown.code(name)),
            markdown.plain(said[0].upper() + said[1:]),
            allow,
        )
