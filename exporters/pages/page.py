"""One self-contained HTML file: parts inlined, texts escaped, and a policy that blocks everything else.

    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
        style-src 'sha256-…'; script-src 'sha256-…'; …">

The hashes are those of our own style and script. So text from a level or a file name cannot run, even if it
were not escaped, and nothing is fetched. https://www.w3.org/TR/CSP3/ describes the policy.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from string import Template

from generator.shipped_files import shipped_folder
from generator.version import VERSION


def escaped(text: object) -> str:
    """Escape text for HTML, between tags or in a quoted attribute."""
    return html.escape(str(text))


def json_block(data: object) -> str:
    """Escape JSON for a script element, where only `<` is dangerous."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def asset(name: str) -> str:
    """Read the text of a file in `assets/`."""
    return shipped_folder("exporters.pages").joinpath("assets", name).read_text("utf-8")


def page(
    title: str, body: str, *, styles: Sequence[str], scripts: Sequence[str], data: object = None
) -> bytes:
    """Write a page with a title and a body of HTML. `styles` and `scripts` are assets, in order.

    Scripts find `data` in the element `#data`.
    """
    style = "\n".join(map(asset, styles))
    script = '"use strict";\n' + "\n".join(map(_inlined, scripts))
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
        .encode("utf-8", "backslashreplace")  # for lone surrogates in file names
    )


def _inlined(name: str) -> str:
    """Read a script from the assets without imports and exports, as all scripts of one file share names.

    The studio's server can serve the same files as modules.
    """
    return re.sub(r"^import .*\n|^export ", "", asset(name), flags=re.MULTILINE)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
