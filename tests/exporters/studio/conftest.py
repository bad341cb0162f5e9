from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.exporters.studio.page import TOKEN, Page, begun, make_project


@pytest.fixture(scope="session")
def opened_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A studio that all tests share, whose page was opened at the printed address."""
    folder = make_project(tmp_path_factory.mktemp("game"))
    with begun(folder) as client:
        opened = client.get(f"/?token={TOKEN}")
        assert opened.status_code == 200
        yield Page(folder, client)


@pytest.fixture(scope="session")
def first_files(opened_studio: Page) -> dict[Path, bytes]:
    """What the project holds before the first test."""
    return _files(opened_studio.folder)


@pytest.fixture
def studio(opened_studio: Page, first_files: dict[Path, bytes]) -> Iterator[Page]:
    """The studio; whatever a test writes into its project is gone after it."""
    yield opened_studio
    left = _files(opened_studio.folder)
    for path in left.keys() - first_files.keys():
        path.unlink()
    for path, data in first_files.items():
        if left.get(path) != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _files(folder: Path) -> dict[Path, bytes]:
    """The files of a project, without what Undercroft remembers of them."""
    found = (path for path in folder.rglob("*") if ".undercroft" not in path.parts)
    return {path: path.read_bytes() for path in found if path.is_file() and not path.is_symlink()}
