"""Damaged files of every kind that Tiled writes: cut, flipped, of wrong types, of huge sizes, in circles."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .features import write_features

Json = Any
HUGE = (2**31, 2**62, 1e308, -1, -(2**40), 99999999)
WRONG: tuple[Json, ...] = (None, True, "x", [], {}, [[[]]], -1.5, "\u0000", "../../../etc/passwd")
BY_CHANCE = 110


def write_damaged(folder: Path) -> list[str]:
    """A sound map beside the damaged ones; the names of these."""
    write_features(folder)
    whole = (folder / "features.tmj").read_text(encoding="utf-8")
    tileset = (folder / "rich.tsj").read_text(encoding="utf-8")
    chance = random.Random(6)
    files: dict[str, bytes] = {}
    for number in range(BY_CHANCE):
        text = tileset if number % 3 == 2 else whole
        ending = "tsj" if number % 3 == 2 else "tmj"
        files[f"d{number}.{ending}"] = next(_damaged(text, chance, number % 5))
    xml = _xml()
    for number in range(20):
        cut = bytearray(xml)
        if number % 2:
            del cut[chance.randrange(len(cut)) :]
        else:
            cut[chance.randrange(len(cut))] ^= 1 << chance.randrange(8)
        files[f"x{number}.tmx"] = bytes(cut)
    files |= {name: data.encode() for name, data in _by_hand(whole)}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return list(files)


def _damaged(text: str, chance: random.Random, kind: int) -> Iterator[bytes]:
    data = bytearray(text.encode())
    while True:
        if kind == 0:
            yield bytes(data[: chance.randrange(len(data))])
        elif kind == 1:
            for _ in range(3):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            yield bytes(data)
        else:
            content = json.loads(text)
            table, key = chance.choice(list(_places(content)))
            table[key] = chance.choice(WRONG if kind < 4 else HUGE)
            yield json.dumps(content).encode()


def _places(value: Json) -> Iterator[tuple[Json, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield value, key
        yield from _places(below)


def _xml() -> bytes:
    return (
        b'<?xml version="1.0"?>\n<map version="1.10" orientation="orthogonal" width="2" height="2" '
        b'tilewidth="16" tileheight="16">\n <tileset firstgid="1" source="rich.tsj"/>\n'
        b' <properties><property name="a" type="int" value="4"/></properties>\n'
        b' <layer id="1" name="L" width="2" height="2"><data encoding="csv">1,2,3,4</data></layer>\n'
        b' <objectgroup id="2" name="O"><object id="3" x="4" y="5"><polygon points="0,0 4,4 0,4"/></object>'
        b"</objectgroup>\n</map>\n"
    )


PACKED = (
    ("zlib", "eJxjYGBgAAAABAAB"),
    ("gzip", "H4sIAAAAAAAAA2NgYGAAAAAEAAE="),
    ("zstd", "KLUv/SAEIQAAAQAAAA=="),
    ("lzma", "AAAA"),
    ("zlib", "!!!"),
    ("zlib", "eJwDAAAAAAE="),
)


def _by_hand(whole: str) -> Iterator[tuple[str, str]]:
    """What chance would not find."""

    def changed(**keys: Json) -> str:
        return json.dumps({**json.loads(whole), **keys})

    layer = {"type": "tilelayer", "name": "L", "width": 4, "height": 3, "opacity": 1, "visible": True}
    packed = {**layer, "encoding": "base64"}
    for name, data in PACKED:
        yield f"p{name}{len(data)}.tmj", changed(layers=[{**packed, "compression": name, "data": data}])
    yield "huge.tmj", changed(width=32767, height=32767, layers=[{**layer, "width": 32767, "height": 32767}])
    chunk = {"x": 0, "y": 0, "width": 32767, "height": 32767, "data": "", "encoding": "base64"}
    yield "chunk.tmj", changed(infinite=True, layers=[{**layer, "chunks": [chunk]}])
    far = {"x": 2**31, "y": 0, "width": 1, "height": 1, "data": [1]}
    yield "far.tmj", changed(infinite=True, layers=[{**layer, "chunks": [far]}])
    yield "bits.tmj", changed(layers=[{**layer, "data": [1, 1 << 28, 1 << 31 | 1, 77, 1 << 31 | 2, 1 << 30]}])
    yield "self.tmj", changed(tilesets=[{"firstgid": 1, "source": "self.tmj"}])
    yield "outside.tmj", changed(tilesets=[{"firstgid": 1, "source": "../../outside.tsj"}])
    yield "template.tj", json.dumps({"type": "template", "object": {"id": 1, "template": "template.tj"}})
    circle = {"type": "objectgroup", "name": "O", "objects": [{"id": 1, "template": "template.tj"}]}
    yield "circle.tmj", changed(layers=[circle])
    deep: Json = {"type": "group", "name": "G", "layers": []}
    for _ in range(200):
        deep = {"type": "group", "name": "G", "layers": [deep]}
    yield "deep.tmj", changed(layers=[deep])
    yield "brackets.tmj", "[" * 100_000
    yield "elements.tmx", "<a>" * 100_000
    yield "empty.tmj", ""
    yield "empty.tmx", ""
    yield "nothing.tsj", "{}"
    yield "list.tmj", "[]"
    yield "no.world", '{"maps": [{"fileName": "nowhere.tmj", "x": 1e300, "y": 0}]}'
    yield "bad.world", '{"patterns": [{"regexp": "(((("}]}'
    yield "cut.world", '{"maps": ['
