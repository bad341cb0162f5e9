"""What every spec is made of: declared values that check themselves when they are made."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from generator.errors import BadInput, SpecError, hint, shown
from generator.values import Value


def value(default: Any, help: str, **declaration: Any) -> Any:
    """A field of a spec, declared as a `Value`."""
    return dataclasses.field(default=default, metadata={"value": Value(default, help, **declaration)})


def grouped(group: str) -> Callable[..., Any]:
    """As `value`, for fields that a form shows under one heading."""
    return functools.partial(value, group=group)


@dataclass(frozen=True, kw_only=True)
class Values:
    """A set of declared values that checks itself when it is made."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if field.metadata:
                try:
                    given = field.metadata["value"].checked(self._label(field), getattr(self, field.name))
                except BadInput as error:
                    raise SpecError(str(error)) from None
                object.__setattr__(self, field.name, given)

    def _label(self, field: dataclasses.Field[Any]) -> str:
        return field.name


@dataclass(frozen=True, kw_only=True)
class LevelSpec(Values):
    """What every style has. Make one by its style's class, `load_spec`, or `spec_from_dict`."""

    style: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    body: int = grouped("Level")(
        1,
        "side of the largest body that must be able to walk through the whole level, a square; doors and "
        "hallways must be at least as wide",
        low=1,
        high=3,
        unit="tiles",
        is_late=True,
    )

    def to_dict(self) -> dict[str, Any]:
        """Complete, with the style first: TOML's and JSON's types only."""
        table: dict[str, Any] = {"style": self.style}
        for field in dataclasses.fields(self):
            given = getattr(self, field.name)
            if isinstance(given, Values):
                given = dataclasses.asdict(given)
            table[field.name] = list(given) if isinstance(given, tuple) else given
        return table

    def saved(self) -> dict[str, Any]:
        """As `to_dict`, without late values that have their default: what a level says of its spec.

        So a level from before there was such a value stays the same, byte for byte.
        """
        late = {
            field.name: field.default
            for field in dataclasses.fields(self)
            if field.metadata and field.metadata["value"].is_late
        }
        return {key: given for key, given in self.to_dict().items() if key not in late or given != late[key]}

    def _check_passage(self, key: str, least: int) -> None:
        """Raise SpecError if the value `key`, a width, is less than what the body needs."""
        width = getattr(self, key)
        if width < least:
            raise SpecError(
                f"{key}: {width} is too narrow for body = {self.body}; give {key} {least} or more, "
                "or a smaller body"
            )

    def replace(self, changes: Mapping[str, object], where: str = "") -> Self:
        """A copy with some values changed; keys may be dotted (`state.coins`).

        Of a table only the keys given are changed. `where` names their source in messages. Raises
        SpecError for an unknown key, a bad value, or another style.
        """
        from generator.spec.read import STYLES, spec_from_dict  # which imports every style, and they this

        style = changes.get("style", self.style)
        if style != self.style and style in list(STYLES):  # a list: what was given may have no hash
            remedy = f"start from a spec of the style {style}"
            raise SpecError(f"{where}{': ' if where else ''}style: cannot be changed; {remedy}")
        merged = self.to_dict()
        for key, given in changes.items():
            table, last = merged, key
            if "." in key:
                head, last = key.split(".", 1)
                table = merged.get(head)  # type: ignore[assignment]
                if not isinstance(table, dict):
                    raise unknown_key(f"{where}: " if where else "", key, list(all_keys(type(self))))
            old = table.get(last)
            table[last] = {**old, **given} if isinstance(old, dict) and isinstance(given, Mapping) else given
        spec = spec_from_dict(merged, where)
        assert isinstance(spec, type(self))
        return spec


def all_keys(style: type[LevelSpec]) -> Iterator[str]:
    """Every key of a style's spec, dotted."""
    for name, _ in _declared(style):
        yield name


def _declared(style: type[Values], prefix: str = "") -> Iterator[tuple[str, dataclasses.Field[Any]]]:
    shared = {field.name for field in dataclasses.fields(LevelSpec)}  # listed after the style's own
    for field in sorted(dataclasses.fields(style), key=lambda field: field.name in shared):
        if field.metadata:
            yield prefix + field.name, field
        elif isinstance(field.default_factory, type) and issubclass(field.default_factory, Values):
            yield from _declared(field.default_factory, f"{prefix}{field.name}.")


def unknown_key(where: str, key: str, known: list[str]) -> SpecError:
    """The error of a key that no spec of this style has."""
    return SpecError(f"{where}{shown(key)} is no key of this spec; {hint(key, known)}")


def describe(style: type[LevelSpec]) -> list[dict[str, Any]]:
    """Every value of a style: key, type, default, range or choices, unit and help, ready for JSON."""
    return [field.metadata["value"].described(key) for key, field in _declared(style)]
