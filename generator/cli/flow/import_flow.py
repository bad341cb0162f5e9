"""`undercroft flow import`: a flow from a graph of another tool."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("import")
@click.argument("graph", metavar="FILE.dot|FILE.graphml", type=click.Path(path_type=Path))
def command(graph: Path) -> None:
    """Print the TOML of a flow with the rooms and connections of a graph in DOT (.dot, .gv) or GraphML.

    Nodes and edges may have the words of a flow as attributes: kind, tags, keys, one_way, needs and so on.
    """
    from generator.styles.gungeon.flows.graphs import flow_from_graph

    click.echo(flow_from_graph(graph), nl=False)
