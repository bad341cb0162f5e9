"""One self-contained HTML file: its parts inlined, its texts escaped, and a policy that lets in nothing else.

    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
        style-src 'sha256-…'; script-src 'sha256-…'; …">

The hashes are those of our own style and script: nothing that a level or a file name says can be run, even
if it were not escaped, and nothing is fetched. https://www.w3.org/TR/CSP3/ describes the policy.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from string import Template

from generator.shipped_files import shipped_folder
from generator.version import VERSION


def escaped(text: object) -> str:
    """A text as it may stand in HTML, between tags or in a quoted attribute."""
    return html.escape(str(text))


def json_block(data: object) -> str:
    """JSON as it may stand inside a script element, which nothing but `<` can end."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def asset(name: str) -> str:
    """The text of a file in `assets/`."""
    return shipped_folder("exporters.pages").joinpath("assets", name).read_text("utf-8")


def page(
    title: str, body: str, *, styles: Sequence[str], scripts: Sequence[str], data: object = None
) -> bytes:
    """A page with a title and a body (HTML already); `styles` and `scripts` are assets, one after another.

    Scripts find `data` in the element `#data`.
    """
    style = "\n".join(map(asset, styles))
    script = '"use strict";\n' + "\n".join(map(asset, scripts))
    return (
        Template(asset("page.html"))
        .substitute(
            title=escaped(title),
            version=escaped(VERSION),
            style_hash=_digest(style),
            script_hash=_digest(script),
            style=style,
            script=script,
            body=body,
            data=json_block(data),
        )
        .encode("utf-8", "backslashreplace")  # half a letter, as some file names have
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
