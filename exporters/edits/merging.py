"""The three-way merge of one file, by its name: the one entrance to `exporters.merge`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from exporters.merge.outcome import CannotMerge, Merged

__all__ = ["CannotMerge", "Merged", "merge", "no_collection"]


def merge(name: str, base: bytes, theirs: bytes, new: bytes) -> Merged:
    """Bring a person's work on a file into its new version.

    `base` is what was written last, `theirs` what a person made of it, `new` what the generator gives now;
    `name` is the file's, whose suffix tells the format. The same three give the same bytes. Raises
    CannotMerge for a file that is damaged, or of a type that cannot be merged.
    """
    if theirs in (base, new):
        return Merged(new)
    merger = _merger(name)
    with no_collection():
        merged = merger(base, theirs, new)
    return Merged(theirs) if new == base else merged  # damage is told, though there is nothing to merge


@contextmanager
def no_collection() -> Iterator[None]:
    """Have Python not look for cycles: a million values hold none, and the search takes half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _merger(name: str) -> Callable[[bytes, bytes, bytes], Merged]:
    suffix = name.rpartition(".")[2].lower()
    if suffix == "tmj":
        from exporters.merge.tiled_map import merge_map

        return merge_map
    if suffix in ("tsj", "tj", "tiled-project", "world"):
        from exporters.merge.json_files import merge_plain

        return merge_plain
    if suffix == "ldtk":
        from exporters.merge.ldtk import merge_project

        return merge_project
    if suffix in ("tscn", "tres"):
        from exporters.merge.godot import merge_scene

        return merge_scene
    if suffix == "ldtkl":
        raise CannotMerge("it is merged together with its project, which is not there")
    if suffix in ("tmx", "tsx"):
        raise CannotMerge("it is XML; with tiled.format=tmj Tiled's files can be merged")
    raise CannotMerge(f"files of the type .{suffix} cannot be merged")
