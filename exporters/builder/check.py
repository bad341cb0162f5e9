"""Compare a build in memory with the files in a folder. Nothing is written.

The folder's state is not trusted. It only says which other files were built earlier.
"""

from __future__ import annotations

import io
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from exporters.builder.kept import KeptLevels
from exporters.builder.leftovers import said_of
from exporters.builder.plan import BuildPlan, PlannedPack
from exporters.builder.run import Event, Sharing
from exporters.builder.run_files import RunTask, make_run, run_files
from exporters.builder.run_files import lost as lost_run
from exporters.builder.state import known_files
from exporters.builder.work import BuiltFile, Made, Task, lost, make
from exporters.edits.store import HOME
from exporters.exported import is_of_level
from exporters.formats.tiled.syntax.data import TileDataError, decoded
from exporters.formats.tiled.syntax.reader import tiled_table
from generator.batch.run import in_order
from generator.errors import BadInput, ThemeError
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.builder.packs import MadePack


class BuildCheck:
    """One check of a folder against a plan. Iterate `events`. `counts` are numbers of levels by group."""

    def __init__(self, plan: BuildPlan, root: Path, *, keep_levels: bool = False) -> None:
        """Prepare the check. With `keep_levels`, the levels of level.json files are not generated again."""
        self._plan, self._root = plan, root
        self._kept = KeptLevels(root) if keep_levels else None
        self._sharing = Sharing()
        self._shared: dict[int, bytes] = {}  # by the hash of a shared file's path: its digest
        self._expected: set[int] = set()
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in plan.groups()}
        self.on_level: Callable[[], None] = lambda: None

    def events(self, executor: Executor | None, jobs: int) -> Iterator[Event]:
        """Make every level again, and say which files are missing or differ, and which levels failed."""
        tasks = (
            Task(
                planned,
                with_shared=self._sharing.first_outputs(planned),
                kept=self._kept.of(planned) if self._kept else None,
            )
            for planned in self._plan
        )
        for task, result in in_order(make, tasks, executor, jobs, lost):
            group = task.planned.group.name
            facts = {"group": group, "level": task.planned.label}
            yield from self._counted(self._found(task, result), facts, self.counts[group], 1)
            self.on_level()
        yield from (Event("note", doubt) for doubt in (self._kept.doubts() if self._kept else ()))
        yield from self._run_files(executor, jobs)
        yield from self._packs(executor, jobs)
        for ours in known_files(self._root / HOME / "state.db"):
            if hash(ours.path) not in self._expected and os.path.lexists(self._root / ours.path):
                yield Event("unasked", {"file": ours.path, "said": said_of(self._root, ours)})

    def _run_files(self, executor: Executor | None, jobs: int) -> Iterator[Event]:
        kept = self._kept
        tasks = (
            RunTask(file, tuple(Task(stage, kept=kept.of(stage) if kept else None) for stage in file.stages))
            for file in run_files(self._plan.stages())
            if not file.hindrance
        )
        for task, result in in_order(make_run, tasks, executor, jobs, lost_run):
            facts = task.file.facts()
            if result.error:
                yield Event("failed", {**facts, "reason": result.error})
            for output, files in result.files.items():
                for kind, details in self._differing(files, output.path):
                    yield Event(kind, {**facts, **details})

    def _packs(self, executor: Executor | None, jobs: int) -> Iterator[Event]:
        if not self._plan.packs:
            return
        from exporters.builder.packs import made_packs

        with TemporaryDirectory() as folder:
            ready = Path(folder) / "made"
            for pack, path, made_pack in made_packs(
                self._plan.packs, lambda: ready, self.on_level, executor, jobs
            ):
                facts = {"group": pack.name, "level": pack.label}
                problems = list(self._found_pack(pack, path, made_pack))
                path.unlink(missing_ok=True)
                yield from self._counted(problems, facts, self.counts[pack.label], pack.levels)

    def _counted(
        self,
        problems: Iterable[tuple[str, dict[str, str]]],
        facts: dict[str, str],
        counts: Counter[str],
        levels: int,
    ) -> Iterator[Event]:
        """Yield the problems as events, and count the levels by what they come to."""
        kinds = set()
        for kind, details in problems:
            kinds.add(kind)
            yield Event(kind, {**facts, **details})
        counts["failed" if "failed" in kinds else "differs" if kinds else "same"] += levels

    def _found_pack(
        self, pack: PlannedPack, path: Path, result: MadePack
    ) -> Iterator[tuple[str, dict[str, str]]]:
        from exporters.formats.pack.reader import same_packs

        for missing in result.missing:
            yield "failed", {"level": missing.level, "reason": missing.reason}
        self._expected.add(hash(pack.label))
        if result.error:
            yield "failed", {"reason": result.error}
            return
        target = self._root / pack.label
        if not os.path.lexists(target):
            yield "missing", {"file": pack.label}
        elif not same_packs(path, target):
            yield "differs", {"file": pack.label}
        yield from self._differing(result.beside, pack.output.path)

    def _found(self, task: Task, result: Made) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield what is wrong with a level: events and their facts."""
        if any(self._is_unknown(file) for batch in result.files.values() for file in batch):
            # The task that was to return the shared files failed.
            result = make(task._replace(with_shared=frozenset(task.planned.outputs)))
        if result.error:
            yield "failed", {"reason": result.error}
        for output, files in result.files.items():
            yield from self._differing(files, output.path)

    def _differing(self, files: Iterable[BuiltFile], output: str) -> Iterator[tuple[str, dict[str, str]]]:
        for file in files:
            if problem := self._compared(file, output):
                yield problem, {"file": file.path}

    def _is_unknown(self, file: BuiltFile) -> bool:
        return file.data is None and hash(file.path) not in self._shared

    def _compared(self, file: BuiltFile, output: str) -> str:
        """Say what is wrong with a file. Empty if nothing is, or if a shared file was reported before."""
        self._expected.add(hash(file.path))
        if not is_of_level(file.path, output):
            met = self._shared.get(hash(file.path))
            if met is not None:
                return "clashes" if met != file.digest else ""
            self._shared[hash(file.path)] = file.digest
        path = self._root / file.path
        if not os.path.lexists(path):
            return "missing"
        if file.once or (file.data is not None and _holds(path, file.data)):
            return ""
        return "differs"


def _holds(path: Path, data: bytes) -> bool:
    try:
        if not path.is_file() or path.stat().st_size > 2 * len(data) + (1 << 16):  # too large: do not read it
            return False
        return same_content(path.name, data, path.read_bytes())
    except OSError:
        return False


# Whether two files have the same content. Other library versions may compress it to different bytes.
#
# PNG images are compared by their pixels, and Tiled maps with their layer data unpacked. All other files
# are compared byte by byte.

_MAX_LAYERS = 10_000


def same_content(name: str, ours: bytes, theirs: bytes) -> bool:
    """Return whether the untrusted `theirs` has the content of `ours`. `name` gives the format."""
    if ours == theirs:
        return True
    if name.endswith(".png"):
        return _same_pixels(ours, theirs)
    if name.endswith((".tmj", ".tmx")):
        return _same_map(name, ours, theirs)
    return False


def _same_pixels(ours: bytes, theirs: bytes) -> bool:
    from PIL import Image

    from exporters.theme.file import any_png_size

    most, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None  # a large level has more
    try:
        if any_png_size(ours, "") != any_png_size(theirs, ""):  # before decoding: only ours is of a safe size
            return False
        images = [Image.open(io.BytesIO(data), formats=["PNG"]) for data in (ours, theirs)]
        pixels = [image.convert("RGBA").tobytes() for image in images]
        return images[0].mode == images[1].mode and pixels[0] == pixels[1]
    except (ThemeError, OSError, ValueError, SyntaxError, zlib.error):
        return False
    finally:
        Image.MAX_IMAGE_PIXELS = most


def _same_map(name: str, ours: bytes, theirs: bytes) -> bool:
    """Both the text without packed data and the unpacked data must be equal."""
    mine, others = list(_packed(name, ours)), list(_packed(name, theirs))
    if not mine or [layer.packing for layer in mine] != [layer.packing for layer in others]:
        return False
    for layer, other in zip(mine, others, strict=True):
        compression, width, height = layer.packing
        try:
            a, b = (decoded(each.data, "base64", compression, width * height) for each in (layer, other))
        except TileDataError:
            return False
        if not np.array_equal(a, b):
            return False
    return _without(ours, mine) == _without(theirs, others)


class _PackedLayer(NamedTuple):
    """A layer's compression, width and height, and its data."""

    packing: tuple[str, Any, Any]
    data: str


def _packed(name: str, data: bytes) -> Iterator[_PackedLayer]:
    """The packed tile layers, in file order."""
    try:
        layers = tiled_table(data, name, "map", BadInput)["layers"]
        for layer in layers[:_MAX_LAYERS]:
            if layer.get("encoding") == "base64":
                packing = str(layer.get("compression", "")), layer["width"], layer["height"]
                yield _PackedLayer(packing, str(layer["data"]))
    except (BadInput, TypeError, KeyError, AttributeError):
        return


def _without(data: bytes, layers: list[_PackedLayer]) -> bytes:
    for layer in layers:
        data = data.replace(layer.data.encode(), b"", 1)
    return data
