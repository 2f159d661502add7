"""``nomadspec prove``."""

from pathlib import Path
from typing import Any

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


@pytest.mark.deep
def test_everything_is_proved() -> None:
    called = call("prove", "--json")

    check_output(called.data)
    assert (0, "holds") == (called.code, called.data["verdict"])
    assert {"core", "2pc"} == {result["model"] for result in called.data["results"]}
    assert {("counters_fit_the_scope", "proved-bounded")} == {
        (result["property"], result["result"])
        for result in called.data["results"]
        if result["result"] != "proved-unbounded"
    }


def test_one_property_gets_a_row_for_each_rule() -> None:
    called = call("prove", "managers_agree")

    assert 0 == called.code
    assert "DecideCommit" in called.out
    assert "core" not in called.out


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.deep), 3])
def test_however_many_processes_ask_the_answers_are_the_same(workers: int) -> None:
    words = ("prove", "managers_agree", "-m", "2pc", "--json", "--workers")
    alone, called = (call(*words, str(many)) for many in (1, workers))

    def results(data: dict[str, Any]) -> list[object]:
        return [(one["property"], one["result"], one["lemmas"]) for one in data["results"]]

    assert results(alone.data) == results(called.data)


def test_nobody_cannot_ask() -> None:
    assert 2 == call("prove", "-m", "2pc", "--workers", "0").code


def test_a_reachable_violation_is_told_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    words = ("prove", "managers_agree", "-m", "2pc", "--profile", "X-03", "--set", "rms=2", "--bounded-only")
    called = call(*words, "--story-out", path)

    assert 1 == called.code
    assert "managers_agree is violated after 5 steps" in called.out
    assert 0 == call("story", path).code
    check_output(call(*words, "--json").data)


def test_a_promise_of_the_model_is_asked_for_by_name() -> None:
    data = call("prove", "domains_are_kept", "-m", "2pc", "--json").data

    assert [("domains_are_kept", ["rms"], {})] == [
        (one["property"], one["any"], one["fixed"]) for one in data["results"]
    ]


def test_that_no_rule_fails_is_asked_by_name(tmp_path: Path) -> None:
    model = tmp_path / "struck.py"
    model.write_text("from tests.checkers.failing import STRUCK\n")
    called = call("prove", "rules_do_not_fail", "-m", f"{model}:STRUCK")

    assert 1 == called.code
    assert "rules_do_not_fail is broken after" in called.out


@pytest.mark.parametrize(("words", "code"), [((), 0), (("--bounded-only",), 4)])
def test_a_proof_for_any_number_can_be_required(words: tuple[str, ...], code: int) -> None:
    called = call("prove", "managers_agree", "-m", "2pc", "--require", "unbounded", *words)

    assert code == called.code
    assert ("as --require unbounded asks: managers_agree, domains_are_kept." in called.out) == bool(code)


@pytest.mark.deep
def test_what_is_not_inductive_is_open() -> None:
    words = ("prove", "managers_agree", "-m", "2pc", "--profile", "X-03", "--set", "rms=3", "--bmc", "0")
    called = call(*words)

    assert 4 == called.code
    assert "INCONCLUSIVE" in called.out
    check_output(call(*words, "--json").data)


def test_within_the_scope_only() -> None:
    data = call("prove", "managers_agree", "--bounded-only", "--json").data

    assert ["proved-bounded"] * 2 == [result["result"] for result in data["results"]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("managers_agre",), "There is no property named 'managers_agre'; did you mean managers_agree"),
        (("managers_agree", "-m", "core"), "There is no property of core named 'managers_agree'"),
        (("--set", "rms=3"), "need --model NAME"),
        (("everyone_is_told",), "everyone_is_told"),
        (("rules_do_not_fail", "-m", "2pc"), "Nothing in 2pc could break rules_do_not_fail in this scope"),
        (("texts_have_answers", "-m", "2pc"), "Nothing in 2pc could break texts_have_answers in this scope"),
    ],
)
def test_wrong_questions_are_refused(words: tuple[str, ...], sentence: str) -> None:
    called = call("prove", *words)

    assert (2, "") == (called.code, called.out)
    assert sentence in called.err


def test_a_model_without_properties_has_nothing_to_prove(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text("from nomadspec.model.small.two_phase_commit import TWO_PHASE_COMMIT\n")

    called = call("prove", "--model", path)

    assert 2 == called.code
    assert "has no `always` or `step` property, so there is nothing to prove." in called.err


def test_no_story_is_said(tmp_path: Path) -> None:
    called = call("prove", "managers_agree", "--bounded-only", "--story-out", tmp_path / "s")

    assert "there is no story to tell" in called.err


def test_questions_go_to_files_that_are_listed(tmp_path: Path) -> None:
    called = call("prove", "managers_agree", "-m", "2pc", "--emit-smt2", tmp_path / "q", "--json")

    check_output(called.data)
    assert {one["file"] for one in called.data["questions"]} == {
        path.name for path in (tmp_path / "q").iterdir()
    }
    assert {"unsat", "unknown"} == {one["status"] for one in called.data["questions"]}
    assert 1 == called.data["seed"]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (2, 3, 4, 5))])
