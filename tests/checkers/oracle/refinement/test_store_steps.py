"""The kernel's steps for each log entry of a store."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.state_store import hold
from nomadspec.checkers.oracle.refinement.store_steps import Entry
from nomadspec.model.cluster.store import Entry as LogEntry
from nomadspec.model.cluster.store import State, apply
from nomadspec.model.cluster.store import requests as asked
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.refinement.test_store_sight import ALLOC, NODE, STATE

JOB = STATE.jobs["d", "j"]
EVAL = STATE.evals["e"]


def check(request: Any, state: State = STATE) -> str:
    """Apply a request, and say what the kernel says of it."""
    applied = apply(state, LogEntry(50, request), now_ns=1, profile=NOMAD_2_0)
    step = hold(0, "entry", Entry(request, state, applied.state), NOMAD_2_0)
    return step.outside or ("agrees" if step.agrees else step.describe())


FIRST = replace(EVAL, id="f", job_id="new", status="pending")
STOPPED = replace(ALLOC, desired_status="stop", client_status="")
STARTS = "a node that goes from ready to initializing"
REQUESTS: dict[str, Any] = {
    "a new version": asked.JobRegister(job=replace(JOB, priority=7)),
    "a new job": asked.JobRegister(job=replace(JOB, id="new"), eval=FIRST),
    "a job that comes back": asked.JobRegister(job=replace(STATE.jobs["d", "k"], stop=False)),
    "a stop": asked.JobDeregister(namespace="d", job_id="j"),
    "a purge": asked.JobDeregister(namespace="d", job_id="j", purge=True),
    "a batch": asked.JobBatchDeregister(jobs=(asked.JobToDeregister(namespace="d", id="j", purge=True),)),
    "a cancel": asked.EvalUpdate(evals=(replace(EVAL, status="canceled"),)),
    "a failure": asked.EvalUpdate(evals=(replace(EVAL, status="failed"),)),
    "a success": asked.EvalUpdate(evals=(replace(EVAL, status="complete"), replace(EVAL, id="f"))),
    "a deletion": asked.EvalDelete(evals=("e",)),
    "a failed allocation": asked.AllocClientUpdate(alloc=(replace(ALLOC, client_status="failed"),)),
    "a node goes down": asked.NodeUpdateStatus(node_id="n", status="down"),
    "a node falls silent": asked.NodeUpdateStatus(node_id="n", status="disconnected"),
    "a node comes back": asked.NodeUpdateStatus(node_id="o", status="ready"),
    "a node is closed": asked.NodeUpdateEligibility(node_id="n", eligibility="ineligible"),
    "a plan stops": asked.ApplyPlanResults(allocs_stopped=(STOPPED,)),
    "a plan places": asked.ApplyPlanResults(allocs_updated=(replace(ALLOC, id="b", job=JOB),)),
}  # fmt: skip


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_the_kernel_does_the_same(request_: Any) -> None:
    assert "agrees" == check(request_)


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        (asked.NodeDeregister(node_id="n"), "a node that is new, or is removed"),
        (asked.NodeRegister(node=replace(NODE, id="x")), "a node that is new, or is removed"),
        (asked.NodeUpdateStatus(node_id="n", status="initializing"), STARTS),
        (asked.EvalUpdate(evals=(replace(EVAL, status="pending"),)), "an evaluation that comes back"),
        (asked.AllocClientUpdate(alloc=(replace(ALLOC, client_status="unknown"),)),
         "an allocation that becomes unknown, or reconnects"),
        (asked.AllocClientUpdate(alloc=(replace(ALLOC, client_status="complete"),)),
         "an allocation that ends without a failure, and of no batch job"),
        (asked.EvalDelete(allocs=("a",)), "an allocation that is deleted and may still be needed"),
    ],
)  # fmt: skip
def test_what_the_kernel_has_no_words_for_is_named(request_: Any, name: str) -> None:
    assert name == check(request_)


def test_an_entry_that_does_something_else_is_noticed() -> None:
    request = asked.JobDeregister(namespace="d", job_id="j")
    after = apply(STATE, LogEntry(50, request), now_ns=1, profile=NOMAD_2_0).state
    spoilt = replace(after, nodes=after.nodes.insert("n", replace(NODE, status="down")))

    step = hold(0, "entry", Entry(request, STATE, spoilt), NOMAD_2_0)

    assert "node n: kernel NodeSight(is_up=True" in step.describe()
