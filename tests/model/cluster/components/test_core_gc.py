"""Garbage collection as requests to the leader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.model.cluster.components.core_gc import (
    FORCED,
    INTERVALS_NS,
    DeleteNodes,
    PurgeJobs,
    ReapDeployments,
    ReapEvals,
    Thresholds,
    Work,
    collect,
    make_core_eval,
    read_work,
    split_reap,
)
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Job, Node, PeriodicConfig
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import UsageError

HOUR = 3_600_000_000_000
NOW = 1000 * HOUR
ANY_AGE = Thresholds(eval_ns=0, batch_eval_ns=0, job_ns=0, node_ns=0, deployment_ns=0)


def eval_at(
    name: str, age_ns: int, *, job: str = "gone", kind: str = "service", status: str = "complete"
) -> Evaluation:
    return Evaluation(id=name, job_id=job, type=kind, status=status, modify_time_ns=NOW - age_ns)


def alloc_of(name: str, evaluation: str, desired: str = "run", client: str = "complete") -> Allocation:
    return Allocation(
        id=name, eval_id=evaluation, job_id="gone", desired_status=desired, client_status=client
    )


def test_batch_evals_have_a_threshold_of_their_own() -> None:
    """GC-20: by the type of the eval, and only for batch."""
    evals = [
        eval_at("e1", HOUR),
        eval_at("e2", HOUR - 1),
        eval_at("e3", HOUR, kind="batch"),
        eval_at("e4", HOUR, kind="sysbatch"),
    ]
    evals.append(eval_at("e5", 24 * HOUR, kind="batch"))

    assert (ReapEvals(evals=("e1", "e4", "e5")),) == collect(Work.EVALS, State.of(evals=evals), NOW)


def test_allocs_go_although_their_eval_stays() -> None:
    """GC-20, GC-22."""
    state = State.of(
        evals=[eval_at("e", HOUR)], allocs=[alloc_of("a", "e"), alloc_of("b", "e", client="running")]
    )

    assert (ReapEvals(allocs=("a",)),) == collect(Work.EVALS, state, NOW, ANY_AGE)


def test_nothing_to_collect_is_no_request() -> None:
    assert () == collect(Work.FORCED, State(), NOW)


DEAD = Job(namespace="n", id="j", type="batch", status="dead", submit_time_ns=NOW - 4 * HOUR)


def state_with(job: Job, *evals: Evaluation) -> State:
    return State.of(jobs=[job], evals=[replace(one, namespace="n") for one in evals])


def test_a_job_goes_after_what_belongs_to_it() -> None:
    """GC-34, with the job's threshold for its evals (GC-31)."""
    state = state_with(DEAD, eval_at("e", 4 * HOUR, job="j", kind="batch"))

    assert (ReapEvals(evals=("e",)), PurgeJobs(jobs=(("n", "j"),))) == collect(Work.JOBS, state, NOW)


def test_a_job_goes_whole_or_not_at_all() -> None:
    """GC-31."""
    old, new = eval_at("e1", 4 * HOUR, job="j"), eval_at("e2", 4 * HOUR - 1, job="j")

    assert () == collect(Work.JOBS, state_with(DEAD, old, new), NOW)


def test_a_job_without_evals_goes_alone() -> None:
    """GC-31."""
    assert (PurgeJobs(jobs=(("n", "j"),)),) == collect(Work.JOBS, state_with(DEAD), NOW)
    assert () == collect(Work.JOBS, state_with(Job(id="j", status="dead", submit_time_ns=NOW)), NOW)


def test_children_outlive_the_job_that_made_them() -> None:
    """GC-35: a parent that was stopped goes, and its child runs on as a job of its own."""
    parent = replace(DEAD, type="service", stop=True, periodic=PeriodicConfig(enabled=True))
    child = replace(DEAD, id="j/periodic-1", parent_id="j", status="running")

    assert (PurgeJobs(jobs=(("n", "j"),)),) == collect(Work.JOBS, State.of(jobs=[parent, child]), NOW)
    assert (PurgeJobs(jobs=(("n", "j/periodic-1"),)),) == collect(
        Work.JOBS, State.of(jobs=[replace(parent, stop=False), replace(child, status="dead")]), NOW
    )


