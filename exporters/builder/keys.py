"""The keys of a manifest, for its reader and its JSON Schema."""

from __future__ import annotations

from exporters.builder.rerolled import REROLLS
from exporters.builder.seeds import MOST_LEVELS, RANGE
from exporters.registry import format_names
from generator.json_schema import TRUTH, JsonSchema, fields, listed, matching, told

PACK = "pack"  # among the formats: all levels of a group or campaign in one file
NAME = "[A-Za-z0-9_-]{1,64}"  # of a group, a campaign, a stage
MOST_STAGES = 1000

_LINE: JsonSchema = {"type": "string", "minLength": 1, "maxLength": 1000}
_SEED: JsonSchema = {"type": ["integer", "string"], "minimum": 0, "not": matching(RANGE)}
_FORMATS = {"type": "array", "minItems": 1, "items": {"type": "string"}}

SHARED = {
    "theme": told("the theme's TOML file; default: the built-in theme", _LINE),
    "formats": told("the formats to write; default: all built in", _FORMATS),
    "options": told("options of formats: a TOML file, or a table for each format", {}),
}
LEVEL_VALUES = {
    **SHARED,
    "spec": told("a preset's name, or the TOML file of a spec", _LINE),
    "set": told("values of the spec, over those of its file", {"type": "object"}),
    "path": told("where a level goes, with placeholders such as {group}/{seed:03}", _LINE),
}
GROUP = {
    **LEVEL_VALUES,
    "seeds": told(
        'the seeds of its levels: a list, or a range such as "0:100", 100 itself not among them',
        {**matching(RANGE), **listed(_SEED, 1, MOST_LEVELS), "type": ["string", "array"]},
    ),
    "rerolls": REROLLS,
}
STAGE = {
    **LEVEL_VALUES,
    "name": told("the stage's name, from which its seed follows", matching(NAME)),
    "seed": told("the stage's own seed", _SEED),
}
CAMPAIGN = {
    **LEVEL_VALUES,
    "seed": told("the seed that the stages' seeds follow from", _SEED),
    "memory": told("stages know what the stages before them showed", {**TRUTH, "default": True}),
    "stages": told("the levels of the campaign, in their order", {}),
}
TOP = {
    "out": told("the folder to build, inside of the manifest's", {**_LINE, "default": "build"}),
    "group": told("levels that are alike but for their seeds", {}),
    "campaign": told("one level for each stage", {}),
    **SHARED,
}


def manifest_schema(options: JsonSchema, values: JsonSchema) -> JsonSchema:
    """The schema of manifests; `options` are those of formats, `values` those of specs."""
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
    request = {**shared, "set": told(LEVEL_VALUES["set"]["description"], values_schema)}
    stage = fields({**STAGE, **request}, ("name",))
    campaign = {**CAMPAIGN, **request, "stages": {**CAMPAIGN["stages"], **listed(stage, 1, MOST_STAGES)}}
    sections = {
        "group": fields({**GROUP, **request}, ("seeds",)),
        "campaign": fields(campaign, ("seed", "stages")),
    }
    keys = {key: {**TOP[key], **_by_name(one)} for key, one in sections.items()}
    return {
        "title": "Undercroft manifest",
        "description": "undercroft.toml: which levels a game has, and where they are written.",
        **fields({**TOP, **shared, **keys}),
        "anyOf": [{"required": ["group"]}, {"required": ["campaign"]}],
        "definitions": {"options": {**options, "type": ["string", "object"]}, "values": values},
    }


def _by_name(one: JsonSchema) -> JsonSchema:
    return {"type": "object", "propertyNames": matching(NAME), "additionalProperties": one}
