"""What an exporter is: a name, the files it writes, its options, and one plain function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # to list formats and their options, no arrays are needed
    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.theme import Theme
    from generator.level import Level
    from generator.values import Value

OptionValue = bool | int | str


class Job(NamedTuple):
    """All that an exporter is given: the dressed level, its theme, the files' stem, its options."""

    level: Level
    layers: Layers
    theme: Theme
    name: str
    options: Mapping[str, OptionValue]


@dataclass(frozen=True)
class Exporter:
    """One format. `suffixes` are those of the files named after the level; the first is the main one.

    `export` is a plain function of its job: it reads no clock and writes no file. `themed` says whether
    it looks at the theme and the layers; for one that does not, they are not even made. `options` by
    their name, without the format's.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    options: Mapping[str, Value]
    export: Callable[[Job], Bundle]
    themed: bool = True
