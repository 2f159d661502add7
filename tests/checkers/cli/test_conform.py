"""``nomadspec conform``."""

import json
import sys
from pathlib import Path

import pytest

from nomadspec.checkers.conform.question_and_answer import take_question
from nomadspec.checkers.oracle.reading import read_lines
from tests.checkers.cli.calling import Called, call
from tests.checkers.cli.schemas import check_output
from tests.checkers.conform.talking import AMPLE_S, BACKWARDS, MODEL, WRONG, allow_time
from tests.checkers.conform.wrong import CHANGES
from tests.recorded import rule_on

EXAMPLE = (sys.executable, "docs/how-to/examples/conform/driver.py")


@pytest.fixture(autouse=True)
def _is_in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    allow_time(monkeypatch)


def conform(*words: str | Path) -> Called:
    """Ask a program, and wait for each answer for as long as it takes."""
    return call("conform", "--timeout", f"{AMPLE_S:g}", *words)


def test_the_model_agrees_with_itself() -> None:
    called = conform("--family", "alloc-names", "--count", "5", "--json", "--", *MODEL)

    check_output(called.data)
    assert 0 == called.code
    assert 5 == called.data["kinds"]["alloc-names/cases"]["agreed"]
    assert called.data["again"].startswith("nomadspec conform --family alloc-names --seed 0 --count 5 -- ")


def test_the_same_seed_asks_the_same() -> None:
    words = ("--family", "alloc-names", "--count", "4", "--json", "--no-shrink", "--", *BACKWARDS)
    first = conform(*words).data

    assert "violated" == first["verdict"]
    assert first == conform(*words).data
    assert first["firsts"] != conform(*words[:4], "--seed", "3", *words[4:]).data["firsts"]


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        pytest.param(
            sorted(CHANGES.keys() - {"scheduler"}), ("--count", "4", "--no-shrink"), id="components"
        ),
        pytest.param(sorted(CHANGES), ("--count", "12"), id="all", marks=pytest.mark.deep),
    ],
)
def test_a_wrong_program_is_caught_in_each_family_and_its_answers_are_kept(
    kinds: list[str], words: tuple[str, ...], tmp_path: Path
) -> None:
    """To make the questions smaller takes longer than the rest, most of all those for the scheduler."""
    families = [word for kind in kinds for word in ("--family", kind)]
    called = conform(*families, *words, "--out", tmp_path, "--json", "--", *WRONG)

    check_output(called.data)
    assert 1 == called.code
    assert kinds == sorted(first["kind"] for first in called.data["firsts"])
    for first in called.data["firsts"]:
        family, _, stem = first["kind"].partition("/")
        (line,) = read_lines(tmp_path / family / f"{stem or 'calls'}.ndjson")
        assert first["differences"]
        if family == "scheduler":
            continue  # a kept call has no choices, and is judged without: see below
        assert "rejected" == rule_on(first["kind"], line.document)
        assert first["question"] == take_question(first["kind"], line.document)
    assert 1 == call("vectors", "check", tmp_path, "--relation").code


def test_a_question_is_made_small(tmp_path: Path) -> None:
    called = conform("--family", "alloc-names", "--count", "30", "--json", "--", *BACKWARDS)
    (first,) = called.data["firsts"]

    assert 1 == len(first["question"]["ops"])
    assert 2 == len(first["answer"]["ops"][0]["answer"])
    assert "REC-5" in first["differences"][0]["rule"]


def test_the_report_shows_what_was_asked_answered_and_allowed() -> None:
    said = {"protocol": "nomadspec-conform/1", "name": "yes", "kinds": ["constraints"]}
    program = (
        f"import json, sys; input(); print({json.dumps(said)!r}, flush=True)\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps(dict(id=json.loads(line)['id'], answer=dict(result=True))), flush=True)"
    )
    words = ("--family", "constraints/operands", "--count", "40", "--", sys.executable, "-c", program)
    called = conform(*words)

    for part in ("\n  asked     {", '\n  answered  {"result": true}', "allowed   false", "rule      FEAS-"):
        assert part in called.out
    assert "violated: yes, 40 questions asked: " in called.out


def test_what_a_program_does_not_name_is_not_made_and_asks_no_rule() -> None:
    kinds = ("--family", "constraints/targets", "--family", "alloc-names")
    called = conform(*kinds, "--count", "2", "--json", "--", *EXAMPLE)

    assert 4 == called.code
    assert ["constraints/targets"] == called.data["not_named"]
    assert {"alloc-names"} == set(called.data["rules"])
    shown = conform(*kinds, "--count", "2", "--", *EXAMPLE).out
    assert "constraints/targets: the program does not name them" in shown
    assert "inconclusive: names in Python, 2 questions asked: 2 agreed; 1 kind not asked" in shown


def test_recordings_of_what_a_program_does_not_name_are_unsupported(tmp_path: Path) -> None:
    file = tmp_path / "constraints" / "targets.ndjson"
    file.parent.mkdir()
    file.write_text('{"id": "c1", "target": "x", "value": "x", "found": true}\n')
    called = conform("--recordings", tmp_path, "--json", "--", *EXAMPLE)

    assert 4 == called.code
    assert 1 == called.data["kinds"]["constraints/targets"]["unsupported"]
    assert {} == called.data["rules"]


def test_recordings_are_asked_and_unreadable_ones_are_told(tmp_path: Path) -> None:
    file = tmp_path / "alloc-names" / "cases.ndjson"
    file.parent.mkdir()
    good = {
        "id": "one",
        "job": "j",
        "group": "g",
        "count": 2,
        "existing": [],
        "ops": [{"op": "next", "n": 1}],
    }
    file.write_text(json.dumps(good) + "\n" + json.dumps({**good, "id": "two", "count": "x"}) + '\n{"id": \n')
    called = conform("--recordings", tmp_path, "--json", "--", *EXAMPLE)

    check_output(called.data)
    assert 3 == called.code
    assert 1 == called.data["kinds"]["alloc-names/cases"]["agreed"]
    assert [("two, count", "Expected `int`, got `str`"), ("line 3, column 8", "this is no JSON")] == [
        (each["at"], each["problem"].partition(":")[0]) for each in called.data["unreadable"]
    ]


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (("--family", "brokre", "--", "true"), 2, "There is no family of questions named 'brokre'"),
        (("--", "/nowhere/at/all"), 2, "The program '/nowhere/at/all' cannot be started"),
        (("--", sys.executable, "-c", "pass"), 3, "it does not say what it is: it ended with the code 0"),
        (("--profile", "X-99", "--", "true"), 2, "X-99"),
        ((), 2, "Missing argument"),
    ],
)
def test_a_wrong_call_gets_a_sentence(words: tuple[str, ...], code: int, complaint: str) -> None:
    called = conform(*words)

    assert code == called.code
    assert complaint in called.err


def test_a_program_that_always_crashes_is_violated() -> None:
    said = '{"protocol": "nomadspec-conform/1", "kinds": ["constraints"]}'
    program = f"input(); print({said!r}, flush=True); input(); raise SystemExit(9)"
    called = conform("--family", "constraints/targets", "--count", "2", "--", sys.executable, "-c", program)

    assert 1 == called.code
    assert "failed constraints/targets constraints-targets-0000: it ended with the code 9" in called.out


def test_a_suite_is_made_once(tmp_path: Path) -> None:
    words = ("vectors", "make", tmp_path / "suite", "--family", "constraints", "--count", "4", "--json")
    called = call(*words)

    check_output(called.data)
    assert 0 == called.code
    assert 0 == call("vectors", "check", tmp_path / "suite" / "accept").code
    assert 2 == call(*words).code
