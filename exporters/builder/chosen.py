"""The seeds of groups whose levels have to meet a condition: `where` in a manifest.

They are searched for before the build is planned. What was found is kept with what decides it, so that a
build with nothing to do makes no level to learn that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from exporters.builder.groups import Group, Manifest
from exporters.builder.inputs import canonical, digest_of, files_digest, spec_key
from exporters.durable import TemporaryFiles, unwritable
from exporters.edits.store import HOME
from generator.errors import BadInput
from generator.files import read_bytes
from generator.version import VERSION

if TYPE_CHECKING:
    from generator.batch.search import Query

_MAX_BYTES = 1 << 26
_SearchedSeeds: TypeAlias = tuple[str, list[int | str]]  # the version that searched, and what it found


FindSeeds: TypeAlias = "Callable[[Query, Sequence[int | str], int | None, str], Sequence[int | str]]"
"""Finds the first seeds, or all, whose levels meet a condition. Its place is for messages."""


class FoundSeeds:
    """What earlier builds in a folder found, by what decides it."""

    def __init__(self, root: Path, *, is_trusted: bool, any_version: bool = False) -> None:
        """Read what is there if it is trusted. With `any_version`, other versions may have found it."""
        self._file = root / HOME / "found.json"
        self._any_version = any_version
        self._before = self._loaded() if is_trusted else {}
        self._now: dict[str, _SearchedSeeds] = {}

    def _loaded(self) -> dict[str, _SearchedSeeds]:
        """Read the file. Whatever is not as it was written counts as not there."""
        try:
            table = json.loads(read_bytes(self._file, _MAX_BYTES, BadInput))
            return {key: (str(version), [*map(_seed, seeds)]) for key, (version, seeds) in table.items()}
        except (BadInput, ValueError, TypeError, AttributeError, RecursionError):
            return {}

    def of(self, group: Group, find: FindSeeds) -> Sequence[int | str]:
        """Return the seeds of a group, found before or now."""
        key = _key(group)
        version, seeds = self._now.get(key) or self._before.get(key) or ("", [])
        is_trusted = version == VERSION or self._any_version
        if not (seeds and is_trusted and _may_be_of(group, seeds)):
            version, seeds = VERSION, [*find(group.query(), group.seeds, group.first, f"{group.where}.where")]
        self._now[key] = version, seeds
        return seeds

    def save(self) -> None:
        """Keep what the present groups have, if it is not what was kept. Raises UndercroftError."""
        if self._now == self._before:
            return
        try:
            with TemporaryFiles() as begun:
                ready = begun.path(self._file.parent)
                ready.write_bytes(json.dumps(self._now).encode())
                ready.replace(self._file)
        except OSError as error:
            raise unwritable(self._file, error) from None


def with_chosen(manifest: Manifest, find: FindSeeds, found: FoundSeeds | None = None) -> Manifest:
    """Return the manifest with the seeds of the levels that meet each group's condition.

    Raises UndercroftError if none does, KitError and LayoutError for bad files of a spec.
    """
    found = found or FoundSeeds(Path(), is_trusted=False)
    groups = (
        replace(group, seeds=found.of(group, find)) if group.condition else group for group in manifest.groups
    )
    return manifest._replace(groups=tuple(groups))


def unsearched(manifest: Manifest) -> Manifest:
    """Return the manifest with two seeds at most of each group with a condition, to look for slips only."""
    return manifest._replace(
        groups=tuple(
            replace(group, seeds=group.seeds[: min(2, group.first or 2)]) if group.condition else group
            for group in manifest.groups
        )
    )


def _key(group: Group) -> str:
    seeds = group.seeds
    among = [seeds.start, seeds.stop] if isinstance(seeds, range) else ["", *seeds]
    asked = canonical([group.condition, among, group.first])
    return digest_of(asked, canonical(spec_key(group.spec, files_digest(group.spec)))).hex()


def _may_be_of(group: Group, seeds: Sequence[int | str]) -> bool:
    """Check whether a search among a group's seeds can have found these: its own, each once, not too many."""
    asked = group.seeds
    if isinstance(asked, range):  # which would be gone through for a text
        is_own = all(isinstance(seed, int) and seed in asked for seed in seeds)
    else:
        is_own = {*asked}.issuperset(seeds)
    return is_own and len({*seeds}) == len(seeds) <= (group.first or len(seeds))


def _seed(value: object) -> int | str:
    if not isinstance(value, int | str) or isinstance(value, bool):
        raise TypeError
    return value
