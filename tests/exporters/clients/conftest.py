"""A level in all formats, for libraries that read them."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import exporters
import generator
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.level import Level

Pixels = npt.NDArray[np.uint8]
NAME = "isaac-7"  # as in the examples
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples" / "engines"


class Exported(NamedTuple):
    """A level of that name, written once as is usual, and once with the tileset in the map."""

    level: Level
    theme: Theme
    folder: Path
    embedded: Path

    @property
    def picture(self) -> Pixels:
        """Our own picture of it, RGBA; what cannot be seen has no colour."""
        return seen(Image.open(self.folder / f"{NAME}.png"))


def seen(image: Image.Image) -> Pixels:
    """RGBA; what cannot be seen has no colour."""
    found = np.asarray(image.convert("RGBA")).copy()
    found[found[..., 3] == 0] = 0
    return found


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    level = generator.generate("isaac", 7)
    folder, embedded, as_xml = (tmp_path_factory.mktemp(name) for name in ("external", "embedded", "xml"))
    exporters.export(level, ["tiled", "ldtk", "png", "json"], name=NAME).write(folder)
    exporters.export(level, "tiled", {"tiled.format": "tmx"}, name=NAME).write(as_xml)
    shutil.copytree(as_xml, folder, dirs_exist_ok=True)
    options = {"tiled.tileset": "embedded"}
    exporters.export(level, ["tiled", "png", "json"], options, name=NAME).write(embedded)
    return Exported(level, load_theme(), folder, embedded)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing: the tests look at what the page says."""


@pytest.fixture
def served() -> Iterator[Any]:
    """`served(folder)`: its address on this machine."""
    servers = []

    def serve(folder: Path) -> str:
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
