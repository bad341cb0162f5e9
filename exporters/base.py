"""What an exporter is: a name, the files it writes, its options, and one plain function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # listing formats and their options must not import numpy
    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.theme import Theme
    from generator.level import Level
    from generator.values import Value

BUILT_IN_THEME = "undercroft"

OptionValue = bool | int | str | Mapping[str, str]


class Job(NamedTuple):
    """The input of an exporter: the level, the stem of the file names, its options, and the dressed level."""

    level: Level
    name: str
    options: Mapping[str, Any]  # each an OptionValue, of the type that the exporter declares
    look: Callable[[], tuple[Theme, Layers]]  # computed only for exporters that call it

    @property
    def theme(self) -> Theme:
        """The theme that the atlas indexes of the layers refer to."""
        return self.look()[0]

    @property
    def layers(self) -> Layers:
        """The dressed level."""
        return self.look()[1]


@dataclass(frozen=True)
class Exporter:
    """One format. `suffixes` are those of the files named after the level, with the main one first.

    `export` is a plain function of its job: it reads no clock and writes no file. `themed` says whether
    the theme's own files are written too. `options` are keyed by their names, without the format's prefix.
    `lost` gets the path and bytes of a file that a person has changed, and the new files. It returns the
    names of changed things that the new level no longer has, and raises ValueError for an unreadable file.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    options: Mapping[str, Value]
    export: Callable[[Job], Bundle]
    themed: bool = True
    lost: Callable[[str, bytes, Mapping[str, bytes]], Sequence[str]] | None = None
