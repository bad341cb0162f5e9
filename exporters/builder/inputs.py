"""Digests of what levels are made from, such as themes and layouts, and what changed since the last build.

Code that reads such a file computes the digest of the bytes it read. So a file that changes during a build
cannot be mistaken for its earlier version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.base import BUILT_IN_THEME
from generator.errors import BadInput, LevelError, ThemeError
from generator.files import read_bytes
from generator.named_tuple import NamedTuple
from generator.spec import LevelSpec

if TYPE_CHECKING:
    from exporters.theme import Theme
    from generator.level import Level
    from generator.spec import LevelSpec


def digest_of(*parts: bytes) -> bytes:
    """Compute a digest of 16 bytes. The boundaries between the parts count."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.digest()


def canonical(value: object) -> bytes:
    """Write a value as JSON, the same bytes for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class ThemeStamp(NamedTuple):
    """A theme's name, the digest of its files, and their paths: enough to plan without loading it."""

    name: str
    digest: bytes
    sources: tuple[Path, ...]


def stamp_of(path: Path | None) -> ThemeStamp:
    """Stamp a theme as it is now. The built-in one depends only on the version. Raises ThemeError."""
    if path is None:
        return ThemeStamp(BUILT_IN_THEME, b"", ())
    return _read(path)[1]


@lru_cache(maxsize=16)
def theme_of(path: Path | None, digest: bytes) -> Theme:
    """Read the theme with this digest, once per process. Raises BadInput if its files have changed."""
    from exporters.theme.loader import load_theme

    if path is None:
        return load_theme()
    theme, stamp = _read(path)
    if stamp.digest != digest:
        raise BadInput(f"{path}: was changed during the build; build again")
    return theme


def _read(path: Path) -> tuple[Theme, ThemeStamp]:
    from exporters.theme.file import MAX_IMAGE_BYTES
    from exporters.theme.loader import load_theme

    theme = load_theme(path)
    digest = digest_of(*(read_bytes(source, MAX_IMAGE_BYTES, ThemeError) for source in theme.sources))
    return theme, ThemeStamp(theme.given_name, digest, theme.sources)


class LevelFile(NamedTuple):
    """A finished level: its level.json, and the digest that the file must have."""

    path: Path
    digest: bytes

    def load(self) -> Level:
        """Read the level. Raises LevelError, and BadInput if the file has changed."""
        level, file = read_level(self.path)
        if file != self:
            raise BadInput(f"{self.path}: was changed during the build; build again")
        return level


def read_level(path: Path) -> tuple[Level, LevelFile]:
    """Read the level in a file, and its stamp. Raises LevelError, also if it was changed by hand."""
    from generator.level_file import level_from_bytes
    from generator.serialise import MAX_LEVEL_BYTES

    data = read_bytes(path, MAX_LEVEL_BYTES, LevelError)
    try:
        level = level_from_bytes(data, str(path))
    except LevelError:
        level_from_bytes(data, str(path), accept_edits=True)  # if this fails too, it says why
        remedy = f"undercroft export {path} --accept-edits --edits replace --to json --out {path.parent}"
        raise LevelError(f"{path}: was changed by hand; accept that with `{remedy}`") from None
    return level, LevelFile(path, digest_of(data))


def files_digest(spec: LevelSpec) -> str:
    """Compute the digest of the layouts, flow and kit that a spec names, as they are now. Empty if none.

    Raises SpecError, LayoutError or KitError for bad ones.
    """
    return spec.files_digest() + spec.digests().get("kit", "")


def spec_key(spec: LevelSpec, files: str) -> dict[str, object]:
    """Return a spec's part of a key: with the content of its files, not their paths."""
    return {**spec.saved(), **spec.digests(), **({"files": files} if files else {})}


# --- why an output has to be made --------------------------------------------------------------------

# The record names what the last output was made from, with short digests:
#
#     version=0.3.0 spec=1f0c62a98e5b theme=7d34ab10c2f9 seed=5b1e07c4d2a3

NEW, FORCED = "new", "--force"
MISSING, BY_HAND, UNFINISHED = "file missing", "file changed by hand", "not finished"
_VERSION = "version"
_SIBLINGS = "formats changed"
_EARLIER = "made by an earlier version"


def parts_of(contents: Mapping[str, object]) -> str:
    """Name what something is made from, with a digest of each. What is empty is left out."""
    return " ".join(f"{name}={_short(content)}" for name, content in contents.items() if content)


def parts_of_spec(spec: LevelSpec, files: str) -> Mapping[str, object]:
    """Return what a spec is made from. `files` is the digest of the files that it names."""
    digests = spec.digests()
    values = {key: value for key, value in spec.saved().items() if key not in digests}
    layouts, kit = (digests.get(key, "") for key in ("layouts", "kit"))
    return {"spec": values, **digests, "flow": files.removeprefix(layouts).removesuffix(kit)}


def reasons(before: str, now: str) -> list[str]:
    """Say which parts differ. `before` is empty if the output was made by a version that recorded none."""
    if not before:
        return [_EARLIER]
    return [*_differences(_parts(before), _parts(now))] or ["changed"]


def joined(reasons: Sequence[Sequence[str]]) -> str:
    """Join the reasons of a level's outputs, each once. Outputs without one are finished."""
    every = dict.fromkeys(word for words in reasons for word in words)
    if len(every) > 1:
        every.pop(_SIBLINGS, None)  # these say themselves why they are made
    is_known = any(list(words) != [NEW] for words in reasons)
    return ", ".join("new format" if word == NEW and is_known else word for word in every)


def is_of_other_version(why: str) -> bool:
    """Return whether the reasons in a text name another version of Undercroft."""
    return "made by " in why


def _differences(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name in {**before, **now}:
        if before.get(name) != now.get(name):
            yield f"made by version {before[name]}" if name == _VERSION else f"{name} changed"


def _parts(text: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in text.split())
    return {name: digest for name, _, digest in pairs}


def _short(content: object) -> str:
    data = content if isinstance(content, bytes) else json.dumps(content, sort_keys=True).encode()
    return digest_of(data).hex()[:12]
