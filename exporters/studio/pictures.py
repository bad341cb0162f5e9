"""Pictures that levels name by their digest: kept as long as there is room, and never changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

_MAX_BYTES = 1 << 26


class PictureStore:
    """Pictures by digest. The least recently requested go first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def add(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Keep some more."""
        for digest, data in pictures:
            self._kept[digest] = data
            self._kept.move_to_end(digest)
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > _MAX_BYTES:
            self._kept.popitem(last=False)

    def get(self, digest: str) -> bytes | None:
        """Return a picture, if it is still kept."""
        if digest in self._kept:
            self._kept.move_to_end(digest)
        return self._kept.get(digest)

    @property
    def known(self) -> frozenset[str]:
        """The digests of all that are there."""
        return frozenset(self._kept)
