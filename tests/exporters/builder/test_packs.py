"""Packs as a format of builds: the promises of other files hold for them too."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from exporters.builder.store import Store
from exporters.formats.pack.file import HEADER
from exporters.formats.pack.reader import load_pack, problems, same_packs
from exporters.formats.pack.variant import Int32s, encode
from exporters.formats.pack.web import NAME, web_reader
from generator.errors import GenerationFailed
from tests.exporters.builder.games import Game, files_of
from tests.exporters.builder.test_killed import killed_build, temporary
from tests.exporters.pack_files import parts_of

PACKS = """
out = "levels"
formats = ["pack"]
[group.cellars]
spec = "isaac"
seeds = "3:6"
[campaign.descent]
seed = "a rope"
spec = "isaac"
stages = [{ name = "cellar", set.stage = 2 }, { name = "heap", spec = "gungeon", set.rooms = 4, set.districts = "none" }]
"""
FILES = {"cellars.ucpack", "descent.ucpack", "undercroft.png", "undercroft.tres"}


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game", PACKS)


def counts_of(game: Game, *words: str, status: int = 0) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = game.build(*words, status=status).events[-1]["groups"]
    return found


def failing_at(seeds: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the levels of some seeds fail."""
    generate = generator.generate

    def failing(spec, seed, **more):  # type: ignore[no-untyped-def]
        if seed in seeds:
            raise GenerationFailed("floorplan", 100, "of the test", seed)
        return generate(spec, seed, **more)

    monkeypatch.setattr("generator.pipeline.generate", failing)


def test_one_file_for_each_group_and_campaign(game: Game) -> None:
    told = game.build()
    assert set(game.files()) == FILES
    assert [(event["group"], event["levels"]) for event in told.of("packed")] == [
        ("cellars", 3),
        ("descent", 2),
    ]
    assert {path for event in told.of("packed") for path in event["files"]} == FILES
    cellars, descent = (load_pack(game.levels / f"{name}.ucpack") for name in ("cellars", "descent"))
    for number, seed in enumerate((3, 4, 5)):
        level = generator.generate("isaac", seed)
        assert (cellars.seed(number), cellars.fingerprint(number)) == (seed, level.fingerprint)
    facts = [descent.facts(number) for number in range(descent.count)]
    assert [(each["name"], each["style"], each["stage"]) for each in facts] == [
        ("cellar", "isaac", 2),
        ("heap", "gungeon", 0),
    ]
    assert not problems(game.levels / "cellars.ucpack") + problems(game.levels / "descent.ucpack")
    before = {name: (game.levels / name).stat().st_mtime_ns for name in FILES}
    assert counts_of(game) == {"cellars.ucpack": {"unchanged": 3}, "descent.ucpack": {"unchanged": 2}}
    assert before == {name: (game.levels / name).stat().st_mtime_ns for name in FILES}
    assert game.build("--check").counts == {"same": 5}


def test_packs_stand_beside_other_formats(game: Game) -> None:
    game.change('formats = ["pack"]', 'formats = ["json", "pack"]')
    assert counts_of(game) == {
        "cellars": {"built": 3, "generated": 3},
        "descent": {"built": 2, "generated": 2},
        "cellars.ucpack": {"built": 3, "generated": 3},
        "descent.ucpack": {"built": 2, "generated": 2},
    }
    game.change('formats = ["json", "pack"]', 'formats = ["json"]')
    told = game.build()
    assert set(told.files("leftover")) == FILES and told.counts == {"unchanged": 5}
    assert set(game.build("--prune").files("removed")) == FILES
    assert all(name.endswith(".level.json") for name in game.files())


