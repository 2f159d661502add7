"""What clients and leaders did is what they may do."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.decisions import list_decisions
from nomadspec.checkers.oracle.explain.evaluations import compare_evals
from nomadspec.model.cluster.components.reapers import FOLLOW_UP_WAIT_NS, fail_undeliverable
from nomadspec.model.cluster.store.requests import DeploymentPromote, EvalUpdate
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.explain.replayed import replay_soak
from tests.recorded import FOLDER, list_traces

FEW = ("canary_manual", "dispatch", "gc_automatic", "periodic", "rapid_updates", "update_auto_revert")
SOAKS = sorted(path.name for path in (FOLDER / "soak").iterdir() if path.is_dir())


@pytest.mark.parametrize("name", FEW)
def test_what_was_done_may_be_done(name: str) -> None:
    """OBJ-213, EVAL-32, DEP-43, GC-21, JOB-25."""
    assert list(compare_acts(replay_recorded(name), Context(NOMAD_2_0))) == []


@pytest.mark.deep
def test_what_was_done_in_all_recordings_may_be_done() -> None:
    for folder in list_traces():
        assert list(compare_acts(replay_recorded(folder.name), Context(NOMAD_2_0))) == []


@pytest.mark.deep
@pytest.mark.parametrize("name", SOAKS)
def test_what_was_done_in_random_runs_may_be_done(name: str) -> None:
    assert list(compare_acts(replay_soak(name), Context(NOMAD_2_0))) == []


def test_a_promotion_may_be_written_again_with_an_evaluation_of_its_own() -> None:
    """DEP-45."""
    replay = replay_recorded("canary_manual")
    promoted = [
        step.typed.entry.request
        for step in replay.steps
        if isinstance(step.typed.entry.request, DeploymentPromote)
    ]

    assert len(promoted) == 2
    assert len({request.deployment_id for request in promoted}) == 1
    assert len({request.eval.id for request in promoted if request.eval}) == 2
    assert list(compare_acts(replay, Context(NOMAD_2_0))) == []


def test_what_ended_a_deployment_is_derived() -> None:
    """DEP-43, DEP-60."""
    context = Context(NOMAD_2_0)
    list(compare_acts(replay_recorded("update_auto_revert"), context))

    assert len(context.derived) == 1


def test_what_is_tried_again_after_too_many_deliveries_waits_for_minutes() -> None:
    """LEADER-23, TRIG-23."""
    state = replay_recorded("rapid_updates").steps[-1].applied.state
    entry = next(each for each in state.list_evals() if state.find_job(each.namespace, each.job_id))
    failed, made = fail_undeliverable(state, entry, 3, 0, "again", FOLLOW_UP_WAIT_NS[0])
    early, other = replace(made, wait_ns=FOLLOW_UP_WAIT_NS[0] - 1), replace(made, job_modify_index=7)
    found = [
        [each.rule for each in compare_evals(EvalUpdate(evals=(failed, one)), state, (state,), "", NOMAD_2_0)]
        for one in (made, early, other)
    ]

    assert [found[0], [*found[0], "LEADER-23"], [*found[0], "LEADER-23"]] == found


def test_an_outcome_is_told_without_words_however_its_attempts_went() -> None:
    """EVAL-32."""
    replay = replay_recorded("rapid_updates")
    decision = next(iter(list_decisions(replay)))
    before = replay.find_state(decision.index - 1)
    found = [
        [each.rule for each in compare_evals(EvalUpdate(evals=(told,)), before, (before,), "", NOMAD_2_0)]
        for told in (decision.outcome, replace(decision.outcome, status_description="done"))
    ]

    assert found == [[], ["EVAL-32"]]
