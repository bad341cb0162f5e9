"""`undercroft flow show`: a flow as text, as a graph in DOT, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common
from generator.errors import BadInput

if TYPE_CHECKING:
    from generator.kinds import Kit
    from generator.styles.gungeon.flows.records import Flow


@click.command("show")
@click.argument("flow", metavar="FLOW|FILE", required=False)
@common.seed_option
@common.kit_of_flow_option
@click.option("--dot", "as_dot", is_flag=True, help="Print it as a graph in DOT, for Graphviz and others.")
@click.option("--svg", "as_svg", is_flag=True, help="Print it as a picture in SVG.")
@click.option("--toml", "as_toml", is_flag=True, help="Print the file of a shipped flow.")
def command(
    flow: str | None, seed: str | None, kit: Path | None, as_dot: bool, as_svg: bool, as_toml: bool
) -> None:
    """Print a flow: a shipped one's name, or a TOML file. Without one, list the shipped flows.

    With --seed it is grown first: with all rooms that its rules insert, and a room for each key. Of several
    (`descent 3, hub`) it is the one that the seed picks.
    """
    from generator.styles.gungeon.flows.drawn import dot, rows, svg
    from generator.styles.gungeon.flows.library import flow_text, shipped_flows

    if as_dot + as_svg + as_toml > 1:
        raise BadInput("--dot, --svg and --toml do not go together; give one of them")
    if as_toml and seed is not None:
        raise BadInput("--seed: does not go with --toml, which prints the file as it is; leave one out")
    if flow is None:
        for name in shipped_flows():
            click.echo(f"{name:16} {flow_text(name).splitlines()[0].removeprefix('# ')}")
    elif as_toml:
        click.echo(flow_text(flow), nl=False)
    else:
        plan = _plan(flow, seed, common.kit_in(kit))
        click.echo(dot(plan) if as_dot else svg(plan) if as_svg else "\n".join([*rows(plan), ""]), nl=False)


def _plan(flow: str, seed: str | None, kit: Kit) -> Flow:
    """The flow that a text names, or of several the one that a seed picks; grown if there is a seed."""
    from generator.seeds import read_seed
    from generator.styles.gungeon.flows.library import chosen_flow, load_flow, named_flows
    from generator.styles.gungeon.spec import RANDOM

    named = named_flows(flow)
    if seed is None and len(named) > 1:
        raise BadInput(f"{flow}: names {len(named)} flows; give one of them, or --seed to have one picked")
    if seed is not None:
        plan = chosen_flow(", ".join(each.text for each in named), read_seed(seed)[0], kit)
    else:
        plan = load_flow(named[0].name, kit) if named[0].name != RANDOM else None
    if plan is None:
        raise BadInput(f"{flow}: has no plan to show; name a flow")
    return plan
