"""Safe, bounded reading of XML from outside: elements with attributes, no entities or document types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from generator.errors import BadInput

_MAX_ELEMENTS = 400_000
_MAX_DEPTH = 32


@dataclass(slots=True)
class Element:
    """A tag, its attributes, its child elements, and all text between them."""

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *path: str) -> Iterator[Element]:
        """Yield the elements below along a path of tags, one tag per level."""
        for child in self.children:
            if child.tag == path[0]:
                if len(path) == 1:
                    yield child
                else:
                    yield from child.all(*path[1:])


def parse_xml(data: bytes, where: str, error: type[BadInput]) -> Element:
    """Parse a document and return its root. Raises `error`, whose message begins with `where`."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top = Element("", {})
    stack, count = [top], 0
    texts: list[list[str]] = [[]]

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MAX_ELEMENTS or len(stack) > _MAX_DEPTH:
            raise error(f"{where}: has too many elements; give a smaller file")
        element = Element(tag, attributes)
        stack[-1].children.append(element)
        stack.append(element)
        texts.append([])

    def end(_: str) -> None:
        stack.pop().text = "".join(texts.pop())

    def refuse(*_: object) -> None:
        # Entities can make a small file huge, or read another file; Tiled writes none.
        raise error(f"{where}: has a document type; save it again without one")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: texts[-1].append(text)  # noqa: PLW0108 - `texts[-1]` at the time of the call
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as reason:
        message = expat.ErrorString(reason.code)
        raise error(f"{where}:{reason.lineno}: is not XML: {message}; save it again") from None
    except (ValueError, LookupError) as reason:  # an unknown encoding
        raise error(f"{where}: is not XML: {reason}; save it again") from None
    return top.children[0]
