"""Whether two packs contain the same levels, even if zlib compressed them differently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from exporters.formats.pack.reader import DamageError, Pack, load_pack, opened, raw_block
from generator.errors import BadInput

_OF_STREAMS = {"block_offsets", "block_sizes", "block_digests"}


def other_levels(new: Path, old: Path) -> tuple[list[str], int]:
    """Compare the levels that two packs have by the same names.

    Returns the names of those that differ, and the number of the others. Raises BadInput.
    """
    before = dict(_levels(load_pack(old)))
    both = [(name, print_ == before[name]) for name, print_ in _levels(load_pack(new)) if name in before]
    return [name for name, is_same in both if not is_same], sum(is_same for _, is_same in both)


def _levels(pack: Pack) -> Iterator[tuple[str, str]]:
    for number in range(pack.count):
        facts = pack.facts(number)
        yield (
            f"{facts.get('group')}, {facts.get('name', f'seed {pack.seed(number)}')}",
            pack.fingerprint(number),
        )


def same_packs(ours: Path, theirs: Path) -> bool:
    """Check whether index and blocks are equal when unpacked. One block of each is in memory at a time."""
    try:
        packs = load_pack(ours), load_pack(theirs)
        first, second = (
            {name: column for name, column in pack.index.items() if name not in _OF_STREAMS} for pack in packs
        )
        if first != second:
            return False
        with opened(ours) as our_file, opened(theirs) as their_file:
            return all(
                raw_block(packs[0], our_file, number) == raw_block(packs[1], their_file, number)
                for number in range(len(packs[0].index["block_sizes"]))
            )
    except (BadInput, DamageError, OSError):
        return False
