"""What was probably meant by a name that does not exist: of options, commands, keys, kinds, formats ..."""

from __future__ import annotations

from collections.abc import Iterable

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
