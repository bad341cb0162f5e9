"""Reads the hand-drawn pictures from `sprites/*.txt`.

A line `@ NAME` starts a sprite; the grid follows, one letter a pixel. An empty line starts the sprite's next
picture (a variant, or the next frame); pictures may also stand side by side with a space between. Lines
that start with `//` are remarks.
"""

from __future__ import annotations

from pathlib import Path

from pixels import Picture, mirror, parse

Sprites = dict[str, list[Picture]]  # the pictures of each sprite, by name

_FOLDER = Path(__file__).parent / "sprites"


def of_look(look: str) -> Sprites:
    """Return the sprites as a look has them: where it draws fewer of one, some stand again, mirrored."""
    plain, own = load(), load(look) if look else {}
    for name, pictures in own.items():
        turned = [*pictures, *map(mirror, pictures)]
        plain[name] = [turned[i % len(turned)] for i in range(len(plain[name]))]
    return plain


def load(look: str = "") -> Sprites:
    """Return the pictures of each sprite, by name: the plain ones, or those that a look has instead."""
    sprites: Sprites = {}
    for path in sorted((_FOLDER / look).glob("*.txt")):
        for name, first_line, lines in _sections(path):
            if name in sprites:
                raise ValueError(f"{path.name}:{first_line}: {name} is drawn twice")
            sprites[name] = _pictures(lines, f"{path.name}:{first_line}: {name}")
    return sprites


def _sections(path: Path) -> list[tuple[str, int, list[str]]]:
    sections: list[tuple[str, int, list[str]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("@"):
            sections.append((line[1:].strip(), number, []))
        elif sections and not line.startswith("//"):
            sections[-1][2].append(line.strip())
    return sections


def _pictures(lines: list[str], where: str) -> list[Picture]:
    pictures: list[Picture] = []
    for block in "\n".join(lines).strip("\n").split("\n\n"):
        rows = [line.split() for line in block.splitlines() if line]
        if len({len(row) for row in rows}) != 1:
            raise ValueError(f"{where}: each line must have as many parts")
        for column in zip(*rows, strict=True):
            if len({len(part) for part in column}) != 1:
                widths = " ".join(str(len(part)) for part in column)
                raise ValueError(f"{where}: lines of unequal length: {widths}")
            pictures.append(parse(column))
    return pictures
