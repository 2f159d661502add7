"""Searches that remember find what the stages find one by one."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Judgement
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.cluster.entities import Affinity, Allocation, Constraint, Node, Spread, SpreadTarget
from nomadspec.model.cluster.scheduler import generic_attempt
from nomadspec.model.cluster.scheduler.ranking.select import GenericStack
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.scheduler.made import make_context, make_job, make_snapshot
from tests.model.cluster.scheduler.ranking.hosts import make_asking, make_host, make_tenant
from tests.recorded import FOLDER, assert_accepted, list_lines

KIND = read_kind("scheduler")
RACK = "${meta.rack}"
AFFINITIES = st.lists(
    st.builds(
        Affinity,
        ltarget=st.just(RACK),
        operand=st.just("="),
        rtarget=st.sampled_from(["r0", "r1"]),
        weight=st.sampled_from([-100, -50, 50]),
    ),
    max_size=2,
)
SPREADS = st.lists(
    st.builds(
        Spread,
        attribute=st.sampled_from([RACK, "${node.unique.id}"]),
        weight=st.sampled_from([1, 50]),
        spread_target=st.sampled_from(
            [(), (SpreadTarget(value="r0", percent=60),), (SpreadTarget(value="r1", percent=0),)]
        ),
    ),
    max_size=2,
)
CONSTRAINTS = st.sampled_from(
    [
        (),
        (Constraint(ltarget=RACK, operand="!=", rtarget="r2"),),
        (Constraint(operand="distinct_hosts"),),
        (Constraint(ltarget="${node.unique.id}", operand="!=", rtarget="n1"),),
        (Constraint(ltarget=RACK, operand="distinct_property", rtarget="2"),),
    ]
)


def place(stack: GenericStack, group: Any, count: int, penalised: Sequence[int]) -> list[object]:
    """Place one after the other, and tell all that can be seen of it."""
    seen: list[object] = []
    for at in range(count):
        penalty = frozenset({"n0", "n1"}) if at in penalised else frozenset[str]()
        selected = stack.select(group, SelectOptions(alloc_name=f"j.web[{at}]", penalty_nodes=penalty))
        metrics = stack.context.metrics.build(nodes_available={}, nodes_in_pool=0)
        seen.append((selected and (selected.node.id, selected.scores, selected.norm_score), metrics))
        if selected is not None:
            stack.context.plan.append_alloc(make_new(at, selected))
    return seen


def make_new(at: int, selected: Selected) -> Allocation:
    return make_tenant(f"new{at}", job_id="j", job=None, node_id=selected.node.id, client_status="pending")


def make_stack(
    nodes: Sequence[Node], there: Sequence[Allocation], group: Any, fields: Any, *, has_memory: bool
) -> GenericStack:
    job = make_job(group, **fields)
    context = make_context(make_snapshot(job, *nodes, *there), job)
    stack = GenericStack(context, has_memory=has_memory)
    stack.set_job(job)
    stack.set_nodes(tuple(nodes))
    return stack


@given(
    st.integers(1, 9),
    st.integers(1, 12),
    AFFINITIES,
    SPREADS,
    CONSTRAINTS,
    st.lists(st.integers(0, 8), max_size=5),
    st.lists(st.integers(0, 11), max_size=3),
)
def test_memory_decides_nothing(
    hosts: int,
    count: int,
    affinities: list[Affinity],
    spreads: list[Spread],
    constraints: tuple[Constraint, ...],
    loaded: list[int],
    penalised: list[int],
) -> None:
    """RANK-01: nodes, all scores and all metrics are the same."""
    nodes = [
        make_host(f"n{at}", meta={"rack": f"r{at % 3}"}, computed_class=f"c{at % 2}") for at in range(hosts)
    ]
    there = [
        make_tenant(f"t{at}", 1500, node_id=f"n{host}") for at, host in enumerate(loaded) if host < hosts
    ]
    group = make_asking(count=count, affinities=tuple(affinities), spreads=tuple(spreads))
    fields = {"constraints": constraints}

    plain, quick = (
        place(make_stack(nodes, there, group, fields, has_memory=has_memory), group, count, penalised)
        for has_memory in (False, True)
    )

    assert plain == quick


def test_what_changed_is_looked_at_again() -> None:
    """The first node fills up, and a stop elsewhere makes room."""
    nodes = [make_host("n0"), make_host("n1")]
    there = [make_tenant("t1", 3900, node_id="n1")]
    group = make_asking(3000, affinities=(Affinity(ltarget="a", operand="=", rtarget="b", weight=1),))
    stack = make_stack(nodes, there, group, {}, has_memory=True)
    first = place(stack, group, 1, ())
    stack.context.plan.append_alloc(make_tenant("more", 1000, job_id="j", job=None, node_id="n0"))

    assert first[0] != (None, None)
    assert stack.select(group, SelectOptions(alloc_name="j.web[1]")) is None
    stack.context.plan.append_stop(there[0], "")
    selected = stack.select(group, SelectOptions(alloc_name="j.web[1]"))
    assert selected is not None
    assert selected.node.id == "n1"


def judge_without_memory(monkeypatch: pytest.MonkeyPatch, path: Path, every: int = 1) -> Iterator[Judgement]:
    monkeypatch.setattr(generic_attempt, "GenericStack", partial(GenericStack, has_memory=False))
    return (judge_line(KIND, line, Context(NOMAD_2_0)) for line in list_lines(path)[::every])


def test_recordings_are_explained_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    path = FOLDER / "scheduler" / "service-00.ndjson.xz"

    assert_accepted(judge_without_memory(monkeypatch, path, every=16))


@pytest.mark.deep
@pytest.mark.parametrize(
    "path", sorted((FOLDER / "scheduler").glob("*.ndjson.xz")), ids=lambda path: path.name
)
def test_all_recordings_are_explained_without_memory(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    assert_accepted(judge_without_memory(monkeypatch, path))
