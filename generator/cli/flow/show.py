"""`undercroft flow show`: a flow as text, as a graph in DOT, or as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput

if TYPE_CHECKING:
    from generator.kinds import Kit
    from generator.styles.gungeon.flows.records import Flow


@click.command("show", cls=HelpfulCommand)
@click.argument("flow", metavar="FLOW|FILE", required=False, shell_complete=common.completes("flows"))
@common.seed_option
@common.kit_of_flow_option
@click.option(
    "--dot", "as_dot", is_flag=True, help="Print the flow as a graph in DOT, for Graphviz and others."
)
@click.option("--svg", "as_svg", is_flag=True, help="Print the flow as an SVG picture.")
@click.option("--toml", "as_toml", is_flag=True, help="Print the file of a shipped flow.")
@common.json_option
def command(
    flow: str | None,
    seed: str | None,
    kit: Path | None,
    as_dot: bool,
    as_svg: bool,
    as_toml: bool,
    as_json: bool,
) -> None:
    """Print a flow: the name of a shipped one, or a TOML file. Without FLOW, list the shipped flows.

    With --seed the flow is grown first: it has all rooms that its rules insert, and a room for each key. Of
    several flows (`descent 3, hub`) the seed picks one.
    """
    from generator.styles.gungeon.flows.drawn import dot, rows, svg
    from generator.styles.gungeon.flows.library import flow_text, shipped_flows

    if as_dot + as_svg + as_toml > 1:
        raise BadInput("--dot, --svg and --toml do not go together; give one of them")
    if as_toml and seed is not None:
        raise BadInput("--seed: does not go with --toml, which prints the file as it is; leave one out")
    if flow is None and (as_dot or as_svg or as_toml):
        raise BadInput(f"--dot, --svg, --toml: name a flow too; there are {', '.join(shipped_flows())}")
    if flow is None:
        _list(as_json)
    elif as_toml:
        text = flow_text(flow)
        _print({"name": flow, "toml": text}, text, as_json)
    else:
        plan = _plan(flow, seed, common.kit_in(kit))
        if as_dot or as_svg:
            text = dot(plan) if as_dot else svg(plan)
            _print({"name": plan.name, "dot" if as_dot else "svg": text}, text, as_json)
        else:
            _print(_facts(plan), "\n".join([*rows(plan), ""]), as_json)


def _list(as_json: bool) -> None:
    from generator.styles.gungeon.flows.library import flow_text, shipped_flows

    for name in shipped_flows():
        summary = flow_text(name).splitlines()[0].removeprefix("# ")
        _print({"name": name, "summary": summary}, f"{name:16} {summary}\n", as_json)


def _print(facts: Mapping[str, object], text: str, as_json: bool) -> None:
    if as_json:
        json_lines.emit("flow", **facts)
    else:
        click.echo(text, nl=False)


def _facts(plan: Flow) -> dict[str, object]:
    """Return the rooms, connections, locks and keys of a flow, and the rules that are still to be applied."""
    rooms = [{**room._asdict(), "tags": sorted(room.tags)} for room in plan.rooms]
    tables = (plan.connections, plan.locks, plan.keys, plan.uses)
    connections, locks, keys, rules = ([row._asdict() for row in table] for table in tables)
    return {
        "name": plan.name,
        "rooms": rooms,
        "connections": connections,
        "locks": locks,
        "keys": keys,
        "rules": rules,
    }


def _plan(flow: str, seed: str | None, kit: Kit) -> Flow:
    """Load the flow that a text names, or of several the one that a seed picks, grown if there is a seed."""
    from generator.seeds import read_seed
    from generator.styles.gungeon.flows.library import chosen_flow, load_flow, named_flows
    from generator.styles.gungeon.flows.records import RANDOM

    named = named_flows(flow)
    if seed is None and len(named) > 1:
        raise BadInput(f"{flow}: names {len(named)} flows; give one of them, or --seed to have one picked")
    if seed is not None:
        plan = chosen_flow(", ".join(choice.text for choice in named), read_seed(seed)[0], kit)
    else:
        plan = load_flow(named[0].name, kit) if named[0].name != RANDOM else None
    if plan is None:
        raise BadInput(f"{flow}: has no plan to show; name a flow")
    return plan
