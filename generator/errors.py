"""Every exception that Undercroft raises on purpose.

    UndercroftError                 one line for a person: what, where, which value, what to do
    ├── BadInput                    something read from outside is wrong      (exit status 2)
    │   ├── SpecError               a spec's key or value
    │   ├── LayoutError             a layout file
    │   ├── LevelError              a level.json
    │   ├── KitError                a row of a kit
    │   ├── RerollError             a room that cannot be rolled as was asked
    │   └── ThemeError              a theme's TOML or image
    └── GenerationFailed            a sound spec that no level was found for  (exit status 1)

`BadInput` messages read `FILE:LINE: KEY: what is wrong with VALUE; the remedy`, with the parts that
apply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_MOST_MESSAGE = 2000  # characters; a path may have thousands


class UndercroftError(Exception):
    """Base of all; `str()` is one line that can be shown to a person as it stands."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class BadInput(UndercroftError):
    """Something read from outside is wrong."""


class SpecError(BadInput):
    """A spec names an unknown key or a value out of its range."""


class LayoutError(BadInput):
    """A layout file breaks the format or one of its rules."""


class LevelError(BadInput):
    """A level.json is not one."""


class RerollError(BadInput):
    """A room of a level cannot be rolled again in the way that was asked for."""


class KitError(BadInput):
    """A kit has a key, a value or a name that is wrong."""


class ThemeError(BadInput):
    """A theme's TOML or image is wrong or incomplete."""


class GenerationFailed(UndercroftError):
    """No level was found for a sound spec within a counted number of tries."""

    def __init__(self, stage: str, attempts: int, reason: str, seed: int) -> None:
        super().__init__(f"seed {seed}: no {stage} after {attempts} tries: {reason}")
        self.stage = stage
        self.attempts = attempts
        self.reason = reason
        self.seed = seed

    def __reduce__(self) -> tuple[object, ...]:  # survives the way back from a worker process
        return type(self), (self.stage, self.attempts, self.reason, self.seed)


def one_line(text: str) -> str:
    """A text as it may be printed: what moves the cursor is escaped, a huge middle is left out."""
    if len(text) > _MOST_MESSAGE:  # the file stands at the start, the remedy at the end
        text = f"{text[: _MOST_MESSAGE // 2]}…{text[-_MOST_MESSAGE // 2 :]}"
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def shown(value: object, limit: int = 60) -> str:
    """A value from outside as it may stand in a one-line message: escaped and cut."""
    text = ""
    try:
        for part in _parts(value, limit):
            text += part
            if len(text) > limit:
                return f"{text[: limit - 1]}…"
    except ValueError:  # a number of too many digits
        return f"a huge {type(value).__name__}"
    return text


def _parts(value: object, limit: int) -> Iterator[str]:
    """The parts of `ascii(value)` one by one, so that nobody needs to make all those of a huge value."""
    if isinstance(value, str):
        yield ascii(value[: limit + 1])
    elif isinstance(value, (list, tuple)):
        yield "["
        for i, item in enumerate(value):
            yield ", " if i else ""
            yield from _parts(item, limit)
        yield "]"
    elif isinstance(value, dict):
        yield "{"
        for i, (key, item) in enumerate(value.items()):
            yield ", " if i else ""
            yield from _parts(key, limit)
            yield ": "
            yield from _parts(item, limit)
        yield "}"
    else:
        yield one_line(ascii(value))


def hint(given: str, known: Sequence[str], are: str = "known are") -> str:
    """The remedy for a name that is none of those known: the nearest one, or else all of them."""
    import difflib  # only for those who erred

    near = difflib.get_close_matches(given[:80], known, 1)
    return f"did you mean {near[0]}?" if near else f"{are} {', '.join(known) or 'none'}"
