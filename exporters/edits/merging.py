"""The three-way merge of one file, by its name: the one entrance to `exporters.merge`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from exporters.merge.outcome import CannotMerge, Merged

__all__ = ["CannotMerge", "Merged", "can_merge", "merge"]

_PLAIN = "exporters.merge.json_files:merge_plain"
_PROJECT = "exporters.merge.ldtk:merge_project"
_SCENE = "exporters.merge.godot:merge_scene"
_MERGERS = {
    "tmj": "exporters.merge.tiled_map:merge_map",
    **dict.fromkeys(("tsj", "tj", "tiled-project", "world"), _PLAIN),
    **dict.fromkeys(("ldtk", "ldtkl"), _PROJECT),
    **dict.fromkeys(("tscn", "tres"), _SCENE),
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
    if new == base:
        return Merged(theirs)
    return merger(base, theirs, new)


def can_merge(name: str) -> bool:
    """Whether files of this type are merged."""
    return _suffix(name) in _MERGERS


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _merger(name: str) -> Callable[[bytes, bytes, bytes], Merged]:
    """Imported when it is needed."""
    if not can_merge(name):
        raise CannotMerge(f"files of the type .{_suffix(name)} cannot be merged")
    module, function = _MERGERS[_suffix(name)].split(":")
    found: Callable[[bytes, bytes, bytes], Merged] = getattr(import_module(module), function)
    return found
