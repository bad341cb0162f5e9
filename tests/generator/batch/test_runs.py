"""search, stats and audit: over processes as in one, in order, resumed, and told in one line where they fail."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import re
import signal
import sys
from pathlib import Path
from threading import Event, Thread, get_ident

import pytest
from click.testing import CliRunner, Result

from generator import generate
from generator.batch.condition import parse_condition
from generator.batch.facts import Subject
from generator.batch.run import Processes, ctrl_c_held_back, in_order, seed_range, workers
from generator.batch.search import Found, Hit, Query, search_blocks
from generator.batch.stats import Stats, distance, load_stats
from generator.checks import CHECKS
from generator.cli import main
from generator.errors import BadInput, UndercroftError
from generator.seeds import count_of
from generator.spec import load_spec
from tests.interrupts import ctrl_c_is_heard

WHERE = "rooms.boss.distance >= 3 and dead_ends == 5"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_search_finds_what_a_loop_finds_with_any_number_of_workers() -> None:
    spec, condition = load_spec("isaac"), parse_condition(WHERE)
    expected = [seed for seed in range(3, 3000) if condition.holds(Subject(spec, seed))]
    assert len(expected) > 10
    outputs = [run("search", "isaac", "--where", WHERE, "--seeds", "3:3000", "--jobs", jobs) for jobs in "12"]
    assert outputs[0].stdout == outputs[1].stdout
    lines = outputs[0].stdout.splitlines()
    assert [int(line.split()[0]) for line in lines] == expected
    assert "rooms.boss.distance = " in lines[0] and "dead_ends = 5" in lines[0]


@pytest.mark.usefixtures("compiling")
def test_the_first_few_of_all_seeds_there_are() -> None:
    """Blocks are made as they are asked for: a list of these would fill the memory."""
    done = run(
        "search",
        "isaac",
        "--where",
        WHERE,
        "--seeds",
        f"0:{1 << 64}",
        "--first",
        "3",
        "--jobs",
        "1",
        "--json",
    )
    *rows, end = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 3 and all(int(row["seed"]) < 5000 and row["facts"]["dead_ends"] == 5 for row in rows)
    assert done.exit_code == 0 and (end["event"], end["found"]) == ("done", 3)


def test_a_search_says_how_many_seeds_it_tried() -> None:
    done = run("search", "isaac", "--where", "rooms == 2", "--seeds", "0:1500", "--jobs", "1")
    said = "undercroft: 0 of 1,500 seeds meet the condition\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", said)


def test_a_search_for_the_first_few_counts_the_seeds_up_to_the_last_of_them() -> None:
    """Not those of the whole block, of which more meet the condition."""
    words = ("search", "isaac", "--where", "rooms >= 8", "--seeds", "5:1500", "--first", "3")
    for jobs in ("1", "2"):
        done = run(*words, "--jobs", jobs)
        assert [line.split()[0] for line in done.stdout.splitlines()] == ["5", "6", "7"]
        assert done.stderr == "undercroft: 3 of the first 3 seeds meet the condition; --first 3 stops there\n"


def test_a_block_has_no_seeds_up_to_no_hit() -> None:
    found = Found(range(5, 9), [Hit(6, {})], [5, 8])
    assert found.up_to(0) == (range(5, 5), [], [])
    assert found._replace(hits=[]).up_to(0) == (range(5, 5), [], [])
    assert found.up_to(1) == (range(5, 7), [Hit(6, {})], [5])
    assert found.up_to(2) == found


def test_a_search_for_the_first_few_begins_with_small_blocks() -> None:
    query = Query(load_spec("isaac"), "rooms > 8 and width > 60")
    blocks = [len(block) for _, block in search_blocks(query, range(100), 2)]
    assert blocks[:4] == [2, 4, 8, 16] and sum(blocks) == 100 and max(blocks) == blocks[-2] == 25


def test_the_game_has_no_seed_0() -> None:
    """A range begins behind it, with a word; alone it is refused."""
    said = "undercroft: --seeds: rebirth has no seed 0; beginning at 1\n"
    done = run("search", "rebirth", "--where", "rooms > 0", "--seeds", "0:3", "--jobs", "1")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["1", "2"]
    assert done.stderr == f"{said}undercroft: 2 of 2 seeds meet the condition\n"
    done = run("audit", "rebirth", "--seeds", "0:2", "--jobs", "1")
    assert (done.stdout, done.stderr) == ("1 level, 0 with problems\n", said)
    done = run("stats", "rebirth", "--seeds", "0:1")
    assert done.stderr == "undercroft: --seeds: 0:1: rebirth has no seed 0; give others\n"


def test_a_search_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tried seeds are not tried again, but found ones are printed again."""
    file = tmp_path / "search.json"
    words = ("search", "isaac", "--where", WHERE, "--seeds", "0:3000", "--jobs", "1", "--resume", str(file))
    first = run(*words, "--first", "1").stdout.splitlines()
    assert len(first) == 1
    found = int(first[0].split()[0])
    assert json.loads(file.read_text())["next"] == found + 1
    whole = run(*words[:-2]).stdout
    assert run(*words).stdout == whole
    monkeypatch.setattr("generator.batch.search.search_block", None)  # nothing is left to try
    assert run(*words).stdout == whole
    monkeypatch.undo()
    done = run(*words[:4].__add__(("--seeds", "0:9", "--resume", str(file))))
    assert done.exit_code == 2 and "belongs to another search" in done.stderr
    assert run(*words).exit_code == 0
    table = json.loads(file.read_bytes())
    (seed, facts), *others = table["hits"]
    edits = [{"hits": [[3000, facts], *others]}, {"hits": [[seed, {}], *others]}, {"hits": [[-1, facts]]}]
    edits += [{"next": 3001}, {"next": -1}, {"next": seed}, {"next": math.inf}]
    edited = [json.dumps(table | edit) for edit in edits]
    for damage in ("[]", "{}", "x", '{"next": 1}', *edited):
        file.write_text(damage, "utf-8")
        done = run(*words, "--first", "1", "--csv")
        assert done.exit_code == 2 and done.stderr.startswith(f"undercroft: --resume: {file} "), damage


