"""Every engine finds of a model with records what it finds of the same model column by column."""

import pytest
from click import unstyle
from hypothesis.stateful import run_state_machine_as_test

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.checkers.mutants.edits import list_edits
from nomadspec.checkers.report.story_text import list_fields, render_steps
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.smt.question import Answer, Patience
from nomadspec.checkers.smt.scope_induction import BoundedInduction
from nomadspec.checkers.stateful import ViolationError, machine_of
from nomadspec.checkers.verdict import ProofResult
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import COUNTERS_FIT_THE_SCOPE
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import replay
from tests.checkers.explore.comparing import Asked, find_difference
from tests.checkers.smt.agreement import assert_step_agrees, fix_world
from tests.checkers.smt.toys import is_valid
from tests.checkers.smt.walks import list_reachable
from tests.model.language import mirrors
from tests.model.language.mirrors import RECORDED, spell

SIZES = {"rounds": 1}
SPELLED = spell()
FORGETFUL = spell(mirrors.look_forgetting)


TRIED = [
    pytest.param(one, marks=[] if one in {"none", "symmetry+partial-order"} else pytest.mark.deep)
    for one in REDUCTIONS
]
"""Neither, and both, every day; each by itself is tried by the deep tests."""


@pytest.mark.parametrize("reduction", TRIED)
def test_searches_find_as_much(reduction: str) -> None:
    recorded, spelled = (
        explore(model.at(sizes=SIZES), reduction=reduction, stop_at_first=False, properties=names)
        for model, names in (
            (RECORDED, ["no_node_is_oversubscribed", "snapshot_is_a_whole"]),
            (SPELLED, ["no_node_is_oversubscribed_spelled", "snapshot_is_a_whole_spelled"]),
        )
    )

    assert (spelled.distinct == 54_284) == ("symmetry" not in reduction)
    assert (recorded.distinct, recorded.generated, recorded.depth) == (
        spelled.distinct,
        spelled.generated,
        spelled.depth,
    )
    assert list(recorded.fired.values()) == list(spelled.fired.values())


def test_a_forgotten_column_shows_where_it_can_be_forgotten() -> None:
    found = explore(FORGETFUL.at(sizes=SIZES), properties=["snapshot_is_a_whole_spelled"])

    assert ["snapshot_is_a_whole_spelled"] == [finding.property for finding in found.findings]


@pytest.mark.parametrize("reduction", TRIED)
def test_machine_code_finds_what_the_interpreter_finds(reduction: str) -> None:
    assert not find_difference(Asked(RECORDED.at(sizes=SIZES), reduction, False, most=2500))


def test_terms_over_sets_of_any_size_agree_with_the_interpreter() -> None:
    bounded = RECORDED.at(sizes={"rounds": 1, "nodes": 1})
    world = OpenWorld(bounded)
    stated = {
        prop: world.state_candidate(prop.name, world.before) for prop in RECORDED.list_properties(Kind.ALWAYS)
    }
    for cells in list_reachable(bounded, 4):
        for instance in bounded.instances:
            assert_step_agrees(
                bounded,
                world,
                cells,
                instance,
                coarse=instance.rule.name == "Finish",
                summed=frozenset(TOTALS),
            )
        for prop, term in stated.items():
            assert is_valid(term, *fix_world(bounded, world, cells)), prop.name


TOTALS = {"store.held.used", "stale.held.used"}


@pytest.mark.parametrize(
    "model",
    [pytest.param(RECORDED, id="recorded"), pytest.param(SPELLED, id="spelled", marks=pytest.mark.deep)],
)
def test_all_is_proved_for_any_number(model: Model) -> None:
    report = prove(model.at(sizes=SIZES))

    assert {ProofResult.PROVED_UNBOUNDED} == {
        proof.result for proof in report.proofs if proof.property != COUNTERS_FIT_THE_SCOPE
    }


def test_a_forgotten_column_is_refuted() -> None:
    report = prove(FORGETFUL.at(sizes=SIZES), properties=["snapshot_is_a_whole_spelled"])

    assert ProofResult.COUNTEREXAMPLE == report.proofs[0].result


def test_steps_keep_properties_in_a_scope() -> None:
    bounded = RECORDED.at(sizes=SIZES)
    induction = BoundedInduction(bounded, Patience(None, 5.0))
    names = ["no_node_is_oversubscribed", "idle_worker_has_no_snapshot"]
    for position in range(len(bounded.traced)):
        assert induction.ask_step(position, names[1], tuple(names)).answer is Answer.KEPT


def test_a_story_shows_the_fields_of_records() -> None:
    report = explore(RECORDED.at(sizes=SIZES), properties=["server_is_behind"])
    story = report.reached["server_is_behind"]
    assert story is not None
    bounded = RECORDED.at(sizes=SIZES)
    fields = dict(list_fields(bounded, bounded.initial[0]))

    text = unstyle(render_steps(story, replay(story, bounded)))

    assert "seen[worker1].paused: true -> false" in text
    assert "NONE everywhere" == fields["seen.held.place"]
    assert fields["seen.paused"] == "true everywhere"


@pytest.mark.deep
def test_walks_and_hypothesis_go_through_records() -> None:
    assert (
        simulate(RECORDED.at(), seed=1, walks=20, max_steps=200, properties=RECORDED.properties).findings
        == ()
    )
    with pytest.raises(ViolationError, match="snapshot_is_a_whole_spelled"):
        run_state_machine_as_test(machine_of(FORGETFUL.at(sizes=SIZES)))
    run_state_machine_as_test(machine_of(RECORDED.at(sizes=SIZES)))


def test_what_is_done_to_records_can_be_left_out_by_mistake() -> None:
    rules = (mirrors.look_behind, mirrors.drop)
    found = {
        edit.before
        for rule in rules
        for edit in list_edits(rule.file, rule.line, {}, is_property=False)
        if edit.kind == "effect left out"
    }

    assert {"t.seen[worker] = s.stale", "t.seen[worker].clear()"} <= found
