"""`undercroft-pack.js`, in Chromium and in Node: what it builds is the level, and a bad pack is an Error of one line."""

from __future__ import annotations

import base64
import json
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import generator
from exporters.dress import EMPTY, dressed
from exporters.formats.godot.shapes import solids
from exporters.formats.pack.file import LevelFacts
from exporters.formats.pack.reader import load_pack
from exporters.formats.pack.rows import INDEXES, INT, POINTS, RESOURCE, VECTOR2I
from exporters.formats.pack.web import NAME, web_reader
from exporters.theme.loader import load_theme
from generator.cli import main
from generator.level import Door, Level
from generator.spec import load_spec
from tests.browser import Page, browser
from tests.clients import npm
from tests.engines import HANG, EngineMissing
from tests.exporters.pack_files import damaged, form_of, hostile, parts_of, put_together, small_pack

pytestmark = pytest.mark.xdist_group("pack-in-browser")

# The last one has a key, a lock, a one-way door and a shortcut.
LOCKED = str(Path(__file__).parents[2] / "godot_addon" / "demo" / "specs" / "locked-1.toml")
SEEDS = {"isaac": range(5, 8), "rebirth": range(5, 7), "gungeon": range(5, 6), LOCKED: range(1, 2)}
_TELL = Path(__file__).with_name("tell_pack.mjs").read_bytes()
_MODULES = "\n".join(
    f"const {names} = await import('data:text/javascript;base64,{base64.b64encode(code).decode()}');"
    for names, code in (("{UndercroftPack, tileRows}", web_reader()), ("{tellPack, askPack, asJson}", _TELL))
)

Ask = Callable[[str, list[str]], Any]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser() as found:
        empty = tmp_path_factory.mktemp("page") / "empty.html"
        empty.write_text("<!doctype html><title>Empty</title>", "utf-8")
        found.open(empty)
        yield found


def _ask_page(page: Page, code: str, packs: list[str]) -> Any:
    program = f"(async () => {{ {_MODULES} const packs = {json.dumps(packs)}; return asJson({code}); }})()"
    return json.loads(page.js(program))


