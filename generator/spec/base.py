"""The base of every spec: declared values that are checked when a spec is created."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from generator.errors import BadInput, SpecError, hint, shown
from generator.files import is_digest
from generator.kinds.kit import Kit, read_kit, shipped_kit
from generator.kinds.rules import Rules
from generator.values import Value

FOLDERS = ("layouts", "kit")  # the values that name folders, relative to the spec's own


def value(default: Any, help: str, **declaration: Any) -> Any:
    """Declare a field of a spec as a `Value`."""
    return dataclasses.field(default=default, metadata={"value": Value(default, help, **declaration)})


def grouped(group: str) -> Callable[..., Any]:
    """Like `value`, for fields that a form shows under one heading."""
    return functools.partial(value, group=group)


@dataclass(frozen=True, kw_only=True)
class Values:
    """A set of declared values that are checked when it is created.

    A set that `is_late` was added after levels had been saved without it; those levels have its defaults.
    """

    is_late: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for field in _checked_fields(type(self)):  # type: ignore[arg-type]  # mypy takes a class for its instances
            try:
                value = getattr(self, field.name)
                value = self._declared(field).checked(self._label(field), value, vars(self))
            except BadInput as error:
                raise SpecError(str(error)) from None
            object.__setattr__(self, field.name, value)

    def _declared(self, field: dataclasses.Field[Any]) -> Value:
        declaration: Value = field.metadata["value"]
        return declaration

    def _label(self, field: dataclasses.Field[Any]) -> str:
        return field.name

    def table(self) -> dict[str, Any]:
        """Return the values by key, with only TOML's and JSON's types."""
        return {field.name: _listed(getattr(self, field.name)) for field in dataclasses.fields(self)}


@dataclass(frozen=True, kw_only=True)
class GameState(Values):
    """The state of the player's game: the facts that a kit adds (`[state.NAME]`).

    `own` has the names and numbers of these facts, sorted by name. They are checked against the kit when a
    spec is read.
    """

    is_late: ClassVar[bool] = True

    own: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for pair in self.own:
            if type(pair) is not tuple or list(map(type, pair)) != [str, int]:
                raise SpecError(
                    f"state.own: {shown(pair)} is not a name and a number; use state.NAME instead"
                )
        object.__setattr__(self, "own", tuple(sorted(self.own)))

    def table(self) -> dict[str, Any]:
        """Return the values by key, including those of a kit's facts."""
        known = super().table()
        del known["own"]
        return {**known, **dict(self.own)}


