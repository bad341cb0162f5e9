"""Format, lint and types: says all that is wrong, not only the first thing.

python -m tests.lints
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TYPED_TOO = ("browser", "commands", "engines", "guides", "lints", "needs", "typed")  # of the tests' helpers
LINTS = (
    ("ruff", "format", "--check", "--quiet", "."),
    ("ruff", "check", "--quiet", "."),
    ("mypy",),
    ("mypy", "--strict", "docs/art", "docs/website", *(f"tests/{name}.py" for name in TYPED_TOO)),
)


def lint(words: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run one of them; each keeps in the checkout what it found out, for its next run."""
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def main() -> int:
    """Run all; the exit status."""
    failed = [done for done in map(lint, LINTS) if done.returncode]
    for done in failed:
        print(f"{' '.join(done.args[2:4])}:\n{done.stdout}{done.stderr}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
