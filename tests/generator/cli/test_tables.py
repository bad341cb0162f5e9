"""Tables as CSV: what a reader gets of each command, and what only one form may say."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner, Result

from generator.cli import main, tables

FACTS = ("--fact", "rooms.boss.distance", "--fact", "count('shop')", "--fact", "loops", "--fact", "curse")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


def read(*words: str) -> list[dict[str, str]]:
    done = run(*words, "--csv")
    assert done.exit_code == 0, done.output
    assert all(line.endswith("\r\n") for line in done.stdout_bytes.decode().splitlines(keepends=True))
    return [*csv.DictReader(io.StringIO(done.stdout, newline=""), strict=True)]


def test_stats_are_one_row_for_each_answer() -> None:
    words = ("stats", "isaac", "--set", "curse=random", "--seeds", "0:30", "--jobs", "1", *FACTS)
    counts = json.loads(run(*words, "--json").stdout)["facts"]
    rows = read(*words)
    assert {row["fact"] for row in rows} == counts.keys() - {"failed"}
    assert 'count("shop")' in counts
    for row in rows:
        (count,) = [
            n for answer, n in counts[row["fact"]] if ("" if answer is None else str(answer)) == row["answer"]
        ]
        assert int(row["count"]) == count and float(row["share"]) == count / 30
    assert [row["answer"] for row in rows if row["fact"] == "loops"] == ["0"], "asked for, so it is told"


def test_a_sweep_has_a_column_for_each_of_its_keys() -> None:
    words = ("stats", "gungeon", "--seeds", "0:6", "--jobs", "1", "--fact", "rooms", "--fact", "linearity")
    sweep = ("--sweep", "rooms=[8, 12]", "--sweep", "linearity=[[0, 10], [80, 90]]")
    rows = read(*words, *sweep)
    for rooms in ("8", "12"):
        for linearity in ("[0, 10]", "[80, 90]"):
            part = [row for row in rows if (row["set.rooms"], row["set.linearity"]) == (rooms, linearity)]
            alone = read(*words, "--set", f"rooms={rooms}", "--set", f"linearity={linearity}")
            assert [row | {"set.rooms": rooms, "set.linearity": linearity} for row in alone] == part
    pairs = read("stats", "gungeon", "--seeds", "0:6", *sweep[:2], "--range", "linearity", "loops")
    assert [*pairs[0]] == ["set.rooms", "linearity", "loops", "count", "share"]
    assert sum(int(row["count"]) for row in pairs) == 12


def test_a_search_has_the_facts_of_its_condition() -> None:
    words = ("search", "rebirth", "--where", "rooms.boss.distance > 3 or curse == 'lost'", "--seeds", "1:40")
    hits = [json.loads(line) for line in run(*words, "--json").stdout.splitlines()[:-1]]
    rows = read(*words)
    expected = [
        {"seed": hit["seed"], **{k: "" if v is None else str(v) for k, v in hit["facts"].items()}}
        for hit in hits
    ]
    assert rows == expected and len(rows) > 3
    nothing = run("search", "isaac", "--where", "rooms > 99", "--seeds", "0:9", "--csv")
    assert (nothing.exit_code, nothing.stdout_bytes) == (1, b"seed,rooms\r\n")


@pytest.mark.parametrize(
    ("words", "event", "key"),
    [
        (("presets",), None, None),
        (("layouts", "stats", "isaac", "--seeds", "0:4", "--pool", "boss", "--jobs", "1"), "layouts", "layouts"),
        (("why", "isaac", "--seeds", "0:4", "--never", "--jobs", "1"), None, None),
        (("describe", "labyrinth"), "description", "values"),
        (("describe", "png"), "description", "options"),
    ],
)  # fmt: skip
def test_other_tables_say_what_json_does(words: tuple[str, ...], event: str | None, key: str | None) -> None:
    told = [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]
    expected = told[0][key] if key else [line for line in told if line["event"] != "done"]
    rows = read(*words)
    assert len(rows) == len(expected)
    for row, facts in zip(rows, expected, strict=True):
        for name in row.keys() - {"here"}:
            value = facts.get(name)
            if isinstance(value, str | int) and not isinstance(value, bool):
                assert row[name] == str(value)
    assert words != ("describe", "labyrinth") or {
        row["key"]: row["here"] for row in rows if row["key"] == "curse"
    } == {"curse": "labyrinth"}


def test_what_a_preset_changes_is_beside_the_defaults() -> None:
    rows = {row["key"]: (row["default"], row["here"]) for row in read("describe", "labyrinth")}
    assert rows["curse"] == ("none", "labyrinth") and rows["hard"] == ("false", "false")


def test_names_and_facts_are_tables_too() -> None:
    assert {row["what"] for row in read("describe")} == {"preset", "style", "format"}
    facts = {row["fact"]: row for row in read("search", "--facts")}
    assert facts["width"]["needs_level"] == "true" and "shop" in facts['count("KIND")']["of"].split()


@pytest.mark.parametrize(
    "words",
    [
        ("stats", "isaac", "--seeds", "0:2"),
        ("search", "isaac", "--where", "rooms > 1", "--seeds", "0:2"),
        ("describe",),
        ("presets",),
        ("why", "isaac"),
        ("layouts", "stats", "isaac", "--seeds", "0:2"),
    ],
)
def test_only_one_form_is_printed(words: tuple[str, ...]) -> None:
    done = run(*words, "--csv", "--json")
    assert done.exit_code == 2
    assert done.stderr == "undercroft: --csv: does not go with --json; leave one out\n"


def test_a_preset_is_no_table() -> None:
    done = run("presets", "isaac", "--csv")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "--csv: is for the list" in done.stderr


def test_no_spreadsheet_runs_a_text(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    tables.print_csv(["a", "b"], [["=1+1", -5], ["@x", None], ["-", 0.25], ['say "so", then\nmore', True]])
    text = capsysbinary.readouterr().out.decode()
    assert [*csv.reader(io.StringIO(text, newline=""), strict=True)] == [
        ["a", "b"], ["'=1+1", "-5"], ["'@x", ""], ["'-", "0.25"], ['say "so", then\nmore', "true"],
    ]  # fmt: skip


def test_columns_stand_in_line() -> None:
    assert tables.columns([["a", "1", "x"], ["long", "12", ""]], "<><") == ["a      1  x", "long  12"]
    assert tables.columns([["group"], ["all"]]) == ["group", "all"] and tables.columns([]) == []
