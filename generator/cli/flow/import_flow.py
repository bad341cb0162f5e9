"""`undercroft flow import`: a flow from a graph of another tool."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common, json_lines
from generator.cli.helpful import HelpfulCommand


@click.command("import", cls=HelpfulCommand)
@click.argument("graph", metavar="FILE.dot|FILE.graphml", type=click.Path(path_type=Path))
@common.json_option
def command(graph: Path, as_json: bool) -> None:
    """Print the TOML of a flow with the rooms and connections of a graph in DOT (.dot, .gv) or GraphML.

    Nodes and edges may carry the keys of a flow as attributes: kind, tags, keys, one_way, needs and so on.
    """
    from generator.styles.gungeon.flows.graphs import flow_from_graph

    toml = flow_from_graph(graph)
    if as_json:
        json_lines.emit("flow", name=graph.stem, toml=toml)
    else:
        click.echo(toml, nl=False)
