"""Makes a checkout ready to be built for a release: python .github/release.py TAG ADDRESS

ADDRESS is where the repository lies; the workflow knows it, and nothing else in the repository does. The
package index shows the README, and cannot follow links within a repository: they get the address and the
tag. The project's own links are made of both too. The tag must be that of the version, and the changelog
must have a heading for it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path.cwd()
_LINK = re.compile(r'(?P<before>(?P<image>!?)\[[^\]]*\]\(|src=")(?!https?:|#)(?P<path>[^)"#]+)')
_PAGES = {
    "Homepage": "",
    "Documentation": "/tree/{tag}/docs",
    "Changelog": "/blob/{tag}/CHANGELOG.md",
    "Issues": "/issues",
    "Source": "/tree/{tag}",
}


def with_address(readme: str, tag: str, address: str) -> str:
    """A README whose links lead to the repository at a tag."""

    def outwards(link: re.Match[str]) -> str:
        kind = "raw" if link["image"] or link["before"].startswith("src") else "blob"
        return f"{link['before']}{address}/{kind}/{tag}/{link['path']}"

    return _LINK.sub(outwards, readme)


def with_urls(pyproject: str, tag: str, address: str) -> str:
    """A pyproject.toml with the project's links in front of the next table after `[project]`."""
    urls = "".join(f'{name} = "{address}{page.format(tag=tag)}"\n' for name, page in _PAGES.items())
    head, table, rest = pyproject.partition("[project.optional-dependencies]")
    return f"{head}[project.urls]\n{urls}\n{table}{rest}"


def problem(tag: str, version: str, changelog: str) -> str:
    """What is wrong with a release of this tag; empty if nothing is."""
    if tag != f"v{version}":
        return f"the tag is {tag}, and the version is {version}; tag it v{version}"
    if f"\n## [{version}]" not in changelog:
        return f"CHANGELOG.md: has no heading [{version}]; give what is under Unreleased that one"
    return ""


def main(tag: str, address: str) -> None:
    """Change README.md and pyproject.toml in the current folder, or exit with what is wrong."""
    texts = {
        name: (ROOT / name).read_text("utf-8") for name in ("README.md", "pyproject.toml", "CHANGELOG.md")
    }
    code = (ROOT / "generator" / "version.py").read_text("utf-8")
    (version,) = re.findall(r'^VERSION = "([^"]+)"', code, re.MULTILINE)
    if found := problem(tag, version, texts["CHANGELOG.md"]):
        sys.exit(found)
    address = address.rstrip("/")
    readme = with_address(texts["README.md"], tag, address)
    (ROOT / "README.md").write_text(readme, "utf-8", newline="\n")
    pyproject = with_urls(texts["pyproject.toml"], tag, address)
    (ROOT / "pyproject.toml").write_text(pyproject, "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
