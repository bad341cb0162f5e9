"""Our named tuples do what those of `typing` do."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import pytest

from generator.named_tuple import NamedTuple


class Ours(NamedTuple):
    """Some fields."""

    first: int
    second: str = "a"

    @property
    def both(self) -> str:
        return f"{self.first}{self.second}"


class Theirs(typing.NamedTuple):
    """Some fields."""

    first: int
    second: str = "a"


def test_it_is_like_the_one_of_typing() -> None:
    ours, theirs = Ours(7, second="b"), Theirs(7, second="b")
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert (ours.first, ours.second, ours.both) == (7, "b", "7b")
    assert ours._asdict() == theirs._asdict()
    assert type(ours._replace(first=8)) is Ours
    assert ours._replace(first=8) == theirs._replace(first=8)
    assert vars(Ours)["__replace__"](ours, second="c") == Ours(7, "c"), "which `copy.replace` calls"
    assert Ours._make([1, "c"]) == Ours(1, "c")
    for name in ("_fields", "_field_defaults", "__match_args__", "__doc__", "__module__", "__slots__"):
        assert getattr(Ours, name) == getattr(Theirs, name, ()), name
    assert inspect.signature(Ours).parameters.keys() == inspect.signature(Theirs).parameters.keys()
    for copied in (copy.copy(ours), copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert copied == ours
        assert type(copied) is Ours


def test_wrong_fields_are_told() -> None:
    with pytest.raises(TypeError, match=r"Ours\.__new__\(\) missing 1 required positional argument: 'first'"):
        Ours()  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="Ours has no field third"):
        Ours(1)._replace(third=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Expected 2 arguments, got 1"):
        Ours._make([1])


def test_a_field_without_a_default_does_not_follow_one_with_one() -> None:
    """Its default would go to the field after it."""
    body = {"__module__": __name__, "__qualname__": "Mixed", "second": "a"}
    fields = {"first": "int", "second": "str", "third": "int"}
    with pytest.raises(TypeError, match="Mixed: third has no default, and a field before it has one"):
        type(NamedTuple)("Mixed", (NamedTuple,), {**body, "__annotations__": fields})
