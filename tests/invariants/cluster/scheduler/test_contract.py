"""Decisions are what the kernel's contract allows, and others are noticed."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import History, histories, live_through
from nomadspec.checkers.stateful.clusters.histories import Register
from nomadspec.checkers.stateful.clusters.jobs import plain_jobs
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.checkers.stateful.clusters.scheduler_findings import make_small_job
from nomadspec.invariants.cluster.scheduler import PROPERTIES
from nomadspec.invariants.cluster.scheduler.contract import find_breaches
from nomadspec.invariants.cluster.scheduler.kernel_view import Own, Place, Words, list_words
from nomadspec.model.cluster.entities import JobType
from nomadspec.model.specification.profiles import NOMAD_2_0

PLACE = Place("n1", is_up=True, is_eligible=True, is_barred=False, room=0)
OWN = Own("a1", 0, 2, is_leaving=False, is_complete=False, is_stopped=False, is_updated=False)
DOWN = replace(PLACE, id="n2", is_up=False, room=8)
GOOD = Words(
    is_wanted=True, is_system=False, count=2, places=(PLACE, DOWN), own=(OWN,), placed=(0,), is_short=False
)
"""One is there and one is placed where there is room for one; another node is down."""


@settings(max_examples=25, deadline=None)
@given(history=histories(made=plain_jobs()))
def test_the_schedulers_keep_it(history: History) -> None:
    for decision in live_through(history, profile=NOMAD_2_0):
        assert [] == list(PROPERTIES["the_kernels_contract_is_kept"](decision))


@pytest.mark.deep
@settings(max_examples=2000, deadline=None)
@given(history=histories())
def test_the_schedulers_keep_it_whatever_jobs_want(history: History) -> None:
    for decision in live_through(history, profile=NOMAD_2_0):
        assert [] == list(PROPERTIES["the_kernels_contract_is_kept"](decision))


def test_most_decisions_about_plain_jobs_are_held_against_it() -> None:
    seen = Counter[str]()

    @settings(max_examples=40, deadline=None)
    @given(history=histories(made=plain_jobs()))
    def count(history: History) -> None:
        for decision in live_through(history, profile=NOMAD_2_0):
            words = list(list_words(decision))
            seen["held"] += len(words)
            seen["all"] += len(decision.job.task_groups) if decision.job else 0
            seen["placing"] += any(each.placed for each in words)
            seen["short"] += any(each.is_short for each in words)
            seen["stopping"] += any(own.is_stopped for each in words for own in each.own)

    count()

    assert seen["held"] > 0.8 * seen["all"] > 0
    assert min(seen["placing"], seen["short"], seen["stopping"]) > 3


def change(**fields: Any) -> Words:
    """Change the good one."""
    return replace(GOOD, **fields)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (GOOD, []),
        (change(count=1), ["1 are placed, 0 are missing"]),
        (change(count=0), ["1 are placed where 0 may be"]),
        (change(placed=(1,)), ["n2 cannot take what is placed on it"]),
        (
            change(placed=(), places=(replace(PLACE, room=1), DOWN)),
            ["n1 could take one more, and 1 are not placed"],
        ),
        (change(placed=()), ["the contract leaves something unplaced, the scheduler does not"]),
        (change(placed=(), is_short=True), []),
        (change(is_short=True), ["the contract leaves nothing unplaced, the scheduler does not"]),
        (change(places=(replace(PLACE, room=-1), DOWN)), ["n1 cannot take what is placed on it"]),
        (change(places=(replace(PLACE, is_barred=True), DOWN)), ["n1 cannot take what is placed on it"]),
        (change(places=(replace(PLACE, is_eligible=False), DOWN)), ["n1 cannot take what is placed on it"]),
        (
            change(own=(replace(OWN, is_stopped=True),)),
            ["the plan stops a1, the contract does otherwise", "n1 cannot take what is placed on it"],
        ),
        (
            change(own=(replace(OWN, version=0),)),
            ["the plan does not stop a1, the contract does otherwise", "n1 could take"],
        ),
        (change(own=(replace(OWN, version=1, is_updated=True),)), []),
        (
            change(own=(replace(OWN, version=1),)),
            ["the plan does not update a1, the contract does otherwise"],
        ),
        (change(own=(replace(OWN, is_leaving=True, is_stopped=True),), count=1), []),
        (change(own=(replace(OWN, place=None, is_complete=True),)), []),
        (change(own=(replace(OWN, place=1, is_stopped=True),), count=1), []),
        (change(is_wanted=False, placed=(), own=(replace(OWN, is_stopped=True),)), []),
        (change(is_wanted=False, placed=()), ["the plan does not stop a1, the contract does otherwise"]),
        (change(is_system=True, count=1, placed=()), []),
        (change(is_system=True, count=1, own=()), []),
        (
            change(is_system=True, count=1, own=(), placed=(), places=(replace(PLACE, room=1), DOWN)),
            ["n1 could take one more, and 1 are not placed"],
        ),
    ],
)
def test_what_it_does_not_allow_is_told(words: Words, problem: list[str]) -> None:
    """PLAN-92."""
    told = list(find_breaches(words))

    assert len(told) <= len(problem)
    assert all(one.startswith(expected) for one, expected in zip(told, problem, strict=False))
    assert bool(told) == bool(problem)


def test_a_plan_that_forgets_what_it_placed_is_noticed() -> None:
    steps = (Register(make_small_job(JobType.SERVICE, count=2)),)
    (decision,) = live_through(History(nodes=(make_node(),), steps=steps), profile=NOMAD_2_0)
    (plan,) = decision.outcome.plans
    less = {node: allocs[1:] for node, allocs in plan.node_allocation.items()}
    spoilt = replace(
        decision, outcome=replace(decision.outcome, plans=(replace(plan, node_allocation=less),))
    )

    assert [] == list(PROPERTIES["the_kernels_contract_is_kept"](decision))
    assert ["j-service: n0 could take one more, and 1 are not placed"] == list(
        PROPERTIES["the_kernels_contract_is_kept"](spoilt)
    )
