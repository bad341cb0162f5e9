"""`--check`: the folder against the manifest, decoded where libraries pack differently, and nothing written."""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from exporters.builder.check import same_content
from tests.exporters.builder.games import Game

MANIFEST = """
out = "levels"
formats = ["tiled", "png"]
options.tiled.encoding = "ENCODING"
[group.a]
spec = "isaac"
seeds = [5]
"""

ZSTD = b"\x28\xb5\x2f\xfd"


def repack_png(data: bytes) -> bytes:
    out = io.BytesIO()
    Image.open(io.BytesIO(data)).save(out, "PNG", compress_level=1)
    return out.getvalue()


def repack_map(data: bytes, change: Callable[[bytes], bytes] = bytes) -> bytes:
    for text in set(re.findall(rb"[A-Za-z0-9+/]{60,}=*", data)) - set(re.findall(rb"[0-9a-f]{60,}", data)):
        packed = base64.b64decode(text)
        if packed[:4] != ZSTD:
            again = zlib.compress(change(zlib.decompress(packed)), 1)
        else:
            from backports import zstd

            again = zstd.compress(change(zstd.decompress(packed)), level=19)
        data = data.replace(text, base64.b64encode(again))
    return data


@pytest.mark.parametrize(("encoding", "form"), [("zlib", "tmj"), ("zstd", "tmj"), ("zlib", "tmx")])
def test_streams_are_compared_decoded(tmp_path: Path, encoding: str, form: str) -> None:
    manifest = MANIFEST.replace("[group.a]", f'options.tiled.format = "{form}"\n[group.a]')
    game, map_ = Game(tmp_path, manifest.replace("ENCODING", encoding)), f"isaac-5.{form}"
    game.build()
    before = game.files()
    for name, repack in (("isaac-5.png", repack_png), (map_, repack_map)):
        data = repack(before[f"a/{name}"])
        assert data != before[f"a/{name}"]
        (game.levels / "a" / name).write_bytes(data)
    assert game.build("--check").counts == {"same": 1}
    (game.levels / "a" / map_).write_bytes(repack_map(before[f"a/{map_}"], lambda raw: b"\1" + raw[1:]))
    told = game.build("--check", status=1)
    assert told.counts == {"differs": 1} and told.files("differs") == [f"a/{map_}"]


def test_it_needs_no_state_and_writes_nothing(tmp_path: Path) -> None:
    game = Game(tmp_path, MANIFEST.replace("ENCODING", "csv"))
    told = game.build("--check", status=1)
    assert not game.levels.exists() and set(told.files("missing")) == {
        "a/isaac-5.tmj", "a/undercroft.tsj", "a/undercroft.png", "a/undercroft.tiled-project", "a/isaac-5.png",
    }  # fmt: skip
    game.build()
    for path in (game.levels / ".undercroft").rglob("*"):
        if path.is_file():
            path.unlink()
    assert game.build("--check").counts == {"same": 1}
    assert not [path for path in (game.levels / ".undercroft").rglob("*") if path.is_file()]
    (game.levels / "a" / "isaac-5.tmj").write_bytes(b"other")
    (game.levels / "a" / "isaac-5.png").unlink()
    done = game.run("--check")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "undercroft: a/isaac-5.png: is missing; build again",
        "undercroft: a/isaac-5.tmj: differs from what the manifest gives; build again, or see --edits if it was changed by hand",
    ]


