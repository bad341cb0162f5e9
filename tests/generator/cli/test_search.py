from __future__ import annotations

from click.testing import CliRunner

from generator.cli import main


def test_a_slip_in_a_condition_is_shown_with_its_place_beside_the_results_not_among_them() -> None:
    done = CliRunner().invoke(main, ["search", "isaac", "--where", "rooms >> 3", "--seeds", "0:2"])
    assert done.exit_code == 2 and done.stdout == ""
    text, caret, *rest = done.stderr.splitlines()
    assert text.strip() == "rooms >> 3" and caret.strip() == "^"
    assert len(rest) == 1 and "--where: column " in rest[0]


def test_levels_meet_all_conditions_that_are_given() -> None:
    """Each condition is read by itself, so `or` in one of them does not let levels past another."""
    first, second = "dead_ends == 3 or dead_ends == 4", "rooms == 8"
    words = ["search", "isaac", "--seeds", "0:60", "--jobs", "1"]
    both, one, slip = (
        CliRunner().invoke(main, [*words, *(word for text in texts for word in ("--where", text))])
        for texts in (
            (first, second),
            (f"({first}) and {second}",),
            (second, "rooms == 3 # )", "loops == 2)"),
        )
    )
    assert both.exit_code == 0 and both.stdout == one.stdout and "dead_ends = 4" in both.stdout
    assert slip.exit_code == 2 and slip.stderr.splitlines()[0] == "loops == 2)"
