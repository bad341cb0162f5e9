"""How Undercroft is installed: the command that adds an extra, and other distributions with its folders."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator import installed
from generator.cli import main
from generator.installed import clashes, install_command

RECEIPT = """[tool]
requirements = [
    { name = "undercroft", extras = ["plots"] },
    { name = "undercroft-row", directory = "/games/row" },
    { name = "tqdm", specifier = ">=4", marker = "python_version >= '3'" },
    { name = "ours", editable = "/games/ours" },
    { name = "wheel", extras = ["b", "a"], path = "/games/wheel-1-py3-none-any.whl" },
    { name = "there", extras = ["a"], url = "https://example.org/there.whl" },
    { name = "tagged", git = "https://example.org/t?subdirectory=lib&rev=v1" },
    { name = "newest", git = "https://example.org/n" },
]
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that undercroft was installed into from an index, and where Python looks for its files."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env-of-us"))
    monkeypatch.syspath_prepend(tmp_path / "env-of-us")
    record = tmp_path / "env-of-us" / "undercroft-9.9.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Name: undercroft\nVersion: 9.9\n", "utf-8")
    return record.parent


def test_pip_adds_an_extra_where_nothing_else_made_the_environment(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/our game/python")
    assert install_command("fast") == "'/our game/python' -m pip install 'undercroft[fast]'"
    monkeypatch.setattr(installed, "find_spec", lambda name: None)  # as in an environment that uv made
    assert install_command("fast") == "uv pip install --python '/our game/python' 'undercroft[fast]'"


def test_uv_is_asked_again_for_all_that_is_there(site: Path) -> None:
    (site / "uv-receipt.toml").write_text(RECEIPT, "utf-8")
    assert install_command("studio") == (
        "uv tool install 'undercroft[plots,studio]' --with /games/row "
        """--with 'tqdm>=4 ; python_version >= '"'"'3'"'"'' --with-editable /games/ours """
        "--with '/games/wheel-1-py3-none-any.whl[a,b]' --with 'there[a] @ https://example.org/there.whl' "
        "--with 'tagged @ git+https://example.org/t@v1#subdirectory=lib' "
        "--with 'newest @ git+https://example.org/n'"
    )


@pytest.mark.parametrize(
    "receipt", ["", "[tool", "tool = 1", "[tool]\nrequirements = [1]", "[tool]\nrequirements = [{}]", "\xff"]
)
def test_a_receipt_that_cannot_be_read_counts_as_an_empty_one(receipt: str, site: Path) -> None:
    (site / "uv-receipt.toml").write_text(receipt, "latin-1")
    assert install_command("studio") == "uv tool install 'undercroft[studio]'"


@pytest.mark.parametrize("origin", ["[", "[1]", "1", "{}", '{"url": 1}', '{"url": "u", "vcs_info": {}}'])
def test_an_origin_that_cannot_be_read_counts_as_the_index(origin: str, site: Path) -> None:
    (site / "undercroft-9.9.dist-info" / "direct_url.json").write_text(origin, "utf-8")
    assert install_command("fast").endswith(" install 'undercroft[fast]'")


def test_pipx_injects_it(site: Path) -> None:
    (site / "pipx_metadata.json").write_text("{}", "utf-8")
    assert install_command("dask") == "pipx inject env-of-us 'undercroft[dask]'"


@pytest.mark.parametrize(
    ("origin", "what"),
    [
        ({"url": "HERE/our%20game", "dir_info": {}}, ["HERE/our game[zstd]"]),
        ({"url": "HERE/our%20game", "dir_info": {"editable": True}}, ["--editable", "HERE/our game[zstd]"]),
        ({"url": "HERE/gone.whl", "archive_info": {}}, ["undercroft[zstd]"]),
        (
            {"url": "https://example.org/u.whl", "archive_info": {}},
            ["undercroft[zstd] @ https://example.org/u.whl"],
        ),
        (
            {
                "url": "HERE/our%20game",
                "subdirectory": "u",
                "vcs_info": {"vcs": "git", "commit_id": "c0ffee"},
            },
            ["undercroft[zstd] @ git+URL/our%20game@c0ffee#subdirectory=u"],
        ),
        (
            {"url": "https://example.org/u", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
            ["undercroft[zstd] @ git+https://example.org/u@c0ffee"],
        ),
    ],
)
def test_an_extra_comes_from_where_undercroft_came_from(
    origin: dict[str, object], what: list[str], site: Path, tmp_path: Path
) -> None:
    (tmp_path / "our game").mkdir()
    text = json.dumps(origin).replace("HERE", tmp_path.as_uri())
    (site / "undercroft-9.9.dist-info" / "direct_url.json").write_text(text, "utf-8")
    words = shlex.split(install_command("zstd"))
    assert words[words.index("install") + 1 :] == [
        word.replace("HERE", str(tmp_path)).replace("URL", tmp_path.as_uri()) for word in what
    ]


def test_files_of_others_and_changed_ones_are_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By `--version` and by `check`, whose exit statuses stay the same."""
    monkeypatch.setattr(installed, "__file__", str(site / "undercroft.whl" / "generator" / "installed.py"))
    assert clashes() == []
    monkeypatch.setattr(installed, "__file__", str(site / "generator" / "installed.py"))
    ours = {"generator/a.py": "one", "exporters/b.py": "", "undercroft/c.py": "", "exporters/look.toml": "1"}
    for path, text in ours.items():
        (site / path).parent.mkdir(exist_ok=True)
        (site / path).write_text(text, "utf-8")
    lines = [f"{path},sha256=x,{len(text)}" for path, text in ours.items()]
    record = "\n".join([*lines, "generator/__pycache__/a.cpython-311.pyc,,", "undercroft/__main__.py,,", ""])
    (site / "undercroft-9.9.dist-info" / "RECORD").write_text(record, "utf-8")
    (site / "numpy-2.0.dist-info").mkdir()
    (site / "numpy-2.0.dist-info" / "RECORD").write_text("numpy/generator/x.py,sha256=x,3\n", "utf-8")
    assert clashes() == []
    (site / "metrics-0.7.dist-info").mkdir()
    (site / "metrics-0.7.dist-info" / "RECORD").write_text("exporters/b.py,sha256=x,3\n", "utf-8")
    other = "metrics 0.7 has files in exporters/ too, and may overwrite undercroft's; "
    assert [line.startswith(other) for line in clashes()] == [True]
    (site / "exporters" / "b.py").write_text("raise SystemExit", "utf-8")
    (site / "generator" / "a.py").unlink()
    told = clashes()
    assert told[1].startswith(f"{site}/generator/a.py and 1 more: not as installed; install undercroft again")
    run = CliRunner().invoke
    assert run(main, ["--version"]).stderr == "".join(f"undercroft: note: {line}\n" for line in told)
    assert json.loads(run(main, ["--version", "--json"]).stdout)["clashes"] == told
    (site / "specs.toml").write_text('style = "isaac"\n', "utf-8")
    checked = run(main, ["check", str(site / "specs.toml")])
    assert checked.exit_code == 0 and all(f"note: {line}\n" in checked.stderr for line in told)
