"""Every public name of Python, from its docstring: `undercroft.__all__`, in sections."""

from __future__ import annotations

import inspect
import re
from types import UnionType
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from website import markdown

SECTIONS = {
    "levels": (
        "generate", "reroll", "problems", "load_level", "level_from_dict", "Level", "Room", "Door", "Hallway",
        "Marker", "Problem", "Rect", "GridFrame",
    ),
    "specs": (
        "load_spec", "parse_spec", "spec_from_dict", "preset_names", "preset_text", "LevelSpec", "IsaacSpec",
        "State", "RebirthSpec", "RebirthState", "GungeonSpec", "SpecKeywords",
    ),
    "many-levels": (
        "levels", "generate_many", "search", "Hit", "stats", "Stats", "floorplans", "PlanColumns", "run",
        "Run", "RunStage", "Memory",
    ),
    "files": (
        "export", "Bundle", "exporter", "format_names", "describe_format", "load_options", "load_theme",
        "check_theme", "Theme", "bring_back", "BroughtBack", "drawn_level", "DrawnLevel", "last_written",
    ),
    "kinds": (
        "room_kind", "RoomKind", "TerrainKind", "DecorKind", "DoorKind", "ROOM_KINDS", "TERRAIN_KINDS",
        "DECOR_KINDS", "DOOR_KINDS", "MARKER_KINDS",
    ),
    "styles-and-formats": (
        "Style", "style", "style_names", "Plan", "PlanRoom", "Floorplan", "HeapPlan", "RunRules", "Stream",
        "Value", "When", "Exporter", "Job", "Layers", "OptionValue",
    ),
    "errors": (
        "UndercroftError", "BadInput", "SpecError", "LevelError", "LayoutError", "ThemeError", "RerollError",
        "GenerationFailed", "__version__",
    ),
}  # fmt: skip
_SPECS = ("IsaacSpec", "RebirthSpec", "GungeonSpec", "LevelSpec", "State", "RebirthState", "SpecKeywords")
_FIELD = re.compile(r"Alias for field number \d+")
_LIST = re.compile(r" *[-*] ")


def every_name() -> str:
    """A list of the public names with what each is, and the pages that describe them."""
    import undercroft

    parts = []
    for section, names in SECTIONS.items():
        parts.append(f"## {section.replace('-', ' ').capitalize()}\n\n")
        rows = [
            (f"{{py:obj}}`{name} <undercroft.{name}>`", _summary(getattr(undercroft, name))) for name in names
        ]
        parts.append(markdown.values(("name", "what it is"), rows))
    return "".join(parts) + markdown.pages_below(f"reference/python-{section}" for section in SECTIONS)


def names(section: str) -> str:
    """Everything about the names of a section."""
    entries = "\n".join(_entry(name) for name in SECTIONS[section])
    return f"```{{eval-rst}}\n.. py:currentmodule:: undercroft\n\n{entries}\n```\n\n"


def _summary(found: Any) -> str:
    """The first sentence of a docstring, or the type of a value, which has none."""
    if isinstance(found, str | tuple | UnionType):
        return markdown.code(type(found).__name__)
    return markdown.plain(" ".join((inspect.getdoc(found) or "").partition("\n\n")[0].split()))


def _entry(name: str) -> str:
    """The directive that documents a name."""
    import undercroft

    found: Any = getattr(undercroft, name)
    if isinstance(found, str | UnionType):
        return f".. py:data:: {name}\n   :type: {type(found).__name__}\n\n   ``{found}``\n"
    if isinstance(found, tuple):
        names = markdown.codes(kind if isinstance(kind, str) else kind.name for kind in found).replace(
            "`", "``"
        )
        return f".. py:data:: {name}\n   :type: tuple\n\n   {names}\n"
    if isinstance(found, type):
        signature = "(**values)" if name in _SPECS else ""
        members = "" if name in _SPECS else "\n   :members:\n   :undoc-members:"
        return f".. autoclass:: undercroft.{name}{signature}{members}\n"
    return f".. autofunction:: undercroft.{name}\n"


def connect(app: Sphinx) -> None:
    """Have Sphinx read our docstrings, and link the public types in signatures."""
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    app.connect("missing-reference", _public)


def _docstring(app: Sphinx, what: str, name: str, found: object, options: object, lines: list[str]) -> None:
    """Our docstrings as reStructuredText: what is indented is code, and a star is a star."""
    if _FIELD.fullmatch(" ".join(lines).strip()):
        lines.clear()  # what Python says of each field of a named tuple
    told: list[str] = []
    for line in lines:
        is_code = line.startswith("    ") and not (told and _LIST.match(told[-1]))
        if is_code and told and not told[-1].strip():
            told += ["::", ""]
        told.append(line if is_code else _escaped(line))
    lines[:] = told


def _signature(
    app: Sphinx,
    what: str,
    name: str,
    found: object,
    options: object,
    arguments: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """A default whose text is not Python, such as a function, is not shown: Sphinx could not read it."""
    return re.sub(r"<function \w+>|<factory>", "...", arguments) if arguments else arguments, returns


def _escaped(line: str) -> str:
    """A line with the signs escaped that mean something in reStructuredText, outside of code."""
    parts = line.split("`")
    return "`".join(
        part if i % 2 else re.sub(r"([*|])|(?<=\w)(_)(?!\w)", r"\\\g<0>", part)
        for i, part in enumerate(parts)
    )


def _public(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, label: nodes.TextElement
) -> nodes.reference | None:
    """A type that a signature names leads to its entry, whatever module it lives in."""
    import undercroft

    name = str(node.get("reftarget", "")).rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in undercroft.__all__:
        return None
    objects = env.domains.python_domain.objects
    entry = objects.get(f"undercroft.{name}")
    if entry is None:
        return None
    address = app.builder.get_relative_uri(env.docname, entry.docname)
    return nodes.reference("", "", label, refuri=f"{address}#{entry.node_id}", internal=True)
