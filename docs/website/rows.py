"""What stands in the code once: keys of kits, rules of levels, the roster, and the folders of the code."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from website import markdown

if TYPE_CHECKING:
    from generator.checks import Check

ROOT = Path(__file__).parents[2]


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


def folders() -> str:
    """A table of the folders of code: what is in each, and which others it imports."""
    layers: dict[str, list[str]] = tomllib.loads((ROOT / "tests" / "layers.toml").read_text("utf-8"))
    rows = (
        (markdown.code(folder), markdown.plain(_first_line(folder)), markdown.codes(imports))
        for folder, imports in layers.items()
    )
    return markdown.values(("folder", "what is in it", "imports of other folders"), rows)


def _first_line(folder: str) -> str:
    """What the documentation of a package begins with."""
    said = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text("utf-8"))) or ""
    return said.partition("\n")[0]


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