@pytest.fixture(scope="module", params=["chromium", "node"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """`ask(code, packs)`: the value of an expression of `packs`, which are bytes in base 64."""
    if request.param == "chromium":
        return partial(_ask_page, request.getfixturevalue("page"))
    if not shutil.which("node"):
        raise EngineMissing("node is not on the PATH; install Node.js")
    return _ask_node


def _ask_node(code: str, packs: list[str]) -> Any:
    program = f"{_MODULES}\nconst packs = {json.dumps(packs)};\nconsole.log(asJson({code}));"
    node = ["node", "--input-type=module", "-"]
    done = subprocess.run(node, input=program, capture_output=True, text=True, check=False, timeout=HANG)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("packs")
    return {spec: small_pack(folder, spec, seeds) for spec, seeds in SEEDS.items()}


def text_of(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def test_built_levels_are_those_of_the_generator(ask: Ask, packs: dict[str, Path]) -> None:
    """Every layer, room, door, hallway and marker, where bodies can walk, and the facts to choose by."""
    code = "await Promise.all(packs.map(one => tellPack(UndercroftPack, one)))"
    told = ask(code, [text_of(path.read_bytes()) for path in packs.values()])
    for (spec, path), found in zip(packs.items(), told, strict=True):
        pack = load_pack(path)
        for number, (seed, built) in enumerate(zip(SEEDS[spec], found["levels"], strict=True)):
            level = generator.generate(load_spec(spec), seed)
            _compare_level(level, built, pack.facts(number))
            _compare_tiles(level, built)


def _compare_tiles(level: Level, built: dict[str, Any]) -> None:
    theme, layers = dressed(level, load_theme())
    assert (built["tile_set"], built["tile_size"]) == (f"{theme.name}.tres", theme.tile_size)
    for layer, told in zip(layers, built["layers"], strict=True):
        rows, columns = np.divmod(layer, theme.columns)
        wanted = np.where(layer == EMPTY, -1, rows << 16 | columns)
        assert np.array_equal(np.reshape(told["tiles"], layer.shape), wanted), told["name"]
    assert np.array_equal(np.reshape(built["walk"], level.terrain.shape), level.passable("walk"))


def _compare_level(level: Level, built: dict[str, Any], facts: LevelFacts) -> None:
    seed, print_ = str(level.seed), level.fingerprint
    assert built["about"] == {"facts": facts, "seed": seed, "fingerprint": print_}
    assert (built["style"], built["seed"], built["fingerprint"]) == (level.style, seed, print_)
    assert (built["spec"], built["facts"]) == (_plain([level.spec.saved()])[0], dict(level.facts))
    assert (built["width"], built["height"]) == (level.width, level.height)
    assert built["rooms"] == _plain(
        {
            **{
                key: getattr(room, key)
                for key in ("id", "kind", "shape", "depth", "difficulty", "layout", "cells")
            },
            **({"zone": room.zone} if room.zone else {}),
            "distance": -1 if room.distance is None else room.distance,
            "bounds": room.bounds._asdict(),
            "outline": solids(room.outline),
        }
        for room in level.rooms
    )
    doors = [{key: door[key] for key in _OF_DOORS if key in door} for door in built["doors"]]
    assert doors == _plain(_door(level, door) for door in level.doors)
    hallways = [{"id": way.id, "doors": way.doors, "cells": way.tiles} for way in level.hallways]
    assert [{key: way[key] for key in ("id", "doors", "cells")} for way in built["hallways"]] == _plain(
        hallways
    )
    keys = ("id", "kind", "x", "y", "room", "hallway")
    assert built["markers"] == _plain(
        {**{key: getattr(marker, key) for key in keys}, "properties": dict(marker.properties)}
        for marker in level.markers
    )


_OF_DOORS = ("id", "kind", "side", "rooms", "cells", "needs", "one_way", "opens_from", "joins", "secret")


def _door(level: Level, door: Door) -> dict[str, object]:
    secret = door.kind in level.kinds.secret_doors
    told = {
        "id": door.id, "kind": door.kind, "side": door.side, "cells": door.tiles, "secret": secret,
        "rooms": [room for room in door.rooms if room is not None],
    }  # fmt: skip
    others = {"needs": door.needs, "one_way": door.one_way, "joins": door.joins}
    opens = {} if door.opens_from is None else {"opens_from": door.opens_from}
    return told | opens | {key: value for key, value in others.items() if value}


def _plain(rows: Any) -> Any:
    return json.loads(json.dumps(list(rows)))


def test_levels_are_chosen_as_in_godot(ask: Ask, packs: dict[str, Path]) -> None:
    """By ranges and texts, and by any seed; what cannot be is an Error."""
    questions = {
        "found": "pack.find({ style: 'isaac', seed_is: 0 })",
        "rooms": "[pack.find({ rooms: [0, 99] }), pack.find({ style: 'gungeon' }), pack.find({ 'count.none': 0 })]",
        "picked": "[pack.pick(6), pack.pick('77'), pack.pick(2n ** 64n - 5n), pack.pick(1, { rooms: 1 })]",
        "text": "pack.find({ style: 3 })",
        "fraction": "pack.find({ rooms: 8.5 })",
        "beyond": "pack.seedOf(3)",
        "no-level": "await pack.build(-1)",
        "text-level": "await pack.build('1')",
        "no-wishes": "pack.pick(1, null)",
        "text-wishes": "pack.find('isaac')",
        **{f"seed-{seed}": f"pack.pick({seed})" for seed in _NO_SEEDS},
        "again": "(await pack.build(1)).markers !== (await pack.build(1)).markers",
    }
    tries = [f"try {{ told[{json.dumps(name)}] = {code} }} catch (error) {{ told[{json.dumps(name)}] = error.message }}"
             for name, code in questions.items()]  # fmt: skip
    body = f"const told = {{}}; {'; '.join(tries)}; return told;"
    told = ask(
        f"await askPack(UndercroftPack, packs[0], {json.dumps(body)})", [text_of(packs["isaac"].read_bytes())]
    )
    assert told["found"].startswith("x.ucpack: unknown fact seed_is; known facts: ")
    assert told["rooms"] == [[0, 1, 2], [], [0, 1, 2]]
    assert told["picked"] == [1, _picked(77, 3), _picked(-5, 3), -1]
    assert told["text"] == "x.ucpack: style: 3 is not a text"
    assert told["fraction"] == "x.ucpack: rooms: 8.5 is not a whole number or [min, max]"
    assert told["beyond"] == "x.ucpack: has no level 3, only 3 levels"
    assert told["no-level"] == "x.ucpack: has no level -1, only 3 levels"
    assert told["text-level"] == 'x.ucpack: has no level "1", only 3 levels'
    remedy = "is not an object of facts such as { rooms: [8, 12] }"
    assert told["no-wishes"] == f"x.ucpack: null {remedy}"
    assert told["text-wishes"] == f'x.ucpack: "isaac" {remedy}'
    assert told["again"] is True
    for seed, said in _NO_SEEDS.items():
        assert told[f"seed-{seed}"] == f"x.ucpack: seed {said}"


_NO_SEEDS = {
    "''": '"" is not a whole number',
    "true": "true is not a whole number",
    "8.5": "8.5 is not a whole number",
    "2 ** 60": "1152921504606847000 is beyond 2^53; give it as a bigint or a text",
    "null": "null is not a whole number",
}


def test_a_promise_is_to_be_awaited(ask: Ask) -> None:
    """As of `open(fetch(...))`."""
    opened = "await UndercroftPack.open(Promise.resolve(new Response(''))).catch((error) => error.message)"
    assert ask(opened, []) == "pack: is opened from a Promise; await it first"


def test_rows_need_the_columns_of_the_picture(ask: Ask) -> None:
    level = "{ layers: [{ name: 'Walls', tiles: [-1, 65537] }], width: 2, height: 1 }"
    assert ask(f"tileRows({level}, 'Walls', 32)", []) == [[-1, 33]]
    for columns in ("undefined", "0", "NaN", "31.5"):
        tried = f"(() => {{ try {{ return tileRows({level}, 'Walls', {columns}) }} catch (error) {{ return error.message }} }})()"
        assert ask(tried, []) == (
            f"columns {columns} is not a whole number from 1; give the picture's width divided by level.tile_size"
        )


def test_a_response_without_an_address_has_a_name_too(ask: Ask) -> None:
    opened = "await UndercroftPack.open(new Response('no', { status: 404 })).catch((error) => error.message)"
    assert ask(opened, []) == "pack: cannot be read: the server answered 404"


def test_what_is_read_in_parts(ask: Ask, packs: dict[str, Path]) -> None:
    """A `read` may give any form of bytes; if it gives others, that is told."""
    read = "(await (await fetch(`data:;base64,${packs[0]}`)).arrayBuffer()).slice(start, end)"
    tries = {
        "buffer": read,
        "view": f"new DataView({read})",
        "text": "'bytes'",
        "short": "new ArrayBuffer(3)",
    }
    size = len(packs["isaac"].read_bytes())
    opened = ", ".join(
        f"UndercroftPack.open({{ size: {size}, read: async (start, end) => {code} }}, 'x.ucpack')"
        ".then(async pack => (await pack.build(2)).rooms.length, error => error.message)"
        for code in tries.values()
    )
    buffer, view, text, short = ask(f"await Promise.all([{opened}])", [text_of(packs["isaac"].read_bytes())])
    assert buffer == view > 3
    assert text == "x.ucpack: its read gave no bytes"
    assert short == "x.ucpack: its read gave 3 bytes instead of 64"


def test_names_in_a_bad_pack_make_no_long_or_torn_line(ask: Ask, packs: dict[str, Path]) -> None:
    parts = parts_of(packs["isaac"].read_bytes())
    parts.index["facts"]["a\n\u202eb" * 9999] = b""
    [told] = ask("[await tellPack(UndercroftPack, packs[0])]", [text_of(put_together(parts))])
    assert re.fullmatch(r"Error: x\.ucpack: index: facts: [ -~]{9,200}", told["error"]), told["error"][:300]


def _picked(seed: int, count: int) -> int:
    """What `UndercroftPack.pick` of the addon does: the last step of SplitMix64, as a signed number."""
    word, whole = seed % (1 << 64), 1 << 64
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = (word ^ word >> shift) * factor % whole
    word ^= word >> 31
    return (word - whole if word >> 63 else word) % count


# What only Godot can refuse: its classes and properties, and the files of a game.
FOR_GODOT = {
    "class",
    "no-class",
    "object",
    "unknown",
    "other-type",
    "shapes",
    "missing",
    "elsewhere-type",
    "code",
}


def test_bad_packs_are_an_error_of_one_line(ask: Ask, packs: dict[str, Path]) -> None:
    data = packs["isaac"].read_bytes()
    bad = dict([*damaged(data), *hostile(data)])
    told = ask(
        "await Promise.all(packs.map(async one => (await tellPack(UndercroftPack, one)).error ?? null))",
        [text_of(one) for one in bad.values()],
    )
    found = dict(zip(bad, told, strict=True))
    assert {name for name, error in found.items() if error is None} <= FOR_GODOT
    wrong = {
        name: error
        for name, error in found.items()
        if error and not re.fullmatch(r"Error: x\.ucpack: [^\n]{5,200}", error)
    }
    assert wrong == {}


def test_a_small_pack_cannot_make_much_work(ask: Ask, packs: dict[str, Path]) -> None:
    """Large levels with many layers, and polygons that lie upon each other."""
    forms = [
        form_of("Node2D", {"metadata/tile_size": INT, "metadata/size": VECTOR2I}, "Root"),
        form_of("TileMapLayer", {}, "Ground"),
        form_of("NavigationPolygon", {"vertices": POINTS, "polygons": INDEXES}),
        form_of("NavigationRegion2D", {"navigation_polygon": RESOURCE}, "N"),
    ]
    square = [4, 0, 0, 32000, 0, 0, 32000, -32000, 0]
    cases = {
        "has more than 8 layers": [0, 10, 0, 0, 16, 300, 300, *[1, 0] * 9],
        "does not say how large it is": [0, 1, 0, 0, 16, 3000, 3000],
        "has polygons that cover the level too often": [
            1, 2, 2, *square, 9, *[4] * 9, 0, 1, 1, 1, *[-3, 1, 1, 1] * 8, 0, 0, 16, 300, 300, 3, 0, 0,
        ],
    }  # fmt: skip
    made = []
    for numbers in cases.values():
        parts = parts_of(packs["isaac"].read_bytes())
        rows = struct.pack(f"<{len(numbers)}h", *numbers)
        parts.block.update(forms=forms, rows=[rows] * 3, cells=[b""] * 3)
        made.append(text_of(put_together(parts)))
    told = ask("await Promise.all(packs.map(one => tellPack(UndercroftPack, one)))", made)
    assert [one["error"] for one in told] == [f"Error: x.ucpack: level 0: {said}" for said in cases]


def test_pages_without_cryptography_open_packs_too(page: Page, packs: dict[str, Path]) -> None:
    """As those of a server on another machine that speaks plain HTTP, such as one for tries on a phone."""
    with page.other_tab() as blank:
        assert blank.js("crypto.subtle === undefined")
        code = "(await tellPack(UndercroftPack, packs[0])).levels.length"
        assert _ask_page(blank, code, [text_of(packs["isaac"].read_bytes())]) == 3


def test_the_command_writes_it_beside_a_pack(tmp_path: Path) -> None:
    """The same pack as without; a reader that a person changed is not overwritten."""
    args = ["pack", "isaac", "--seeds", "5:6", "--jobs", "1", "--out"]
    for folder, further in (("plain", []), ("web", ["--web"]), ("web", ["--web"])):
        done = CliRunner().invoke(main, [*args, str(tmp_path / folder / "x.ucpack"), *further])
        assert done.exit_code == 0, done.output
    plain, web = tmp_path / "plain", tmp_path / "web"
    assert (plain / "x.ucpack").read_bytes() == (web / "x.ucpack").read_bytes()
    assert (web / NAME).read_bytes() == web_reader() and not (plain / NAME).exists()
    (web / NAME).write_text("// mine", "utf-8")
    done = CliRunner().invoke(main, [*args, str(web / "x.ucpack"), "--web"])
    assert done.exit_code == 0 and NAME not in done.stdout
    assert f"{NAME}: was changed by hand, so it stays" in done.stderr
    assert (web / NAME).read_text("utf-8") == "// mine"


@pytest.mark.engine
def test_its_comments_are_types_that_hold(tmp_path: Path) -> None:
    """So editors and games in TypeScript know what a level has."""
    (tmp_path / NAME).write_bytes(web_reader())
    (tmp_path / "game.ts").write_text(_GAME, "utf-8")
    checker = npm("typescript") / "package" / "lib" / "tsc.js"
    flags = "--strict --allowJs --checkJs --noEmit --target es2022 --module esnext --moduleResolution bundler"
    done = subprocess.run(
        ["node", checker, *flags.split(), "game.ts"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=HANG,
    )  # fmt: skip
    assert re.findall(r"^\S+: error .*$", done.stdout, re.MULTILINE) == [
        "game.ts(5,63): error TS2551: Property 'widht' does not exist on type 'PackLevel'. Did you mean 'width'?"
    ]


_GAME = """import { UndercroftPack, tileRows } from "./undercroft-pack.js";

const pack = await UndercroftPack.open(await fetch("dungeon.ucpack"));
const level = await pack.build(pack.pick(7, { rooms: [8, 12] }));
const [rows, mistaken] = [tileRows(level, "Walls", 16), level.widht];
const first: number = rows[0][0] + level.doors[0].cells[0][0] + level.markers.filter(({ kind }) => kind === "key").length;
export { first, mistaken };
"""
