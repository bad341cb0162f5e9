from __future__ import annotations

from click.testing import CliRunner

from generator.cli import main


def test_a_slip_in_a_condition_is_shown_with_its_place_beside_the_results_not_among_them() -> None:
    done = CliRunner().invoke(main, ["search", "isaac", "--where", "rooms >> 3", "--seeds", "0:2"])
    assert done.exit_code == 2 and done.stdout == ""
    text, caret, *rest = done.stderr.splitlines()
    assert text.strip() == "rooms >> 3" and caret.strip() == "^"
    assert len(rest) == 1 and "--where: column " in rest[0]