def test_stats_count_what_levels_have(tmp_path: Path) -> None:
    words = ("stats", "isaac", "--set", "stage=3", "--seeds", "0:60", "--fact", "rooms", "--fact", "count")
    table = json.loads(run(*words, "--json").stdout)
    rooms = [len(generate("isaac", seed, stage=3, until="floorplan").rooms) for seed in range(60)]
    assert dict(table["facts"]["rooms"]) == {number: rooms.count(number) for number in sorted(set(rooms))}
    assert table["facts"]["failed"] == [["no", 60]] and 'count("planetarium")' not in table["facts"]
    assert run(*words, "--json", "--jobs", "2").stdout == run(*words, "--json", "--jobs", "1").stdout
    text = run(*words).stdout
    assert (
        f"rooms: {min(rooms)} to {max(rooms)}, median {sorted(rooms)[29]}, mean {sum(rooms) / 60:.2f}" in text
    )


def test_a_moved_distribution_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    words = ("stats", "isaac", "--seeds", "0:60", "--fact", "rooms", "--fact", "tries", "--jobs", "1")
    file.write_text(run(*words, "--json").stdout, "utf-8")
    same = run(*words, "--against", str(file))
    assert same.exit_code == 0 and "moved" not in same.stdout
    other = run(*words, "--set", "stage=2", "--against", str(file))
    assert other.exit_code == 1 and "rooms: the distribution moved by 1.000, more than 0.02" in other.stdout
    assert run(*words, "--set", "stage=2", "--against", str(file), "--threshold", "1").exit_code == 0
    file.write_text('{"format": "undercroft-stats", "format_version": 1, "levels": 3, "facts": {"a": [[1]]}}')
    done = run(*words, "--against", str(file))
    assert (
        done.exit_code == 2 and "not a file from `undercroft stats --json`; make one with it" in done.stderr
    )
    with pytest.raises(BadInput, match="cannot be read"):
        load_stats(tmp_path / "none")


