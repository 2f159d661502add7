"""What a recorded cluster breaks is put down to a defect of the release, or it is forbidden."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.causes import compare_promises
from nomadspec.checkers.oracle.explain.cluster_properties import list_broken, list_shown
from nomadspec.checkers.oracle.trace_plans import compare_plans
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.explain.replayed import replay_soak
from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.telling import tell_lies

KNOWN = {
    "burst": {("03/S5", "no_node_is_oversubscribed"): 4},
    "burst_big": {("BUG-013", "terminal_eval_stays_terminal"): 1},
    "disconnect_batch": {("X-07", "terminal_eval_stays_terminal"): 1},
    "disconnect_early_return": {("02/S5", "terminal_eval_stays_terminal"): 1},
    "drain_during_update": {("X-50", "successful_deployment_is_healthy"): 1},
    "system_blocked": {("X-09", "terminal_eval_stays_terminal"): 1},
    "canary_pause": {},
    "service_register": {},
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_a_release_breaks_is_named_and_counted(name: str) -> None:
    """OBJ-182, PLAN-54, REC-90."""
    context = Context(NOMAD_2_0)

    assert list(compare_promises(replay_recorded(name), context)) == []
    assert dict(context.defects) == KNOWN[name]


@pytest.mark.deep
def test_counters_that_run_away_are_put_down_to_the_store() -> None:
    """DEP-24."""
    context = Context(NOMAD_2_0)

    assert list(compare_promises(replay_soak("soak_large_deployments"), context)) == []
    assert {("X-42", "counts_of_deployment_are_possible"), ("X-16", "terminal_eval_stays_terminal")} <= set(
        context.defects
    )


@pytest.mark.parametrize("name", ["disconnect_batch", "drain_during_update", "system_blocked"])
def test_the_same_is_forbidden_where_no_defect_is_known(name: str) -> None:
    ((quirk, broken),) = KNOWN[name]
    context = Context(INTENDED)

    found = list(compare_promises(replay_recorded(name), context))

    assert quirk
    assert context.defects == {}
    assert [each.rule for each in found] == [
        next(promise.spec[0] for promise in list_shown() if promise.name == broken)
    ]


def test_what_no_defect_explains_is_forbidden() -> None:
    """PLAN-54."""
    (lie,) = tell_lies("preemption", LIES["plan: more memory than any node"], 1)
    context = Context(NOMAD_2_0)

    found = list(compare_promises(lie.replay, context))

    assert (f"raft-log[{lie.index}]", "OBJ-259") in {(each.path, each.rule) for each in found}
    assert context.defects == {}


def test_a_state_that_stays_wrong_is_told_once() -> None:
    broken = [
        each for each in list_broken(replay_recorded("burst"), NOMAD_2_0) if "oversub" in each.promise.name
    ]

    assert len(broken) == len({each.subject for each in broken}) == 4


def wait_before_each_plan(replay: Replay) -> Replay:
    """Let minutes have passed before each plan."""
    log = []
    for at, step in enumerate(replay.steps):
        entry = step.typed.entry
        if isinstance(entry.request, ApplyPlanResults):
            late = replace(entry.request, updated_at_ns=entry.request.updated_at_ns + at * 60 * 10**9)
            entry = replace(entry, request=late)
        log.append(replace(step.typed, entry=entry))
    return replay_log(log, NOMAD_2_0, read_run_clock)


def test_no_plan_is_judged_by_a_copy_that_was_not_kept() -> None:
    """PLAN-31, PLAN-32, 03/S2, 03/S5."""
    quick, slow = Context(NOMAD_2_0), Context(NOMAD_2_0)
    replay = replay_recorded("burst")

    assert list(compare_plans(replay, quick)) == []
    assert {quirk for quirk, _ in quick.defects} == {"03/S2", "03/S5"}
    found = list(compare_plans(wait_before_each_plan(replay), slow))
    assert [each.rule for each in found].count("PLAN-31") == 11
    assert slow.defects == {}
