"""Decisions about jobs that run on every node: made-up ones are right, and each property can be violated."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import History, histories, live_through
from nomadspec.checkers.stateful.clusters.histories import Register, Report, Wait
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.invariants.cluster.scheduler.system import (
    full_nodes_are_waited_for_once,
    nodes_run_a_name_once,
    queues_are_never_negative,
    replacements_keep_to_max_parallel,
    runs_once_are_not_repeated,
    totals_can_be_reached,
)
from nomadspec.model.cluster.entities import (
    AllocClient,
    Constraint,
    Deployment,
    DesiredDescription,
    EphemeralDisk,
    Evaluation,
    Job,
    JobType,
    Plan,
    Task,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.cluster.scheduler.outcome import Outcome
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile, find_profile
from tests.model.cluster.scheduler.fleet import (
    make_fleet_group,
    make_fleet_job,
    make_hosts,
    make_old,
    make_resident,
    see,
)
from tests.model.cluster.scheduler.made import NOW_NS, make_eval

ALL = (
    nodes_run_a_name_once,
    runs_once_are_not_repeated,
    replacements_keep_to_max_parallel,
    totals_can_be_reached,
    full_nodes_are_waited_for_once,
    queues_are_never_negative,
)
EVERYWHERE = (JobType.SYSTEM, JobType.SYSBATCH)
JOB = make_fleet_job()
ONCE = make_fleet_job(type="sysbatch")
BEFORE_THE_CURE = find_profile("nomad-2.0 +BUG-066")


STRATEGIES = (
    None,
    UpdateStrategy(max_parallel=1),
    UpdateStrategy(max_parallel=2, canary=50, auto_promote=True),
    UpdateStrategy(max_parallel=1, canary=100),
)


@st.composite
def updated_histories(draw: st.DrawFn) -> History:
    """Draw a history of jobs on every node, with different update strategies."""
    history = draw(histories(EVERYWHERE))
    steps = [draw(_roll(step)) if isinstance(step, Register) else step for step in history.steps]
    return replace(history, steps=tuple(steps))


@st.composite
def _roll(draw: st.DrawFn, step: Register) -> Register:
    if step.job.type != JobType.SYSTEM:
        return step
    update = st.sampled_from(STRATEGIES)
    groups = tuple(replace(group, update=draw(update)) for group in step.job.task_groups)
    return Register(replace(step.job, task_groups=groups))


@pytest.mark.parametrize(
    "profile", [find_profile("nomad-2.0 -05/S16"), INTENDED], ids=["shipped", "intended"]
)
@settings(max_examples=20, deadline=None)
@given(history=updated_histories())
def test_made_up_decisions_are_right(history: History, profile: Profile) -> None:
    for decision in live_through(history, profile=profile):
        assert [complaint for each in ALL for complaint in each(decision)] == []


def make_decision(job: Job, *after: Any, before: tuple[Any, ...] = (), **outcome: Any) -> Decision:
    """Make a decision that nobody made."""
    hosts = make_hosts(2)
    return Decision(
        before=see(*hosts, job, *before),
        evaluation=make_eval(type=job.type),
        now_ns=NOW_NS,
        outcome=Outcome(**outcome),
        after=see(*hosts, job, *before, *after),
        profile=NOMAD_2_0,
    )


def make_blocked(number: int, node_id: str = "n0") -> Evaluation:
    return make_eval(id=f"b{number}", status="blocked", node_id=node_id)


TWIN = make_resident("n0", JOB, alloc_id="twin")
RUNNING = make_resident("n0", JOB)
ENDED = make_resident("n0", ONCE, client_status="failed", alloc_id="ended")


@pytest.mark.parametrize(
    ("says", "decision"),
    [
        (nodes_run_a_name_once, make_decision(JOB, TWIN, before=(RUNNING,))),
        (full_nodes_are_waited_for_once, make_decision(JOB, created_evals=(make_blocked(1, ""),))),
        (
            full_nodes_are_waited_for_once,
            make_decision(JOB, created_evals=(make_blocked(1), make_blocked(2))),
        ),
        (
            queues_are_never_negative,
            make_decision(JOB, updated_evals=(make_eval(queued_allocations={"web": -1}),)),
        ),
    ],
)
def test_what_is_wrong_is_said(says: Callable[[Decision], Iterator[str]], decision: Decision) -> None:
    """NODE-24, SYSTEM-31, SYSTEM-32, SYSTEM-35."""
    assert len(list(says(decision))) == 1


@pytest.mark.parametrize("says", ALL[:-1])
def test_other_jobs_are_not_meant(says: Callable[[Decision], Iterator[str]]) -> None:
    """A service may have two of one name on a node, for example."""
    service = replace(JOB, type="service")
    twins = [replace(alloc, job=service) for alloc in (RUNNING, TWIN)]
    made = {"created_evals": (make_blocked(1, ""),), "plans": (Plan(node_allocation={"n0": (twins[1],)}),)}

    assert list(says(make_decision(service, *twins, **made))) == []


def test_more_replacements_than_allowed_are_wrong() -> None:
    """SYSTEM-19, SYSTEM-21: what nothing follows does not count."""
    job = make_fleet_job(make_fleet_group(update=UpdateStrategy(max_parallel=1)))
    old = [make_resident(f"n{number}", make_old(job), alloc_id=f"old{number}") for number in range(3)]
    new = [replace(alloc, id=f"new{alloc.node_id}", previous_allocation=alloc.id) for alloc in old]

    def replace_some(count: int) -> list[str]:
        stops = [
            replace(alloc, desired_status="stop", desired_description=DesiredDescription.UPDATING)
            for alloc in old
        ]
        plan = Plan(
            node_update={stop.node_id: (stop,) for stop in stops},
            node_allocation={alloc.node_id: (alloc,) for alloc in new[:count]},
        )
        decision = make_decision(job, *new[:count], before=tuple(old), plans=(plan,))
        return list(replacements_keep_to_max_parallel(decision))

    assert replace_some(1) == []
    assert replace_some(2) == ["2 of web are replaced, 1 may be"]


def test_running_once_more_is_wrong_until_the_job_changes() -> None:
    """NODE-26."""
    (decision,) = live_through(
        History(nodes=(make_node(),), steps=(Register(make_job(JobType.SYSBATCH)),)), profile=NOMAD_2_0
    )
    job = decision.job
    (placed,) = decision.list_placed()
    assert job is not None
    ended = replace(placed, id="ended", job=job, client_status="failed")
    changed = replace(ended, job=replace(job, job_modify_index=1))

    def see_again(*known: Any) -> list[str]:
        before = see(*decision.before.nodes, job, *known)
        return list(runs_once_are_not_repeated(replace(decision, before=before)))

    assert see_again(ended) == [f"{placed.name} runs on n0 again"]
    assert see_again(changed) == []


def make_job(job_type: JobType = JobType.SYSTEM) -> Job:
    """Make a job that only nodes of one rack can run."""
    group = TaskGroup(
        name="web",
        count=1,
        tasks=(Task(name="main", driver="exec"),),
        constraints=(Constraint(ltarget="${meta.rack}", operand="=", rtarget="r1"),),
        update=UpdateStrategy(max_parallel=1) if job_type is JobType.SYSTEM else None,
        ephemeral_disk=EphemeralDisk(size_mb=10),
    )
    return Job(
        id="job",
        namespace="default",
        type=job_type,
        priority=50,
        datacenters=("*",),
        node_pool="default",
        task_groups=(group,),
    )


STORY = History(
    nodes=(make_node(rack="r1"), make_node(rack="r2")),
    steps=(Register(make_job()), Report(0, AllocClient.RUNNING, healthy=True), Wait(60)),
)
"""One of two nodes can run the job; it runs there, turns out healthy, and its job is looked at again."""


def tell(profile: Profile) -> tuple[list[str], Deployment]:
    """Tell what is wrong with the decisions of the story, and how its deployment ends."""
    decisions = list(live_through(STORY, profile=profile))
    deployment = decisions[-1].after.find_latest_deployment("default", "j-job")
    assert deployment is not None
    return [complaint for each in decisions for complaint in totals_can_be_reached(each)], deployment


def test_a_deployment_reaches_the_nodes_that_can_run_its_job() -> None:
    """SYSDEP-10, SYSDEP-11, SYSDEP-20."""
    complaints, deployment = tell(NOMAD_2_0)

    assert complaints == []
    assert deployment.status == "successful"


def test_once_it_waited_for_ever_for_the_others() -> None:
    """BUG-066."""
    complaints, deployment = tell(BEFORE_THE_CURE)
    state = deployment.task_groups["web"]

    assert complaints[0] == "web has to run on 2 nodes, and 1 can run it"
    assert deployment.status == "running"
    assert state is not None
    assert (state.desired_total, state.healthy_allocs) == (2, 1)
