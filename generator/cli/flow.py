"""`undercroft flow`: the plans of levels, shown, grown, checked, imported and exported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, runs, streams, writing
from generator.cli.helpful import HelpfulGroup, named_argument
from generator.cli.printed_toml import print_toml
from generator.cli.recognise import kit_folder_of
from generator.errors import BadInput, GenerationFailed, UndercroftError, one_line
from generator.files import open_file
from generator.seeds import count_of

if TYPE_CHECKING:
    from generator.kinds import Kit
    from generator.styles.gungeon.flows.records import Flow
    from generator.styles.gungeon.spec import GungeonSpec

SEEDS = 20  # that a flow is grown from


class _Flows(HelpfulGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands, in the order of the help."""
        return list(self.commands)


@click.group(cls=_Flows)
def command() -> None:
    """Show, grow, check, import and export flows, the plans that levels of the style gungeon follow."""


@command.command("show", short_help="Print a flow as text, as a graph or as a picture")
@named_argument("flow", metavar="FLOW|FILE", required=False, shell_complete=common.completes("flows"))
@common.seed_option
@common.kit_of_flow_option
@click.option(
    "--dot", "as_dot", is_flag=True, help="Print the flow as a graph in DOT, for Graphviz and others."
)
@click.option("--svg", "as_svg", is_flag=True, help="Print the flow as an SVG picture.")
@click.option("--toml", "as_toml", is_flag=True, help="Print the file of a shipped flow.")
@common.json_option
def show(
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
    from generator.styles.gungeon.flows.drawn import dot, rows
    from generator.styles.gungeon.flows.library import flow_text
    from generator.styles.gungeon.flows.pictures import svg
    from generator.styles.gungeon.flows.records import shipped_flows

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
        _print_toml(flow, text, as_json)
    else:
        at_hand = common.kit_in(kit)
        plan = _plan(flow, seed, at_hand)
        if as_dot or as_svg:
            text = dot(plan) if as_dot else svg(plan, at_hand.kinds)
            _print({"name": plan.name, "dot" if as_dot else "svg": text}, text, as_json)
        else:
            _print(_facts(plan), "\n".join([*rows(plan), ""]), as_json)


def _list(as_json: bool) -> None:
    from generator.styles.gungeon.flows.library import flow_text
    from generator.styles.gungeon.flows.records import shipped_flows

    for name in shipped_flows():
        summary = flow_text(name).splitlines()[0].removeprefix("# ")
        _print({"name": name, "summary": summary}, f"{name:16} {summary}\n", as_json)


def _print(facts: Mapping[str, object], text: str, as_json: bool) -> None:
    if as_json:
        json_lines.emit("flow", **facts)
    else:
        click.echo(text, nl=False)


def _print_toml(name: str, text: str, as_json: bool) -> None:
    if as_json:
        json_lines.emit("flow", name=name, toml=text)
    else:
        print_toml(text, "flow")


def _facts(plan: Flow) -> dict[str, object]:
    """Return the rooms, connections, locks and keys of a flow, its rules, and its budget if it has one."""
    rooms = [{**room._asdict(), "tags": sorted(room.tags)} for room in plan.rooms]
    tables = (plan.connections, plan.locks, plan.keys, plan.uses)
    rows = ([row._asdict() for row in table] for table in tables)
    names = ("connections", "locks", "keys", "rules")
    budget = {"grow": {"rooms": plan.budget}} if plan.budget else {}
    return {"name": plan.name, "rooms": rooms, **dict(zip(names, rows, strict=True)), **budget}


def _plan(flow: str, seed: str | None, kit: Kit) -> Flow:
    """Load the flow that a text names, or of several the one that a seed picks, grown if there is a seed."""
    from generator.seeds import read_seed
    from generator.styles.gungeon.flows.library import chosen_flow, load_flow, named_flows
    from generator.styles.gungeon.flows.records import WITHOUT_PLAN

    named = named_flows(flow)
    if seed is None and len(named) > 1:
        raise BadInput(f"{flow}: names {len(named)} flows; give one of them, or --seed to have one picked")
    if seed is not None:
        plan = chosen_flow(", ".join(choice.text for choice in named), read_seed(seed)[0], kit)
    else:
        plan = load_flow(named[0].name, kit) if named[0].name not in WITHOUT_PLAN else None
    if plan is None:
        raise BadInput(f"{flow}: has no plan to show; name a flow")
    return plan


_MAX_PLANS = 100  # in one picture


@command.command("grow", short_help="Draw what a flow grows into, several plans side by side")
@named_argument("flow", metavar="FLOW|FILE", shell_complete=common.completes("flows"))
@runs.seeds_option(default="0:9", show_default=True)
@common.kit_of_flow_option
@click.option(
    "--to", "kind", type=click.Choice(["png", "svg"]), default="png", help="The format. Default: png."
)
@common.out_option("the picture")
@writing.writes_files()
def grow_plans(
    flow: str, seeds: str, kit: Path | None, kind: str, out: Path, output: writing.WriteOptions
) -> None:
    """Draw the plans that a flow grows into, one for each seed, in one picture: NAME-plans.png.

    Above each plan are its seed, its number of rooms, its linearity and the share of its dead ends.
    """
    from generator.kinds.style_names import GUNGEON
    from generator.styles.gungeon.flows.library import named_flows
    from generator.styles.gungeon.flows.pictures import png, sheet_svg

    chosen = runs.own_seeds_of(seeds, GUNGEON)
    if out.suffix.lower() in (".png", ".svg") and not out.is_dir():
        raise BadInput(
            f"--out: {out}: is the name of a picture; give the folder that NAME-plans.{kind} goes to"
        )
    if count_of(chosen) > _MAX_PLANS:
        raise BadInput(f"--seeds: {seeds}: more than {_MAX_PLANS} plans do not fit in a picture; give fewer")
    named, at_hand = named_flows(flow), common.kit_in(kit)
    name = Path(named[0].name).stem if len(named) == 1 else "flows"
    if streams.is_dash(out):
        streams.refuse_on_terminal("--out", f"{name}-plans.{kind}")
    writing.bundle_of(out / f"{name}-plans.{kind}", b"")  # refuses a bad name before the work
    plans = [_plan(flow, str(seed), at_hand) for seed in chosen]
    titles = [f"seed {seed}: {_in_short(plan)}" for seed, plan in zip(chosen, plans, strict=True)]
    text = sheet_svg(list(zip(titles, plans, strict=True)), at_hand.kinds)
    made_from = [Path(choice.name) for choice in named if choice.is_file]
    bundle = writing.bundle_of(
        out / f"{name}-plans.{kind}", png(text) if kind == "png" else text.encode(), made_from
    )
    if streams.is_dash(out):
        streams.print_bundle(bundle)
    else:
        output.report(output.write_quietly(bundle, out), {"name": name})


def _in_short(plan: Flow) -> str:
    """Return the figures of a plan in a line."""
    from generator.styles.gungeon.flows.drawn import dead_end_share, linearity

    figures = (f"linearity {linearity(plan):.2f}", f"dead ends {dead_end_share(plan):.2f}")
    return ", ".join([f"{len(plan.rooms)} rooms", *figures])


@command.command("check", short_help="Prove that nobody gets stuck in a flow")
@named_argument(
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
    type=common.ANY_PATH,
    metavar="DIR|FILE",
    help="Your own layouts, as in a spec's `layouts`, if rooms ask for them.",
)
@common.json_option
def check(flows: tuple[str, ...], seeds: int, kit: Path | None, layouts: Path | None, as_json: bool) -> None:
    """Read flows, grow each from several seeds, and prove that nobody can get stuck in the result.

    The layouts and tags that rooms ask for are looked up too. Every problem is one line. Exit status 1 if
    there is any.
    """
    from generator.kinds.kit_problems import kit_problems
    from generator.styles.gungeon.flows.library import named_flows
    from generator.styles.gungeon.spec import GungeonSpec

    named = [choice for flow in flows for choice in named_flows(flow)]
    for choice in named:
        if choice.is_file:
            open_file(Path(choice.name), BadInput).close()
    problems: list[dict[str, str]] = []
    of_kits: dict[Path, list[str]] = {}
    for flow in flows:
        folder = kit or kit_folder_of(Path(flow))
        if folder and folder not in of_kits:
            of_kits[folder] = kit_problems(folder)
            problems += [{"flow": flow, "problem": problem} for problem in of_kits[folder]]
        if not folder or not of_kits[folder]:
            spec = GungeonSpec(kit=str(folder or ""), layouts=str(layouts or ""))
            problems += [{"flow": flow, "problem": problem} for problem in flow_problems(flow, seeds, spec)]
    common.tell_problems(problems, as_json, 0 if problems else len(named), "flow")


def flow_problems(text: str, seeds: int, spec: GungeonSpec | None = None) -> list[str]:
    """List, once each, the first problem of each flow a text names, or those of what its rules make of it.

    A spec tells the kit and a team's own layouts. Without one nobody knows those, and they are passed over.
    """
    from generator.styles.gungeon.flows.library import named_flows
    from generator.styles.gungeon.flows.records import WITHOUT_PLAN

    try:
        names = [choice.name for choice in named_flows(text) if choice.name not in WITHOUT_PLAN]
        return [problem for name in names for problem in _problems(name, seeds, spec)]
    except UndercroftError as error:
        return [str(error)]


def _problems(name: str, seeds: int, spec: GungeonSpec | None) -> list[str]:
    from generator.kinds import shipped_kit
    from generator.styles.gungeon.flows.library import grown_flow, load_flow
    from generator.styles.gungeon.flows.proof import flow_problem

    kit = spec.load_kit() if spec else shipped_kit()
    flow = load_flow(name, kit)
    problems = dict.fromkeys(filter(None, _asked(flow, spec)))
    for seed in range(seeds):
        try:
            grown = grown_flow(flow, seed, kit)
            if grown is flow:  # no rule, no hidden key and no price: every seed makes the same
                break
            problems |= dict.fromkeys(filter(None, [flow_problem(grown), *_asked(grown, spec)]))
        except GenerationFailed as error:
            problems[error.reason] = None
        except UndercroftError as error:
            problems[str(error).removeprefix(f"{name}: ")] = None
    return [one_line(f"{name}: {problem}") for problem in problems]


def _asked(flow: Flow, spec: GungeonSpec | None) -> list[str | None]:
    """List what rooms and connections ask for that does not exist. None where all exists."""
    from generator.styles.gungeon.flow_dealing import joins_problem, layout_problem, tag_problem
    from generator.styles.gungeon.spec import GungeonSpec

    layout = layout_problem(flow, spec or GungeonSpec(), with_own=spec is not None)
    return [layout, *([joins_problem(flow, spec), tag_problem(flow, spec)] if spec else [])]


@command.command("import", short_help="Turn a graph of another tool into a flow")
@named_argument("graph", metavar="FILE.dot|FILE.graphml", type=common.ANY_PATH)
@common.json_option
def import_graph(graph: Path, as_json: bool) -> None:
    """Print the TOML of a flow with the rooms and connections of a graph in DOT (.dot, .gv) or GraphML.

    Nodes and edges may carry the keys of a flow as attributes: kind, tags, keys, one_way, needs and so on.
    """
    from generator.styles.gungeon.flows.graphs import flow_from_graph

    toml = flow_from_graph(graph)
    _print_toml(graph.stem, toml, as_json)


@command.command("export", short_help="Turn a flow into a graph for other tools")
@named_argument("flow", metavar="FLOW|FILE", shell_complete=common.completes("flows"))
@click.option("--to", "kind", type=click.Choice(["dot", "graphml"]), required=True, help="The format.")
@common.seed_option
@common.kit_of_flow_option
@common.json_option
def export_graph(flow: str, kind: str, seed: str | None, kit: Path | None, as_json: bool) -> None:
    """Print a flow as a graph in DOT or GraphML, which `undercroft flow import` reads back.

    A graph holds rooms, connections, locks, keys and zones. If the flow has rules or pacing too, standard
    error says that they are left out. With --seed the flow is grown first.
    """
    from generator.styles.gungeon.flows.drawn import dot, graphml, left_out

    plan = _plan(flow, seed, common.kit_in(kit))
    text = dot(plan) if kind == "dot" else graphml(plan)
    lost = left_out(plan) if seed is None else []
    _print({"name": plan.name, kind: text, "left_out": lost}, text, as_json)
    if lost:
        common.tell(f"{flow}: a graph cannot hold {' and '.join(lost)}, so they are left out")
