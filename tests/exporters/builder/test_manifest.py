"""Manifests: every mistake is reported in one line with its place and a remedy, before anything is built."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.builder.keys import filled
from exporters.builder.levels_asked import MAX_LEVELS
from exporters.builder.manifest import load_manifest
from exporters.builder.plan import BuildPlan
from generator.errors import BadInput
from tests.exporters.builder.games import Game

GROUP = "[group.a]\nspec = 'isaac'\n"
CAMPAIGN = "[campaign.a]\nspec = 'isaac'\nseed = 3\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "asks for no levels; add [group.NAME] with spec and seeds"),
        ("= 3", "is not TOML: "),
        ("grup = 3", "grup: unknown key; did you mean group?"),
        (f"{GROUP}seeds = [1]\nsedes = 3", "group.a.sedes: unknown key; did you mean seeds?"),
        ("group = 3", "group: 3 is not a table"),
        ("[group]\na = 3", "group.a: 3 is not a table; write [group.NAME]"),
        ("[group.'a b']\nspec = 'isaac'\nseeds = [1]", "group.a b: this cannot be the name of a group; use up to 64 of A-Za-z0-9_-"),
        ("[group.a]\nseeds = [1]", "group.a.spec: is missing; give a preset's name or a TOML file"),
        ("[group.a]\nspec = 'isac'\nseeds = [1]", "group.a.spec: 'isac' is neither a preset nor a TOML file; did you mean isaac?"),
        ("[group.a]\nspec = 'no.toml'\nseeds = [1]", "no.toml: cannot be read: No such file or directory; check the name"),
        ("[group.a]\nspec = 3\nseeds = [1]", "group.a.spec: 3 is not text"),
        (f"{GROUP}", "group.a.seeds: is missing; give a list, or a range such as \"0:100\""),
        (f"{GROUP}seeds = []", "group.a.seeds: is empty"),
        (f"{GROUP}seeds = 3", "group.a.seeds: 3 is not a list or a range"),
        (f"{GROUP}seeds = '3:3'", "group.a.seeds: '3:3' is not a range of 1 to 1000000 seeds"),
        (f"{GROUP}seeds = '0:{MAX_LEVELS + 1}'", "is not a range of 1 to 1000000 seeds"),
        (f"{GROUP}seeds = '{2**64 - 1}:{2**64 + 1}'", "is not a range of 1 to 1000000 seeds"),
        (f"{GROUP}seeds = ['0:3']", "group.a.seeds: '0:3' is a range; give it alone"),
        (f"{GROUP}seeds = [1.5]", "group.a.seeds: 1.5 is not a seed; give numbers, or texts in quotes"),
        (f"{GROUP}seeds = [true]", "group.a.seeds: True is not a seed"),
        (f"{GROUP}seeds = [-1]", "group.a.seeds: seed: -1 is out of range"),
        (f"{GROUP}seeds = [1, 2]\nrerolls = [{{ room = 1, layout = 1 }}]", "group.a.rerolls: they are for one level, but the group has 2 seeds; give each re-rolled level a group of its own"),
        (f"{GROUP}seeds = '0:9'\nrerolls = []", "group.a.rerolls: they are for one level, but the group has 9 seeds"),
        (f"{GROUP}seeds = [1]\nrerolls = 3", "group.a.rerolls: 3 is not a list; copy the rerolls of a level.json"),
        (f"{GROUP}seeds = [1]\nrerolls = [3]", "group.a.rerolls[0]: 3 is not a table; copy the rerolls"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{}}]", "group.a: rerolls[0].room: is missing"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{ room = 1 }}]", "group.a: rerolls[0]: has no layout, but a row counts the rolls of a room"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{ room = -1, layout = 1 }}]", "group.a: rerolls[0].room: -1 is not a whole number from 0 to 99999"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{ room = 1, layout = 1001 }}]", "group.a: rerolls[0].layout: 1001 is not a whole number from 1 to 1000"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{ room = 1, layout = 1, seed = 3 }}]", "group.a: rerolls[0].seed: 3 is not text"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{ room = 1, layout = 1, kin = 'a' }}]", "group.a: rerolls[0].kin: unknown key; did you mean kind?"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{ room = 1, layout = 1 }}, {{ room = 1, layout = 2 }}]", "group.a: rerolls[1]: room 1 already has a row; each room has one"),
        (f"{GROUP}seeds = [1]\nrerolls = [{{ edited = true }}]", "group.a.rerolls: the level was changed by hand, so no build can make it"),
        (f"rerolls = []\n{GROUP}seeds = [1]", "rerolls: unknown key"),
        (f"{CAMPAIGN}stages = [{{ name = 'x', rerolls = [] }}]", "campaign.a.stages[0].rerolls: unknown key"),
        ("[group.a]\nspec = 'rebirth'\nseeds = '0:9'", "group.a.seeds: seed: 0 cannot be used: its low 32 bits"),
        (f"{GROUP}seeds = [1]\nset.stage = 99", "group.a.set: stage: 99 is out of range (1 to 12)"),
        (f"{GROUP}seeds = [1]\nset.stag = 9", "group.a.set: stag: unknown key; did you mean stage?"),
        (f"{GROUP}seeds = [1]\nset = 3", "group.a.set: 3 is not a table"),
        (f"{GROUP}seeds = [1]\nset.layouts = 'none'", "is not a folder; give the folder of your own layouts"),
        (f"{GROUP}seeds = [1]\nformats = ['tield']", "group.a.formats[0]: unknown format 'tield'; did you mean tiled?"),
        (f"{GROUP}seeds = [1]\nformats = []", "group.a.formats: is empty"),
        (f"{GROUP}seeds = [1]\nformats = 'json'", "group.a.formats: 'json' is not a list; write one like"),
        (f"{GROUP}seeds = [1]\nwhere = 'loop == 2'", "group.a.where: column 1: unknown fact 'loop'; did you mean loops?"),
        (f"{GROUP}seeds = [1]\nwhere = 'rooms'", "group.a.where: column 1: this is a value; compare it with something"),
        (f"{GROUP}seeds = [1]\nwhere = 3", "group.a.where: 3 is not text; give one in quotes"),
        (f"{GROUP}seeds = [1]\nfirst = 3", "group.a.first: counts the levels that meet a condition; add where"),
        (f"{GROUP}seeds = [1]\nwhere = 'rooms > 1'\nfirst = 0", "group.a.first: 0 is not a whole number from 1"),
        (f"{GROUP}seeds = [1]\nwhere = 'rooms > 1'\nrerolls = []", "group.a.rerolls: do not go with where"),
        ("[group.a]\nlevels = ['x.level.json']\nwhere = 'rooms > 1'", "group.a.where: does not go with levels, which are finished"),
        (f"{CAMPAIGN}where = 'rooms > 1'\nstages = [{{ name = 'x' }}]", "campaign.a.where: unknown key"),
        (f"{GROUP}seeds = [1]\ntheme = 'no.toml'", "no.toml: cannot be read"),
        (f"{GROUP}seeds = [1]\noptions.png.scal = 3", "group.a.options: 'png.scal': is not an option of png; did you mean png.scale?"),
        (f"{GROUP}seeds = [1]\noptions.png.scale = 99", "group.a.options: png.scale: 99 is out of range"),
        (f"{GROUP}seeds = [1]\noptions = 'no.toml'", "no.toml: cannot be read"),
        (f"{GROUP}seeds = [1]\noptions = 3", "group.a.options: 3 is not a table"),
        (f"{GROUP}seeds = [1]\npath = '{{sead}}'", "group.a.path: unknown placeholder 'sead'; did you mean seed?"),
        (f"{GROUP}seeds = [1]\npath = '{{seed:x}}'", "group.a.path: 'seed:x' is not a placeholder; write one like {seed} or {number:02}"),
        (f"{GROUP}seeds = [1]\npath = '../{{seed}}'", "group.a.path: '../x': '..' cannot be a name on every file system"),
        (f"{GROUP}seeds = [1]\npath = '/{{seed}}'", "'' cannot be a name on every file system"),
        (f"{GROUP}seeds = [1]\npath = '.undercroft/{{seed}}'", "'.undercroft' cannot be a name on every file system"),
        (f"{GROUP}seeds = [1]\npath = 'con/{{seed}}'", "'con' cannot be a name on every file system"),
        (f"{GROUP}seeds = [1]\npath = 'a b/{{seed}}'", "'a b' cannot be a name on every file system"),
        (f"{GROUP}seeds = [1]\npath = '{{'", "'{' cannot be a name on every file system"),
        (f"{GROUP}seeds = [1]\npath = '{'a/' * 300}b'", "is longer than 400 characters; shorten it"),
        (f"{GROUP}seeds = '0:1000000'\npath = 'x'", "group.a.path: a, seed 0 and a, seed 1 would both be 'x'"),
        (f"{GROUP}seeds = [1, 1]", "group.a.path: a, seed 1 and a, seed 1 would both be 'a/isaac-1'; give that seed once"),
        (f"{GROUP}seeds = ['A', 'a']", "group.a.path: a, seed A and a, seed a would both be 'a/isaac-a'"),
        (f"{GROUP}seeds = [1]\npath = 'x'\n[group.B]\nspec = 'isaac'\nseeds = [2]\npath = 'X'", "group.B.path: a, seed 1 and B, seed 2 would both be 'x'"),
        (f"{GROUP}seeds = [1]\n{CAMPAIGN}stages = [{{ name = 'x' }}]", "campaign.a: a group has the same name; rename one of them"),
        ("[campaign.a]\nspec = 'isaac'\nstages = [{ name = 'x' }]", "campaign.a.seed: is missing; give the campaign a number, or a text in quotes"),
        (f"{CAMPAIGN}", "campaign.a.stages: is missing"),
        (f"{CAMPAIGN}stages = []", "campaign.a.stages: is empty"),
        (f"{CAMPAIGN}stages = [3]", "campaign.a.stages[0]: 3 is not a table"),
        (f"{CAMPAIGN}stages = [{{}}]", "campaign.a.stages[0].name: is missing; give a text"),
        (f"{CAMPAIGN}stages = [{{ name = 'x y' }}]", "campaign.a.stages[0].name: 'x y' is not a name"),
        (f"{CAMPAIGN}stages = [{{ name = 'x' }}, {{ name = 'X' }}]", "campaign.a.stages[1].name: another stage is also called X"),
        (f"{CAMPAIGN}stages = [{{ name = 'x', seed = -2 }}]", "campaign.a.stages[0].seed: seed: -2 is out of range"),
        (f"{CAMPAIGN}stages = [{{ name = 'x', nam = 'y' }}]", "campaign.a.stages[0].nam: unknown key; did you mean name?"),
        ("out = '..'\n" + GROUP + "seeds = [1]", "out: '..' leads out of the manifest's folder; name a folder in it"),
        ("out = '/tmp'\n" + GROUP + "seeds = [1]", "out: '/tmp' leads out of the manifest's folder"),
    ],
)  # fmt: skip
def test_one_clear_line(text: str, says: str, tmp_path: Path) -> None:
    game = Game(tmp_path, text)
    done = game.run()
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"undercroft: {tmp_path}") and done.stderr.count("\n") == 1
    assert says in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["undercroft.toml"]


def test_files_of_specs_and_options_are_reported_with_their_names(tmp_path: Path) -> None:
    game = Game(tmp_path, "[group.a]\nspec = 'x.toml'\nseeds = [1]\noptions = 'o.toml'\n")
    (tmp_path / "x.toml").write_text("style = 'isaac'", "utf-8")
    (tmp_path / "o.toml").write_text("[png]\nscal = 2", "utf-8")
    assert f"{tmp_path / 'o.toml'}: 'png.scal': is not an option of png" in game.run().stderr
    (tmp_path / "o.toml").write_text("[png]\nscale = 2", "utf-8")
    (tmp_path / "x.toml").write_text("style = 'isaac'\nstage = 0", "utf-8")
    assert f"{tmp_path / 'x.toml'}: stage: 0 is out of range" in game.run().stderr


def test_a_huge_manifest_is_refused(tmp_path: Path) -> None:
    groups = "".join(f"[group.g{i}]\nspec = 'isaac'\nseeds = '0:1000000'\n" for i in range(2))
    with pytest.raises(BadInput, match="asks for 2000000 levels; give at most 1000000"):
        load_manifest(Game(tmp_path, groups).folder)
    with pytest.raises(BadInput, match="is larger than 1048576 bytes"):
        load_manifest(Game(tmp_path, "#" * (1 << 20) + "\n").folder)


def test_what_stands_further_in_goes_over_what_stands_further_out(tmp_path: Path) -> None:
    manifest = load_manifest(Game(tmp_path, """
