"""A value that people may set: its default, range, choices, unit and help, declared once.

Specs and exporters' options are made of these; validation, `undercroft describe`, and through it any
dock or schema, follow from the declaration.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from generator.errors import BadInput, shown

_MOST_TEXT = 4096  # characters in a text value
_MOST_TEXTS = 1000  # in a table
_REMEDIES = {bool: "true or false", int: "a whole number", str: "a text"}
_TYPE_NAMES = {bool: "boolean", int: "integer", str: "string", tuple: "integers", dict: "texts"}


class Value(NamedTuple):
    """One declaration; the type is that of the default: bool, int, str, a tuple of ints, a dict of texts."""

    default: Any
    help: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""
    group: str = ""  # the heading that a form shows it under
    parts: tuple[str, ...] = ()  # what each of several numbers is
    form: str = ""  # what a text stands for: folder, resource (Godot's), colour
    is_late: bool = False  # added after levels were saved without it: they have its default

    def checked(self, where: str, given: object) -> Any:
        """`given`, if it is of the type and in range; `where` names it in the message of the BadInput."""
        if isinstance(self.default, tuple):
            wanted = len(self.default)
            if not isinstance(given, (list, tuple)) or len(given) != wanted:
                remedy = f"give {wanted} whole numbers, such as {list(self.default)}"
                raise BadInput(f"{where}: {shown(given)} is not a list of {wanted}; {remedy}")
            return tuple(self._in_range(where, int, item) for item in given)
        if isinstance(self.default, dict):
            return self._texts(where, given)
        return self._in_range(where, type(self.default), given)

    def _texts(self, where: str, given: object) -> dict[str, str]:
        if not isinstance(given, dict):
            raise BadInput(f"{where}: {shown(given)} is not of type texts; give a table of keys and texts")
        if len(given) > _MOST_TEXTS:
            raise BadInput(f"{where}: has {len(given)} keys; give at most {_MOST_TEXTS}")
        for key, text in given.items():
            self._in_range(f"{where}: a key", str, key)
            self._in_range(f"{where}.{shown(key)[1:-1]}", str, text)
        return dict(given)

    def _in_range(self, where: str, kind: type, given: object) -> object:
        if type(given) is not kind:  # `True` is an int for Python, but not for a reader of TOML
            remedy = _REMEDIES[kind]
            raise BadInput(f"{where}: {shown(given)} is not of type {_TYPE_NAMES[kind]}; give {remedy}")
        if kind is int and self.low is not None and self.high is not None:
            assert isinstance(given, int)
            if not self.low <= given <= self.high:
                raise BadInput(f"{where}: {shown(given)} is out of range; give {self.low} to {self.high}")
        if isinstance(given, str) and len(given) > _MOST_TEXT:
            raise BadInput(f"{where}: {shown(given)} is longer than {_MOST_TEXT} characters; cut it")
        # Half a character could not be saved.
        if isinstance(given, str) and any("\ud800" <= character <= "\udfff" for character in given):
            raise BadInput(f"{where}: {shown(given)} is no valid Unicode; type it anew")
        if self.choices and given not in self.choices:
            raise BadInput(f"{where}: {shown(given)} is none of {', '.join(self.choices)}")
        return given

    def described(self, key: str) -> dict[str, Any]:
        """The declaration under its key, ready for JSON."""
        default = list(self.default) if isinstance(self.default, tuple) else self.default
        row: dict[str, Any] = {"key": key, "type": _TYPE_NAMES[type(self.default)], "default": default}
        if self.low is not None:
            row |= {"low": self.low, "high": self.high}
        if self.choices:
            row["choices"] = list(self.choices)
        if self.parts:
            row["parts"] = list(self.parts)
        row |= {name: said for name in ("group", "form") if (said := getattr(self, name))}
        return row | {"unit": self.unit, "help": self.help}
