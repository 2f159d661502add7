"""A store as the kernel sees it."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.store_sight import (
    AllocSight,
    EvalSight,
    JobSight,
    NodeSight,
    assign,
    look,
    look_at_node,
    put_on_stage,
)
from nomadspec.model.cluster.entities import Allocation, DrainStrategy, Evaluation, Job, Node
from nomadspec.model.cluster.store import State
from nomadspec.model.kernel.statuses import AllocPhase, EvalRecord, JobPhase
from nomadspec.model.specification.profiles import NOMAD_2_0

NODE = Node(id="n", status="ready", scheduling_eligibility="eligible")
ALLOC = Allocation(
    id="a", namespace="d", job_id="j", node_id="n", desired_status="run", client_status="running"
)
STATE = State.of(
    nodes=[
        NODE,
        Node(id="o", status="down", scheduling_eligibility="ineligible", drain_strategy=DrainStrategy()),
    ],
    jobs=[Job(namespace="d", id="j"), Job(namespace="d", id="k", stop=True)],
    evals=[Evaluation(id="e", namespace="d", job_id="j", status="blocked")],
    allocs=[ALLOC],
)


def test_each_object_is_seen_by_its_name() -> None:
    assert {
        "job d/j": JobSight(JobPhase.WANTED),
        "job d/k": JobSight(JobPhase.STOPPED),
        "eval e": EvalSight(EvalRecord.BLOCKED),
        "alloc a": AllocSight(AllocPhase.RUNNING, 0),
        "node n": NodeSight(True, False, False, True, False),
        "node o": NodeSight(False, False, False, False, True),
    } == look(STATE, assign(STATE, STATE))


@pytest.mark.parametrize(
    ("desired", "client", "expected"),
    [
        ("run", "pending", AllocSight(AllocPhase.RUNNING, 0)),
        ("run", "unknown", AllocSight(AllocPhase.UNKNOWN, 0)),
        ("run", "failed", AllocSight(AllocPhase.FAILED)),
        ("run", "complete", AllocSight(AllocPhase.COMPLETE)),
        ("stop", "running", AllocSight(AllocPhase.STOPPED, stopping_on=0)),
        ("evict", "complete", AllocSight(AllocPhase.STOPPED, is_reported=True)),
        ("stop", "lost", AllocSight(AllocPhase.LOST)),
    ],
)
def test_an_allocation_is_live_stopped_or_ended(desired: str, client: str, expected: AllocSight) -> None:
    state = State.of(nodes=[NODE], allocs=[replace(ALLOC, desired_status=desired, client_status=client)])

    assert expected == look(state, assign(state, state))["alloc a"]


def test_a_store_on_stage_is_seen_as_it_is() -> None:
    cast = assign(STATE, STATE)

    assert look(STATE, cast) == put_on_stage(STATE, cast, NOMAD_2_0).see()


def test_what_is_made_later_has_a_greater_number() -> None:
    later = State.of(
        evals=[Evaluation(id="b", job_id="j", create_index=9), Evaluation(id="c", job_id="j", create_index=5)]
    )
    cast = assign(State(), later)

    assert [(0, 0), (0, 1)] == [cast.eval(("", "j"), name) for name in ("c", "b")]
    assert 2 == put_on_stage(later, cast, NOMAD_2_0).spare
    assert -1 == cast.node("nowhere")


def test_a_node_that_is_not_there_is_like_one_that_is_down() -> None:
    assert NodeSight(False, False, False, False, False) == look_at_node(None)
