"""JSON Schemas of every file that people write for Undercroft, and of the level that it writes.

They are made from the tables that the readers use, so a schema accepts everything that its reader accepts.
Some errors only the reader can find, such as an unknown row of a kit or a reversed range.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from generator.json_schema import DRAFT, JsonSchema
from generator.shipped_files import shipped_folder
from generator.version import VERSION

if TYPE_CHECKING:
    from generator.kinds import Kit


def all_schemas(kit: Kit | None = None) -> dict[str, JsonSchema]:
    """Make all schemas by name: `spec`, `manifest`, `kit`, `kit-rows`, `theme`, `options`, `flow`, `level`.

    Each has an `$id` with the version of Undercroft, or of the level format. With a kit, the schemas of
    specs, manifests, flows and themes include what the kit adds.
    """
    from exporters.builder.keys import manifest_schema
    from exporters.schemas.options import options_schema
    from exporters.theme.schema import theme_schema
    from generator.kinds.reference import kit_schema
    from generator.spec.schema import any_values_schema, spec_schema
    from generator.styles.registry import usable_styles

    options = options_schema()
    schemas = {
        "spec": spec_schema(kit),
        "manifest": manifest_schema(options, any_values_schema(kit)),
        "kit": kit_schema(head=True),
        "kit-rows": kit_schema(head=False),
        "theme": theme_schema(kit.kinds) if kit else theme_schema(),
        "options": options,
    }
    for style in usable_styles():
        schemas |= style.schemas(kit)
    level: JsonSchema = json.loads((shipped_folder("generator") / "level.schema.json").read_bytes())
    return {**{name: _headed(name, schema) for name, schema in schemas.items()}, "level": level}


def _headed(name: str, schema: JsonSchema) -> JsonSchema:
    return {"$schema": DRAFT, "$id": f"urn:undercroft:schema:{name}:{VERSION}", **schema}
