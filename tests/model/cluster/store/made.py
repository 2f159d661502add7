"""States and requests that the tests of the store begin with."""

from typing import TypeVar

import msgspec

from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentState,
    Evaluation,
    Job,
    Task,
    TaskGroup,
)
from nomadspec.model.cluster.store import Applied, Entry, State, apply
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import EvalUpdate, JobRegister
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

Row = TypeVar("Row")

NOW_NS = 1_000_000_000_000
KEY = ("default", "web")


def do(state: State, request: msgspec.Struct, index: int = 10, profile: Profile = NOMAD_2_0) -> Applied:
    """Apply one entry."""
    return apply(state, Entry(index, request), now_ns=NOW_NS, profile=profile)


def make_job(**fields: object) -> Job:
    """Make a service with one group of one task."""
    group = TaskGroup(name="g", count=1, tasks=(Task(name="t"),))
    job = Job(
        namespace="default", id="web", name="web", type="service", node_pool="default", task_groups=(group,)
    )
    return msgspec.structs.replace(job, **fields)


def make_alloc(**fields: object) -> Allocation:
    """Make an allocation of that service, as a plan brings it."""
    alloc = Allocation(
        id="a1",
        namespace="default",
        job_id="web",
        eval_id="e1",
        task_group="g",
        node_id="n1",
        desired_status="run",
        client_status="pending",
    )
    return msgspec.structs.replace(alloc, **fields)


def make_eval(**fields: object) -> Evaluation:
    """Make an evaluation of that service."""
    evaluation = Evaluation(id="e1", namespace="default", job_id="web", type="service", status="pending")
    return msgspec.structs.replace(evaluation, **fields)


def make_deployment(state: DeploymentState | None = None, **fields: object) -> Deployment:
    """Make a running deployment of that service."""
    groups = {"g": state or DeploymentState(desired_total=1)}
    deployment = Deployment(id="d1", namespace="default", job_id="web", status="running", task_groups=groups)
    return msgspec.structs.replace(deployment, **fields)


def register(state: State | None = None, index: int = 2, **fields: object) -> State:
    """Register that service."""
    return do(state or make_initial_state(), JobRegister(job=make_job(**fields)), index).state


def with_rows(
    state: State,
    allocs: tuple[Allocation, ...] = (),
    evals: tuple[Evaluation, ...] = (),
    deployments: tuple[Deployment, ...] = (),
) -> State:
    """Put rows into a state as they are."""
    draft = Draft.of(state, state.latest_index, profile=NOMAD_2_0)
    for alloc in allocs:
        draft.put(msgspec.structs.replace(alloc, job=alloc.job or state.jobs.get(KEY)))
    for evaluation in evals:
        draft.put(evaluation)
    for deployment in deployments:
        draft.put(deployment)
    return draft.finish()


def update_evals(state: State, *evals: Evaluation, index: int = 10) -> Applied:
    """Write evaluations."""
    return do(state, EvalUpdate(evals=evals), index)


def need(row: Row | None) -> Row:
    """Take it that a row is there."""
    assert row is not None

    return row
