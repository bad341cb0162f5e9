"""The studio as its page sees it, in a project of its own."""

from __future__ import annotations

import base64
import json
import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient

import generator
from exporters.studio.app import studio_app

PORT, TOKEN = 8420, "a-token"
ORIGIN = f"http://127.0.0.1:{PORT}"
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
CELLAR = """\
# A cellar of the second stage.
style = "isaac"
stage = 2
layouts = "../layouts"
"""


def make_project(folder: Path) -> Path:
    """A folder with a spec, a layout and a kit."""
    shutil.copytree(EXAMPLES / "garden", folder / "garden")
    (folder / "specs").mkdir()
    (folder / "specs" / "cellar.toml").write_text(CELLAR, "utf-8")
    (folder / "layouts" / "shop").mkdir(parents=True)
    (folder / "layouts" / "shop" / "mine.txt").write_bytes(shop_layouts()[0])
    return folder


def shop_layouts() -> list[bytes]:
    """Two layouts of shops."""
    shipped = Path(generator.__file__).parent / "interiors" / "layouts" / "shop"
    return [path.read_bytes() for path in sorted(shipped.glob("*.txt"))[:2]]


class Page:
    """Sends what the page sends."""

    def __init__(self, folder: Path, client: TestClient) -> None:
        self.folder, self.client = folder, client

    def post(self, path: str, body: dict[str, Any], status: int = 200) -> Any:
        """The JSON of an answer, which has that status."""
        answer = self.client.post(path, json=body, headers={"origin": ORIGIN})
        assert answer.status_code == status, answer.text
        return answer.json()

    def lines(self, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The lines of a stream."""
        answer = self.client.post(path, json=body, headers={"origin": ORIGIN})
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]

    def error(self, path: str, body: dict[str, Any], status: int = 422) -> dict[str, Any]:
        """The error of an answer."""
        found: dict[str, Any] = self.post(path, body, status)["error"]
        assert found["message"] and "\n" not in found["message"]
        return found

    def get(self, path: str) -> Any:
        """The JSON of an answer."""
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


def begun(folder: Path) -> TestClient:
    """A client of the studio of a folder; entering it starts the studio."""
    guard, _ = studio_app(folder, TOKEN, PORT, workers=1)
    return TestClient(guard, base_url=ORIGIN)


def tiles_of(level: dict[str, Any]) -> Any:
    """[layer, y, x]: the numbers of a level's tiles, as the page unpacks them."""
    width, height = level["size"]
    numbers = np.frombuffer(zlib.decompress(base64.b64decode(level["tiles"])), "<u2")
    return numbers.reshape(len(level["layers"]), height, width)
