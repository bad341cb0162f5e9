"""`undercroft flow`: shipped flows and files shown, checked, and read from graphs of other tools."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from generator import SpecError
from generator.algorithms.gated_map import GatedMap
from generator.algorithms.lock_proof import Verdict, prove
from generator.cli import main
from generator.kinds import shipped_kit
from generator.styles.gungeon.flows import proof
from generator.styles.gungeon.flows.drawn import dot, graphml
from generator.styles.gungeon.flows.flow_file import parse_flow
from generator.styles.gungeon.flows.graphs import flow_from_graph
from generator.styles.gungeon.flows.library import flow_text, load_flow, shipped_rules
from generator.styles.gungeon.flows.records import Flow, shipped_flows
from generator.styles.gungeon.flows.relations import PLACES, RELATIONS
from tests.generator.styles.gungeon.flows.plans import flow_file


def said(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, ["flow", *words])
    assert done.exit_code == status, done.output
    return done.stdout


def test_the_shipped_flows_are_listed_shown_and_sound() -> None:
    listed = said("show")
    assert [line.split()[0] for line in listed.splitlines()] == list(shipped_flows())
    assert len(shipped_flows()) >= 8
    assert said("check", "--seeds", "3", *shipped_flows()) == ""
    assert said("show", "hub", "--toml") == flow_text("hub")
    assert "hall - market" in said("show", "hub") and "rule detour" in said("show", "hub")


@pytest.mark.parametrize("name", shipped_flows())
def test_a_graph_in_dot_comes_back_as_the_same_plan(name: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.dot"
    path.write_text(said("show", name, "--dot"))
    same_plan(
        parse_flow(flow_from_graph(path), "plan", shipped_rules(), shipped_kit()),
        load_flow(name, shipped_kit()),
    )


def same_plan(again: Flow, flow: Flow) -> None:
    assert (again.rooms, again.connections) == (flow.rooms, flow.connections)
    assert (again.locks, again.zones) == (flow.locks, flow.zones)
    assert sorted(again.keys) == sorted(flow.keys)


ALL_WORDS = """
[[lock]]
on = ["b", "z"]
needs = ["rod", "coin", "gold"]
optional = true
[[key]]
name = "rod"
room = "a"
lever = true
[[key]]
name = "coin"
consumed = true
count = 2
[[key]]
name = "gold"
room = "b"
[zone.crypt]
floor = "stone"
chapter = "depths"
[zone.attic]
"""


def test_every_word_of_a_room_lock_and_key_comes_back_from_dot(tmp_path: Path) -> None:
    rooms = {
        "a": 'difficulty = "hard"\nzone = "crypt"\ntags = ["gauntlet", "hub"]\nsize = "large"',
        "b": 'layout = "normal/hubs/wheel"\nzone = "attic"\ndifficulty = 1',
    }
    path = flow_file(tmp_path, "s a b z", more=ALL_WORDS, **rooms)
    (tmp_path / "plan.dot").write_text(said("show", path, "--dot"))
    again = parse_flow(flow_from_graph(tmp_path / "plan.dot"), "plan", shipped_rules(), shipped_kit())
    same_plan(again, load_flow(path, shipped_kit()))


def test_graphml_and_plain_dot_are_read(tmp_path: Path) -> None:
    dot = tmp_path / "plain.gv"
    dot.write_text('graph { gate [kind=start]; gate -- a -- throne; // a row\n throne [kind="boss"] }')
    rows = ["gate - a", "a - throne"]
    plain = tmp_path / "plain.toml"
    plain.write_text(said("import", str(dot)))
    assert all(row in said("show", str(plain)) for row in rows)
    graphml = tmp_path / "same.graphml"
    graphml.write_text(
        '<graphml><key id="k" for="node" attr.name="kind"/><key id="o" for="edge" attr.name="one_way"/>'
        '<graph><node id="gate"><data key="k">start</data></node><node id="a"/>'
        '<node id="throne"><data key="k">boss</data></node>'
        '<edge source="gate" target="a"/><edge source="a" target="throne"><data key="o">true</data></edge>'
        "</graph></graphml>"
    )
    plain.write_text(said("import", str(graphml)))
    assert "a > throne" in said("show", str(plain))
    with pytest.raises(SpecError, match="is not a graph"):
        flow_from_graph(plain)


def test_a_picture_shows_every_room_lock_and_key() -> None:
    picture = ElementTree.fromstring(said("show", "two_keys", "--seed", "1", "--svg"))
    texts = {element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {"gate", "throne", "crypt", "gold_key", "gold_key, silver_key"} <= texts


def test_problems_are_reported_with_their_story(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(flow_text("lock_and_key").replace('room = "den"', 'room = "throne"'))
    told, _ = map(json.loads, said("check", str(path), "--json", status=1).splitlines())
    assert told["problem"].startswith(f"{path}: after the start without iron_key there is no way out")


@pytest.mark.parametrize(("room", "most"), [('room = "a"', 1), ("", 3)], ids=["plain", "a hidden key"])
def test_each_grown_flow_is_proved_once(
    room: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hidden key fits in one of three rooms, so twenty seeds make three flows at most."""
    proved: list[GatedMap] = []

    def counting(world: GatedMap) -> Verdict:
        proved.append(world)
        return prove(world)

    monkeypatch.setattr(proof, "prove", counting)
    more = f'[[lock]]\non = ["c", "d"]\nneeds = ["gold"]\n[[key]]\nname = "gold"\n{room}\n'
    path = flow_file(tmp_path, "s a b c d e f g h i z", "a p", "a q", "b r", more=more)
    assert said("check", path) == ""
    sound = [world for world in set(proved) if not prove(world).stuck]
    assert len(proved) == len(set(proved)) and 1 <= len(sound) <= most


