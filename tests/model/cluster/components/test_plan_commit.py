"""The entry of a plan (PLAN-60 to PLAN-62) and the answer to its worker (PLAN-34)."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_applier import evaluate_plan
from nomadspec.model.cluster.components.plan_commit import Commit, Keyring, answer_commit, build_entry
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.entities import Allocation, Namespace, PlanResult, Task, TaskGroup
from nomadspec.model.cluster.store.entries import Entry, apply
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import UsageError
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.components.planning import JOB, make_alloc, make_node, make_plan, make_state

KEYRING = Keyring("key-1", lambda alloc, task: f"{alloc.id}/{task}")


def with_namespace(state: State) -> State:
    return replace(state, namespaces=state.namespaces.insert("default", Namespace(name="default")))


def commit(
    *, state: State, preempts: tuple[Allocation, ...] = (), stops: tuple[Allocation, ...] = ()
) -> ApplyPlanResults:
    """Place one allocation on the node n1 at the time 7."""
    plan = make_plan(make_alloc("new", "n1"), stops=stops, preempts=preempts)
    result = evaluate_plan(state, plan, profile=NOMAD_2_0)
    return build_entry(state, state, plan, result, Commit(now_ns=7, eval_ids=("e-low", "e-more")))


def test_stops_and_preemptions_are_reduced_and_dated() -> None:
    old, low = make_alloc("old", "n1", client_status="running"), make_alloc("low", "n1", job_id="low")
    entry = commit(state=with_namespace(make_state(old, low)), stops=(old,), preempts=(low,))

    assert (
        Allocation(id="old", desired_description="no more", client_status="running", modify_time_ns=7),
    ) == entry.allocs_stopped
    assert (Allocation(id="low", preempted_by_allocation="p", modify_time_ns=7),) == entry.allocs_preempted


def test_a_preempted_job_gets_one_evaluation_if_it_exists() -> None:
    """PLAN-62."""
    victims = (
        make_alloc("v1", "n1", job_id="low"),
        make_alloc("v2", "n1", job_id="low"),
        make_alloc("v3", "n1", job_id="purged"),
    )
    (evaluation,) = commit(state=with_namespace(make_state(*victims)), preempts=victims).preemption_evals

    assert ("e-low", "low", "batch", 20, "preemption", "pending", 7, "") == (
        evaluation.id,
        evaluation.job_id,
        evaluation.type,
        evaluation.priority,
        evaluation.triggered_by,
        evaluation.status,
        evaluation.create_time_ns,
        evaluation.previous_eval,
    )


def test_each_evaluation_needs_an_id() -> None:
    victim = make_alloc("v1", "n1", job_id="low")
    state = with_namespace(make_state(victim))
    plan = make_plan(make_alloc("new", "n1"), preempts=(victim,))

    with pytest.raises(UsageError, match="1 jobs are preempted"):
        build_entry(state, state, plan, evaluate_plan(state, plan, profile=NOMAD_2_0), Commit(now_ns=7))


def test_what_is_new_is_dated_once() -> None:
    plan = make_plan(make_alloc("new", "n1"), replace(make_alloc("kept", "n1"), create_time_ns=3))
    state = with_namespace(make_state())
    entry = build_entry(state, state, plan, evaluate_plan(state, plan, profile=NOMAD_2_0), Commit(now_ns=7))

    assert [(7, 7), (3, 7)] == [
        (alloc.create_time_ns, alloc.modify_time_ns) for alloc in entry.allocs_updated
    ]


def test_tasks_without_an_identity_get_one() -> None:
    """PLAN-61."""
    group = TaskGroup(name="g", tasks=(Task(name="a"), Task(name="b")))
    alloc = replace(make_alloc("new", "n1"), task_group="g", signed_identities={"a": "kept"})
    plan = replace(make_plan(alloc), job=replace(JOB, task_groups=(group,)))
    state = with_namespace(make_state())
    result = evaluate_plan(state, plan, profile=NOMAD_2_0)
    (written,) = build_entry(state, state, plan, result, Commit(now_ns=7, keyring=KEYRING)).allocs_updated

    assert ({"a": "kept", "b": "new/b"}, "key-1") == (written.signed_identities, written.signing_key_id)
    with pytest.raises(PlanError, match="no key is ready"):
        build_entry(state, state, plan, result, Commit(now_ns=7))


def test_an_entry_needs_a_job_and_its_namespace() -> None:
    plan, state = make_plan(make_alloc("new", "n1")), make_state()
    result = evaluate_plan(state, plan, profile=NOMAD_2_0)

    with pytest.raises(PlanError, match="namespace default"):
        build_entry(state, state, plan, result, Commit(now_ns=7))
    with pytest.raises(PlanError, match="plan missing embedded job"):
        build_entry(state, state, replace(plan, job=None), result, Commit(now_ns=7))


def test_the_store_takes_the_entry() -> None:
    """What was judged is what the state shows afterwards."""
    old, low = make_alloc("old", "n1"), make_alloc("low", "n1", job_id="low")
    state = with_namespace(make_state(old, low, nodes=[make_node("n1")]))
    applied = apply(state, Entry(101, commit(state=state, stops=(old,), preempts=(low,))), profile=NOMAD_2_0)
    shown = {alloc.id: (alloc.desired_status, alloc.modify_index) for alloc in applied.state.list_allocs()}

    assert applied.error is None
    assert {"old": ("stop", 101), "low": ("evict", 101), "new": ("run", 101)} == shown


@pytest.mark.parametrize(("refresh_index", "answered"), [(0, 0), (5, 102), (200, 200)])
def test_a_refresh_shows_at_least_what_was_committed(refresh_index: int, answered: int) -> None:
    answer = answer_commit(PlanResult(refresh_index=refresh_index), 102, profile=NOMAD_2_0)

    assert (102, answered) == (answer.alloc_index, answer.refresh_index)


def test_a_refused_entry_is_answered_as_if_it_had_been_written() -> None:
    """03/S4."""
    assert 102 == answer_commit(PlanResult(), 102, "refused", profile=NOMAD_2_0).alloc_index
    with pytest.raises(PlanError, match="refused"):
        answer_commit(PlanResult(), 102, "refused", profile=INTENDED)
