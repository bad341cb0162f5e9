"""The keys of a manifest, for its reader and its JSON Schema, and the path with placeholders that some have.

A path cannot lead out of the folder: {group}/{spec}-{seed:04} is cellars/isaac-0007, to which each format
adds its suffix.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from exporters.builder.levels_asked import LEVELS, MAX_LEVELS, NOT_WITH_LEVELS, RANGE, REROLLS
from exporters.registry import format_names
from generator.errors import BadInput, hint, shown
from generator.files import file_name, is_device
from generator.json_schema import TRUTH, JsonSchema, documented, fields, listed, matching
from generator.pattern import pattern

# --- the path of a level -----------------------------------------------------------------------------

PLACEHOLDERS = {
    "group": "the group's or the campaign's name",
    "seed": "the level's seed",
    "number": "the level's place in its group, or the stage's in its campaign, from 1",
    "name": "the name of the campaign's stage, or of the level's file without .level.json",
    "spec": "the name of the preset or of the spec's file; of a finished level, as {name}",
    "style": "the spec's style",
    "stage": "the spec's stage, 0 for a style without stages",
    "format": "the format's name",
    "theme": "the name of the theme's file",
}
_FIELD = pattern(r"\{([^{}]*)\}")
_SPEC = pattern(r"([a-z]+)(?::0([1-9]))?")
_PART = pattern(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
_MAX = 400  # characters


def check_template(template: str, where: str) -> None:
    """Refuse a path that has unknown placeholders or leaves the folder. Raises BadInput."""
    for field in _FIELD.findall(template):
        match = _SPEC.fullmatch(field)
        if not match:
            raise BadInput(
                f"{where}: {shown(field)} is not a placeholder; write one like {{seed}} or {{number:02}}"
            )
        if match[1] not in PLACEHOLDERS:
            raise BadInput(
                f"{where}: unknown placeholder {shown(match[1])}; {hint(match[1], [*PLACEHOLDERS])}"
            )
    _refuse_odd(_FIELD.sub("x", template), where)


def filled(template: str, facts: Mapping[str, object], where: str) -> str:
    """Fill in the path of a level, without a suffix. Raises BadInput if it is not a valid path."""

    def fill(field: re.Match[str]) -> str:
        match = _SPEC.fullmatch(field[1])
        assert match, "the template was checked"
        value = facts[match[1]]
        if isinstance(value, int):
            return f"{value:0{match[2] or 1}}"
        return file_name(str(value))

    path = _FIELD.sub(fill, template)
    _refuse_odd(path, where)
    return path


def _refuse_odd(path: str, where: str) -> None:
    for part in path.split("/"):
        if not _PART.fullmatch(part) or part.endswith(".") or is_device(part):
            problem = "cannot be a name on every file system; use A-Za-z0-9._- and / between folders"
            raise BadInput(f"{where}: {shown(path)}: {shown(part)} {problem}")
    if len(path) > _MAX:
        raise BadInput(f"{where}: {shown(path)} is longer than {_MAX} characters; shorten it")


# --- all keys ----------------------------------------------------------------------------------------

PACK = "pack"  # among the formats: all levels of a group or campaign in one file
NAME = "[A-Za-z0-9_-]{1,64}"  # of a group, a campaign, a stage
MAX_STAGES = 1000

MAX_LINE = 1000  # characters of a text

_LINE: JsonSchema = {"type": "string", "minLength": 1, "maxLength": MAX_LINE}
_SEED: JsonSchema = {"type": ["integer", "string"], "minimum": 0, "not": matching(RANGE)}
_FORMATS = {"type": "array", "minItems": 1, "items": {"type": "string"}}

SHARED = {
    "theme": documented("the theme's TOML file; default: the built-in theme", _LINE),
    "formats": documented("the formats to write; default: all built in", _FORMATS),
    "options": documented("options of formats: a TOML file, or a table for each format", {}),
    "web": documented(
        "whether undercroft-pack.js is written beside packs, which reads them in browsers",
        {**TRUTH, "default": False},
    ),
}
LEVEL_VALUES = {
    **SHARED,
    "spec": documented("a preset's name, or the TOML file of a spec", _LINE),
    "set": documented("values that replace those of the spec", {"type": "object"}),
    "path": documented(
        "where a level is written, without suffix; with placeholders such as {group}/{seed:03}", _LINE
    ),
}
GROUP = {
    **LEVEL_VALUES,
    "seeds": documented(
        'the seeds of its levels: a list, or a range such as "0:100", which is 0 to 99',
        {**matching(RANGE), **listed(_SEED, 1, MAX_LEVELS), "type": ["string", "array"]},
    ),
    "where": documented(
        "a condition, as in `undercroft search --where`: only levels that meet it are built",
        {"type": "string", "minLength": 1, "maxLength": MAX_LINE},
    ),
    "first": documented(
        "how many of these levels are built; default: all",
        {"type": "integer", "minimum": 1, "maximum": MAX_LEVELS},
    ),
    "rerolls": REROLLS,
    "levels": LEVELS,
}
STAGE = {
    **LEVEL_VALUES,
    "name": documented("the stage's name, from which its seed is made", matching(NAME)),
    "seed": documented("a seed for this stage, instead of the one made from its name", _SEED),
}
CAMPAIGN = {
    **LEVEL_VALUES,
    "seed": documented("the seed from which the stages' seeds are made", _SEED),
    "memory": documented(
        "whether a stage takes into account what the stages before it had", {**TRUTH, "default": True}
    ),
    "stages": documented("the levels of the campaign, in order", {}),
}
TOP = {
    "out": documented(
        "the folder to write into, inside the manifest's folder", {**_LINE, "default": "build"}
    ),
    "group": documented("levels that differ only in their seeds", {}),
    "campaign": documented("a run: one level for each stage", {}),
    **SHARED,
}


def manifest_schema(options: JsonSchema, values: JsonSchema) -> JsonSchema:
    """Build the schema of manifests. `options` are those of formats, `values` those of specs."""
    shared = {
        "formats": {
            **SHARED["formats"],
            "items": {"type": "string", "enum": [*format_names(others=True), PACK]},
        },
        "options": {
            **SHARED["options"],
            **_LINE,
            "type": ["string", "object"],
            "allOf": [{"$ref": "#/definitions/options"}],
        },
    }
    values_schema = {"allOf": [{"$ref": "#/definitions/values"}]}
    request = {**shared, "set": documented(LEVEL_VALUES["set"]["description"], values_schema)}
    stage = fields({**STAGE, **request}, ("name",))
    campaign = {**CAMPAIGN, **request, "stages": {**CAMPAIGN["stages"], **listed(stage, 1, MAX_STAGES)}}
    generated = {"required": ["seeds"], "not": {"required": ["levels"]}}
    others = [{"required": [key]} for key in NOT_WITH_LEVELS]
    finished = {"required": ["levels"], "not": {"anyOf": others}}
    sections = {
        "group": {
            **fields({**GROUP, **request}),
            "oneOf": [generated, finished],
            "dependencies": {"first": ["where"], "where": {"not": {"required": ["rerolls"]}}},
        },
        "campaign": fields(campaign, ("seed", "stages")),
    }
    keys = {key: {**TOP[key], **_by_name(section)} for key, section in sections.items()}
    return {
        "title": "Undercroft manifest",
        "description": "undercroft.toml: which levels a game has, and where they are written.",
        **fields({**TOP, **shared, **keys}),
        "anyOf": [{"required": ["group"]}, {"required": ["campaign"]}],
        "definitions": {"options": {**options, "type": ["string", "object"]}, "values": values},
    }


def _by_name(schema: JsonSchema) -> JsonSchema:
    return {"type": "object", "propertyNames": matching(NAME), "additionalProperties": schema}
