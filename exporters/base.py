"""What an exporter is: a name, the files it writes, its options, and one plain function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # to list formats and their options, no arrays are needed
    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.theme import Theme
    from generator.level import Level
    from generator.values import Value

OptionValue = bool | int | str | Mapping[str, str]


class Job(NamedTuple):
    """All that an exporter is given: the level, the files' stem, its options, and how the level looks."""

    level: Level
    name: str
    options: Mapping[str, Any]  # each an OptionValue, of the type that the exporter declares
    look: Callable[[], tuple[Theme, Layers]]  # an exporter that does not ask for it spares the work

    @property
    def theme(self) -> Theme:
        """The theme whose tiles the layers name."""
        return self.look()[0]

    @property
    def layers(self) -> Layers:
        """The dressed level."""
        return self.look()[1]


@dataclass(frozen=True)
class Exporter:
    """One format. `suffixes` are those of the files named after the level; the first is the main one.

    `export` is a plain function of its job: it reads no clock and writes no file. `themed` says whether
    the theme's own files are written too. `options` by their name, without the format's.

    `lost` gets a file that a person has changed since it was begun, its path and bytes, and the new files. It
    names what the person changed and the new level does not have. ValueError for a file that it cannot read.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    options: Mapping[str, Value]
    export: Callable[[Job], Bundle]
    themed: bool = True
    lost: Callable[[str, bytes, Mapping[str, bytes]], Sequence[str]] | None = None