def test_a_forced_run_proposes_again_what_an_earlier_step_removed() -> None:
    """GC-80, GC-81: one snapshot, jobs first and nodes last."""
    state = State.of(
        nodes=[Node(id="n", status="down")],
        jobs=[DEAD],
        evals=[Evaluation(id="e", namespace="n", job_id="j", type="service", status="complete")],
        deployments=[Deployment(id="d", status="failed")],
    )

    assert (
        ReapEvals(evals=("e",)),
        PurgeJobs(jobs=(("n", "j"),)),
        ReapEvals(evals=("e",)),
        ReapDeployments(deployments=("d",)),
        DeleteNodes(nodes=("n",)),
    ) == collect(Work.FORCED, state, NOW)


def test_a_forced_run_keeps_what_is_younger_than_a_millisecond() -> None:
    """GC-83."""
    state = State.of(evals=[eval_at("e1", 1_000_000), eval_at("e2", 999_999)])

    assert (ReapEvals(evals=("e1",)),) == collect(Work.FORCED, state, NOW, ANY_AGE)
    assert 1_000_000 == FORCED.batch_eval_ns


def test_the_defaults_are_those_of_the_server() -> None:
    """GC-02, TRIG-26."""
    assert (HOUR, 24 * HOUR, 4 * HOUR, 24 * HOUR, HOUR) == tuple(
        getattr(Thresholds(), name) for name in Thresholds.__struct_fields__
    )
    assert dict.fromkeys(("eval-gc", "job-gc", "deployment-gc", "node-gc"), 300_000_000_000) == INTERVALS_NS


def test_requests_are_filled_with_allocs_first() -> None:
    """GC-90."""
    assert [
        ReapEvals(allocs=("a1", "a2")),
        ReapEvals(allocs=("a3",), evals=("e1",)),
        ReapEvals(evals=("e2",)),
    ] == list(split_reap(["e1", "e2"], ["a1", "a2", "a3"], most=2))


def test_a_core_eval_names_its_work() -> None:
    """GC-01."""
    expected = Evaluation(
        id="e",
        namespace="-",
        type="_core",
        priority=32767,
        job_id="job-gc",
        triggered_by="scheduled",
        status="pending",
        modify_index=7,
        leader_acl="token",
    )

    assert expected == make_core_eval(Work.JOBS, "e", 7, "token")


def test_work_is_read_from_the_id_of_the_job() -> None:
    """GC-03, GC-08."""
    assert Work.EVALS is read_work("eval-gc:more:data")
    with pytest.raises(UsageError, match="core scheduler cannot handle job 'tea'"):
        read_work("tea")


ALLOCS = st.builds(
    alloc_of,
    st.uuids().map(str),
    st.sampled_from(["e0", "e1", "e2"]),
    desired=st.sampled_from(["run", "stop", "evict"]),
    client=st.sampled_from(["pending", "running", "complete", "failed", "lost", "unknown"]),
)
EVALS = st.builds(
    eval_at,
    st.sampled_from(["e0", "e1", "e2"]),
    st.integers(0, 2),
    kind=st.sampled_from(["service", "batch"]),
    status=st.sampled_from(["complete", "failed", "canceled", "blocked", "pending"]),
)


@given(st.lists(EVALS, unique_by=lambda one: one.id), st.lists(ALLOCS, max_size=6))
def test_a_run_names_nothing_that_is_needed(evals: list[Evaluation], allocs: list[Allocation]) -> None:
    """Chapter 10, section 11: nothing live goes, an eval goes with its allocs, a second run names nothing."""
    state = State.of(evals=evals, allocs=allocs)

    told = [one for one in collect(Work.EVALS, state, NOW, ANY_AGE) if isinstance(one, ReapEvals)]

    gone = {name for one in told for name in (*one.evals, *one.allocs)}
    for alloc in allocs:
        assert alloc.id not in gone or (is_terminal(alloc) and alloc.client_status != "running")
    for one in evals:
        assert one.id not in gone or one.status not in {"blocked", "pending"}
        assert one.id not in gone or all(alloc.id in gone for alloc in allocs if alloc.eval_id == one.id)
    rest = State.of(
        evals=[one for one in evals if one.id not in gone],
        allocs=[one for one in allocs if one.id not in gone],
    )
    assert () == collect(Work.EVALS, rest, NOW, ANY_AGE)
