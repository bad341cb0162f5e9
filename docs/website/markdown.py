"""Pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, with an empty line behind it."""
    bar = r"\|"  # one that is no edge of a cell, in code too
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', bar) for cell in line)} |" for line in lines) + "\n\n"


def values(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of things that have names, whose cells stand below one another on a phone."""
    return f'<div class="values">\n\n{table(head, rows)}</div>\n\n'


def pages_below(pages: Iterable[str]) -> str:
    """A table of contents that only the navigation shows."""
    lines = "\n".join(pages)
    return f"```{{toctree}}\n:hidden:\n\n{lines}\n```\n\n"


def code(text: object) -> str:
    """A text in backquotes; empty for an empty one."""
    return f"`{text}`" if str(text) else ""


def codes(texts: Iterable[object]) -> str:
    """Texts in backquotes, with commas between them."""
    return ", ".join(map(code, texts))


def plain(text: str) -> str:
    """A text of ours in which `*`, `_`, `<` and brackets mean themselves; code in backquotes stays code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a single backquote means itself
        return _escaped(text).replace("`", "\\`")
    return "".join(code(part) if i % 2 else _escaped(part) for i, part in enumerate(parts))


def sentence(text: str) -> str:
    """A summary, which begins small and has no full stop, as a sentence."""
    return f"{plain(text[:1].upper() + text[1:])}."


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*_<>[]{}#$~" else letter for letter in text)


def anchored(name: str, text: str) -> str:
    """A text that `#name` leads to."""
    return f'<span id="{name}"></span>{text}'