def test_any_workers_make_the_same(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several blocks."""
    monkeypatch.setattr("exporters.builder.pack_sources.LEVELS_A_BLOCK", 2)
    game.build()
    for number, words in enumerate(
        (["--jobs", "2"], ["--executor", "concurrent.futures:ThreadPoolExecutor"])
    ):
        out = game.folder / f"out{number}"
        game.build("--out", str(out), *words)
        assert files_of(out) == game.files()


def test_what_changes_a_pack(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """And that one alone."""
    game.build()
    others = {"descent.ucpack": {"unchanged": 2}}
    for old, new, count in (
        ('seeds = "3:6"', 'seeds = "3:5"', 2),
        ('spec = "isaac"\nseeds', 'spec = "isaac"\nset.stage = 3\nseeds', 2),
        ('"3:5"', '"3:5"\noptions.godot.scenes.enemy = "res://a.tscn"', 2),
    ):
        before = game.files()["cellars.ucpack"]
        game.change(old, new)
        assert counts_of(game) == {"cellars.ucpack": {"built": count, "generated": count}, **others}
        assert game.files()["cellars.ucpack"] != before
    monkeypatch.setattr("exporters.builder.plan.VERSION", "9.9.9")
    assert game.build().counts == {"built": 4, "generated": 4}


def test_a_pack_that_cannot_be_stored_fails_alone(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another program changes the folder meanwhile, as it is with levels."""
    store = Store.store

    def changing(self: Store, files: Any, packed: Any = None, **more: Any) -> Any:
        if "cellars.ucpack" in (packed or ()):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "levels/cellars.ucpack")
        return store(self, files, packed, **more)

    monkeypatch.setattr(Store, "store", changing)
    told = game.build(status=1)
    assert [event["reason"] for event in told.of("failed")] == [
        "levels/cellars.ucpack: No such file or directory"
    ]
    assert game.files().keys() >= {"descent.ucpack"} and "cellars.ucpack" not in game.files()


def test_the_reader_for_browsers_needs_a_pack(game: Game) -> None:
    group = '[group.a]\nspec = "isaac"\nseeds = [1]\nformats = ["json"]\n'
    for where, manifest in (("web", f"web = true\n{group}"), ("group.a.web", f"{group}web = true\n")):
        game.write(manifest)
        done = game.run()
        (line,) = done.stderr.splitlines()
        says = f'undercroft.toml: {where}: needs a pack; add "pack" to the formats, or leave web out'
        assert done.exit_code == 2 and line.endswith(says)


def test_the_reader_for_browsers_lies_beside_packs(game: Game) -> None:
    """What one of them asks for; it goes when none does any more."""
    game.build()
    packs = {name: game.files()[name] for name in FILES}
    game.change('seeds = "3:6"', 'seeds = "3:6"\nweb = true')
    unchanged = {"descent.ucpack": {"unchanged": 2}}
    assert counts_of(game) == {"cellars.ucpack": {"built": 3, "generated": 3}, **unchanged}
    assert game.files() == {**packs, NAME: web_reader()}
    assert counts_of(game) == {"cellars.ucpack": {"unchanged": 3}, **unchanged}
    game.write(f"web = true\n{PACKS}")
    game.build()
    assert game.files() == {**packs, NAME: web_reader()}
    game.write(PACKS)
    game.build("--prune")
    assert game.files() == packs


def test_a_changed_theme(game: Game) -> None:
    look = game.folder / "look"
    shutil.copytree(Path(exporters.__file__).parent / "themes", look)
    toml = look / "undercroft.toml"
    game.change('out = "levels"', 'out = "levels"\ntheme = "look/undercroft.toml"')
    game.build()
    toml.write_text(toml.read_text("utf-8").replace('name = "undercroft"', 'name = "crypt"'), "utf-8")
    assert game.build("--prune").counts["built"] == 5
    assert set(game.files()) == {name.replace("undercroft", "crypt") for name in FILES}


def test_a_level_that_fails_is_left_out_and_tried_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        failing_at([4], patch)
        for words in ([], [], ["--check"]):
            done = game.run(*words)
            assert done.exit_code == 1
            assert done.stderr.startswith("undercroft: cellars, seed 4: seed 4: no floorplan after 100 tries")
        assert counts_of(game, status=1)["cellars.ucpack"] == {"built": 2, "generated": 2, "failed": 1}
        assert load_pack(game.levels / "cellars.ucpack").count == 2
    assert counts_of(game)["cellars.ucpack"] == {"built": 3, "generated": 3}
    assert load_pack(game.levels / "cellars.ucpack").count == 3


