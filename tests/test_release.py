"""What a release needs: links and metadata that are right outside of the repository, and workflows that are valid."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from generator.version import VERSION
from tests.engines import HANG

ROOT = Path(__file__).parent.parent
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ADDRESS = "https://example.com/somebody/undercroft"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / ".github" / "release.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def steps_of(path: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


def test_every_link_of_a_released_readme_leads_to_a_file_of_the_tag(release: ModuleType) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    out = release.with_address(readme, "v1.2.3", ADDRESS)
    links = re.findall(r'(!?)\[[^\]]*\]\(([^)]+)\)|(src)="([^"]+)"', out)
    assert len(links) > 30
    for image, target, source, picture in links:
        address, _, place = (target or picture).partition("/v1.2.3/")
        assert address == f"{ADDRESS}/{'raw' if image or source else 'blob'}"
        assert (ROOT / place.partition("#")[0]).exists()
    assert release.with_address(out, "v1.2.3", ADDRESS) == out


def test_a_released_pyproject_has_links(release: ModuleType) -> None:
    made = tomllib.loads(release.with_urls((ROOT / "pyproject.toml").read_text("utf-8"), "v1.2.3", ADDRESS))
    urls = made["project"].pop("urls")
    assert made["project"] == PROJECT and made["tool"]
    assert set(urls) == {"Homepage", "Documentation", "Changelog", "Issues", "Source"}
    assert urls["Documentation"] == f"{ADDRESS}/tree/v1.2.3/docs"


def test_a_tag_or_a_changelog_that_does_not_fit_is_refused(release: ModuleType) -> None:
    changes = f"# Changelog\n\n## [Unreleased]\n\n## [{VERSION}]\n"
    assert release.problem(f"v{VERSION}", VERSION, changes) == ""
    assert release.problem(VERSION, VERSION, changes).endswith(f"; tag it v{VERSION}")
    assert "has no heading [9.9]" in release.problem("v9.9", "9.9", changes)


def test_classifiers_claim_what_is_tried() -> None:
    """The versions of Python that CI has, and the one system that it has run on."""
    ci = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    versions = {kind.rpartition(" ")[2] for kind in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", kind)}
    assert versions == set(ci["jobs"]["test"]["strategy"]["matrix"]["python"])
    systems = [kind for kind in PROJECT["classifiers"] if kind.startswith("Operating System")]
    assert systems == ["Operating System :: POSIX :: Linux"]


def test_every_extra_is_on_the_page_about_installing() -> None:
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert {*re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE), "test"} == set(
        PROJECT["optional-dependencies"]
    )


@pytest.mark.parametrize(("schema", "files"), [("workflows", WORKFLOWS), ("issue-forms", FORMS)])
def test_workflows_and_forms_are_valid(schema: str, files: list[Path]) -> None:
    """By the schemas that come with the program that checks them."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.github-{schema}"]
    done = subprocess.run([*command, *files], capture_output=True, text=True, check=False, timeout=HANG)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_end_ask_for_little_and_run_what_is_there(path: Path) -> None:
    whole = yaml.safe_load(path.read_text("utf-8"))
    assert whole["permissions"] == {"contents": "read"}
    most = 120 if path.stem == "nightly" else 60  # people wait for the others
    assert all(job["timeout-minutes"] <= most for job in whole["jobs"].values())
    for step in steps_of(path):
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@(v\d+|release/v\d+)", step.get("uses", "a/b@v1"))
        for script in re.findall(r"(?:python|bash) ([\w./-]+)", step.get("run", "")):
            assert script == "-m" or (ROOT / script).is_file()
        assert " | " not in step.get("run", "") or step["shell"] == "bash"  # else its first program may fail
    asked = re.findall(r"\.\[(\w+)\]", path.read_text("utf-8"))
    assert set(asked) <= set(PROJECT["optional-dependencies"])


def test_install_lines_are_those_of_a_checkout() -> None:
    """There is no release on an index yet, so a copied `pip install undercroft` would fail.

    Only the page about installing has that line already, beside the other. The site has a setting for the time
    after that. In `contributing.md` stand the places to change by hand.
    """
    pages = [*ROOT.glob("docs/*.md"), ROOT / "README.md", *ROOT.glob("godot_addon/**/*.md")]
    lines = {
        f"{page.name}: {line}"
        for page in pages
        for line in re.findall("pip install .*", page.read_text("utf-8"))
    }
    assert len(lines) > 8
    from_index = re.compile(r"pip install (-\S+ )*'?undercroft(\b|$)")
    assert {line for line in lines if from_index.search(line)} == {"install.md: pip install undercroft"}
    dock = (ROOT / "godot_addon/addons/undercroft/dock/command.gd").read_text("utf-8")
    assert 'const INSTALL := "pip install ."' in dock
