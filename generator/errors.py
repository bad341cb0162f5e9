"""Every exception that Undercroft raises on purpose.

    UndercroftError                 one line for a person: what, where, which value, what to do
    ├── BadInput                    something read from outside is wrong      (exit status 2)
    │   ├── SpecError               a spec's key or value
    │   ├── LayoutError             a layout file
    │   ├── LevelError              a level.json
    │   ├── KitError                a row of a kit
    │   ├── RerollError             a room that cannot be rolled again as asked
    │   └── ThemeError              a theme's TOML or image
    └── GenerationFailed            no level was found for a valid spec       (exit status 1)

`BadInput` messages read `FILE:LINE: KEY: what is wrong with VALUE; the remedy`, with the parts that
apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from generator.pattern import pattern

_MOST_TOLD = 100  # of the mistakes in one file
_MAX_MESSAGE = 2000  # characters; a path may have thousands
# Where parsers say that an error is: `Bad value (at line 1, column 5)`, `Bad: line 1 column 5 (char 4)`.
_PLACE = pattern(r" \(at line (\d+), column (\d+)\)$|: line (\d+) column (\d+) \(char \d+\)$")
_AT_END = " (at end of document)"


class UndercroftError(Exception):
    """The base of all others, whose `str()` is one line for a person."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class BadInput(UndercroftError):
    """Something read from outside is wrong."""


class SpecError(BadInput):
    """A spec names an unknown key or a value out of its range."""


class LayoutError(BadInput):
    """A layout file breaks the format or one of its rules."""


class LevelError(BadInput):
    """A level.json is damaged, or is not a level.json at all."""


class RerollError(BadInput):
    """A room of a level cannot be rolled again as asked."""


class KitError(BadInput):
    """A kit has a key, a value or a name that is wrong."""


class ThemeError(BadInput):
    """A theme's TOML or image is wrong or incomplete."""


class GenerationFailed(UndercroftError):
    """No level was found for a valid spec within a fixed number of tries; 0 if none can succeed."""

    def __init__(self, stage: str, attempts: int, reason: str, seed: int) -> None:
        tries = "1 try" if attempts == 1 else f"{attempts} tries"
        after = f" after {tries}" if attempts else ""
        super().__init__(f"seed {seed}: no {stage}{after}: {reason}")
        self.stage = stage
        self.attempts = attempts
        self.reason = reason
        self.seed = seed

    def __reduce__(self) -> tuple[object, ...]:  # so that it can come back from a worker process
        return type(self), (self.stage, self.attempts, self.reason, self.seed)


@contextmanager
def kept_in(mistakes: list[BadInput]) -> Iterator[None]:
    """Keep a mistake for `refuse_all`, so that what comes after this block is read, too."""
    try:
        yield
    except BadInput as error:
        mistakes.append(error)


def refuse_all(mistakes: Sequence[BadInput]) -> None:
    """Raise the first of some mistakes, with the others as its notes."""
    if mistakes:
        first, *others = mistakes
        for error in others[: _MOST_TOLD - 1]:
            first.add_note(str(error))
        if len(mistakes) > _MOST_TOLD:
            first.add_note(f"and {len(mistakes) - _MOST_TOLD} more")
        raise first


def lines_of(error: UndercroftError) -> list[str]:
    """Return the line of a mistake, and those of its notes."""
    return [str(error), *getattr(error, "__notes__", ())]


