"""What people changed in the files of a level, merged into the level that a build made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from exporters.builder.plan import Output
from exporters.builder.work import BuiltFile, Task, exported_in
from exporters.bundle import Bundle
from exporters.edits.plan import Wanted
from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL, ExportedLevel, Formats, formats_in_text, with_exported, without_rows
from exporters.reading.level_merge import merged_levels
from exporters.reading.merged import MergedLevel
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.edits.store import WrittenStore
    from generator.level import Level

_OfFile = TypeVar("_OfFile")


class MergedOutput(NamedTuple):
    """A level in a folder, which is at the end of `below`, the way from the build's folder."""

    below: str
    merge: MergedLevel
    formats: Formats

    def wanted(self) -> Iterator[Wanted]:
        """Yield the level's files for a plan. Its level.json says what all of them are exported with."""
        for item in self.merge.bundle.wanted():
            file = item._replace(path=f"{self.below}{item.path}")
            if file.path.endswith(LEVEL) and file.data is not None:
                file = file.with_data(with_exported(without_rows(file.data), self.formats))
            yield file

    def placed(self, files: Mapping[str, _OfFile]) -> dict[str, _OfFile]:
        """Return files by their paths in the build's folder."""
        return {f"{self.below}{path}": data for path, data in files.items()}

    @property
    def stem(self) -> str:
        """The path of the level's files without their suffixes."""
        return f"{self.below}{self.merge.name}"


def merged_outputs(
    task: Task, level: Level, files: Mapping[Output, list[BuiltFile]], store: WrittenStore
) -> Iterator[MergedOutput]:
    """Merge a built level, at each path where it is, with what people changed there."""
    for path, outputs in groupby(sorted(files, key=_path), key=_path):
        mine = tuple(outputs)
        parent = PurePosixPath(path).parent
        below = "" if parent == PurePosixPath() else f"{parent}/"
        bundle = Bundle()
        for output in mine:
            for file in files[output]:
                if file.data is not None:
                    bundle.add(file.path.removeprefix(below), file.data, once=file.once)
        formats = {
            output.format: with_
            for output in mine
            for name, with_ in formats_in_text(output.exported).items()
            if name == output.format
        }
        way = partial(exported_in, task._replace(planned=task.planned._replace(outputs=mine)))
        bundle.exported[PurePosixPath(path).name] = ExportedLevel(level, formats, (way,))
        record = FolderRecord(Path(store.root / parent), store, below)
        name = PurePosixPath(path).name
        known = {**record.exported(name), **formats}
        yield from (MergedOutput(below, merge, known) for merge in merged_levels(bundle, record))


def _path(output: Output) -> str:
    return output.path
