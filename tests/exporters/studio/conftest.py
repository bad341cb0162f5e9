from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.exporters.studio.page import TOKEN, Page, begun, make_project


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A studio that all tests share, whose page was opened at the printed address."""
    folder = make_project(tmp_path_factory.mktemp("game"))
    with begun(folder) as client:
        opened = client.get(f"/?token={TOKEN}")
        assert opened.status_code == 200
        yield Page(folder, client)
