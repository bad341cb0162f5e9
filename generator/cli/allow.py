"""`--allow RULE`: rules that a level may break on purpose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from generator.cli import common
from generator.errors import BadInput, unknown


def _known_rules(_ctx: click.Context, _param: click.Parameter, rules: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rules that were given. Raises BadInput for one that is unknown or that every level needs."""
    if rules:
        from generator.checks import REQUIRED, name_of, rules_to_allow

        needed, known = {name_of(check) for check in REQUIRED}, rules_to_allow()
        for rule in rules:
            if rule in needed:
                raise BadInput(
                    f"--allow: {rule} cannot be allowed: every level must follow it; fix the level"
                )
            if rule not in known:
                raise BadInput(f"--allow: {unknown('rule', rule, known)}")
    return rules


allow_option = click.option(
    "--allow",
    multiple=True,
    metavar="RULE",
    callback=_known_rules,
    shell_complete=common.completes("rules"),
    help="A rule that levels may break, such as fair-at-the-door: reported as a note, without effect on the "
    "exit status. Repeat as needed.",
)


def parted(lines: Iterable[str], allow: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a level's problems into its own and those of allowed rules. Lines end with their rule."""
    endings = tuple(f" [{rule}]" for rule in allow)
    problems: list[str] = []
    notes: list[str] = []
    for line in lines:
        (notes if line.endswith(endings) else problems).append(line)
    return problems, notes
