"""The fuzzer repeats itself, finds what is planted, and makes it small."""

import json
import sys
from collections.abc import Iterator, Mapping
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nomadspec.checkers.oracle import check
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.registry import list_kinds
from nomadspec.checkers.report import json_fields
from tests.fuzz import batches, calls, targets
from tests.fuzz.__main__ import main
from tests.fuzz.findings import Outcome
from tests.fuzz.minimise import minimise
from tests.fuzz.mutate import damage, is_loose, write_damaged
from tests.fuzz.targets import Input, feed, list_targets, make_input, spoil_clock
from tests.recorded import read_recordings

GC = b'{"id": "x", "thresholds": [{"eval": 3}, 2]}'

STORY = (
    b'{"schema": "nomadspec/story/1", "model": "%b", "scope": "", "sizes": {}, "profile": "", "steps": []}'
)


@pytest.mark.parametrize("many", [12, pytest.param(80, marks=pytest.mark.deep)])
def test_the_same_seed_makes_the_same_inputs(many: int) -> None:
    made, again, others = ([make_input(seed, number) for number in range(many)] for seed in (5, 5, 6))

    assert made == again
    assert made != others


def test_every_kind_of_recordings_and_every_reader_is_fed() -> None:
    assert {
        *list_kinds(),
        "file",
        "story",
        "schedule",
        "trace",
        "verb",
        "command",
        "answer",
        "scenario",
        "log",
        "ledger",
        "checkpoint",
    } == {one.name for one in list_targets()}


def test_damage_changes_a_copy() -> None:
    document = {"a": [1, {"b": "text"}], "c": None}
    before = json.dumps(document)

    damaged = {write_damaged(damage(document, Random(number)), Random(number)) for number in range(100)}

    assert before == json.dumps(document)
    assert len(damaged) > 60


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.deep)])
def test_no_recording_with_a_spoiled_clock_is_accepted(every: int, tmp_path: Path) -> None:
    """A clock that counts whole milliseconds shows whole numbers, and never goes back."""
    documents = read_recordings("broker/sequences")[::every]
    spoiled = [json.dumps(spoil_clock(one, Random(n))).encode() for n, one in enumerate(documents)]

    assert all(json.dumps(one).encode() not in spoiled for one in documents)
    assert {Outcome.ANSWERED} == {
        feed(Input("broker/sequences", one, is_corrupted=True), tmp_path).outcome for one in spoiled
    }


@pytest.mark.parametrize(
    ("target", "content"),
    [
        ("trace", b'raft-state.json\n{"Indexes": [{"Key": "j", "Value": []}]}'),
        ("story", STORY % (b"k" * 300)),
    ],
)
def test_what_was_found_once_stays_mended(target: str, content: bytes, tmp_path: Path) -> None:
    assert Outcome.ANSWERED is feed(Input(target, content), tmp_path).outcome


def use_judge(patch: pytest.MonkeyPatch, judge: Any) -> None:
    patch.setattr(check, "find_judge", lambda _kind: judge)


def test_a_judge_that_fails_is_found_at_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(vector: Mapping[str, Any], _context: Context) -> Iterator[Difference]:
        for each in vector.get("thresholds", ()):
            yield Difference("", each["nobody"] if isinstance(each, dict) else each, each, "")

    use_judge(monkeypatch, stumble)
    told = feed(Input("gc/cases", GC), tmp_path)

    assert Outcome.CRASH is told.outcome
    assert told.site.startswith("KeyError in test_fuzz.py:")
    smaller = minimise(GC, lambda content: feed(Input("gc/cases", content), tmp_path) == told)
    assert '{"thresholds": [{}]}' == smaller.decode()


def test_a_judge_that_takes_anything_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def accept(_vector: Mapping[str, Any], _context: Context) -> Iterator[Difference]:
        yield from ()

    use_judge(monkeypatch, accept)

    assert Outcome.WRONG is feed(Input("gc/cases", GC, is_corrupted=True), tmp_path).outcome
    assert Outcome.ANSWERED is feed(Input("gc/cases", GC), tmp_path).outcome


