"""`undercroft schema`: the JSON Schemas of all files, for editors and other programs."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common, json_lines, writing
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, hint, shown


@click.command(cls=HelpfulCommand)
@click.argument("name", metavar="[NAME]", required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the schema, or all of them, as DIR/NAME.schema.json.",
)
@click.option(
    "--kit",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder of your own kit: specs, manifests, flows and themes may then have what it adds.",
)
@writing.writes_files("keep")
def command(name: str | None, out: Path | None, kit: Path | None, output: writing.WriteOptions) -> None:
    """Print the JSON Schema NAME, or write schemas to a folder; without both, list them.

    Editors with a schema complete the keys of a TOML file, explain them, and mark what is wrong. The first
    line of the file names its schema: `#:schema ./.schemas/spec.schema.json`. `undercroft init` sets that up.
    """
    from exporters.bundle import Bundle
    from exporters.schemas import all_schemas, schema_file, schema_text

    schemas = all_schemas(common.kit_in(kit) if kit else None)
    if name is not None and name not in schemas:
        raise BadInput(f"NAME: unknown schema {shown(name)}; {hint(name, list(schemas))}")
    chosen = schemas if name is None else {name: schemas[name]}
    if out is not None:
        files = {schema_file(title): schema_text(schema).encode() for title, schema in chosen.items()}
        output.write(Bundle(files), out, {}, inert=True)
    elif output.as_json:
        for title, schema in chosen.items():
            json_lines.emit("schema", name=title, schema=schema)
    elif name is not None:
        click.echo(schema_text(schemas[name]), nl=False)
    else:
        width = max(map(len, schemas))
        for title, schema in schemas.items():
            click.echo(f"{title:{width}}  {schema['description']}")
