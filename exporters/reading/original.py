"""The level that a file was exported from: saved beside it, given by the user, or generated again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.reading.drawings import import_of, is_drawing, level_drawn_beside
from generator.errors import BadInput, GenerationFailed, LevelError
from generator.files import real_path
from generator.level import Level
from generator.level_file import level_from_dict, load_level
from generator.named_tuple import NamedTuple
from generator.spec import LevelSpec, saved_spec
from generator.spec.read import load_spec, preset_names
from generator.styles.registry import DRAWN

if TYPE_CHECKING:
    from exporters.edits.record import FolderRecord

_MAX_SPEC = 1 << 20  # characters


class Original(NamedTuple):
    """A level, and where it was found, for messages."""

    level: Level
    source: str
    path: Path | None = None  # its file, with links resolved; None if it was generated again


def original(path: Path, identity: Mapping[str, str], beside: Path, chosen: Path | None) -> Original:
    """Find the level that the file at `path` was exported from. `identity` are its facts in the file.

    Tried in order: the level of `chosen`; the level of `beside`, if it has the file's fingerprint; the level
    generated again from spec and seed, or of a drawing in the same folder, if it has the same fingerprint.
    Raises BadInput if none fits.
    """
    wanted = identity.get("fingerprint", "")
    if chosen is not None:
        level = load_level(chosen)
        if wanted and not level.is_named(wanted):
            raise BadInput(
                f"{chosen}: its level is {level.fingerprint[:8]}, but {path} was exported from {wanted[:8]}; "
                "give the level.json that was written with it"
            )
        return Original(level, f"the level of {chosen}", real_path(chosen))
    if not wanted:
        if is_drawing(path):
            raise BadInput(f"{path}: is a drawing and not an export; {import_of(path)}")
        raise BadInput(f"{path}: does not say which level it shows; give its level.json to import --level")
    hint = ""
    if beside.is_file():
        level = load_level(beside)
        if level.is_named(wanted):
            return Original(level, f"the level of {beside}", real_path(beside))
        hint = f"{beside} is another level ({level.fingerprint[:8]}, not {wanted[:8]}), and "
    if identity.get("style", DRAWN) == DRAWN and (found := level_drawn_beside(path, wanted)):
        return Original(found[0], f"the level of {found[1]}")
    for spec, seed in _makings(identity):
        generated = _made(spec, int(seed))
        if generated is not None and generated.is_named(wanted):
            return Original(generated, f"the level that its spec and seed {seed} generate again")
    give = "give its level.json with --level"
    again = f"import its drawing again with `undercroft import DRAWING --out {path.parent}`"
    if identity.get("style") == DRAWN:
        raise BadInput(f"{path}: {hint}its level was drawn by hand; {again}, or {give}")
    remedy = give if "style" in identity else f"{give}, or, if it was drawn by hand, {again}"
    raise BadInput(f"{path}: {hint}its level cannot be generated again; {remedy}")


def _makings(identity: Mapping[str, str]) -> Iterator[tuple[LevelSpec, str]]:
    """Yield the spec and seed named in a file or, if it has no spec, every preset of its style."""
    seed, text = identity.get("seed", ""), identity.get("spec", "")
    if not (seed.isascii() and seed.isdigit() and len(seed) <= 20) or len(text) > _MAX_SPEC:
        return
    try:
        if text:
            yield saved_spec(json.loads(text), "spec"), seed
            return
        for name in preset_names():
            spec = load_spec(name)
            if spec.style == identity.get("style"):
                yield spec, seed
    except (BadInput, ValueError, RecursionError):
        return


def _made(spec: LevelSpec, seed: int | str) -> Level | None:
    from generator.pipeline import generate

    try:
        level = generate(spec, seed)
    except (BadInput, GenerationFailed, LevelError):
        return None
    return level if isinstance(level, Level) else None


def generated_before(record: FolderRecord, name: str, level: Level) -> Level | None:
    """Find the level before its first edit: as recorded, or made again. None if it cannot be had."""
    if not level.edited:
        return level
    wanted = str(level.edited.get("base", ""))
    before = recorded(record, name, wanted) or _made(level.spec, level.seed_text or level.seed)
    return before if before and before.is_named(wanted) else None


def recorded(record: FolderRecord, name: str, wanted: str) -> Level | None:
    """Find the level with a fingerprint among those that a folder's record has of a name."""
    for data in record.levels(name):
        try:
            level = level_from_dict(json.loads(data))
        except (BadInput, LevelError, ValueError):
            continue
        if level.is_named(wanted):
            return level
    return None