def test_an_unknown_flow_is_reported_with_the_nearest_one() -> None:
    for more in ((), ("--toml",), ("--seed", "1")):
        told = CliRunner().invoke(main, ["flow", "show", "decsent", *more])
        assert told.exit_code and "unknown flow 'decsent'; did you mean descent?" in told.output + str(
            told.exception
        )


def test_check_looks_up_layouts_and_tags_of_rooms_and_of_rules(tmp_path: Path) -> None:
    """A rule's too; `undercroft check` does not know the layouts of a team, and passes theirs over."""
    rule = '[[rule]]\nname = "own"\n[own_rule.own]\nroom = [{ id = "p", kind = "normal", tags = ["odd"] }]\n'
    more = rule + 'connection = [{ path = ["A", "p", "B"] }]\n'
    asks = {"a": 'layout = "own/normal/nook"', "b": 'tags = ["cosy"]'}
    path = flow_file(tmp_path, "s a b z", more=more, **asks)
    layout, *tags = said("check", path, "--seeds", "2", status=1).splitlines()
    assert layout.startswith(f"{path}: room a: unknown normal layout 'own/normal/nook'")
    assert tags == [f"{path}: room b: no normal layout has the tag 'cosy'; give connector or hub"]
    assert CliRunner().invoke(main, ["check", path]).exit_code == 0
    (tmp_path / "rooms" / "normal").mkdir(parents=True)
    nook = "exits: N any, E any, S any, W any\ntags: cosy\n\nmap:\n" + 8 * f"{'.' * 10}\n"
    (tmp_path / "rooms" / "normal" / "nook.txt").write_text(nook)
    (told,) = said("check", path, "--layouts", str(tmp_path / "rooms"), status=1).splitlines()
    assert told == f"{path}: room own1_p: no normal layout has the tag 'odd'; give connector or cosy or hub"


def test_rooms_may_be_of_kinds_of_a_kit(tmp_path: Path) -> None:
    kit = str(Path(__file__).parents[3] / "docs" / "examples" / "orbital")
    path = flow_file(tmp_path, "s a z", a='kind = "medbay"')
    assert "unknown room kind 'medbay'" in said("check", path, status=1)
    assert said("check", path, "--kit", kit) == ""
    assert "medbay" in said("show", path, "--kit", kit, "--seed", "1")


def test_several_flows_are_checked_each_and_shown_by_seed(tmp_path: Path) -> None:
    path = flow_file(tmp_path, "s a z", "s b")
    assert said("check", f"hub, {path} 3, random", "--seeds", "2") == ""
    assert "t: 4 rooms" in said("show", f"{path} 3, {path}", "--seed", "1")
    for words, told in (
        ((f"hub, {path}",), "names 2 flows; give one of them, or --seed to have one picked"),
        (("hub", "--dot", "--svg"), "--dot, --svg and --toml do not go together"),
        (("hub", "--seed", "1", "--toml"), "--seed: does not go with --toml"),
        (("random",), "random: has no plan to show; name a flow"),
    ):
        assert told in refused(*words)


