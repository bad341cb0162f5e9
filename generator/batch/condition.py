"""Conditions on a level, as people write them:

    rooms.boss.distance >= 9 and count("secret") == 1 and loops == 2

Facts (`facts_of`), whole and decimal numbers, texts, comparisons, `and`, `or`, `not`, `in`, `+ - *` and
brackets. Python's own parser reads the text; its meaning is decided here, and none of it is run as Python. A
comparison with a fact that a level does not have (the distance of a missing shop) is false.
"""

from __future__ import annotations

import ast
import operator
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from generator.batch.facts import Answer, Asked, Fact, Subject, ask, facts_of
from generator.errors import BadInput, shown
from generator.kinds import Kinds
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from generator.styles.columns import PlanColumns

# --- what is wrong with a text, and where ------------------------------------------------------------

MAX = 1000  # characters
_EXAMPLE = "loops == 2 and count('shop') > 0"
_FROM_OTHERS = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}  # operators of other languages
_FROM_PARSER = {  # parts of its messages, and our own
    "never closed": "this bracket is never closed; close it, or leave it out",
    "unterminated": "this text does not end; close it with the same quote",
    "unmatched": "this bracket closes nothing; leave it out",
}
_SPACES = str.maketrans("\t\r\n", "   ")


class Slip(BadInput):
    """A condition that cannot be read. `place` is the column of the slip, counted from 0."""

    def __init__(self, text: str, column: int, message: str) -> None:
        self.message = f"column {column + 1}: {message}"
        super().__init__(f"--where: {self.message}")
        self.text = text
        self.place = column

    @property
    def caret(self) -> str:
        """The text, and below it a caret under the slip."""
        return f"{self.text}\n{' ' * self.place}^"


def tidied(text: str) -> str:
    """Return the text in one line, without spaces round it. Raises Slip if it cannot be a condition."""
    original = text
    text = text.translate(_SPACES).strip()
    if not text:
        raise Slip(text, 0, f"the condition is empty; write one such as {_EXAMPLE}")
    if len(text) > MAX:
        raise Slip(text[:80], 0, f"{len(original)} characters are too many; write at most {MAX}")
    for index, character in enumerate(text):
        if not character.isprintable():
            name = unicodedata.name(character, "a control character").lower()
            # Unprintable characters may control a terminal.
            clean = "".join(letter if letter.isprintable() else "?" for letter in text)
            raise Slip(clean, index, f"{shown(character)} ({name}) cannot stand here; write a space instead")
    return text


def syntax_slip(text: str, error: SyntaxError) -> Slip:
    """Convert the error of Python's parser to a slip."""
    column = min(max((error.offset or len(text) + 1) - 1, 0), len(text))
    parser_message = error.msg or ""
    column -= text[max(column - 1, 0) : column + 1] in _FROM_OTHERS  # the parser points at the second of two
    rest = text[column:]
    if "nested" in parser_message:
        return too_deep(text)
    for part, message in _FROM_PARSER.items():
        if part in parser_message:
            return Slip(text, column, message)
    for sign, word in _FROM_OTHERS.items():
        if rest.startswith(sign) and not rest.startswith("!="):
            return Slip(text, column, f"{sign} is not used here; write {word}")
    if equals := re.search(r"(?<![=!<>])=(?!=)", text):
        return Slip(text, equals.start(), "= is not used here; write == to compare")
    message = "something is missing here" if not rest.strip() else "cannot be read from here on"
    return Slip(text, column, f"{message}; a condition looks like {_EXAMPLE}")


def too_deep(text: str) -> Slip:
    """Return the slip for hundreds of nested brackets."""
    return Slip(text, 0, "the condition is nested too deeply; write it with fewer brackets")


# --- reading -----------------------------------------------------------------------------------------

_Getter = Callable[[Subject], Any]
_CANNOT_CALCULATE = "only + - * can calculate here; rewrite it, such as 2 * loops > rooms"

_COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_COMPUTED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class Condition(NamedTuple):
    """A condition that was read: its text, its test, and the facts that it uses.

    `in_columns` tests many floorplans at once, if that is possible with the same result.
    """

    text: str
    holds: Callable[[Subject], bool]
    facts: tuple[Asked, ...]
    in_columns: Callable[[PlanColumns], npt.NDArray[np.bool_]] | None = None

    @property
    def needs_level(self) -> bool:
        """Whether it looks beyond the floorplan."""
        return any(question.fact.needs_level for question in self.facts)


def parse_condition(text: str, styles: Iterable[str] = (), kinds: Iterable[Kinds] = ()) -> Condition:
    """Parse the condition in a text, for levels of any style. `styles` may add facts, and `kinds` words.

    Raises Slip.
    """
    text = tidied(text)
    tree = _tree(text)
    reader = _ConditionReader(text, facts_of(styles, kinds))
    test = reader.truth(tree)
    facts = tuple(dict.fromkeys(reader.facts))
    return Condition(text, test, facts, _in_columns(tree, reader, facts))


def joined(texts: Sequence[str]) -> str:
    """Return the condition that holds if all of some do. Raises Slip for one that cannot be read."""
    if len(texts) == 1:
        return texts[0]
    try:
        return ast.unparse(ast.BoolOp(ast.And(), [_tree(tidied(text)) for text in texts]))
    except RecursionError:
        raise too_deep(texts[0]) from None


