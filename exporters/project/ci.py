"""The CI files that `undercroft init` writes and docs/pipelines.md shows."""

from __future__ import annotations

from generator.shipped_files import shipped_folder
from generator.version import VERSION

# What CI installs if nobody says otherwise: the one place to change when there are releases on an index.
REQUIREMENT = f"tools/undercroft-{VERSION}-py3-none-any.whl"

CI_FILES = {"github": ".github/workflows/levels.yml", "gitlab": ".gitlab-ci.yml"}


def recipe(ci: str, *, committed: bool, requirement: str = REQUIREMENT) -> str:
    """Write the text of a CI file, which checks levels that are committed, or else builds them."""
    name = f"{ci}-{'check' if committed else 'build'}.yml"
    text = (shipped_folder("exporters") / "project" / "recipes" / name).read_text("utf-8")
    return text.replace('"REQUIREMENT"', f'"{requirement}"')
