"""The three-way merge of one file, by its name: the one entrance to `exporters.merge`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from exporters.merge.outcome import CannotMerge, Merged
from generator.garbage import no_collections

__all__ = ["CannotMerge", "Merged", "can_merge", "merge"]

_MERGERS = {
    "tmj": "exporters.merge.tiled_map:merge_map",
    **dict.fromkeys(("tsj", "tj", "tiled-project", "world"), "exporters.merge.json_files:merge_plain"),
    "ldtk": "exporters.merge.ldtk:merge_project",
    **dict.fromkeys(("tscn", "tres"), "exporters.merge.godot:merge_scene"),
}
_LEVEL_OF_LDTK = "ldtkl"  # see `together`
_REFUSED = {
    _LEVEL_OF_LDTK: "it is merged together with its project, which is not there",
    **dict.fromkeys(("tmx", "tsx"), "it is XML; with tiled.format=tmj Tiled's files can be merged"),
}


def merge(name: str, base: bytes, theirs: bytes, new: bytes) -> Merged:
    """Bring a person's work on a file into its new version.

    `base` is what was written last, `theirs` what a person made of it, `new` what the generator gives now;
    `name` is the file's, whose suffix tells the format. The same three give the same bytes. Raises
    CannotMerge for a file that is damaged, or of a type that cannot be merged.
    """
    if theirs in (base, new):
        return Merged(new)
    merger = _merger(name)
    with no_collections():
        merged = merger(base, theirs, new)
    return Merged(theirs) if new == base else merged  # damage is told, though there is nothing to merge


def can_merge(name: str) -> bool:
    """Whether files of this type are merged."""
    return _suffix(name) in (*_MERGERS, _LEVEL_OF_LDTK)


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _merger(name: str) -> Callable[[bytes, bytes, bytes], Merged]:
    """Imported when it is needed."""
    suffix = _suffix(name)
    if suffix not in _MERGERS:
        raise CannotMerge(_REFUSED.get(suffix, f"files of the type .{suffix} cannot be merged"))
    module, function = _MERGERS[suffix].split(":")
    found: Callable[[bytes, bytes, bytes], Merged] = getattr(import_module(module), function)
    return found