def test_a_file_too_many_is_reported_where_the_state_knows(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.build()
    game.change("3:6", "3:5")
    (game.levels / "cellars" / "isaac-9.tscn").write_bytes(b"a person's")
    told = game.build("--check", status=1)
    assert told.files("unasked") == [
        f"cellars/isaac-5{end}" for end in (".level.json", ".tscn", "_edit.tscn")
    ]
    game.build("--prune")
    assert game.build("--check").counts == {"same": 4}


def test_nobody_is_told_to_prune_what_is_not_pruned(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.build()
    game.change("3:6", "3:5")
    (game.levels / "cellars" / "isaac-5.tscn").write_bytes(b"a person's")
    for command in ("--check", "--jobs=1", "--prune"):
        lines = {line.split(": ")[1]: line for line in game.run(command).stderr.splitlines()}
        line = lines["cellars/isaac-5.tscn"]
        assert line.endswith("no longer asks for it, but it was changed by hand; remove it yourself"), line
    assert game.run("--check").stderr.count("\n") == 1


def test_a_scene_to_work_in_may_be_anything(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.build()
    edit = game.levels / "cellars" / "isaac-3_edit.tscn"
    edit.write_bytes(b"mine")
    assert game.build("--check").counts == {"same": 5}
    edit.unlink()
    assert game.build("--check", status=1).files("missing") == ["cellars/isaac-3_edit.tscn"]


def test_it_refuses_what_writes(tmp_path: Path) -> None:
    for flag in ("--prune", "--force"):
        said = f"{flag}: does not go with --check, which writes nothing; leave it out"
        assert game_error(Game(tmp_path), "--check", flag) == said


def game_error(game: Game, *words: str) -> str:
    done = game.run(*words)
    assert done.exit_code == 2
    return done.stderr.removeprefix("undercroft: ").strip()


def png(size: tuple[int, int], colour: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGBA", size, (colour, 0, 0, 255)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "ours", "theirs"),
    [
        ("a.tscn", b"a", b"b"),
        ("a.png", png((4, 4), 1), png((4, 4), 2)),
        ("a.png", png((4, 4), 1), png((5, 4), 1)),
        ("a.png", png((4, 4), 1), b""),
        ("a.png", png((4, 4), 1), png((4, 4), 1)[:-30]),
        ("a.png", png((4, 4), 1), png((4, 4), 1)[:50] + b"x" + png((4, 4), 1)[51:]),
        ("a.tmj", b'{"layers": []}', b'{"layers":  []}'),
        ("a.tmj", b'{"layers": [{"encoding": "base64", "compression": "zlib", "data": "eJwDAAAAAAE="}]}', b"[[[["),
        ("a.tmj", b'{"layers": [{"encoding": "base64", "compression": "zlib", "data": "eJwDAAAAAAE="}]}',
         b'{"layers": [{"encoding": "base64", "compression": "zlib", "data": "!"}]}'),
        ("a.tmj", b'{"layers": [{"encoding": "base64", "compression": "zlib", "data": "eJwDAAAAAAE="}]}',
         b'{"layers": [{"encoding": "base64", "compression": "zlib", "data": "eJwDAAAAAAE="}], "x": 1}'),
    ],
)  # fmt: skip
def test_what_is_not_the_same(name: str, ours: bytes, theirs: bytes) -> None:
    assert same_content(name, ours, ours) and not same_content(name, ours, theirs)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("most", [15, 7])  # px from which Pillow warns, and refuses more than twice as many
def test_a_picture_of_a_large_level_is_compared_too(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of 500 rooms has more pixels than Pillow, and a theme's image, may have."""
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", most)
    monkeypatch.setattr("exporters.theme.file.MAX_AREA_PX", 15)
    ours, other = png((4, 4), 1), png((4, 4), 2)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    again = repack_png(ours)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", most)
    assert again != ours and same_content("a.png", ours, again)
    assert not same_content("a.png", ours, other)
    assert most == Image.MAX_IMAGE_PIXELS


def test_a_bomb_is_not_unpacked() -> None:
    def of(data: bytes) -> bytes:
        text = base64.b64encode(data).decode()
        return json.dumps({"layers": [{"encoding": "base64", "compression": "zlib", "data": text}]}).encode()

    bomb = zlib.compress(bytes(1 << 28), 9)
    import tracemalloc

    tracemalloc.start()
    assert not same_content("a.tmj", of(zlib.compress(bytes(100))), of(bomb))
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()
