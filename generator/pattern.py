"""Regular expressions that are compiled when they are first used: a command uses few of those it imports."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _LatePattern:
    """Compiled when a method is first called. From then on it has the methods of the compiled one."""

    __slots__ = ("__dict__", "flags", "pattern")

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __reduce__(self) -> tuple[object, ...]:
        return _LatePattern, (self.pattern, self.flags)

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self.flags)
        method = self.__dict__[name] = getattr(compiled, name)
        return method


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern like `re.compile`, which raises `re.error` only when it is used."""
    return cast("re.Pattern[AnyStr]", _LatePattern(text, flags))
