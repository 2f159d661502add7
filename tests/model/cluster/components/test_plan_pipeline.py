"""The applier's loop (PLAN-30 to PLAN-37), with the worked traces of the chapter."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_applier import evaluate_plan, is_result_no_op
from nomadspec.model.cluster.components.plan_commit import Commit, build_entry
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.components.plan_pipeline import (
    Applier,
    OptimisticError,
    SnapshotTimeoutError,
    collect,
    dispatch,
    keeps_snapshot,
    may_judge,
    must_wait,
    refresh,
    wait,
)
from nomadspec.model.cluster.entities import Namespace, Plan
from nomadspec.model.cluster.store.entries import Entry, apply
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.components.planning import JOB, make_alloc, make_plan, make_state


def make_base(index: int = 100) -> State:
    state = make_state(index=index)
    return replace(state, namespaces=state.namespaces.insert("default", Namespace(name="default")))


NEWER = Plan(snapshot_index=500)


def keeps(applier: Applier, plan: Plan, profile: Profile = NOMAD_2_0) -> bool:
    return keeps_snapshot(applier, plan, profile=profile)


def judge_and_build(applier: Applier, plan: Plan) -> ApplyPlanResults:
    assert applier.snapshot is not None
    result = evaluate_plan(applier.snapshot, plan, profile=NOMAD_2_0)
    return build_entry(applier.snapshot, applier.snapshot, plan, result, Commit(now_ns=1))


def test_a_plan_sees_what_is_under_way() -> None:
    """The trace T1: the second plan is refused, and refreshes at the estimated index."""
    base = make_base()
    first = make_plan(make_alloc("a1", "n1", 10), make_alloc("a2", "n2", 10))
    applier = refresh(Applier(), first, base, profile=NOMAD_2_0)
    applier = dispatch(applier, judge_and_build(applier, first), applied_index=100, profile=NOMAD_2_0)
    second = make_plan(make_alloc("b1", "n1", 5))
    applier = refresh(applier, second, base, profile=NOMAD_2_0)

    assert applier.snapshot is not None
    result = evaluate_plan(applier.snapshot, second, profile=NOMAD_2_0)
    assert (("n1",), 101) == (result.rejected_nodes, result.refresh_index)
    assert is_result_no_op(result)


def test_a_stale_copy_is_kept_while_entries_are_under_way() -> None:
    """PLAN-32, 03/S2: even if the plan knows better."""
    assert keeps(Applier(snapshot=make_base(), inflight=1), NEWER)
    assert not keeps(Applier(snapshot=make_base()), NEWER)
    assert keeps(Applier(snapshot=make_base()), Plan(snapshot_index=100))
    assert not keeps(Applier(snapshot=make_base(), seen_index=101), Plan())


def test_as_intended_a_plan_waits_for_a_state_as_new_as_its_own() -> None:
    """03/S2: the copy may only be replaced when what it shows beyond the state has ended."""
    begun, base, newer = Applier(snapshot=make_base(), inflight=1), make_base(), make_base(500)

    assert not keeps(begun, NEWER, INTENDED)
    assert not may_judge(begun, NEWER, newer, profile=INTENDED)
    assert may_judge(begun, NEWER, newer, profile=NOMAD_2_0)
    assert may_judge(replace(begun, inflight=0), NEWER, newer, profile=INTENDED)
    assert not may_judge(replace(begun, inflight=0), NEWER, base, profile=INTENDED)
    assert keeps(begun, Plan(snapshot_index=100), INTENDED)


def test_as_intended_a_plan_waits_for_a_state_that_has_its_evaluation() -> None:
    """03/S5: else its entry could not be shown to the plans that come after it."""
    begun, plan = Applier(snapshot=make_base(), inflight=1), Plan(eval_id="e9")

    assert keeps(begun, plan)
    assert not keeps(begun, plan, INTENDED)
    assert not may_judge(begun, plan, make_base(500), profile=INTENDED)


@pytest.mark.parametrize(
    ("profile", "shown"), [(NOMAD_2_0, []), (INTENDED, ["a1"])], ids=["release", "mended"]
)
def test_as_intended_the_copy_shows_what_is_placed_of_a_job_that_it_has_as_stopped(
    profile: Profile, shown: list[str]
) -> None:
    """PLAN-73, 03/S5: the job may be registered again before the entry is committed."""
    base = make_base()
    stopped = replace(base, jobs=base.jobs.insert(("default", "web"), replace(JOB, stop=True)))
    plan = make_plan(make_alloc("a1", "n1", 10))
    applier = refresh(Applier(), plan, stopped, profile=profile)
    request = judge_and_build(applier, plan)
    after = dispatch(applier, request, applied_index=100, profile=profile)

    assert after.snapshot is not None
    assert shown == [alloc.id for alloc in after.snapshot.list_allocs()]
    fits = not evaluate_plan(
        after.snapshot, make_plan(make_alloc("b1", "n1")), profile=profile
    ).rejected_nodes
    assert fits == (profile is NOMAD_2_0)
    tried = after.tried.find(stopped, Entry(101, request), request.updated_at_ns)
    assert tried is not None
    assert not tried.state.allocs


def test_a_new_copy_must_be_new_enough() -> None:
    applier = Applier(seen_index=120)

    with pytest.raises(SnapshotTimeoutError, match="120"):
        refresh(applier, Plan(), make_base(119), profile=NOMAD_2_0)
    assert (
        120 == (refresh(applier, Plan(), make_base(120), profile=NOMAD_2_0).snapshot or State()).latest_index
    )


@pytest.mark.parametrize(
    ("before", "ended", "inflight", "seen", "keeps"),
    [
        (1, [110], 0, 110, False),
        (2, [110], 1, 110, True),
        (2, [110, 112], 0, 112, False),
        (1, [0], 0, 100, True),
        (1, [99], 0, 100, True),
        (1, [], 1, 100, True),
        (0, [110], 0, 110, False),
    ],
    ids=["one", "one of two", "both", "failed", "known", "none seen", "more than counted"],
)
def test_the_copy_is_dropped_once_all_is_committed(
    before: int,
    ended: list[int],
    inflight: int,
    seen: int,
    keeps: bool,
) -> None:
    """PLAN-31, step 2."""
    after = collect(Applier(snapshot=make_base(), seen_index=100, inflight=before), ended, profile=NOMAD_2_0)

    assert (inflight, seen, keeps) == (after.inflight, after.seen_index, after.snapshot is not None)


def test_the_copy_stays_while_waiting() -> None:
    """PLAN-31, step 8."""
    applier = Applier(snapshot=make_base(), inflight=1)

    assert must_wait(applier)
    assert not must_wait(replace(applier, depth=2))
    assert replace(applier, inflight=0, seen_index=105) == wait(applier, 105)


def test_an_entry_that_does_not_apply_is_not_counted() -> None:
    """PLAN-31, step 10, 03/S5."""
    applier = Applier(snapshot=make_base())
    unknown = ApplyPlanResults(allocs_stopped=(make_alloc("x", "n1"),))

    with pytest.raises(OptimisticError, match="alloc x doesn't exist"):
        dispatch(applier, unknown, applied_index=100, profile=NOMAD_2_0)


def test_dispatching_takes_a_snapshot() -> None:
    with pytest.raises(PlanError, match="a snapshot comes first"):
        dispatch(Applier(), ApplyPlanResults(), applied_index=1, profile=NOMAD_2_0)


def test_what_is_placed_bears_the_estimated_index() -> None:
    """PLAN-33."""
    plan = make_plan(make_alloc("a1", "n1"))
    applier = refresh(Applier(), plan, make_base(), profile=NOMAD_2_0)
    applier = dispatch(applier, judge_and_build(applier, plan), applied_index=140, profile=NOMAD_2_0)
    assert applier.snapshot is not None
    placed = applier.snapshot.find_alloc("a1")

    assert placed is not None
    assert (141, 141, 1) == (placed.create_index, placed.modify_index, applier.inflight)


def test_nodes_can_be_given_more_than_they_have() -> None:
    """03/S2, 03/S5: a plan of an evaluation that the stale copy does not have is committed but not seen."""
    applier = Applier(snapshot=make_base(), inflight=1)
    unseen = replace(make_plan(make_alloc("a1", "n1", 10)), eval_id="later")
    with pytest.raises(OptimisticError, match="later"):
        dispatch(applier, judge_and_build(applier, unseen), applied_index=100, profile=NOMAD_2_0)
    applier = refresh(applier, make_plan(), make_base(120), profile=NOMAD_2_0)

    assert applier.snapshot is not None
    assert not evaluate_plan(
        applier.snapshot, make_plan(make_alloc("b1", "n1", 10)), profile=NOMAD_2_0
    ).rejected_nodes


def test_what_came_of_a_tried_entry_is_believed_of_that_entry_time_and_state_alone() -> None:
    """PLAN-33: the index in the copy is a guess, and the log may have gone on meanwhile."""
    base, plan = make_base(), make_plan(make_alloc("a1", "n1", 10))
    applier = refresh(Applier(), plan, base, profile=NOMAD_2_0)
    request = judge_and_build(applier, plan)
    tried = dispatch(applier, request, applied_index=100, profile=NOMAD_2_0).tried
    known = tried.find(base, Entry(101, request), request.updated_at_ns)

    assert apply(base, Entry(101, request), now_ns=request.updated_at_ns, profile=NOMAD_2_0) == known
    assert tried.find(replace(base), Entry(101, request), request.updated_at_ns) is None
    assert tried.find(base, Entry(102, request), request.updated_at_ns) is None
    assert tried.find(base, Entry(101, replace(request)), request.updated_at_ns) is None
    assert tried.find(base, Entry(101, request), request.updated_at_ns + 1) is None
    assert applier.tried.find(base, Entry(101, request), request.updated_at_ns) is None
