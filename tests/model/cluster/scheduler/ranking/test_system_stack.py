"""The search for a node of jobs that run on every node (SYS-01 to SYS-07)."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import (
    Affinity,
    Allocation,
    Constraint,
    PreemptionConfig,
    SchedulerConfiguration,
    Spread,
)
from nomadspec.model.cluster.scheduler.ranking.system_stack import SystemStack
from nomadspec.model.cluster.scheduler.requests import SelectOptions
from tests.model.cluster.scheduler.made import make_context, make_job, make_snapshot
from tests.model.cluster.scheduler.ranking.hosts import make_asking, make_host, make_tenant

NAMED = SelectOptions(alloc_name="j.web[0]")


def make_stack(
    *there: Allocation, configuration: SchedulerConfiguration | None = None, **fields: Any
) -> SystemStack:
    job = make_job(make_asking(), **{"type": "system", "priority": 70} | fields)
    snapshot = make_snapshot(job, make_host(), *there, configuration=configuration)
    stack = SystemStack(make_context(snapshot, job, scheduler="system", with_reasons=True))
    stack.set_job(job)
    stack.set_nodes((make_host(),))
    return stack


def test_only_the_fit_is_scored() -> None:
    """SYS-01, SYS-02, SYS-05."""
    group = make_asking(
        affinities=(Affinity(ltarget="a", operand="=", rtarget="a", weight=50),),
        spreads=(Spread(attribute="${node.datacenter}"),),
    )
    penalised = SelectOptions(alloc_name="j.web[0]", penalty_nodes=frozenset({"n1"}))

    selected = make_stack(make_tenant("a1", job_id="j", job=None)).select(group, penalised)

    assert selected is not None
    assert ["binpack"] == list(selected.scores)
    assert selected.scores["binpack"] == selected.norm_score


def test_a_node_that_does_not_do_is_counted() -> None:
    stack = make_stack(constraints=(Constraint(ltarget="no", operand="=", rtarget="yes"),))

    assert stack.select(make_asking(), NAMED) is None
    assert (1, 1) == (stack.context.metrics.nodes_evaluated, stack.context.metrics.nodes_filtered)
    reasons = stack.context.reasons.build()
    assert reasons is not None
    assert [""] == [selection.chosen for selection in reasons.selections]


@pytest.mark.parametrize(("is_enabled", "preempted"), [(True, ["t1"]), (False, [])])
def test_evictions_are_allowed_for_all_or_for_none(is_enabled: bool, preempted: list[str]) -> None:
    """SYS-03, RANK-77: whatever the search says."""
    configuration = SchedulerConfiguration(
        preemption_config=PreemptionConfig(system_scheduler_enabled=is_enabled)
    )
    stack = make_stack(make_tenant("t1", 3900), configuration=configuration)

    selected = stack.select(make_asking(), NAMED)

    assert preempted == [alloc.id for alloc in (selected.preempted if selected else ())]
