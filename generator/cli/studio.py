"""`undercroft studio`: a page in the browser that makes levels."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from generator.cli import common, json_lines
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput

_EXTRA = ("starlette", "uvicorn", "tomlkit")


@click.command(cls=HelpfulCommand)
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=".")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8420,
    show_default=True,
    help="The port; 0 for any free one.",
)
@click.option("--no-browser", is_flag=True, help="Open no browser; the address is printed in any case.")
@common.json_option
def command(folder: Path, port: int, no_browser: bool, as_json: bool) -> None:
    """Open a page in the browser that makes, compares and writes levels of the project in DIR.

    Only this machine can open it. Ctrl-C stops it.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: is not a folder; name the one of your project")
    _require_extra()
    from exporters.studio.serving import serve

    def tell(address: str) -> None:
        if as_json:
            json_lines.emit("studio", address=address)
        else:
            click.echo(address)
        if not no_browser:
            import webbrowser

            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(address)

    serve(folder.resolve(), port, tell)


def _require_extra() -> None:
    """Raise BadInput unless all that the studio needs is installed."""
    from importlib.util import find_spec

    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise BadInput(f"studio: {', '.join(missing)}: not installed; run pip install 'undercroft[studio]'")
