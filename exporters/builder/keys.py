"""The keys of a manifest, for its reader and its JSON Schema."""

from __future__ import annotations

from exporters.builder.finished import LEVELS, NOT_WITH_LEVELS
from exporters.builder.rerolled import REROLLS
from exporters.builder.seeds import MAX_LEVELS, RANGE
from exporters.registry import format_names
from generator.json_schema import TRUTH, JsonSchema, documented, fields, listed, matching

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
    sections = {
        "group": {**fields({**GROUP, **request}), "oneOf": [_generated(), _finished()]},
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


def _generated() -> JsonSchema:
    """Build the schema of a group of levels to generate."""
    return {"required": ["seeds"], "not": {"required": ["levels"]}}


def _finished() -> JsonSchema:
    """Build the schema of a group of finished levels."""
    return {"required": ["levels"], "not": {"anyOf": [{"required": [key]} for key in NOT_WITH_LEVELS]}}


def _by_name(schema: JsonSchema) -> JsonSchema:
    return {"type": "object", "propertyNames": matching(NAME), "additionalProperties": schema}
