"""A table of a manifest that knows its place in the file, for error messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.errors import BadInput, hint, shown


class ManifestTable:
    """A TOML table. `where` names its file and place in messages. All methods raise BadInput."""

    def __init__(self, where: str, values: Mapping[str, object]) -> None:
        self.where = where
        self._values = values

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def only(self, known: Sequence[str]) -> None:
        """Refuse keys that are not in `known`. The message suggests the nearest one."""
        for key in self._values:
            if key not in known:
                raise BadInput(f"{self.where}: unknown key {shown(key)}; {hint(key, known)}")

    def fail(self, key: str, what: str) -> BadInput:
        """Return the error about the value of a key."""
        return BadInput(f"{self.where}: {key}: {what}")

    def raw(self, key: str, remedy: str) -> object:
        """Return a required value."""
        if key not in self._values:
            raise self.fail(key, f"is missing; {remedy}")
        return self._values[key]

    def text(self, key: str, default: str | None = None) -> str:
        """Read a text of one line with at most 1,000 characters."""
        if default is not None and key not in self._values:
            return default
        given = self.raw(key, "give a text")
        if not isinstance(given, str) or not 0 < len(given) <= 1000 or not given.isprintable():
            raise self.fail(key, f"{shown(given)} is not a text of one line; give one in quotes")
        return given

    def truth(self, key: str, default: bool) -> bool:
        """True or false."""
        given = self._values.get(key, default)
        if not isinstance(given, bool):
            raise self.fail(key, f"{shown(given)} is neither true nor false; give one of them")
        return given

    def texts(self, key: str, example: str) -> tuple[str, ...]:
        """Read a list of texts, not empty."""
        given = self.raw(key, "give a list of texts")
        if not isinstance(given, list) or not given or not all(isinstance(one, str) for one in given):
            raise self.fail(key, f"{shown(given)} is not a list of texts; write one like {example}")
        return tuple(dict.fromkeys(given))

    def table(self, key: str) -> dict[str, object]:
        """Read a table, empty if missing."""
        given = self._values.get(key, {})
        if not isinstance(given, dict):
            raise self.fail(key, f"{shown(given)} is not a table; write [{key}]")
        return given

    def sections(self, key: str) -> Iterator[tuple[str, ManifestTable]]:
        """Yield the tables in a table, by name."""
        for name, given in self.table(key).items():
            if not isinstance(given, dict):
                raise self.fail(key, f"{shown(name)} is not a table; write [{key}.NAME]")
            yield name, ManifestTable(f"{self.where}: {key}.{shown(name)[1:-1]}", given)

    def list_of_sections(self, key: str, most: int) -> list[ManifestTable]:
        """Read a list of tables, at least one."""
        given = self.raw(key, f"give a list of tables, [[...{key}]]")
        if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
            raise self.fail(key, f"{shown(given)} is not a list of tables; write [[...{key}]] for each")
        if len(given) > most:
            raise self.fail(key, f"has {len(given)} tables; give at most {most}")
        return [ManifestTable(f"{self.where}.{key}[{i}]", one) for i, one in enumerate(given)]


def merged(outer: Mapping[str, object], inner: Mapping[str, object]) -> dict[str, object]:
    """Merge values over others. Those of a table, such as a spec's `state`, are merged value by value."""
    every = {**outer, **inner}
    for key, given in inner.items():
        above = outer.get(key)
        if isinstance(given, dict) and isinstance(above, dict):
            every[key] = {**above, **given}
    return every