def one_line(text: str) -> str:
    """Make a text safe to print: control characters are escaped, and the middle of a huge text is cut."""
    if len(text) > _MAX_MESSAGE:  # the file is at the start, the remedy at the end
        text = f"{text[: _MAX_MESSAGE // 2]}…{text[-_MAX_MESSAGE // 2 :]}"
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def is_unicode(text: str) -> bool:
    """Check whether a file can have a text: it has no half of a character, as JSON's escapes can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(value: object, limit: int = 60) -> str:
    """Format a value from outside for a one-line message: as people wrote it, cut to `limit` characters.

    Control characters and the like are escaped.
    """
    text = ""
    try:
        for part in _parts(value, limit):
            text += part
            if len(text) > limit:
                return f"{text[: limit - 1]}…"
    except ValueError:  # a number with too many digits
        return f"a huge {type(value).__name__}"
    return text


def _parts(value: object, limit: int) -> Iterator[str]:
    """Yield the parts of `repr(value)` one by one, so that a huge value is never written out in full."""
    if isinstance(value, str):
        yield repr(value[: limit + 1])
    elif isinstance(value, (list, tuple)):
        yield "["
        for i, item in enumerate(value):
            yield ", " if i else ""
            yield from _parts(item, limit)
        yield "]"
    elif isinstance(value, dict):
        yield "{"
        for i, (key, item) in enumerate(value.items()):
            yield ", " if i else ""
            yield from _parts(key, limit)
            yield ": "
            yield from _parts(item, limit)
        yield "}"
    else:
        yield one_line(repr(value))


def not_parsed(form: str, error: ValueError | RecursionError) -> str:
    """Tell why Python's parser of `form` (TOML or JSON) refused a text, without naming the file.

    The parser's own words are kept only where they are about the text, and not about Python.
    """
    if isinstance(error, RecursionError):
        return "lists or tables are nested too deeply; use fewer levels"
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 at byte {error.start}; save it as UTF-8"
    if not getattr(error, "doc", "x").strip():  # of JSON; an empty file is TOML
        return "is empty; give another file"
    message = (str(error).splitlines() or [""])[0]
    if "set_int_max_str_digits" in message:
        return "a number has thousands of digits; write a smaller one"
    return f"is not {form}: {_with_place_first(message)}"


def _with_place_first(message: str) -> str:
    """Put the position in front of a parser's words and a remedy behind, if they have a position."""
    if message.endswith(_AT_END):
        return f"at the end: {message.removesuffix(_AT_END)[:120]}; complete the last line"
    match = _PLACE.search(message)
    if not match:
        return message[:120]
    line, column = filter(None, match.groups())
    return f"line {line}, column {column}: {message[: match.start()][:120]}; correct that line"


def remedied(problem: str) -> str:
    """Tell what is wrong, with a remedy unless it has one: `5 is not a table; give one`."""
    return problem if "; " in problem or problem.endswith("?") else f"{problem}; give one"


def hint(name: str, known: Sequence[str], are: str = "choose one of") -> str:
    """Return the remedy for an unknown name: the nearest known one, or else all of them."""

    if near := meant(name, known):
        return f"did you mean {near}?"
    return f"{are} {', '.join(known)}" if known else "there is nothing to choose from"


def unknown(kind: str, name: object, known: Sequence[str]) -> str:
    """Return the message about an unknown name: `unknown KIND 'NAME'; REMEDY`, with the remedy of `hint`."""
    return f"unknown {kind} {shown(name)}; {hint(str(name), known)}"


# --- what was probably meant by a name that does not exist -------------------------------------------

_ALIKE = 0.7  # of difflib's ratio: `scal` and `scale` have 0.89, `dry-run` and `prune` 0.5
_ENOUGH = 3  # letters that can stand for the name that begins with them
_MAX = 80  # characters that are compared


def nearest(text: str, known: Iterable[str], alike: float = _ALIKE) -> str:
    """Find the known name that `text` nearly matches. Empty if none does.

    It has the same letters in another order, or else a ratio of at least `alike`.
    """
    import difflib  # only needed after a mistake

    text, names = text[:_MAX], [*known]
    swapped = [name for name in names if sorted(name) == sorted(text)]
    matches = swapped or difflib.get_close_matches(text, names, 1, alike)
    return matches[0] if matches else ""


def meant(typed: str, known: Iterable[str]) -> str:
    """Find the known name that was probably meant: the nearest, or else the only one that begins so.

    Capital letters do not count, nor do the dashes of options.
    """
    names = {_bare(name): name for name in known}
    word = _bare(typed)
    begun = [name for name in names if len(word) >= _ENOUGH and name.startswith(word)]
    return names.get(nearest(word, names) or (begun[0] if len(begun) == 1 else ""), "")


def _bare(name: str) -> str:
    return name.lstrip("-").casefold()