def test_a_pack_that_cannot_be_made_keeps_its_old_file(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Because all of its levels fail, or its worker does."""
    game.build()
    before = game.files()
    with monkeypatch.context() as patch:
        failing_at([3, 4, 5], patch)
        told = game.build("--force", "--prune", status=1)
    assert told.of("failed")[-1]["reason"] == "none of its levels could be made"
    with monkeypatch.context() as patch:
        patch.setattr("exporters.builder.packs.make_block", None)
        told = game.build("--force", "--prune", status=1)
        assert [event["level"] for event in told.of("failed")] == ["cellars.ucpack", "descent.ucpack"]
        assert game.build("--check", status=1).counts == {"failed": 5}
    assert game.files() == before and not temporary(game.levels)


def test_what_a_person_put_there_stays(game: Game) -> None:
    game.levels.mkdir()
    (game.levels / "cellars.ucpack").write_bytes(b"a person's")
    (event,) = game.build().of("edited")
    assert (event["file"], event["beside"]) == ("cellars.ucpack", "cellars.new.ucpack")
    assert (game.levels / "cellars.ucpack").read_bytes() == b"a person's"
    made = (game.levels / "cellars.new.ucpack").read_bytes()
    game.build("--edits", "replace")
    assert (game.levels / "cellars.mine.ucpack").read_bytes() == b"a person's"
    assert (game.levels / "cellars.ucpack").read_bytes() == made
    assert not (game.levels / "cellars.new.ucpack").exists()
    (game.levels / "descent.ucpack").unlink()
    (game.levels / "descent.ucpack").mkdir()
    told = game.build(status=1)
    assert "is not a file; remove it" in told.of("failed")[0]["reason"]
    assert told.counts == {"unchanged": 3, "failed": 2}


def repacked(data: bytes) -> bytes:
    """The same levels in streams of another zlib."""
    parts = parts_of(data)
    packed = zlib.compress(encode(parts.block), 1)
    parts.index["block_sizes"] = Int32s([len(packed)])
    parts.index["block_digests"] = hashlib.sha256(packed).digest()[:16]
    raw = encode(parts.index)
    index = zlib.compress(raw, 1)
    count = HEADER.unpack_from(data)[2]
    sizes = HEADER.size + len(packed), len(index), len(raw)
    return HEADER.pack(data[:8], 1, count, *sizes, hashlib.sha256(index).digest()) + packed + index


def test_check_compares_unpacked(game: Game) -> None:
    assert set(game.build("--check", status=1).files("missing")) == FILES and not game.levels.exists()
    game.build()
    path = game.levels / "cellars.ucpack"
    data = path.read_bytes()
    path.write_bytes(repacked(data))
    assert path.read_bytes() != data and game.build("--check").counts == {"same": 5}
    (game.levels / "undercroft.tres").write_bytes(b"other")
    told = game.build("--check", status=1)
    assert told.files("differs") == ["undercroft.tres"]


def test_packs_that_are_not_the_same(game: Game, tmp_path: Path) -> None:
    game.build()
    ours, other = game.levels / "cellars.ucpack", tmp_path / "other.ucpack"
    data = ours.read_bytes()
    for bad in (b"", data[:-1], data[:90] + b"x" + data[91:], (game.levels / "descent.ucpack").read_bytes()):
        other.write_bytes(bad)
        assert same_packs(ours, ours) and not same_packs(ours, other)


def test_killed_at_many_moments(game: Game, tmp_path: Path) -> None:
    calm = Game(tmp_path / "calm", PACKS)
    calm.build()
    expected = calm.files()
    kills = 0
    for moment in (13, 17):
        kills += killed_build(game, moment)
        found = game.files() if game.levels.exists() else {}
        assert {name: expected[name] for name in found} == found, f"a half file, killed at {moment}"
        assert all(path.parent.name == "begun" for path in temporary(game.levels))
    assert kills == 2
    told = game.build()
    assert game.files() == expected and not temporary(game.levels)
    assert not told.of("replaced") and not told.of("leftover")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"3:6"', '"3:6"\noptions.godot.split = "rooms"', "group.cellars.formats: pack: godot.split: packs support only none"),
        ('"3:6"', '"0:200000"', "group.cellars.formats: pack: a pack of 200000 levels is too large"),
        ('"heap",', '"heap", theme = "look/undercroft.toml",', "descent.stages[0].formats: pack: the levels have several"),
        ("campaign.descent", "campaign.CELLARS", "its pack and that of cellars would have the same name; rename one"),
    ],
)  # fmt: skip
def test_what_no_pack_can_be_is_one_line(game: Game, old: str, new: str, said: str) -> None:
    shutil.copytree(Path(exporters.__file__).parent / "themes", game.folder / "look")
    game.change(old, new)
    done = game.run()
    assert done.exit_code == 2 and said in done.stderr and done.stderr.count("\n") == 1
    assert not game.levels.exists()