@dataclass(frozen=True, kw_only=True)
class LevelSpec(Values):
    """The values of every style. Create one with the style's class, `load_spec`, or `spec_from_dict`."""

    style: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    body: int = grouped("Level")(
        1,
        "side of the largest square body that must be able to walk through the whole level; doors and "
        "hallways must be at least as wide",
        low=1,
        high=3,
        unit="tiles",
        is_late=True,
    )

    kit: str = grouped("Level")(
        "",
        "the folder of your own kit: room kinds, special rooms, doors, decor, enemies and layouts",
        form="folder",
        is_late=True,
    )

    def _declared(self, field: dataclasses.Field[Any]) -> Value:
        """Return a field's declaration, with its kit's choices, or any if only the kit's digest is known."""
        declaration = super()._declared(field)
        if (
            declaration.kit_choices is None
            or not self.kit
            or getattr(self, field.name) == declaration.default
        ):
            return declaration
        return declaration._replace(
            choices=() if is_digest(self.kit) else declaration.kit_choices(self.load_kit())
        )

    def load_kit(self) -> Kit:
        """Read and check the kit that levels of this spec are made with.

        Raises KitError, and SpecError if the spec, from a level, has a digest instead of the folder.
        """
        if not self.kit:
            return shipped_kit()
        if is_digest(self.kit):
            raise SpecError(
                f"kit: {shown(self.kit)} is a digest, which a level stores in place of the kit's folder; "
                "give that folder as `kit`"
            )
        return read_kit(self.kit)

    def rules_at_hand(self) -> Rules | None:
        """Return the rules of the kit, or None if the spec, from a level, has only the kit's digest."""
        return None if is_digest(self.kit) else self.load_kit().rules

    def to_dict(self) -> dict[str, Any]:
        """Return all values, with the style first, with only TOML's and JSON's types."""
        table: dict[str, Any] = {"style": self.style}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, Values):
                table[field.name] = _listed(value)
            elif not (type(value) is GameState and not value.own):  # a style without its own facts
                table[field.name] = value.table()
        return table

    def saved(self) -> dict[str, Any]:
        """Return the spec as saved in a level: like `to_dict`, without late values that have their defaults.

        So levels that were saved before a value existed stay the same, byte for byte.
        """
        left_out = self._late_defaults()
        return {key: value for key, value in self.to_dict().items() if key not in left_out}

    def _late_defaults(self) -> set[str]:
        """Return the names of the late values and tables that have their defaults."""
        names = set()
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Values):
                is_default = value.is_late and value == type(value)()
            else:
                is_default = (
                    bool(field.metadata) and field.metadata["value"].is_late and value == field.default
                )
            if is_default:
                names.add(field.name)
        return names

    def files_digest(self) -> str:
        """Read and check the files that the spec names, and return their digest, empty without files.

        Raises SpecError or a more specific BadInput.
        """
        return ""

    def layouts_digest(self) -> str:
        """Compute the digest of your own layouts only."""
        return self.files_digest()

    def layout_misfit(self, name: str) -> str:
        """Say why no room of this spec can have the named layout. Empty if one can or it is unknown."""
        return ""

    def from_folder(self, folder: Path) -> Self:
        """Return the spec with the paths of its files, other than `FOLDERS`, taken relative to a folder."""
        return self

    def digests(self, layouts_digest: str = "") -> dict[str, str]:
        """Compute the digests of the folders that the spec names, by key: `layouts` and `kit`.

        A digest instead of a folder is returned as it is; `layouts_digest` is that of the layouts if they
        have already been read. Raises SpecError or a more specific BadInput.
        """
        by_key = {}
        layouts = getattr(self, "layouts", "")
        if layouts:
            by_key["layouts"] = layouts_digest or (layouts if is_digest(layouts) else self.layouts_digest())
        if self.kit:
            from generator.kinds.kit_files import digest_of_kit  # few specs name a kit

            by_key["kit"] = self.kit if is_digest(self.kit) else digest_of_kit(self.load_kit())
        return {key: digest for key, digest in by_key.items() if digest}

    def sealed(self, layouts_digest: str = "") -> Self:
        """Return the spec as a level stores it: with digests instead of folders."""
        blank = {key: "" for key in FOLDERS if getattr(self, key, "")}
        return self.replace({**blank, **self.digests(layouts_digest)}) if blank else self

    def replace(self, changes: Mapping[str, object], where: str = "") -> Self:
        """Return a copy with some values changed. Keys may be dotted (`state.coins`).

        In a table, only the given keys change. `where` names their source in messages. Raises
        SpecError for an unknown key, a bad value, or another style.
        """
        from generator.spec.read import spec_from_dict  # it imports the styles, which import this
        from generator.styles.registry import style_names

        style = changes.get("style", self.style)
        if style != self.style and style in style_names():
            remedy = f"start from a spec of the style {style}"
            raise SpecError(f"{where}{': ' if where else ''}style: cannot be changed; {remedy}")
        merged = self.to_dict()
        if changes.get("kit", self.kit) != self.kit:
            from generator.spec.kit_values import kit_at_hand, moved_to

            moved_to(
                kit_at_hand(changes["kit"], f"{where}: " if where else ""),
                kit_at_hand(self.kit),
                merged,
                set(changes),
            )
        for key, value in changes.items():
            table, last = merged, key
            if "." in key:
                head, last = key.split(".", 1)
                if head not in merged and isinstance(getattr(self, head, None), Values):
                    merged[head] = {}
                table = merged.get(head)  # type: ignore[assignment]
                if not isinstance(table, dict):
                    raise unknown_key(f"{where}: " if where else "", key, list(all_keys(type(self))))
            old = table.get(last)
            table[last] = {**old, **value} if isinstance(old, dict) and isinstance(value, Mapping) else value
        spec = spec_from_dict(merged, where)
        assert isinstance(spec, type(self))
        return spec


@functools.cache
def _checked_fields(table: type[Values]) -> tuple[dataclasses.Field[Any], ...]:
    """Return the declared values of a table in the order in which they are checked.

    Values that depend on others come last, when the others' types have been checked.
    """
    declared = [field for field in dataclasses.fields(table) if field.metadata]
    return tuple(sorted(declared, key=lambda field: bool(field.metadata["value"].when)))


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def style_tables(spec: type[LevelSpec]) -> dict[str, type[Values]]:
    """Return the tables of a style's spec, such as `state`, by key."""
    tables: dict[str, type[Values]] = {}
    for field in dataclasses.fields(spec):
        factory = field.default_factory
        if isinstance(factory, type) and issubclass(factory, Values):
            tables[field.name] = factory
    return tables


def all_keys(style: type[LevelSpec]) -> Iterator[str]:
    """Yield every key of a style's spec, dotted."""
    for name, _ in declared(style):
        yield name


def declared(style: type[Values], prefix: str = "") -> Iterator[tuple[str, dataclasses.Field[Any]]]:
    """Yield every declared value of a style's spec, by its dotted key."""
    shared = {field.name for field in dataclasses.fields(LevelSpec)}  # listed after the style's own
    for field in sorted(dataclasses.fields(style), key=lambda field: field.name in shared):
        if field.metadata:
            yield prefix + field.name, field
        elif isinstance(field.default_factory, type) and issubclass(field.default_factory, Values):
            yield from declared(field.default_factory, f"{prefix}{field.name}.")


def unknown_key(where: str, key: str, known: list[str]) -> SpecError:
    """Return the error for a key that no spec of this style has."""
    return SpecError(f"{where}{shown(key)[1:-1]}: unknown key; {hint(key, known)}")