def test_results_are_the_same_for_all_seeds(seed: int) -> None:
    data = call("prove", "managers_agree", "-m", "2pc", "--seed", str(seed), "--json").data

    assert ["proved-unbounded"] * 2 == [result["result"] for result in data["results"]]
    assert seed == data["seed"]


def test_a_gap_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "gap.svg"
    words = ("prove", "managers_agree", "-m", "2pc", "--profile", "X-03", "--set", "rms=2", "--bounded-only")
    called = call(*words, "--bmc", "4", "--draw", path)

    assert 4 == called.code
    assert "which nothing leads to: 3 steps back there is no world left" in called.out
    assert path.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--emit-smt2", "{0}/file"), "cannot be written"),
        (("--draw", "{0}/a.txt"), "must end in .svg"),
        (("--draw", "{0}/file/a.svg"), "cannot be written"),
        (("--seed", "-1"), "--seed"),
    ],
)
def test_wrong_places_are_refused_before_anything_is_asked(
    words: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    called = call("prove", "managers_agree", *[word.format(tmp_path) for word in words])

    assert (2, "") == (called.code, called.out)
    assert sentence in called.err


def test_claims_about_resources_are_proved_by_name() -> None:
    """PLAN-54, RANK-30."""
    called = call("prove", "disk_is_never_oversubscribed", "--faults")

    assert 0 == called.code
    assert "proved for any number of allocations" in called.out
    assert "accepted is enough" in called.out
    assert "find_shortage: capacity.disk_mb < used.disk_mb -> False" in called.out
    assert "survived" not in called.out


def test_growth_in_place_breaks_its_claim_in_the_release_only(tmp_path: Path) -> None:
    """03/S8."""
    words = ("prove", "in_place_update_never_oversubscribes", "--emit-smt2", tmp_path, "--json")
    called = call(*words)

    check_output(called.data)
    assert (1, "violated") == (called.code, called.data["verdict"])
    assert {"node", "stays", "before", "after"} == set(called.data["results"][0]["example"]["objects"])
    assert ["sat"] == [one["status"] for one in called.data["questions"]]
    assert "does not hold: a plan changes in place" in call(*words[:2]).out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-m", "resources", "--scope", "small"), "resources has neither scopes nor sizes"),
        (("cpu_is_fine", "-m", "resources"), "There is no property of resources named 'cpu_is_fine'"),
        (("managers_agree", "--faults"), "--faults belongs to resources: 2pc has `nomadspec mutants`."),
        (("disk_is_never_oversubscribed", "--profile", "nomad-9"), "no profile named 'nomad-9'"),
    ],
)
def test_wrong_questions_about_resources_are_refused(words: tuple[str, ...], sentence: str) -> None:
    called = call("prove", *words)

    assert (2, "") == (called.code, called.out)
    assert sentence in called.err


CUP = '''
from nomadspec.model.language.domain import upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.rule import rule
from nomadspec.model.language.property import always
from nomadspec.model.language.world import World, field


class Cup(World):
    level = field(upto(3), init=0, about="how full the cup is")


@rule("Cup-1")
def fill(s: Cup, t: Cup) -> None:
    """Somebody fills the cup, without looking."""
    t.level = s.level + 1


@always("Cup-1", why="a cup holds no more")
def cups_do_not_spill(s: Cup) -> bool:
    """A cup is at most full."""
    return s.level <= 3


CUP = Model("cup", "a cup", Cup, (fill,), (cups_do_not_spill,), (Scope("small", "one cup"),))
'''


def test_a_domain_that_is_left_is_told_and_kept_as_a_story(tmp_path: Path) -> None:
    model, path = tmp_path / "cup.py", tmp_path / "s.json"
    model.write_text(CUP)
    called = call("prove", "cups_do_not_spill", "-m", f"{model}:CUP", "--story-out", path)

    assert 1 == called.code
    assert "domains_are_kept is broken after 4 steps" in called.out
    assert "leaves its domain, 0 .. 3" in " ".join(called.out.split())
    assert "Nothing is said of cups_do_not_spill" in called.out
    assert 0 == call("story", path).code


def test_a_step_that_leaves_a_domain_is_shown_where_no_story_was_found(tmp_path: Path) -> None:
    model = tmp_path / "cup.py"
    model.write_text(CUP)
    words = ("prove", "-m", f"{model}:CUP", "--bmc", "1", "--bounded-only")
    called = call(*words, "--draw", tmp_path / "gap.svg")

    assert 4 == called.code
    assert "The step fails: Rule Fill" in called.out
    assert "there is nothing to draw" in called.err
    check_output(call(*words, "--json").data)