def _tree(text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parser's warnings about backslashes in texts
            return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise syntax_slip(text, error) from None
    except (ValueError, RecursionError, MemoryError):  # brackets nested hundreds deep
        raise too_deep(text) from None


def _in_columns(
    tree: ast.expr, reader: _ConditionReader, facts: Sequence[Asked]
) -> Callable[[PlanColumns], npt.NDArray[np.bool_]] | None:
    from generator.batch.column_facts import holds, is_columnar, is_exact

    if not is_exact(tree) or not all(map(is_columnar, facts)):
        return None
    return lambda plans: holds(tree, reader.asked, plans)


class _ConditionReader:
    """Turns the parser's tree into functions, node by node."""

    def __init__(self, text: str, known: Mapping[str, Fact]) -> None:
        self.text = text
        self.known = known
        self.facts: list[Asked] = []

    def slip(self, node: ast.AST, message: str) -> Slip:
        """Return the error at a node. The parser counts its columns in bytes."""
        column: int = getattr(node, "col_offset", 0)
        return Slip(self.text, len(self.text.encode()[:column].decode(errors="ignore")), message)

    def truth(self, node: ast.expr) -> Callable[[Subject], bool]:
        """Read a node as a condition. A bare number or text is not one."""
        match node:
            case ast.BoolOp(op, parts):
                tests = [self.truth(part) for part in parts]
                join = all if isinstance(op, ast.And) else any
                return lambda subject: join(test(subject) for test in tests)
            case ast.UnaryOp(ast.Not(), part):
                test = self.truth(part)
                return lambda subject: not test(subject)
            case ast.Compare(left, operators, rights):
                return self.comparison(left, operators, rights)
        raise self.slip(node, "this is a value; compare it with something, such as loops == 2")

    def comparison(
        self, left: ast.expr, operators: list[ast.cmpop], rights: list[ast.expr]
    ) -> Callable[[Subject], bool]:
        """Read `a < b <= c`, which holds if both comparisons do."""
        values, kinds = zip(*(self.value(part) for part in (left, *rights)), strict=True)
        tests = []
        for i, sign in enumerate(operators):
            if type(sign) not in _COMPARED:
                raise self.slip(
                    rights[i], "unknown sign before this; compare with ==, !=, <, <=, >, >= or in"
                )
            a, b = kinds[i], kinds[i + 1]
            if isinstance(sign, (ast.In, ast.NotIn)) != (b is tuple):
                message = "a list goes after `in` only; compare with one value"
                if b is not tuple:
                    message = "`in` needs a list after it, such as ('lost', 'maze')"
                raise self.slip(rights[i], message)
            if b is not tuple and a is not b:
                raise self.slip(
                    rights[i], "a text and a number are never equal; compare two texts, or two numbers"
                )
            if isinstance(sign, _ORDERED) and str in (a, b):
                raise self.slip(rights[i], "texts have no order; compare them with == or !=")
            tests.append(_compared(_COMPARED[type(sign)], values[i], values[i + 1]))
        return lambda subject: all(test(subject) for test in tests)

    def value(self, node: ast.expr) -> tuple[_Getter, type]:
        """Read a number, a text or a list of them, and return which of the three it is."""
        match node:
            case ast.Constant(constant) if type(constant) in (int, float, str):
                return lambda _: constant, str if isinstance(constant, str) else int
            case ast.UnaryOp(ast.USub(), part):
                return _computed(operator.mul, self.number(part), lambda _: -1), int
            case ast.BinOp(left, sign, right) if type(sign) in _COMPUTED:
                return _computed(_COMPUTED[type(sign)], self.number(left), self.number(right)), int
            case ast.List(parts) | ast.Tuple(parts):
                getters = [self.value(part)[0] for part in parts]
                return lambda subject: tuple(get(subject) for get in getters), tuple
        question = self.asked(node)
        self.facts.append(question)
        return question.of, str if question.fact.is_text else int

    def number(self, node: ast.expr) -> _Getter:
        """Read a value to calculate with."""
        get, kind = self.value(node)
        if kind is not int:
            raise self.slip(node, "this is not a number; only numbers can be calculated with")
        return get

    def asked(self, node: ast.expr) -> Asked:
        """Read the fact that is written as `loops`, `count("shop")` or `rooms.shop.distance`."""
        word: str | None = None
        name: Any
        match node:
            case ast.Name(name):
                pass
            case ast.Call(ast.Name(name), [ast.Constant(str() as word)], []):
                pass
            case ast.Attribute(ast.Attribute(ast.Name(first), word), last):
                name = f"{first}.KIND.{last}"
            case ast.Call(ast.Name(name), [ast.Name(unquoted)], []):
                raise self.slip(node, f'the word needs quotes; write {name}("{unquoted}")')
            case ast.Attribute(ast.Name("rooms"), kind):
                raise self.slip(
                    node, f'this is not a number; write rooms.{kind}.distance, or count("{kind}")'
                )
            case ast.BinOp():
                raise self.slip(node, _CANNOT_CALCULATE)
            case _:
                raise self.slip(node, "not a fact, a number or a text; `search --facts` lists the facts")
        try:
            return ask(name, word, self.known)
        except ValueError as error:
            quotes = (
                f' (a text needs quotes: "{name}")'
                if isinstance(node, ast.Name) and name not in self.known
                else ""
            )
            raise self.slip(node, f"{error}{quotes}") from None


def _compared(test: Callable[[Any, Any], bool], left: _Getter, right: _Getter) -> Callable[[Subject], bool]:
    def compared(subject: Subject) -> bool:
        a, b = left(subject), right(subject)
        return a is not None and b is not None and test(a, b)

    return compared


def _computed(compute: Callable[[Any, Any], Any], left: _Getter, right: _Getter) -> _Getter:
    def computed(subject: Subject) -> Answer:
        a, b = left(subject), right(subject)
        return None if a is None or b is None else compute(a, b)

    return computed
