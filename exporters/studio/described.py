"""What the page builds its controls from: presets, styles, formats, facts, and what the project holds."""

from __future__ import annotations

from typing import Any

from exporters.registry import format_facts, usable_exporters
from exporters.studio.commands import shared_in_project
from exporters.studio.making import spec_asked
from exporters.studio.project import folders_in, found_in, inside, project
from exporters.studio.requests import LevelRequest, Reply, packed
from generator.batch.facts import facts_of
from generator.errors import BadInput, shown
from generator.spec import LevelSpec, describe, preset_names, preset_summary
from generator.styles.registry import style, style_names, usable_styles

EDITS = {
    "keep": "Keep a file that somebody changed, and put the new one beside it.",
    "merge": "Merge the two where the format can.",
    "replace": "Replace it, and keep a copy.",
    "fail": "Write nothing if a file was changed.",
}


def described() -> Reply:
    """Describe everything that can be chosen."""
    styles = {known.name: {"summary": known.summary} for known in usable_styles()}
    shared = shared_in_project()
    data = {
        "project": {"name": project().name, "path": str(project())},
        "presets": [
            {"name": name, "summary": preset_summary(name)}
            for name in preset_names(others=True)
            if name in styles or name not in style_names()
        ],
        "styles": styles,
        "formats": [format_facts(form) for form in usable_exporters()],
        "edits": [{"value": value, "help": help} for value, help in EDITS.items()],
        "usual_formats": shared.formats if shared else (),  # those that the manifest sets for all levels
        "found": [entry._asdict() for entry in found_in(project())],
    }
    return Reply(200, packed(data))


def spec(request: LevelRequest) -> Reply:
    """Return every value of the requested spec, as its kit has it, and what it is now."""
    level_spec = spec_asked(request)
    style_record = style(level_spec.style)
    kit = level_spec.load_kit()
    rows, facts = describe(style_record.spec, kit), facts_of((level_spec.style,), (kit.kinds,))
    data = {
        "style": level_spec.style,
        "values": rows,
        "given": {row["key"]: _given(level_spec, row["key"]) for row in rows},
        "seed": {"default": str(style_record.read_seed(None)[0])},
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