def test_a_judge_that_never_ends_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def linger(_vector: Mapping[str, Any], _context: Context) -> Iterator[Difference]:
        while True:
            yield from ()

    use_judge(monkeypatch, linger)
    monkeypatch.setattr(targets, "_LIMITS", Limits(seconds=0.05))

    assert Outcome.HANG is feed(Input("gc/cases", GC), tmp_path).outcome


def test_a_corruption_that_fails_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "damage", lambda *_given: dict[str, int]()["nobody"])
    told = feed(make_input(0, 0, "trace"), tmp_path)

    assert (Outcome.CRASH, "KeyError in test_fuzz.py") == (told.outcome, told.site.partition(":")[0])


@pytest.mark.parametrize(
    ("shown", "code", "site"),
    [
        ("\x1b[2K\raccepted", 0, "vectors check lets through what a terminal obeys"),
        ("Traceback (most recent call last):\n", 2, "vectors check shows where in the program it failed"),
        ("", 3, "vectors check ends with 3 and says nothing"),
        ('{"schema": "nomadspec/error/1"}', 3, "vectors check prints an object that nobody asked for"),
    ],
)
def test_an_answer_that_no_verb_may_give_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: str, code: int, site: str
) -> None:
    def answer(_words: list[str]) -> int:
        sys.stdout.write(shown)
        return code

    monkeypatch.setattr(calls, "run", answer)
    told = feed(Input("verb", b'["gc/cases", "vectors", "check", "FILE"]\n{}'), tmp_path)

    assert (Outcome.WRONG, site) == (told.outcome, told.site)


def test_a_reader_that_takes_what_has_two_meanings_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = json.dumps(targets._list_stories()[-1]).replace('"seed": ', '"seed": 1, "seed": ').encode()
    assert Outcome.ANSWERED is feed(Input("story", story), tmp_path).outcome
    monkeypatch.setattr(json_fields, "parse_json", lambda text, *_, **__: json.loads(text))

    assert Outcome.WRONG is feed(Input("story", story), tmp_path).outcome


@pytest.mark.parametrize(
    ("line", "loose"),
    [
        (b'{"a": {"b": 1, "b": 1}}', True),
        (b'{}\n{"a": [NaN]}', True),
        (b'{"a": {"b": 1}, "b": 1}', False),
        (b'{"a": 1, "a"', False),
    ],
)
def test_what_only_python_reads_is_loose(line: bytes, loose: bool) -> None:
    assert loose is is_loose(line)


def test_a_batch_that_stays_at_an_input_is_ended_and_one_that_goes_on_is_not(tmp_path: Path) -> None:
    batch = batches._Batch(get_context("fork").Process(), tmp_path, 0, 9)
    for number in (*range(batches._PATIENT_LOOKS), 7, *[8] * batches._PATIENT_LOOKS):
        assert not batch.is_silent
        batches._write_number(tmp_path, number)
        batch.look()

    batch.look()
    assert batch.is_silent


def test_some_inputs_are_answered(tmp_path: Path) -> None:
    found = {
        (given.target, told.site)
        for given in (make_input(0, number) for number in range(150))
        if (told := feed(given, tmp_path)).is_finding
    }

    assert set() == found


def test_a_finding_is_written_down_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps({"target": "gc/cases", "content": "e30=", "is_corrupted": False}))

    assert 0 == main(["--replay", str(kept)])
    assert "gc/cases, 2 bytes: b'{}'\nanswered: it is mended\n" == capsys.readouterr().out


def test_a_batch_runs_in_a_process_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--count", "5", "--seed", "1", "--only", "constraints/operands", "--out", str(tmp_path)]

    assert 0 == main(words)
    assert capsys.readouterr().out.startswith("seed 1: 5 inputs\n  answered                5\n")
