"""`undercroft selftest`: are the levels and files that this machine makes those of the version?

`selftest.json` beside this module has the fingerprint of each level, and a digest of each export:

    {"version": "0.3.0", "levels": {"isaac --seed 1 --set stage=2": "97d4..."},
     "exports": {"isaac --seed 7 --set stage=4 --to tiled": "51c0..."}}

The keys are words for `undercroft generate`, which makes what differs. `tests/test_versions.py` compares the
file with what is made, and can renew it; a key that is added to the file is made too.
"""

from __future__ import annotations

import hashlib
import io
import json
import shlex
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from exporters.exporting import export
from generator import Level, generate
from generator.named_tuple import NamedTuple
from generator.shipped_files import shipped_folder
from generator.version import VERSION

NAME = "selftest.json"


class LevelToMake(NamedTuple):
    """A level of the list: a preset, a seed, and the values that differ from the preset's."""

    words: str  # what makes it on the command line
    preset: str
    seed: str
    values: dict[str, Any]

    def level(self) -> Level:
        """Generate the level."""
        level: Level = generate(self.preset, self.seed, **self.values)
        return level


class ExportToMake(NamedTuple):
    """An export of the list: a level, a format and its options."""

    words: str
    of: LevelToMake
    format: str
    options: dict[str, Any]


def levels() -> list[LevelToMake]:
    """List the levels that the file lists."""
    return [_level_of(words) for words in kept()["levels"]]


def exports() -> list[ExportToMake]:
    """List the exports that the file lists."""
    return [_export_of(words) for words in kept()["exports"]]


def _level_of(words: str) -> LevelToMake:
    preset, _, seed, *rest = shlex.split(words)
    return LevelToMake(words, preset, seed, _values_of(rest))


def _export_of(words: str) -> ExportToMake:
    level, _, way = words.partition(" --to ")
    name, *rest = shlex.split(way)
    return ExportToMake(words, _level_of(level), name, _values_of(rest))


def _values_of(words: list[str]) -> dict[str, Any]:
    """Parse the values of `--set KEY=VALUE --option KEY=VALUE`. 4.2 stays a text, as options want it."""
    pairs = [word.partition("=") for word in words[1::2]]
    return {key: _value(given) for key, _, given in pairs}


def _value(text: str) -> object:
    is_toml = text in ("true", "false") or text.isdigit() or text.startswith(("[", "{"))
    return tomllib.loads(f"value = {text}")["value"] if is_toml else text


class Remade(NamedTuple):
    """What one level or one export came out as: a fingerprint or a digest, and how many files it has."""

    part: str  # "levels" or "exports", as in the file
    words: str
    digest: str
    files: int


def made() -> Iterator[Remade]:
    """Yield everything, one after the other."""
    for level_entry in levels():
        yield Remade("levels", level_entry.words, level_entry.level().fingerprint, 0)
    for export_entry in exports():
        files = exported_as(export_entry.of.level(), export_entry.format, export_entry.options)
        yield Remade("exports", export_entry.words, digest_of(_flat(files)), len(files))


def exported_as(level: Level, name: str, options: dict[str, Any]) -> list[tuple[bytes, bytes]]:
    """Export files, by path, without what a version of zlib or our own version changes."""
    files = export(level, name, options, name="level").items()
    return [(path.encode(), _plain(path, data)) for path, data in files]


def digest_of(parts: Iterable[bytes]) -> str:
    """Compute a digest of some parts, which also tells where one ends."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


@cache
def kept() -> dict[str, Any]:
    """Read what ships for this version."""
    read: dict[str, Any] = json.loads((shipped_folder("exporters") / NAME).read_bytes())
    return read


def text_of(everything: Iterable[Remade]) -> str:
    """Write the text of `selftest.json`."""
    data: dict[str, Any] = {"version": VERSION, "levels": {}, "exports": {}}
    for remade in everything:
        data[remade.part][remade.words] = remade.digest
    return json.dumps(data, indent=0) + "\n"


def _flat(files: list[tuple[bytes, bytes]]) -> Iterator[bytes]:
    for path, data in files:
        yield from (path, data)


def _plain(path: str, data: bytes) -> bytes:
    return _pixels(data) if path.endswith(".png") else data.replace(VERSION.encode(), b"VERSION")


def _pixels(data: bytes) -> bytes:
    """Return the size and the pixels, since another zlib packs the same picture into other bytes."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        pixels = np.asarray(image.convert("RGBA"))
    return repr(pixels.shape).encode() + pixels.tobytes()
