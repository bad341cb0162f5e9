"""Every exception that Undercroft raises on purpose.

    UndercroftError                 one line for a person: what, where, which value, what to do
    ├── BadInput                    something read from outside is wrong      (exit status 2)
    │   ├── SpecError               a spec's key or value
    │   ├── LayoutError             a layout file
    │   ├── LevelError              a level.json
    │   └── ThemeError              a theme's TOML or image
    └── GenerationFailed            a sound spec that no level was found for  (exit status 1)

`BadInput` messages read `FILE:LINE: KEY: what is wrong with VALUE; the remedy`, with the parts that
apply.
"""

from __future__ import annotations


class UndercroftError(Exception):
    """Base of all; `str()` is one line that can be shown to a person as it stands."""


class BadInput(UndercroftError):
    """Something read from outside is wrong."""


class SpecError(BadInput):
    """A spec names an unknown key or a value out of its range."""


class LayoutError(BadInput):
    """A layout file breaks the format or one of its rules."""


class LevelError(BadInput):
    """A level.json is not one."""


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


def shown(value: object, limit: int = 60) -> str:
    """A value from outside as it may stand in a one-line message: escaped and cut."""
    try:
        text = ascii(value[: limit + 1] if isinstance(value, str) else value)
    except (ValueError, RecursionError):  # a number of too many digits, a value too deep to print
        return f"a huge {type(value).__name__}"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