formats = ["godot", "png"]
[options]
png.scale = 2
png.markers = true
tiled.encoding = "zlib"
[group.a]
spec = "isaac"
seeds = [1]
options.png.scale = 3
[campaign.b]
spec = "isaac"
seed = 1
set = { stage = 4, champions = 20, state.coins = 7 }
formats = ["tiled"]
[[campaign.b.stages]]
name = "one"
set.champions = 30
set.state.keys = 3
[[campaign.b.stages]]
name = "two"
spec = "gungeon"
formats = ["json"]
""").folder)  # fmt: skip
    a, one, two = manifest.groups
    assert a.options["png"]["scale"] == 3 and a.options["png"]["markers"] is True
    assert set(a.options) == {"godot", "png"}
    assert (one.spec.to_dict()["stage"], one.spec.to_dict()["champions"]) == (4, 30)
    assert {"coins": 7, "keys": 3}.items() <= one.spec.to_dict()["state"].items()
    assert one.options["tiled"]["encoding"] == "zlib"
    assert (two.spec.style, two.spec.to_dict()["champions"], two.formats) == ("gungeon", 10, ("json",))


def test_a_campaign_of_rebirth_is_one_run_of_the_game(tmp_path: Path) -> None:
    game = Game(
        tmp_path,
        "[campaign.a]\nspec='rebirth'\nseed='TKMG 13C2'\nstages=[{name='x'},{name='y',set.stage=2}]\n",
    )
    assert [group.seeds for group in load_manifest(game.folder).groups] == [("TKMG 13C2",)] * 2


def test_paths_of_formats(tmp_path: Path) -> None:
    game = Game(
        tmp_path,
        GROUP + "seeds = [7]\nformats = ['json', 'png']\npath = '{format}/{style}-{stage}-{seed:04}'\n",
    )
    (level,) = BuildPlan(load_manifest(game.folder))
    assert [output.path for output in level.outputs] == ["json/isaac-1-0007", "png/isaac-1-0007"]
    game.levels = tmp_path / "build"
    game.build()
    assert set(game.files()) == {"json/isaac-1-0007.level.json", "png/isaac-1-0007.png"}


@given(st.text(max_size=300))
def test_no_seed_leads_out_of_the_folder(seed: str) -> None:
    try:
        path = filled("a/{seed}", {"seed": seed}, "where")
    except BadInput:
        return
    assert path.startswith("a/") and path.count("/") == 1 and ".." not in path.split("/")


def test_the_mistakes_of_all_groups_are_told_at_once(tmp_path: Path) -> None:
    """Also those that are found only when the groups are read together with their themes."""
    game = Game(tmp_path)
    wrong = [
        "[group.a]\nspec = 'isac'\nseeds = [1]",
        "[group.b]\nspec = 'isaac'",
        f"{CAMPAIGN.replace('a]', 'c]')}stages = []",
    ]
    for text, keys in (
        ("\n".join(wrong), ["group.a.spec", "group.b.seeds", "campaign.c.stages"]),
        (
            "".join(f"[group.{name}]\nspec = 'isaac'\nseeds = [1]\ntheme = '{name}.toml'\n" for name in "ab"),
            ["group.a.theme", "group.b.theme"],
        ),
    ):
        game.write(text)
        done = game.run()
        assert done.exit_code == 2 and [line.split(": ")[2] for line in done.stderr.splitlines()] == keys, (
            done.stderr
        )
