"""The commands that `--against` measures, each a process of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Command(NamedTuple):
    """A command line, the files that it needs, and the commands that come before it, once."""

    words: str
    files: Mapping[str, str] = {}
    before: tuple[str, ...] = ()


_LEVELS = 100
_MANIFEST = """formats = ["json", "godot", "tiled", "ldtk", "png"]
[group.levels]
spec = "isaac"
seeds = "0:{}"
"""
_BUILT = {"many.toml": _MANIFEST.format(_LEVELS), "few.toml": _MANIFEST.format(20)}
_WHERE = "rooms.boss.distance>=5"

COMMANDS: Mapping[str, Command] = {
    "`--version`": Command("--version"),
    "`generate isaac --to json`": Command("generate isaac --to json --out json"),
    "`generate gungeon --to json`": Command("generate gungeon --to json --out json"),
    "`generate rebirth --to json`": Command("generate rebirth --to json --out json"),
    "`generate isaac --to godot`": Command("generate isaac --to godot --out godot"),
    "`generate gungeon --to godot`": Command("generate gungeon --to godot --out godot"),
    "`search`, 20,000 seeds": Command(f"search isaac --where {_WHERE} --seeds 0:20000 --jobs 1"),
    "`search`, 200 seeds": Command(f"search isaac --where {_WHERE} --seeds 0:200 --jobs 1"),
    "`build`, 100 levels": Command("build many.toml --out many --force --jobs 1", _BUILT),
    "`build`, 100 unchanged levels": Command(
        "build many.toml --out many --jobs 1", _BUILT, ("build many.toml --out many --force --jobs 1",)
    ),
    **{
        f"`pack`, {levels} levels of `{spec}`": Command(
            f"pack {spec} --seeds 1:{levels + 1} --jobs 1 --edits replace --out levels.ucpack"
        )
        for spec, levels in (("isaac", 100), ("rebirth", 100), ("gungeon", 60))
    },
    "`stats`, 100 levels of `gungeon`": Command("stats gungeon --seeds 0:100 --jobs 1"),
    "`audit`, 50 levels of `gungeon`": Command("audit gungeon --seeds 0:50 --jobs 1"),
    "`gallery`, 50 levels": Command("gallery isaac --seeds 0:50 --jobs 1 --edits replace --out gallery.html"),
    "`check`, 20 levels": Command("check few", _BUILT, ("build few.toml --out few --jobs 1",)),
    "`sync` of 20 unchanged levels": Command(
        "sync few/levels", _BUILT, ("build few.toml --out few --jobs 1",)
    ),
}
