"""Suites are accepted and rejected as they say, complete by rule, and the same for the same seed."""

import json
from functools import partial
from pathlib import Path

import pytest

from nomadspec.checkers.conform.judging import compute_expected
from nomadspec.checkers.conform.made_questions import MADE_KINDS, Coverage, make_questions
from nomadspec.checkers.conform.rules_asked import FAMILY_FILES, list_family_rules, note_rules
from nomadspec.checkers.conform.suite import make_suite
from nomadspec.checkers.oracle.check import check_paths
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.report.judging import plain
from nomadspec.model.errors import UsageError
from nomadspec.model.specification.catalogue import list_ids
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.conform.talking import TERMS, make_some

SOME = (
    "alloc-names/cases",
    "constraints/device-operands",
    "reschedule/cases",
    "scheduler",
    "state-store/sequences",
)


def list_rulings(folder: Path) -> list[Ruling]:
    answers = list(check_paths([folder], None, partial(Context, NOMAD_2_0)))
    assert all(isinstance(each, Judgement) for each in answers)
    return [each.ruling for each in answers if isinstance(each, Judgement)]


def read_files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        pytest.param(tuple(kind for kind in SOME if kind != "scheduler"), 1, id="components"),
        pytest.param(SOME, 2, id="all", marks=pytest.mark.deep),
    ],
)
def test_a_suite_says_what_is_right_and_what_is_wrong(
    kinds: tuple[str, ...], count: int, tmp_path: Path
) -> None:
    suite = make_suite(tmp_path, kinds, 1, count, TERMS)
    right, wrong = list_rulings(tmp_path / "accept"), list_rulings(tmp_path / "reject")
    index = json.loads((tmp_path / "reject" / "index.json").read_text())
    page = (tmp_path / "README.md").read_text()

    assert {Ruling.ACCEPTED} == set(right)
    assert {Ruling.REJECTED} == set(wrong)
    assert len(right) == len(wrong) == len(index) == sum(suite.accepted.values())
    assert all(each["right"] != each["wrong"] for each in index.values())
    for family in ("alloc-names", "state-store"):
        asked = json.loads((tmp_path / "rules.json").read_text())[family]
        assert set(list_family_rules(family)) == {*asked, *suite.list_left(family)}
        assert all(f"not asked: {rule}: " in page for rule in suite.list_left(family))


@pytest.mark.deep
def test_the_same_seed_makes_the_same_suite_and_another_one_another(tmp_path: Path) -> None:
    kinds = ("broker/sequences", "constraints/operands", "fit-and-score/ports", "plan-applier/plans")
    for name, seed in (("one", 5), ("two", 5), ("other", 6)):
        make_suite(tmp_path / name, kinds, seed, 3, TERMS)

    assert read_files(tmp_path / "one") == read_files(tmp_path / "two")
    assert read_files(tmp_path / "one") != read_files(tmp_path / "other")


class Stop(Silence):
    """Asks for a stop when the so-manieth kind begins."""

    def __init__(self, at: int) -> None:
        self.at = at

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        del text, expected
        if done == self.at:
            raise KeyboardInterrupt


def test_a_suite_that_is_stopped_leaves_nothing_that_looks_like_one(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        make_suite(tmp_path / "suite", SOME, 1, 2, TERMS, Stop(at=3))

    assert [] == list((tmp_path / "suite").iterdir())
    assert make_suite(tmp_path / "suite", SOME[:1], 1, 2, TERMS).accepted


def test_of_two_who_make_a_suite_in_one_folder_at_once_one_does(tmp_path: Path) -> None:
    class Second(Silence):
        """Makes another suite in the same folder while the first is made."""

        def update(self, text: str, done: int, expected: int | None = None) -> None:
            del text, done, expected
            with pytest.raises(UsageError, match="is not empty"):
                make_suite(tmp_path / "shared", SOME[:1], 2, 2, TERMS)

    make_suite(tmp_path / "alone", SOME[:1], 1, 2, TERMS)
    make_suite(tmp_path / "shared", SOME[:1], 1, 2, TERMS, Second())

    assert read_files(tmp_path / "alone") == read_files(tmp_path / "shared")


def test_questions_are_chosen_by_the_rules_that_are_not_asked_yet() -> None:
    coverage = Coverage()
    names = [question.id for question in make_questions(["broker/sequences"], 2, 6, TERMS, coverage)]

    assert [f"broker-sequences-000{number}" for number in range(6)] == names
    assert len(coverage.asked["broker"]) >= 0.9 * len(list_family_rules("broker"))


def test_half_of_the_calls_of_schedulers_that_are_asked_plan_something() -> None:
    answers = [plain(compute_expected(question, TERMS)) for question in make_some("scheduler", 6, 77)]

    assert sum(bool(answer["plans"]) for answer in answers) >= 3


@pytest.mark.parametrize("kind", MADE_KINDS)
def test_questions_of_each_kind_can_be_made_and_repeat(kind: str) -> None:
    made = make_some(kind, 2, 3)

    assert made == make_some(kind, 2, 3)
    assert 2 == len(made)


@pytest.mark.parametrize("family", FAMILY_FILES)
def test_the_rules_of_a_family_are_rules(family: str) -> None:
    rules = list_family_rules(family)

    assert rules
    assert set(rules) <= set(list_ids())


def test_a_rule_is_noted_however_often_its_answer_was_remembered() -> None:
    from nomadspec.model.cluster.constraints.attributes import parse_attribute

    seen = []
    for _ in range(2):
        with note_rules() as rules:
            parse_attribute("4 GiB")
        seen.append("FEAS-55" in rules)

    assert [True, True] == seen
