"""A value that people may set. Its default, range, unit and help are declared once.

Specs and exporters' options are made of these; validation, `undercroft describe`, and through it any
dock or schema, follow from the declaration.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from generator.errors import BadInput, shown
from generator.plain import plain

MOST_TEXT = 4096  # characters in a text value
MOST_TEXTS = 1000  # in a table
_REMEDIES = {bool: "true or false", int: "a whole number", str: "a text"}
_TYPE_NAMES = {bool: "boolean", int: "integer", str: "string", tuple: "integers", dict: "texts"}


class When(NamedTuple):
    """A narrower range of a value, which applies while another value is one of `values`.

    `limits` replaces fields of the `Value`: `low`, `high`, `choices`, `sizes`. The other value must not
    have such limits itself. `remedy` says how to set the other value instead.
    """

    key: str  # of the other value, in the same table
    values: tuple[Any, ...]
    limits: Mapping[str, Any]
    remedy: str


class _RefusedError(Exception):
    """Where a value is wrong, what is wrong, and what to give instead."""

    def __init__(self, where: str, what: str, remedy: str, message: str = "") -> None:
        super().__init__(where, what, remedy)
        self.remedy = remedy
        self.message = f"{where}: {message or f'{what}; {remedy}'}"


class Value(NamedTuple):
    """One declaration. The default gives the type: bool, int, str, a tuple of ints, or a dict of texts."""

    default: Any
    help: str
    low: int | None = None
    high: int | None = None
    step: int = 1  # numbers are low, low + step, ...: from 1 in steps of 2 they are odd
    off: int | None = None  # a number outside the range that is accepted too and means something else
    choices: tuple[Any, ...] = ()
    unit: str = ""
    group: str = ""  # the heading that a form shows it under
    parts: tuple[str, ...] = ()  # names of several numbers
    ordered: bool = False  # whether several numbers must be in ascending order
    sizes: tuple[tuple[int, ...], ...] = ()  # the choices for several numbers together
    form: str = ""  # what a text stands for: folder, resource (Godot's), colour
    is_late: bool = False  # added after levels were saved without it: they have its default
    when: tuple[When, ...] = ()
    kit_choices: Callable[[Any], tuple[Any, ...]] | None = (
        None  # the choices with a kit, if they depend on it
    )

    def checked(self, where: str, given: object, others: Mapping[str, Any] | None = None) -> Any:
        """Return `given` if its type and range are right. Else raise BadInput, its message begun by `where`.

        `others` holds the values of the same table, which may narrow the range (see `When`). Numbers,
        booleans and arrays of numpy become Python's own, and the path of a folder becomes text.
        """
        given = plain(given)
        if self.form == "folder" and isinstance(given, os.PathLike):
            given = os.fspath(given)
        limits = [each for each in self.when if others and others[each.key] in each.values]
        narrowed = {key: limit for each in limits for key, limit in each.limits.items()}
        try:
            return (self._replace(**narrowed) if narrowed else self)._checked(where, given)
        except _RefusedError as refused:
            message = refused.message
            if limits and others and self._accepts(given):
                because = " and ".join(f"{each.key} = {_as_toml(others[each.key])}" for each in limits)
                remedies = ", or ".join([refused.remedy, *(each.remedy for each in limits)])
                message = f"{where}: {_as_toml(given)} cannot be used with {because}; {remedies}"
            raise BadInput(message) from None

    def _accepts(self, given: object) -> bool:
        try:
            self._checked("", given)
        except _RefusedError:
            return False
        return True

    def _checked(self, where: str, given: object) -> Any:
        if isinstance(self.default, tuple):
            return self._numbers(where, given)
        if isinstance(self.default, dict):
            return self._texts(where, given)
        return self._one(where, type(self.default), given)

    def _numbers(self, where: str, given: object) -> tuple[Any, ...]:
        wanted = len(self.default)
        if not isinstance(given, (list, tuple)) or len(given) != wanted:
            remedy = f"give numbers such as {list(self.default)}"
            raise _RefusedError(where, f"{shown(given)} is not a list of {wanted} whole numbers", remedy)
        numbers: tuple[Any, ...] = tuple(self._one(where, int, item) for item in given)
        if self.ordered and list(numbers) != sorted(numbers):
            raise _RefusedError(where, f"{list(numbers)} is out of order", "give the smallest number first")
        if self.sizes and numbers not in self.sizes:
            sizes = " or ".join(str(list(size)) for size in self.sizes)
            raise _RefusedError(where, f"{list(numbers)} is not one of the sizes", f"choose {sizes}")
        return numbers

    def _texts(self, where: str, given: object) -> dict[str, str]:
        if not isinstance(given, dict):
            raise _RefusedError(where, f"{shown(given)} is not a table", "give a table of keys and texts")
        if len(given) > MOST_TEXTS:
            raise _RefusedError(where, f"has {len(given)} keys", f"give at most {MOST_TEXTS}")
        for key, text in given.items():
            self._one(f"{where}: a key", str, key)
            self._one(f"{where}.{shown(key)[1:-1]}", str, text)
        return dict(given)

    def _one(self, where: str, kind: type, given: object) -> object:
        given = plain(given)
        if type(given) is not kind:  # `True` is an int for Python, but not for a reader of TOML
            remedy = _REMEDIES[kind]
            raise _RefusedError(where, f"{shown(given)} is not of type {_TYPE_NAMES[kind]}", f"give {remedy}")
        if isinstance(given, int) and kind is int:
            self._check_range(where, given)
        if isinstance(given, str) and len(given) > MOST_TEXT:
            raise _RefusedError(where, f"{shown(given)} is longer than {MOST_TEXT} characters", "shorten it")
        # Half a surrogate pair could not be saved.
        if isinstance(given, str) and any("\ud800" <= character <= "\udfff" for character in given):
            raise _RefusedError(where, f"{shown(given)} is not valid Unicode", "type it again")
        if self.choices and given not in self.choices:
            choices = ", ".join(_as_toml(each).strip('"') for each in self.choices)
            raise _RefusedError(
                where, f"{shown(given)} is not one of the choices", f"choose one of {choices}"
            )
        return given

    def _check_range(self, where: str, number: int) -> None:
        if self.low is None or self.high is None or number == self.off:
            return
        if not self.low <= number <= self.high:
            wrong = f"{shown(number)} is out of range"
            raise _RefusedError(where, wrong, f"give {self._range()}", f"{wrong} ({self._range()})")
        if (number - self.low) % self.step:
            wrong = ("odd" if number % 2 else "even") if self.step == 2 else "between two steps"
            raise _RefusedError(where, f"{number} is {wrong}", f"give {self._range()}")

    def _range(self) -> str:
        off = "" if self.off is None else f"{self.off}, or "
        numbers = f"{self.low} to {self.high}"
        if self.step == 1 or self.low is None:
            return off + numbers
        if self.step == 2:
            return f"{off}{numbers}, {'odd' if self.low % 2 else 'even'}"
        return f"{off}{numbers} in steps of {self.step}"

    def described(self, key: str) -> dict[str, Any]:
        """Return the declaration as a row for JSON, with `key` first.

        It always has key, type, default, unit and help, and other fields only if they are set.
        """
        row: dict[str, Any] = {"key": key, "type": _TYPE_NAMES[type(self.default)], "default": self.default}
        if self.low is not None:
            row |= {"low": self.low, "high": self.high}
        if self.step != 1:
            row["step"] = self.step
        if self.off is not None:
            row["off"] = self.off
        row |= {
            name: said
            for name in ("choices", "parts", "ordered", "sizes", "group", "form")
            if (said := getattr(self, name))
        }
        if self.when:
            row["when"] = [{"key": one.key, "values": one.values, **one.limits} for one in self.when]
        row |= {"unit": self.unit, "help": self.help}
        listed: dict[str, Any] = _listed(row)
        return listed


def _listed(given: Any) -> Any:
    """Convert a value to JSON's types: lists instead of tuples."""
    if isinstance(given, dict):
        return {key: _listed(value) for key, value in given.items()}
    return [_listed(value) for value in given] if isinstance(given, tuple) else given


def _as_toml(given: object) -> str:
    """Format a value as a person would write it."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, str):
        return f'"{given}"'
    return str(list(given) if isinstance(given, tuple) else given)
