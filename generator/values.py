"""A value that people may set. Its default, range, unit and help are declared once.

Specs and exporters' options are made of these; validation, `undercroft describe`, and through it any
dock or schema, follow from the declaration.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from generator.errors import BadInput, shown
from generator.named_tuple import NamedTuple
from generator.node import Node
from generator.seeds import plain
from generator.value_words import plain_text, toml

MAX_TEXTS = 1000  # in a table
RANGE = ("least", "most")  # the parts of a range
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
    holds: str = ""  # what the file or folder is that a text may name: flow, kit, layouts
    names: Callable[[], tuple[str, ...]] | None = None  # texts to offer; others are accepted too
    is_late: bool = False  # added after levels were saved without it: they have its default, or `before`
    before: Any = None  # what levels that were saved without it have, if that is not the default any more
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
        node = Node(given, where)
        limits = [rule for rule in self.when if others and others[rule.key] in rule.values]
        if not limits or not others:
            return self._read(node)
        narrowed = self._replace(**{key: limit for rule in limits for key, limit in rule.limits.items()})
        try:
            return narrowed._read(node)
        except BadInput:
            if not self._accepts(node):
                raise
        because = " and ".join(f"{rule.key} = {toml(others[rule.key])}" for rule in limits)
        remedies = ", or ".join([narrowed._remedy(), *(rule.remedy for rule in limits)])
        raise BadInput(f"{where}: {toml(given)} cannot be used with {because}; {remedies}")

    @property
    def takes_one(self) -> bool:
        """Whether one number stands for several: a range from it to itself."""
        return self.ordered and self.parts == RANGE

    def _accepts(self, node: Node) -> bool:
        try:
            self._read(node)
        except BadInput:
            return False
        return True

    def _read(self, node: Node) -> Any:
        if isinstance(self.default, tuple):
            return self._numbers(node)
        if isinstance(self.default, dict):
            return self._texts(node)
        return self._one(node, type(self.default))

    def _numbers(self, node: Node) -> tuple[Any, ...]:
        value, wanted = node.value, len(self.default)
        if self.takes_one and type(plain(value)) is int:
            value = [value] * wanted
        if not isinstance(value, (list, tuple)) or len(value) != wanted:
            remedy = f"give numbers such as {list(self.default)}"
            node.fail(f"{shown(value)} is not a list of {wanted} whole numbers; {remedy}")
        numbers: tuple[Any, ...] = tuple(self._one(node.instead(item), int) for item in value)
        if self.ordered and list(numbers) != sorted(numbers):
            node.fail(f"{list(numbers)} is out of order; give the smallest number first")
        if self.sizes and numbers not in self.sizes:
            node.fail(f"{list(numbers)} is not one of the sizes; {self._remedy()}")
        return numbers

    def _texts(self, node: Node) -> dict[str, str]:
        node.table("give a table of keys and texts")
        return {key: self._one(text, str) for key, text in node.pairs(MAX_TEXTS)}

    def _one(self, node: Node, kind: type) -> Any:
        value = plain(node.value)
        if type(value) is not kind:  # `True` is an int for Python, but not for a reader of TOML
            node.fail(f"{shown(value)} is not of type {_TYPE_NAMES[kind]}; give {_REMEDIES[kind]}")
        if isinstance(value, int) and kind is int:
            self._check_range(node, value)
        if isinstance(value, str):
            node.text()
        if self.choices and value not in self.choices:
            node.fail(f"{shown(value)} is not one of the choices; {self._remedy()}")
        return value

    def _check_range(self, node: Node, number: int) -> None:
        if self.low is None or self.high is None or number == self.off:
            return
        if not self.low <= number <= self.high:
            raise BadInput(f"{node.place}: {shown(number)} is out of range ({self._range()})")
        if (number - self.low) % self.step:
            wrong = ("odd" if number % 2 else "even") if self.step == 2 else "between two steps"
            node.fail(f"{number} is {wrong}; give {self._range()}")

    def _remedy(self) -> str:
        """Say what to give in place of a value of the right type."""
        if self.choices:
            return f"choose one of {', '.join(plain_text(each) for each in self.choices)}"
        if self.sizes:
            return f"choose {' or '.join(str(list(size)) for size in self.sizes)}"
        return f"give {self._range()}"

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
            name: setting
            for name in ("choices", "parts", "ordered", "sizes", "group", "form", "holds")
            if (setting := getattr(self, name))
        }
        if self.names:
            row["names"] = self.names()
        if self.when:
            row["when"] = [
                {"key": condition.key, "values": condition.values, **condition.limits}
                for condition in self.when
            ]
        row |= {"unit": self.unit, "help": self.help}
        listed: dict[str, Any] = _listed(row)
        return listed


def _listed(item: Any) -> Any:
    """Convert a value to JSON's types: lists instead of tuples."""
    if isinstance(item, dict):
        return {key: _listed(value) for key, value in item.items()}
    return [_listed(value) for value in item] if isinstance(item, tuple) else item
