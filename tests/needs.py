"""Which tests need a real program, found in their code: nobody has to remember the marker `engine`.

A test needs one if its function, or a fixture that it asks for, can reach `tests.engines._need`. The names in a
function's code are looked up where the function was defined, and followed as long as they lead to functions and
classes of the tests. What only runs can tell (a function out of a dictionary of another package) is caught by
`tests.engines`, which refuses its programs to a test without the marker; such a test gets it by hand.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from tests import engines


def needs_engine(item: pytest.Function) -> bool:
    """Whether the test or one of its fixtures can come to run an engine."""
    fixtures = dict(item._fixtureinfo.name2fixturedefs)
    functions = [item.obj, *(each.func for found in fixtures.values() for each in found)]
    asked = {*chain.from_iterable(map(_fixtures_by_name, functions))} - fixtures.keys()
    for name in asked:
        functions += [each.func for each in item.session._fixturemanager.getfixturedefs(name, item) or ()]
    return any(_reaches_an_engine(function) for function in functions)


@cache
def _fixtures_by_name(function: Any) -> tuple[str, ...]:
    """The texts in a function that asks for fixtures by their names."""
    codes = [code for one in _functions_of(function) for code in _codes(one.__code__)]
    if not any("getfixturevalue" in code.co_names for code in codes):
        return ()
    return tuple(text for code in codes for text in code.co_consts if isinstance(text, str))


@cache
def _reaches_an_engine(start: Any) -> bool:
    """Whether a function is the one that runs engines, or may call it."""
    found: set[FunctionType] = set()
    left = list(_functions_of(start))
    while left:
        function = left.pop()
        if function is engines._need:
            return True
        if function not in found and function not in _WITHOUT:
            found.add(function)
            left += _called_by(function)
    _WITHOUT.update(found)
    return False


_WITHOUT: set[FunctionType] = set()  # functions that never come to run an engine
_DATA = {str, bytes, int, float, bool, type(None)}  # in tables of tests: they lead nowhere


@cache
def _called_by(function: FunctionType) -> tuple[FunctionType, ...]:
    return tuple(_functions_of(*_named_in(function)))


def _named_in(function: FunctionType) -> Iterator[Any]:
    """The values that the names in a function's code stand for, those of modules' attributes among them."""
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    values += [import_module(name) for name in names if name.startswith("tests.")]
    for value in values:
        yield value
        if isinstance(value, ModuleType) and value.__name__.startswith("tests."):
            yield from (vars(value)[name] for name in names if name in vars(value))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code and that of the functions within it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _functions_of(*values: Any) -> Iterator[FunctionType]:
    """The functions of the tests behind values: themselves, or the methods of their class."""
    for given in values:
        if type(given) in _DATA:
            continue
        value = inspect.unwrap(getattr(given, "__func__", given))
        if isinstance(value, dict | list | tuple):
            yield from _functions_of(*(value.values() if isinstance(value, dict) else value))
        elif isinstance(value, FunctionType):
            if _is_of_tests(value.__module__):
                yield value
        elif isinstance(value, property):
            yield from _functions_of(value.fget)
        elif not isinstance(value, ModuleType):
            yield from _methods(value if isinstance(value, type) else type(value))


@cache
def _methods(found: type) -> tuple[FunctionType, ...]:
    own = [each for each in found.__mro__ if _is_of_tests(each.__module__)]
    values = (value for each in own for value in vars(each).values() if _may_be_called(value))
    return tuple(_functions_of(*values))


def _is_of_tests(module: str) -> bool:
    return module.startswith(("tests.", "test_"))


def _may_be_called(value: object) -> bool:
    return callable(value) or isinstance(value, property | staticmethod | classmethod)