def test_only_the_facts_that_were_asked_for_are_printed_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A baseline may have others; failures get a line of their own if there are any."""
    words = ("stats", "isaac", "--seeds", "0:4", "--jobs", "1")
    file = tmp_path / "baseline.json"
    file.write_text(run(*words, "--json").stdout, "utf-8")
    done = run(*words, "--fact", "rooms", "--against", str(file))
    assert (done.exit_code, done.stderr) == (0, "")
    assert next(line for line in done.stdout.splitlines() if not line.startswith(" ")).startswith("rooms: ")
    assert "failed" not in done.stdout and "moved" not in done.stdout
    assert "\nfailed: " in run(*words).stdout
    monkeypatch.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 1)
    done = run(*words, "--set", "rooms=40", "--fact", "rooms", "--against", str(file), "--threshold", "1")
    assert re.fullmatch("undercroft: [1-4] of 4 seeds gave no level\n", done.stderr)


def test_a_baseline_of_some_facts_is_compared_in_these_alone(tmp_path: Path) -> None:
    """What the usual one leaves out was 0 in all of its levels, and may move."""
    words = ("stats", "isaac", "--seeds", "0:30", "--jobs", "1")
    file = tmp_path / "baseline.json"
    file.write_text(run(*words, "--fact", "rooms", "--json").stdout, "utf-8")
    same = run(*words, "--against", str(file))
    assert (same.exit_code, "moved" in same.stdout) == (0, False)
    other = run(*words, "--set", "rooms=30", "--against", str(file))
    assert re.findall(r"(\S+): the distribution moved", other.stdout) == ["rooms"]
    file.write_text(run(*words, "--json").stdout, "utf-8")
    locked = run(*words, "--set", "plan.locks=[1, 1]", "--against", str(file))
    assert 'markers("key"): the distribution moved by 0.500' in locked.stdout


def test_stats_take_every_fact_that_conditions_take() -> None:
    words = ("stats", "isaac", "--seeds", "0:9", "--jobs", "1", "--json")
    written = ("rooms.boss.distance", 'count("shop")', "count('treasure')", "loops")
    told = json.loads(run(*words, *(word for name in written for word in ("--fact", name))).stdout)["facts"]
    assert [*told] == ["rooms.boss.distance", 'count("shop")', 'count("treasure")', "loops", "failed"]
    assert told["loops"] == [[0, 9]], "asked for, so it is told"
    families = json.loads(run(*words, "--fact", "rooms.KIND.distance", "--fact", "count").stdout)["facts"]
    assert families.items() >= {name: told[name] for name in [*told][:3]}.items()
    done = run(*words[:-1], "--fact", "rooms.bos.distance")
    assert done.exit_code == 2
    assert done.stderr.endswith(
        "--fact: unknown fact 'rooms.bos.distance'; did you mean rooms.boss.distance?\n"
    )


def test_a_fact_that_an_older_baseline_left_out_has_not_moved(tmp_path: Path) -> None:
    words = ("stats", "isaac", "--seeds", "0:9", "--jobs", "1", "--fact", "loops", "--fact", "rooms")
    table = json.loads(run(*words, "--json").stdout)
    del table["facts"]["loops"]  # as it was 0 in all levels
    (tmp_path / "usual.json").write_text(json.dumps(table), "utf-8")
    done = run(*words, "--against", str(tmp_path / "usual.json"))
    assert done.exit_code == 0 and "loops: 0 to 0" in done.stdout


def test_the_values_of_a_sweep_stand_beside_each_other() -> None:
    words = ("stats", "gungeon", "--seeds", "0:8", "--jobs", "1", "--fact", "loops", "--fact", "width")
    sweep = ("--sweep", "rooms=[9, 20]")
    alone = [
        json.loads(run(*words, "--json", "--set", f"rooms={rooms}").stdout)["facts"] for rooms in (9, 20)
    ]
    for jobs in ("1", "2"):
        told = json.loads(run(*words, *sweep, "--jobs", jobs, "--json").stdout)
        assert [part["values"] for part in told["sweep"]] == [{"rooms": 9}, {"rooms": 20}]
        assert [part["facts"] for part in told["sweep"]] == alone and told["levels"] == 16
    lines = run(*words, *sweep).stdout.splitlines()
    loops = [line.split() for line in lines[1 : lines.index(next(x for x in lines if x.startswith("width")))]]
    assert loops[0] == ["rooms=9", "rooms=20"]
    for place, facts in enumerate(alone):
        shares = {row[0]: float(row[1 + place].rstrip("%")) / 100 for row in loops[2:]}
        counts = {str(answer): count / 8 for answer, count in facts["loops"]}
        assert {answer: share for answer, share in shares.items() if share} == counts
        mean = sum(answer * count for answer, count in facts["loops"]) / 8
        assert float(loops[1][1 + place]) == pytest.approx(mean, abs=0.006)
    many = run(*words, "--sweep", "rooms=[8,9,10,11,12,13,14]").stdout.splitlines()
    assert len([line for line in many if line.strip().startswith("rooms=")]) == 2 * 7


def test_how_far_apart() -> None:
    assert distance({1: 3, 2: 1}, {1: 6, 2: 2}) == 0
    assert distance({1: 1}, {2: 1}) == distance({1: 1}, {}) * 2 == 1
    assert distance({1: 1, 2: 1}, {1: 1}) == 0.5
    assert Stats(0, {}).to_dict()["facts"] == {}


def test_an_audit_tells_the_seeds_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("audit", "rebirth", "--seeds", "1:30", "--jobs", "2")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "29 levels, 0 with problems\n", "")
    from generator.checks.base import problem

    def odd_seeds(level):  # type: ignore[no-untyped-def]
        if level.seed % 2:
            yield problem(odd_seeds, "seed", "is odd")

    monkeypatch.setattr("generator.checks.CHECKS", (*CHECKS, odd_seeds))
    done = run("audit", "isaac", "--seeds", "0:5", "--jobs", "1")
    assert done.exit_code == 1
    told = ["seed 1: seed: is odd [odd-seeds]", "seed 3: seed: is odd [odd-seeds]"]
    assert done.stdout.splitlines() == [*told, "5 levels, 2 with problems"]
    rows = run("audit", "isaac", "--seeds", "0:5", "--jobs", "1", "--json").stdout.splitlines()
    first, _, end = map(json.loads, rows)
    assert first == {"event": "problem", "seed": "1", "problem": "seed: is odd [odd-seeds]"}
    assert end == {"event": "done", "levels": 5, "with_problems": 2}


@pytest.mark.parametrize(
    "text", ["5", "5:", ":5", "5:5", "7:5", "-1:5", "a:b", f"0:{2**64 + 1}", "0:" + "9" * 30]
)
def test_ranges_of_seeds(text: str) -> None:
    with pytest.raises(BadInput, match="--seeds: "):
        seed_range(text)
    assert seed_range(f"0:{2**64}")[-1] == 2**64 - 1


@pytest.mark.parametrize("text", ["0:1", "3:3000", f"0:{2**64}", f"{2**64 - 9}:{2**64}"])
def test_as_many_seeds_are_counted_as_there_are(text: str) -> None:
    first, end = map(int, text.split(":"))
    assert count_of(seed_range(text)) == end - first
    assert count_of(range(9, 3)) == 0


def test_work_in_this_process_is_done_as_it_is_asked_for() -> None:
    asked: list[int] = []

    def work(item: int) -> int:
        asked.append(item)
        return item * 2

    results = in_order(work, iter(range(1000)), None, 1)
    assert [next(results), next(results)] == [(0, 0), (1, 2)] and asked == [0, 1]


def _kills_on_seven(item: int) -> int:
    if item == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return item * 2


def test_what_kills_its_worker_costs_nothing_else() -> None:
    with workers(2) as (executor, jobs):
        results = list(in_order(_kills_on_seven, range(30), executor, jobs, lambda item, error: -item))
    assert results == [(item, -7 if item == 7 else item * 2) for item in range(30)]
    with (
        workers(2) as (executor, jobs),
        pytest.raises(UndercroftError, match="a worker process was killed more than"),
    ):
        list(in_order(_kills_on_seven, range(30), executor, jobs))


@pytest.mark.skipif(sys.version_info >= (3, 12, 1), reason="Python's pool locks itself while it breaks")
def test_no_process_starts_while_another_may_break_the_pool() -> None:
    others = set(multiprocessing.active_children())
    with Processes(3) as executor:
        answer = executor.submit(abs, -7)
        assert len(set(multiprocessing.active_children()) - others) == 3
        assert answer.result() == 7


def test_facts_are_listed() -> None:
    lines = run("search", "--facts").stdout.splitlines()
    assert any(line.startswith("rooms.KIND.distance ") for line in lines)
    assert any(line.startswith('markers("KIND")') and "makes the whole level" in line for line in lines)
    rows = map(json.loads, run("search", "--facts", "--json").stdout.splitlines())
    assert {row["fact"] for row in rows} >= {"loops", 'count("KIND")'}
    assert run("search", "isaac").exit_code == 2


def test_ctrl_c_is_nothing_to_a_worker_that_has_not_begun() -> None:
    others = set(multiprocessing.active_children())
    with ctrl_c_is_heard(), Processes(1) as executor:
        answer = executor.submit(abs, -7)
        (worker,) = set(multiprocessing.active_children()) - others
        assert worker.pid
        os.kill(worker.pid, signal.SIGINT)
        assert answer.result() == 7


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_another_thread_takes_waits_too(number: signal.Signals) -> None:
    """As threads of a library for numbers take what is sent to the program."""
    heard: list[int] = []
    begins = Event()

    def take() -> None:
        begins.wait()
        signal.pthread_kill(get_ident(), number)

    before = signal.signal(number, lambda told, _: heard.append(told))
    try:
        taking = Thread(target=take)
        taking.start()
        with ctrl_c_held_back():
            begins.set()
            taking.join()
            assert not heard
        assert heard == [number]
    finally:
        signal.signal(number, before)