def refused(*words: str) -> str:
    done = CliRunner().invoke(main, ["flow", "show", *words])
    assert done.exit_code == 2, done.output
    return done.stderr


def test_a_file_that_cannot_be_read_is_refused_in_a_line(tmp_path: Path) -> None:
    big, pipe = tmp_path / "OWN.TOML", tmp_path / "pipe.toml"
    big.write_text(flow_text("hub"))
    assert said("show", str(big), "--toml") == flow_text("hub")
    assert "hall - market" in said("show", str(big))
    os.mkfifo(pipe)
    big.write_bytes(b"\xff\xfe")
    for path, told in (
        (big, "is not UTF-8"),
        (pipe, "is not a file"),
        (tmp_path / "no.toml", "cannot be read"),
    ):
        assert f"{path}: {told}" in refused(str(path), "--toml")


def test_check_knows_a_flow_among_other_files(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(flow_text("two_keys"))
    assert CliRunner().invoke(main, ["check", str(path)]).exit_code == 0
    path.write_text(flow_text("two_keys").replace('kind = "boss"', 'kind = "bos"'))
    done = CliRunner().invoke(main, ["check", str(path)])
    assert done.exit_code == 1
    assert done.output.startswith(f"{path}: room[11].kind: unknown room kind 'bos'; did you mean boss?")


def test_the_example_of_the_docs_is_a_flow(tmp_path: Path) -> None:
    """The page's blocks are one file, but for the first and the last: a spec, and rows of a kit."""
    page = (Path(__file__).parents[3] / "docs" / "flows.md").read_text("utf-8")
    _, *blocks, _ = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "example.toml"
    path.write_text("\n".join(blocks))
    assert said("check", str(path)) == ""


@pytest.mark.parametrize("kind", ["dot", "graphml"])
@given(st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_flow_comes_back_from_the_graph_that_it_is_exported_as(
    kind: str, tmp_path: Path, data: st.DataObject
) -> None:
    """Rooms named as words of DOT, texts with quotes and signs of XML, all keys of rooms, locks and keys."""
    flow = parse_flow(data.draw(flows()), "own", shipped_rules(), shipped_kit())
    path = tmp_path / f"plan.{kind}"
    path.write_text({"dot": dot, "graphml": graphml}[kind](flow), "utf-8")
    again = parse_flow(flow_from_graph(path), "plan", shipped_rules(), shipped_kit())
    same_plan(again, flow)
    assert again.name == flow.name
    assert all(line in flow_from_graph(path) for line in _relation_lines(flow))


def _relation_lines(flow: Flow) -> list[str]:
    """The lines of a file that say where rooms are: one name stands alone, several in a list."""
    return [relation.text for room in flow.rooms for relation in room.relations]


ROOMS = (
    "",
    'difficulty = "hard"\nzone = "crypt"\ntags = ["gauntlet", "hub"]\nsize = "large"',
    'layout = "normal/hubs/wheel"\nzone = "attic"\ndifficulty = 1',
    'kind = "chest"',
    'tags = ["foyer"]\nzone = "attic"',
)
ZONES = '[zone.crypt]\nfloor = "stone"\nchapter = "depths"\n[zone.attic]\n'


SIGNS = ["", "one_way = true", 'opens_from = "{}"', 'joins = "wide"', 'opens_from = "{}"\njoins = "low"']


@st.composite
def flows(draw: st.DrawFn) -> str:
    """The TOML of a flow: a path through rooms, side rooms, locks, keys with and without a room."""
    names = st.sampled_from(["node", "graph", "Edge", "subgraph", "a1", "b_", "strict", "x"])
    path = ["s", *draw(st.lists(names, min_size=2, unique=True)), "z"]
    rooms = {room: draw(st.sampled_from(ROOMS)) for room in path[1:-1]}
    places = {room: draw(_where(room, path)) for room in path[1:-1]}
    used = {word for text in rooms.values() for word in ("crypt", "attic") if word in text}
    more = [table for table in re.split(r"(?=\[zone)", ZONES) if table[6:11] in used]
    ways = [f"path = {json.dumps(list(pair))}" for pair in pairwise(path)]
    signs = [draw(st.sampled_from(SIGNS)).format(a) for a in path[:-1]]
    for place, key in enumerate(draw(st.lists(st.sampled_from(["rod", "gold", "coin"]), unique=True))):
        room = draw(st.sampled_from(["", f'room = "{path[1]}"']))
        more.append(f'[[key]]\nname = "{key}"\n{room}\n{["", "consumed = true", "lever = true"][place]}')
        more[-1] += f"\nmust = {draw(st.sampled_from(['true', 'false']))}"
        more.append(f"[[lock]]\non = {json.dumps(path[place + 1 : place - 1 : -1] or path[1::-1])}")
        more.append(f'needs = ["{key}"]\noptional = {draw(st.sampled_from(["true", "false"]))}')
    title = draw(st.text('ab "<&>[]=;', min_size=1).filter(lambda text: text == text.strip()))
    head = f"[flow]\nname = {json.dumps(title)}"
    tables = [
        f'[[room]]\nid = "{room}"\n{_kind(room, rooms.get(room, ""))}\n{places.get(room, "")}'
        for room in path
    ]
    tables += [f"[[connection]]\n{way}\n{sign}" for way, sign in zip(ways, signs, strict=True)]
    return "\n".join([head, *tables, *more, ""])


@st.composite
def _where(draw: st.DrawFn, room: str, path: list[str]) -> str:
    """Where a room is to be. It is away from s and z only, which ask for nothing: so nothing contradicts."""
    others = draw(st.permutations([other for other in path if other != room]))
    lines = [f'at = "{place}"' for place in draw(st.lists(st.sampled_from([*PLACES]), max_size=1))]
    for word in draw(st.lists(st.sampled_from(RELATIONS), unique=True)):
        free = [other for other in others if other in "sz" or word in ("beside", "between")]
        names = free[: 2 if word == "between" else draw(st.integers(1, 2))]
        others = [other for other in others if other not in names]
        if len(names) > (word == "between"):
            lines.append(f"{word} = {json.dumps(names[0] if len(names) == 1 else names)}")
    return "\n".join(lines)


def _kind(room: str, more: str) -> str:
    kind = {"s": "start", "z": "boss"}.get(room, "normal")
    return more if more.startswith("kind") else f'kind = "{kind}"\n{more}'


def test_export_says_what_a_graph_cannot_hold() -> None:
    for words, told in (
        (("descent", "--to", "dot"), "undercroft: descent: a graph cannot hold rules and pacing, so they are left out\n"),
        (("descent", "--to", "graphml", "--seed", "1"), ""),
    ):  # fmt: skip
        done = CliRunner().invoke(main, ["flow", "export", *words])
        assert (done.exit_code, done.stderr) == (0, told)
    assert said("export", "hub", "--to", "dot") == said("show", "hub", "--dot")


def test_plans_of_many_seeds_are_drawn_side_by_side(tmp_path: Path) -> None:
    words = ("grow", "two_keys", "--out", str(tmp_path), "--seeds", "0:9")
    assert said(*words) == f"{tmp_path / 'two_keys-plans.png'}\n"
    with Image.open(tmp_path / "two_keys-plans.png") as painted:
        size = painted.size
    said(*words, "--to", "svg")
    picture = ElementTree.parse(tmp_path / "two_keys-plans.svg").getroot()
    assert (picture.get("width"), picture.get("height")) == tuple(map(str, size))
    texts = Counter(element.text for element in picture.iter("{http://www.w3.org/2000/svg}text"))
    titles = [str(text) for text in texts if str(text).startswith("seed ")]
    for seed, title in enumerate(titles):
        rooms = len(json.loads(said("show", "two_keys", "--seed", str(seed), "--json"))["rooms"])
        assert title.startswith(f"seed {seed}: {rooms} rooms, linearity 0.")
    assert len(titles) == texts["start"] == texts["boss"] == 9
    done = CliRunner().invoke(main, ["flow", "grow", "hub", "--seeds", "0:101", "--out", str(tmp_path)])
    assert done.exit_code == 2 and "more than 100 plans do not fit" in done.stderr


def test_plans_go_to_a_folder_and_not_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "g.png"
    done = CliRunner().invoke(main, ["flow", "grow", "hub", "--seeds", "0:2", "--out", str(out)])
    assert done.exit_code == 2 and not out.exists()
    told = f"--out: {out}: is the name of a picture; give the folder that NAME-plans.png goes to"
    assert told in done.stderr and len(done.stderr.splitlines()) == 1
    out.mkdir()
    assert said("grow", "hub", "--seeds", "0:2", "--out", str(out)) == f"{out / 'hub-plans.png'}\n"
