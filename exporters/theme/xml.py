"""XML as elements with attributes, from anybody: no entities, no document types, and bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from generator.errors import ThemeError

_MOST_ELEMENTS = 400_000
_MOST_DEPTH = 32


@dataclass(slots=True)
class Element:
    """A tag, its attributes and what is in it; text between tags is left out."""

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)

    def all(self, *path: str) -> Iterator[Element]:
        """The elements below with these tags, one level a tag."""
        for child in self.children:
            if child.tag == path[0]:
                if len(path) == 1:
                    yield child
                else:
                    yield from child.all(*path[1:])


def parse_xml(data: bytes, where: str) -> Element:
    """The root of a document. Raises ThemeError."""
    parser = expat.ParserCreate()
    top = Element("", {})
    stack, count = [top], 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MOST_ELEMENTS or len(stack) > _MOST_DEPTH:
            raise ThemeError(f"{where}: has too many elements; give a smaller one")
        element = Element(tag, attributes)
        stack[-1].children.append(element)
        stack.append(element)

    def refuse(*_: object) -> None:
        # Entities are the way to make a small file huge, or to read another; Tiled writes none.
        raise ThemeError(f"{where}: has a document type; save it again in Tiled")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        raise ThemeError(f"{where}:{error.lineno}: is not XML: {said}; save it again in Tiled") from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows
        raise ThemeError(f"{where}: is not XML: {error}; save it again in Tiled") from None
    return top.children[0]
