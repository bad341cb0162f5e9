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

    def fail(self, key: str, problem: str) -> BadInput:
        """Return the error about the value of a key."""
        return BadInput(f"{self.where}: {key}: {problem}")

    def raw(self, key: str, remedy: str) -> object:
        """Return a required value."""
        if key not in self._values:
            raise self.fail(key, f"is missing; {remedy}")
        return self._values[key]

    def text(self, key: str, default: str | None = None) -> str:
        """Read a text of one line with at most 1,000 characters."""
        if default is not None and key not in self._values:
            return default
        value = self.raw(key, "give a text")
        if not isinstance(value, str) or not 0 < len(value) <= 1000 or not value.isprintable():
            raise self.fail(key, f"{shown(value)} is not a text of one line; give one in quotes")
        return value

    def truth(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise self.fail(key, f"{shown(value)} is neither true nor false; give one of them")
        return value

    def texts(self, key: str, example: str) -> tuple[str, ...]:
        """Read a list of texts, not empty."""
        values = self.raw(key, "give a list of texts")
        if not isinstance(values, list) or not values or not all(isinstance(item, str) for item in values):
            raise self.fail(key, f"{shown(values)} is not a list of texts; write one like {example}")
        return tuple(dict.fromkeys(values))

    def table(self, key: str) -> dict[str, object]:
        """Read a table, empty if missing."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.fail(key, f"{shown(value)} is not a table; write [{key}]")
        return value

    def sections(self, key: str) -> Iterator[tuple[str, ManifestTable]]:
        """Yield the tables in a table, by name."""
        for name, value in self.table(key).items():
            if not isinstance(value, dict):
                raise self.fail(key, f"{shown(name)} is not a table; write [{key}.NAME]")
            yield name, ManifestTable(f"{self.where}: {key}.{shown(name)[1:-1]}", value)

    def list_of_sections(self, key: str, most: int) -> list[ManifestTable]:
        """Read a list of tables, at least one."""
        tables = self.raw(key, f"give a list of tables, [[...{key}]]")
        if (
            not isinstance(tables, list)
            or not tables
            or not all(isinstance(values, dict) for values in tables)
        ):
            raise self.fail(key, f"{shown(tables)} is not a list of tables; write [[...{key}]] for each")
        if len(tables) > most:
            raise self.fail(key, f"has {len(tables)} tables; give at most {most}")
        return [ManifestTable(f"{self.where}.{key}[{i}]", values) for i, values in enumerate(tables)]


def merged(outer: Mapping[str, object], inner: Mapping[str, object]) -> dict[str, object]:
    """Merge values over others. Those of a table, such as a spec's `state`, are merged value by value."""
    result = {**outer, **inner}
    for key, value in inner.items():
        above = outer.get(key)
        if isinstance(value, dict) and isinstance(above, dict):
            result[key] = {**above, **value}
    return result
