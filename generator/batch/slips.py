"""Messages about what is wrong with a condition's text, and where."""

from __future__ import annotations

import re
import unicodedata

from generator.errors import BadInput, shown

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
        super().__init__(f"--where: column {column + 1}: {message}")
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
