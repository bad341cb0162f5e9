"""The same spec, seed and version give the same bytes: what changes them raises the version.

`goldens/versions.toml` has a digest per version of the levels of the golden files, and one of what is exported
from some of them. An entry that is there never changes; UNDERCROFT_UPDATE_GOLDENS=1 adds that of a new version.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from exporters.selftest import digest_of, exported_as, exports
from generator.version import VERSION
from tests.exporters.other_pack_reader import first_block
from tests.exporters.pack_files import small_pack

GOLDENS = Path(__file__).parent / "goldens"
VERSIONS = GOLDENS / "versions.toml"


def digest_of_levels() -> str:
    """Of all golden files, which `test_pipeline.py` and `test_promises.py` compare with what is made."""
    files = [path for path in sorted(GOLDENS.iterdir()) if path != VERSIONS]
    return digest_of(path.name.encode() + path.read_bytes() for path in files)


@cache
def digest_of_exports(folder: Path) -> str:
    return digest_of(_exported(folder))


def _exported(folder: Path) -> Iterator[bytes]:
    """What no version of zlib changes: texts, pixels, and the inside of a pack."""
    for one in exports():
        for path, data in exported_as(one.of.level(), one.format, one.options):
            yield from (path, data)
    index, block = first_block(small_pack(folder).read_bytes())
    packed = {key: value for key, value in index.items() if not key.startswith("block_")}
    yield repr((packed, block)).replace(VERSION, "VERSION").encode()


def test_a_change_of_levels_or_exports_has_a_version_of_its_own(tmp_path: Path) -> None:
    made = {"levels": digest_of_levels(), "exports": digest_of_exports(tmp_path)}
    kept = tomllib.loads(VERSIONS.read_text("utf-8"))
    if os.environ.get("UNDERCROFT_UPDATE_GOLDENS") and VERSION not in kept:
        with VERSIONS.open("a", encoding="utf-8") as file:
            file.write(f'"{VERSION}" = {{ levels = "{made["levels"]}", exports = "{made["exports"]}" }}\n')
        return
    assert VERSION in kept, f"{VERSION} has no digests: run this test with UNDERCROFT_UPDATE_GOLDENS=1"
    changed = [name for name in made if made[name] != kept[VERSION][name]]
    assert not changed, (
        f"the {' and the '.join(changed)} of a given seed are not those of {VERSION}: raise VERSION in "
        "generator/version.py (0.3.0.dev1 after 0.2.0, then dev2 ...), and say in CHANGELOG.md what changes"
    )
    assert list(kept)[-1] == VERSION, f"{VERSION} is older than the last entry of {VERSIONS.name}"
