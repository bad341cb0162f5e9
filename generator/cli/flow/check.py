"""`undercroft flow check`: what is wrong with flows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, GenerationFailed, UndercroftError, one_line
from generator.files import open_file

if TYPE_CHECKING:
    from generator.styles.gungeon.flows.records import Flow
    from generator.styles.gungeon.spec import GungeonSpec

SEEDS = 20  # that a flow is grown from


@click.command("check", cls=HelpfulCommand)
@click.argument(
    "flows", metavar="FLOW|FILE...", nargs=-1, required=True, shell_complete=common.completes("flows")
)
@click.option(
    "--seeds",
    default=SEEDS,
    metavar="NUMBER",
    type=click.IntRange(1, 10_000),
    help=f"How many seeds to grow each flow from. Default: {SEEDS}.",
)
@common.kit_of_flow_option
@click.option(
    "--layouts",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="Your own layouts, as in a spec's `layouts`, if rooms ask for them.",
)
@common.json_option
def command(
    flows: tuple[str, ...], seeds: int, kit: Path | None, layouts: Path | None, as_json: bool
) -> None:
    """Read flows, grow each from several seeds, and prove that nobody can get stuck in the result.

    The layouts and tags that rooms ask for are looked up too. Every problem is one line. Exit status 1 if
    there is any.
    """
    from generator.styles.gungeon.flows.library import named_flows
    from generator.styles.gungeon.spec import GungeonSpec

    for choice in (named for flow in flows for named in named_flows(flow)):
        if choice.is_file:
            open_file(Path(choice.name), BadInput).close()
    spec = GungeonSpec(kit=str(kit or ""), layouts=str(layouts or ""))
    problems = [
        {"flow": flow, "problem": problem} for flow in flows for problem in flow_problems(flow, seeds, spec)
    ]
    common.tell_problems(problems, as_json, 0 if problems else sum(map(_number, flows)), "flow")


def flow_problems(text: str, seeds: int, spec: GungeonSpec | None = None) -> list[str]:
    """List, once each, the first problem of each flow a text names, or those of what its rules make of it.

    A spec tells the kit and a team's own layouts. Without one nobody knows those, and they are passed over.
    """
    from generator.styles.gungeon.flows.library import named_flows
    from generator.styles.gungeon.flows.records import RANDOM

    try:
        names = [choice.name for choice in named_flows(text) if choice.name != RANDOM]
        return [problem for name in names for problem in _problems(name, seeds, spec)]
    except UndercroftError as error:
        return [str(error)]


def _number(text: str) -> int:
    """Count the flows a text names that can be read."""
    from generator.styles.gungeon.flows.library import named_flows

    return len(named_flows(text))


def _problems(name: str, seeds: int, spec: GungeonSpec | None) -> list[str]:
    from generator.kinds import shipped_kit
    from generator.styles.gungeon.flows.grow import grow
    from generator.styles.gungeon.flows.library import load_flow
    from generator.styles.gungeon.flows.proof import flow_problem

    flow = load_flow(name, spec.load_kit() if spec else shipped_kit())
    problems = dict.fromkeys(_asked(flow, spec))
    for seed in range(seeds):
        try:
            grown = grow(flow, seed)
            problems.update(dict.fromkeys([*filter(None, [flow_problem(grown)]), *_asked(grown, spec)]))
        except GenerationFailed as error:
            problems[error.reason] = None
        except UndercroftError as error:
            problems[str(error)] = None
    return [one_line(f"{name}: {problem}") for problem in problems]


def _asked(flow: Flow, spec: GungeonSpec | None) -> Iterator[str]:
    """Yield what rooms ask for that does not exist."""
    from generator.styles.gungeon.flow_dealing import layout_problem, tag_problem
    from generator.styles.gungeon.spec import GungeonSpec

    for problem in (
        layout_problem(flow, spec or GungeonSpec(), with_own=spec is not None),
        tag_problem(flow, spec) if spec else None,
    ):
        if problem:
            yield problem
