"""What the page builds its controls from: presets, styles, formats, facts, and what the project holds."""

from __future__ import annotations

from typing import Any

from exporters.registry import format_facts, format_names, usable_exporters
from exporters.studio.commands import shared_in_project
from exporters.studio.making import spec_asked
from exporters.studio.project import folders_in, found_in, inside, project, relative
from exporters.studio.requests import LevelRequest, Reply, packed
from generator.batch.facts import facts_of
from generator.errors import BadInput, one_line, shown
from generator.spec import LevelSpec, describe, load_spec, preset_names, preset_text
from generator.styles.registry import style, style_names, usable_styles
from generator.version import VERSION

pass

EDITS = {
    "keep": "Keep a file that somebody changed, and put the new one beside it.",
    "merge": "Merge the two where the format can.",
    "replace": "Replace it, and keep a copy.",
    "fail": "Write nothing if a file was changed.",
}
WHAT = {
    "layout": "The inside of the room.",
    "markers": "Its enemies, pickups and chests alone.",
    "kind": "Another kind of room that may be there, and its inside.",
}


def described() -> Reply:
    """Describe everything that can be chosen."""

    warnings: list[str] = []
    styles = {
        known.name: {"style": known.name, "summary": known.summary}
        for known in usable_styles(warnings.append)
    }
    formats = [
        {**format_facts(form), "built_in": form.name in format_names()}
        for form in usable_exporters(warnings.append)
    ]
    data = {
        "version": VERSION,
        "project": {"name": project().name, "path": str(project())},
        "presets": [
            _preset(name) for name in preset_names(others=True) if name in styles or name not in style_names()
        ],
        "styles": styles,
        "formats": formats,
        "edits": [{"value": value, "help": help} for value, help in EDITS.items()],
        "rolls": [{"value": value, "help": help} for value, help in WHAT.items()],
        "shared": _shared(),
        "found": [entry._asdict() for entry in found_in(project())],
        "warnings": [one_line(entry) for entry in warnings],
    }
    return Reply(200, packed(data))


def _shared() -> dict[str, Any] | None:
    """Return what the project's manifest sets for all levels, or None if it is broken."""
    shared = shared_in_project()
    if shared is None:
        return None
    theme = relative(shared.theme) if shared.theme else ""
    return {"theme": theme, "formats": list(shared.formats), "options": dict(shared.options)}


def _preset(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "style": load_spec(name).style,
        "summary": preset_text(name).splitlines()[0].removeprefix("#").strip(),
    }


def spec(request: LevelRequest) -> Reply:
    """Return every value of the requested spec, as its kit has it, and what it is now."""
    level_spec = spec_asked(request)
    style_record = style(level_spec.style)
    number, text = style_record.read_seed(request.seed)
    kit = level_spec.load_kit()
    rows, facts = describe(style_record.spec, kit), facts_of((level_spec.style,), (kit.kinds,))
    data = {
        "style": level_spec.style,
        "values": rows,
        "given": {row["key"]: _given(level_spec, row["key"]) for row in rows},
        "seed": {"value": str(number), "text": text, "default": str(style_record.read_seed(None)[0])},
        "can_reroll": style_record.roller is not None,
        "facts": [{**fact.told(), "text": fact.is_text} for fact in facts.values()],
        "flows": _flows(level_spec),
    }
    return Reply(200, packed(data))


def _given(current: LevelSpec, key: str) -> Any:
    """Return a spec's value by its dotted key."""
    table, _, name = key.rpartition(".")
    values = current.to_dict()
    return values[table][name] if table else values[name]


def _flows(current: LevelSpec) -> list[str]:
    """Return the names of shipped flows, for a style that has some."""
    if not hasattr(current, "flow"):
        return []
    from generator.styles.gungeon.flows.records import shipped_flows

    return list(shipped_flows())


def folders(path: str) -> Reply:
    """List the folders in a folder of the project, to pick one."""
    at = project() / inside(path, "path")
    if not at.is_dir():
        raise BadInput(f"path: {shown(path)} is not a folder; pick one of the list")
    return Reply(200, packed({"path": path, "folders": folders_in(at)}))
