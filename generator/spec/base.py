"""The base of every spec: declared values that are checked when a spec is created."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from generator.errors import BadInput, SpecError, hint, shown
from generator.files import is_digest
from generator.kinds import Kit, read_kit, shipped_kit
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
    """The values of every style. Create one with the style's class, `load_spec`, or `spec_from_dict`.

    `instead` has remedies for keys and tables that only other styles have. To make `few` floorplans takes as
    long as to load compiled kernels for them.
    """

    style: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    instead: ClassVar[Mapping[str, str]] = MappingProxyType({})
    few: ClassVar[int] = 2000

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
        holds="kit",
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

        A late value is left out if it is what levels that were saved without it have. So levels that were
        saved before a value existed stay the same, byte for byte.
        """
        left_out = self._late_defaults
        return {key: value for key, value in self.to_dict().items() if key not in left_out}

    def counted(self) -> dict[str, Any]:
        """Return the spec as it counts in a level's fingerprint: like `saved`, by what it comes to."""
        return self.saved()

    @functools.cached_property
    def _late_defaults(self) -> set[str]:
        """Return the names of the late values and tables that have their defaults."""
        names = set()
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Values):
                is_default = value.is_late and value == type(value)()
            else:
                is_default = bool(field.metadata) and value == value_before(field)
            if is_default:
                names.add(field.name)
        return names

    @property
    def is_of_own_files(self) -> bool:
        """Whether its levels are made with a kit, layouts or a flow of a team's own."""
        return bool(self.kit or getattr(self, "layouts", ""))

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

    def tag_misfit(self, tags: Set[str]) -> str:
        """Say why rooms that a layout with these tags fits seldom have it. Empty if chance alone decides."""
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
        where = f"{where}: " if where else ""
        style = changes.get("style", self.style)
        if style != self.style:
            from generator.styles.registry import style as known  # it imports the styles, which import this

            try:
                known(style)
            except SpecError as error:
                raise SpecError(f"{where}{error}") from None
            raise SpecError(f"{where}style: cannot be changed; start from a spec of the style {style}")
        merged = self.to_dict()
        if changes.get("kit", self.kit) != self.kit:
            moved_to(kit_at_hand(changes["kit"], where), kit_at_hand(self.kit), merged, set(changes))
        for key, value in changes.items():
            table, last = merged, key
            if "." in key:
                head, last = key.split(".", 1)
                if head not in merged and isinstance(getattr(self, head, None), Values):
                    merged[head] = {}
                table = merged.get(head)  # type: ignore[assignment]
                if not isinstance(table, dict):
                    raise _not_in(type(self), where, key)
            old = table.get(last)
            table[last] = {**old, **value} if isinstance(old, dict) and isinstance(value, Mapping) else value
        return spec_of_style(type(self), merged, where)


def value_before(field: dataclasses.Field[Any]) -> Any:
    """Return what levels that were saved without a value have. None if all were saved with it."""
    declared: Value = field.metadata["value"]
    if not declared.is_late:
        return None
    return field.default if declared.before is None else declared.before


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


def _not_in(style: type[LevelSpec], where: str, key: str) -> SpecError:
    if remedy := style.instead.get(key.partition(".")[0]):
        return SpecError(f"{where}{key}: unknown key; {remedy}")
    return unknown_key(where, key, list(all_keys(style)))


# The values that a kit adds to specs: facts of the player's game, and chances.


GROUP = "State of the game"


def kit_at_hand(folder: object, where: str = "") -> Kit | None:
    """Return the kit that a spec names, or None if it has a digest or no valid folder name.

    `where` names the spec in the message if the folder is not a kit. Raises KitError.
    """
    if not isinstance(folder, str) or (folder and is_digest(folder)):
        return None
    return read_kit(folder, f"{where}kit") if folder else shipped_kit()


def fact_values(kit: Kit) -> Iterator[tuple[str, Value]]:
    """Yield the declarations of a kit's facts, by name."""
    for name, row in kit.rules.facts.items():
        low, high = row.range
        yield name, Value(row.default, row.help, low=low, high=high, unit=row.unit, group=GROUP)


def with_facts(
    kind: type[GameState], values: Mapping[str, Any], known: list[str], kit: Kit | None
) -> GameState:
    """Build the `state` table of a spec: the style's keys, which are `known`, and all facts of its kit.

    Raises SpecError for an unknown key, and for a number out of range.
    """
    rest = {key: value for key, value in values.items() if key in known}
    own = {key: value for key, value in values.items() if key not in known}
    if kit is None:  # a level's spec: its kit was checked when the level was made
        for key, value in own.items():
            if type(value) is not int:
                raise SpecError(f"state.{shown(key)[1:-1]}: {shown(value)} is not a whole number")
        return kind(**rest, own=tuple(own.items()))
    facts = dict(fact_values(kit))
    for key in own:
        if key not in facts:
            keys = [f"state.{name}" for name in (*known, *facts)]
            raise unknown_key("", f"state.{key}", keys)
    try:
        checked = {
            name: value.checked(f"state.{name}", own.get(name, value.default))
            for name, value in facts.items()
        }
    except BadInput as error:
        raise SpecError(str(error)) from None
    return kind(**rest, own=tuple(checked.items()))


def moved_to(kit: Kit | None, old: Kit | None, table: dict[str, Any], changed: set[str]) -> None:
    """Fit a spec's values to another kit: facts and chances of the old kit that were not set are removed."""
    if kit is None or old is None:
        return
    state = table.get("state")
    if isinstance(state, dict):
        gone = old.rules.facts.keys() - kit.rules.facts.keys()
        kept = {key for key in changed if key.startswith("state.")}
        table["state"] = {
            key: value for key, value in state.items() if key not in gone or f"state.{key}" in kept
        }
    for key, chance in old.rules.chances.items():
        if key not in changed and table.get(key) == chance:
            table.pop(key)


S = TypeVar("S", bound=LevelSpec)


def spec_of_style(style: type[S], table: Mapping[str, Any], where: str) -> S:
    """Build the spec of a style from all values that are set. `where` begins messages. Raises SpecError."""
    values = {key: value for key, value in table.items() if key != "style"}
    kit = kit_at_hand(values.get("kit", ""), where)
    fields = {field.name for field in dataclasses.fields(style)}
    for key in values:
        if key not in fields:
            raise _not_in(style, where, key)
    try:
        for name, table_of in style_tables(style).items():
            if name in values or issubclass(table_of, GameState):
                values[name] = _table_from(name, values.get(name, {}), table_of, kit)
        for key, chance in kit.rules.chances.items() if kit else ():
            if key in fields and key not in values:
                values[key] = chance
        return style(**values)
    except SpecError as error:
        raise SpecError(f"{where}{error}") from None


def _table_from(name: str, values: object, kind: type[Values], kit: Kit | None) -> Values:
    """Build a style's own kind of a table of values, from a table or from another style's kind."""
    if isinstance(values, Values):
        values = values.table()
    if not isinstance(values, Mapping):
        raise SpecError(f"{name}: {shown(values)} is not a table; write [{name}]")
    if issubclass(kind, GameState):
        own = [field.name for field in dataclasses.fields(kind) if field.metadata]
        return with_facts(kind, values, own, kit)
    known = [f"{name}.{field.name}" for field in dataclasses.fields(kind)]
    for key in values:
        if f"{name}.{key}" not in known:
            raise unknown_key("", f"{name}.{key}", known)
    return kind(**values)
