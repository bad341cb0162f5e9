"""Damaged files: readable parts are imported, the rest is reported in one line; no crash, no hang, nothing lost."""

from __future__ import annotations

import re
import shutil

from tests.godot_addon.rounds import Part, Turns, in_rounds

from .damage import write_damaged
from .features import write_features
from .maps import import_with

# Godot's own words for a file that an importer refused.
_REFUSED = "Error importing"
# Ours, Godot's for the same file, where they come from, and what Godot says of a broken zlib stream.
_EXPECTED = re.compile(
    r"(ERROR|WARNING): Undercroft: res://.{10,700}$|ERROR: Error importing|\s+(at: |GDScript|\[\d+\])"
    r"|ERROR: Condition \"err != (1|Z_STREAM_END)\" is true. Returning: -1"
)


# One flaw each, or a bound that is passed: imported without the thing that is flawed.
_FLAWED = ("huge", "chunk", "far", "self", "outside", "circle", "deep")
# There is nothing to be imported.
_REFUSED_WHOLE = (
    "brackets.tmj",
    "elements.tmx",
    "empty.tmj",
    "empty.tmx",
    "list.tmj",
    "nothing.tsj",
    "cut.world",
)


def _refused(said: list[str]) -> set[str]:
    """The files that an import of everything refuses; all that is said of it are known lines."""
    for line in said:
        assert _EXPECTED.match(line), line
    refused = {re.sub(r".*res://([^']*)'.*", r"\1", line) for line in said if _REFUSED in line}
    assert len([line for line in said if line.startswith("ERROR: Undercroft: ")]) == len(refused)
    return refused


@in_rounds
def test_damaged_files_are_reported_and_imported_where_they_can_be(part: Part) -> Turns:
    names = write_damaged(part.folder)
    assert len(names) >= 150
    said = yield
    refused = _refused(said)
    assert refused <= set(names)
    assert refused >= set(_REFUSED_WHOLE)
    assert len(refused) > 50
    for name in _FLAWED:
        assert f"{name}.tmj" not in refused
        told = "template.tj" if name == "circle" else f"{name}.tmj"
        assert any(line.startswith(f"WARNING: Undercroft: res://{told}: ") for line in said), name
    part.ask("tree.gd", "res://features.tmj")
    shutil.rmtree(part.folder)  # each import would try them again


@in_rounds
def test_a_strict_import_refuses_each_flaw(part: Part) -> Turns:
    for name in write_damaged(part.folder):
        if name[0] in "dx" and name[1].isdigit():
            (part.folder / name).unlink()
        elif name.endswith(".tmj"):
            import_with(part.folder, name, strict=True)
    assert _refused((yield)) >= {f"{name}.tmj" for name in _FLAWED}
    shutil.rmtree(part.folder)


@in_rounds
def test_a_failed_import_leaves_the_last_good_one(part: Part) -> Turns:
    write_features(part.folder)
    features = part.folder / "features.tmj"
    sound = features.read_bytes()
    yield
    before = part.ask("tree.gd", "res://features.tmj")
    features.write_bytes(sound[: len(sound) // 2])
    said = [line for line in (yield) if "features.tmj" in line]
    assert len(said) == 1
    assert "line" in said[0]
    assert part.ask("tree.gd", "res://features.tmj") == before
