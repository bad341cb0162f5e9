"""The same spec, seed and version give the same bytes: what changes them raises the version.

`exporters/selftest.json` has the fingerprint of each of many levels and the digest of each of many exports.
`goldens/versions.toml` has, for each version, a digest of all these levels with the golden files, and one of the
exports. An entry that is there never changes; UNDERCROFT_UPDATE_GOLDENS=1 adds that of a new version, and renews
`selftest.json`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from exporters import selftest
from exporters.selftest import Remade, digest_of, kept, made, text_of
from generator.version import VERSION
from tests.exporters.other_pack_reader import first_block
from tests.exporters.pack_files import small_pack

FILE = Path(selftest.__file__).with_name(selftest.NAME)
FILES = 256  # as json_stories.md shows it
GOLDENS = Path(__file__).parent / "goldens"
VERSIONS = GOLDENS / "versions.toml"
UPDATE = bool(os.environ.get("UNDERCROFT_UPDATE_GOLDENS"))

pytestmark = pytest.mark.xdist_group("versions")  # all are made once


@cache
def everything() -> list[Remade]:
    return [*made()]


def test_each_level_and_export_is_that_of_the_version() -> None:
    if UPDATE:
        FILE.write_text(text_of(everything()), encoding="utf-8", newline="\n")
        kept.cache_clear()
    changed = [one.words for one in everything() if kept()[one.part][one.words] != one.digest]
    assert not changed, "\n".join(["these are not as they were:", *changed])
    assert FILE.read_text("utf-8") == text_of(everything())
    assert sum(one.files for one in everything()) == FILES


def digests(part: str) -> Iterator[bytes]:
    """What was made, in the order of the file."""
    for one in everything():
        if one.part == part:
            yield from (one.words.encode(), one.digest.encode())


def goldens() -> Iterator[bytes]:
    """All golden files, which `test_pipeline.py` compares with what is made."""
    for path in sorted(GOLDENS.glob("*.txt")):
        yield from (path.name.encode(), path.read_bytes())


def pack(folder: Path) -> bytes:
    """The inside of a pack, which no version of zlib changes."""
    index, block = first_block(small_pack(folder).read_bytes())
    packed = {key: value for key, value in index.items() if not key.startswith("block_")}
    return repr((packed, block)).replace(VERSION, "VERSION").encode()


def test_a_change_of_levels_or_exports_has_a_version_of_its_own(tmp_path: Path) -> None:
    found = {
        "levels": digest_of([*goldens(), *digests("levels")]),
        "exports": digest_of([*digests("exports"), pack(tmp_path)]),
    }
    known = tomllib.loads(VERSIONS.read_text("utf-8"))
    if UPDATE and VERSION not in known:
        with VERSIONS.open("a", encoding="utf-8") as file:
            file.write(f'"{VERSION}" = {{ levels = "{found["levels"]}", exports = "{found["exports"]}" }}\n')
        return
    assert VERSION in known, f"{VERSION} has no digests: run this test with UNDERCROFT_UPDATE_GOLDENS=1"
    changed = [name for name in found if found[name] != known[VERSION][name]]
    assert not changed, (
        f"the {' and the '.join(changed)} of a given seed are not those of {VERSION}: raise VERSION in "
        "generator/version.py (0.3.0.dev1 after 0.2.0, then dev2 ...), and say in CHANGELOG.md what changes"
    )
    assert list(known)[-1] == VERSION, f"{VERSION} is older than the last entry of {VERSIONS.name}"
