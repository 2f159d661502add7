"""The search for a node of services and batches (RANK-01, RANK-07, RANK-13 to RANK-17, RANK-72, RANK-73)."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import Affinity, Allocation, Constraint, Job, Node, Spread, TaskGroup
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.ranking.select import GenericStack
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.scheduler.made import make_context, make_job, make_snapshot
from tests.model.cluster.scheduler.ranking.hosts import make_asking, make_host, make_tenant

NODES = {name: make_host(name) for name in "ABCD"}
OWN: dict[str, Any] = {"job_id": "j", "job": None}
NAMED = SelectOptions(alloc_name="j.web[0]")


def make_stack(
    group: TaskGroup, *there: Allocation, nodes: str = "ABCD", scheduler: str = "service", **fields: Any
) -> GenericStack:
    job = make_job(group, **{"priority": 70} | fields)
    hosts = [NODES[name] for name in nodes]
    stack = GenericStack(make_context(make_snapshot(job, *hosts, *there), job, scheduler=scheduler))
    stack.set_job(job)
    stack.set_nodes(tuple(hosts))
    return stack


def find_node(selected: Selected | None) -> str:
    assert selected is not None
    return selected.node.id


def count_visits(context: Context) -> int:
    return context.metrics.nodes_evaluated


def fill() -> list[Allocation]:
    """Fill A with one of the group, and C and D with others."""
    return [
        make_tenant("a1", 500, 256, node_id="A", **OWN),
        make_tenant("c1", 1000, 1024, node_id="C"),
        make_tenant("d1", 2000, 4000, node_id="D"),
    ]


@pytest.mark.parametrize(
    ("order", "chosen", "evaluated"),
    [("ABCD", "C", 3), ("BADC", "D", 3), ("CDAB", "D", 2), ("AB", "B", 2)],
)
def test_a_whole_search(order: str, chosen: str, evaluated: int) -> None:
    """RANK-73."""
    stack = make_stack(make_asking(), *fill(), nodes=order)

    assert chosen == find_node(stack.select(make_asking(), NAMED))
    assert evaluated == count_visits(stack.context)


def test_scores_of_a_search() -> None:
    """RANK-72: one of the group is there already, and it failed here before."""
    stack = make_stack(make_asking(), *fill(), nodes="A")
    selected = stack.select(make_asking(), SelectOptions(alloc_name="j.web[1]", penalty_nodes=frozenset("A")))

    assert selected is not None
    assert selected.norm_score == pytest.approx(-0.447417703607, abs=1e-12)
    assert {
        "binpack": pytest.approx(0.324413555847, abs=1e-12),
        "job-anti-affinity": pytest.approx(-2 / 3),
        "node-reschedule-penalty": -1.0,
        "node-affinity": 0.0,
    } == selected.scores


def test_the_next_search_goes_on_behind_the_last() -> None:
    """RANK-07: two nodes each, and all fit equally well."""
    stack = make_stack(make_asking())

    assert ["A", "C", "A"] == [find_node(stack.select(make_asking(), NAMED)) for _ in range(3)]


def test_a_filtered_node_is_counted() -> None:
    """FEAS-14, FEAS-86."""
    elsewhere = Constraint(ltarget="${node.unique.id}", operand="!=", rtarget="A")
    stack = make_stack(make_asking(), constraints=(elsewhere,))

    assert "B" == find_node(stack.select(make_asking(), NAMED))
    assert (3, 1) == (stack.context.metrics.nodes_evaluated, stack.context.metrics.nodes_filtered)


WISH = Affinity(ltarget="${node.unique.id}", operand="=", rtarget="D", weight=50)


@pytest.mark.parametrize("scheduler", ["service", "batch"])
@pytest.mark.parametrize(
    "wishes",
    [{"affinities": (WISH,)}, {"spreads": (Spread(attribute="${node.datacenter}", weight=50),)}],
)
def test_wishes_lift_the_limit(scheduler: str, wishes: dict[str, Any]) -> None:
    """RANK-16."""
    group = make_asking(**wishes)
    stack = make_stack(group, scheduler=scheduler)
    stack.select(group, NAMED)

    assert count_visits(stack.context) == 4


def test_a_lifted_limit_stays_until_nodes_are_set() -> None:
    """RANK-17, 07/S-03."""
    plain = make_asking(name="api")
    group = make_asking(affinities=(WISH,))
    stack = make_stack(group)

    assert "D" == find_node(stack.select(group, NAMED))
    stack.select(plain, NAMED)
    assert count_visits(stack.context) == 4
    stack.set_nodes(tuple(NODES.values()))
    stack.select(plain, NAMED)
    assert count_visits(stack.context) == 2


def test_a_preferred_node_is_tried_alone() -> None:
    """RANK-13: and the next search begins at the first node."""
    stack = make_stack(make_asking())
    stack.select(make_asking(), NAMED)

    assert "D" == find_node(stack.select(make_asking(), prefer(NODES["D"])))
    assert count_visits(stack.context) == 1
    assert "A" == find_node(stack.select(make_asking(), NAMED))


def prefer(node: Node) -> SelectOptions:
    return SelectOptions(alloc_name="j.web[0]", preferred_nodes=(node,))


def test_all_nodes_are_tried_where_the_preferred_one_does_not_do() -> None:
    """RANK-13, FEAS-86."""
    full = make_tenant("d1", 3900, node_id="D")
    stack = make_stack(make_asking(), full)

    assert "A" == find_node(stack.select(make_asking(), prefer(NODES["D"])))
    assert count_visits(stack.context) == 2


def test_nobody_is_evicted_unless_that_is_allowed() -> None:
    """RANK-14, PREEMPT-01, RANK-70."""
    there = make_tenant("a1", 3900, node_id="A")
    stack = make_stack(make_asking(), there, nodes="A")

    assert stack.select(make_asking(), NAMED) is None
    assert {"cpu": 1} == dict(
        stack.context.metrics.build(nodes_available={}, nodes_in_pool=1).dimension_exhausted
    )

    selected = stack.select(make_asking(), SelectOptions(alloc_name="j.web[0]", preempt=True))
    assert selected is not None
    assert ("a1",) == tuple(alloc.id for alloc in selected.preempted)
    assert selected.scores["preemption"] == pytest.approx(0.999937582347, abs=1e-12)


def test_another_version_of_the_job_is_asked_for() -> None:
    """RANK-79."""
    stack = make_stack(make_asking())
    other = make_job(make_asking(), constraints=(Constraint(ltarget="no", operand="=", rtarget="yes"),))

    stack.set_job(other)

    assert isinstance(stack.job, Job)
    assert stack.select(make_asking(), NAMED) is None


def test_an_intended_limit_is_that_of_the_group() -> None:
    """07/S-03."""
    group = make_asking(affinities=(WISH,))
    stack = make_stack(group)
    stack.context.profile = INTENDED
    stack.select(group, NAMED)
    stack.select(make_asking(name="api"), NAMED)

    assert count_visits(stack.context) == 2


def test_intended_namesakes_do_not_collide() -> None:
    """07/S-07."""
    namesake = make_tenant("a1", namespace="lab", node_id="A", job_id="j")
    stack = make_stack(make_asking(), namesake, nodes="A")
    selected = stack.select(make_asking(), NAMED)
    assert selected is not None
    assert selected.scores["job-anti-affinity"] == -2 / 3

    stack = make_stack(make_asking(), namesake, nodes="A")
    stack.context.profile = INTENDED
    selected = stack.select(make_asking(), NAMED)
    assert selected is not None
    assert selected.scores["job-anti-affinity"] == 0.0
