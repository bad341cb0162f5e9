"""Why an output has to be made: the record names what the last one was made from, with short digests.

version=0.3.0 spec=1f0c62a98e5b theme=7d34ab10c2f9 seed=5b1e07c4d2a3
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from exporters.builder.inputs import digest_of

if TYPE_CHECKING:
    from generator.spec import LevelSpec

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
