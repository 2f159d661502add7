"""More to choose from never places less."""

from collections import Counter

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import History, histories, live_through
from nomadspec.checkers.stateful.clusters.findings import make_small_job
from nomadspec.checkers.stateful.clusters.histories import WITH_PREEMPTION, Register
from nomadspec.checkers.stateful.clusters.jobs import plain_jobs
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.invariants.scheduling import PROPERTIES, Decision, monotony
from nomadspec.invariants.scheduling.monotony import count_placed, is_promised
from nomadspec.invariants.scheduling.repetition import plan_anew
from nomadspec.model.entities import Constraint, JobType, Operand, Plan, UpdateStrategy
from nomadspec.model.scheduler.snapshot import Snapshot

NAMES = (
    "more_nodes_place_no_less",
    "larger_nodes_place_no_less",
    "fewer_constraints_place_no_less",
    "urgency_alone_changes_nothing",
)
FIRST_RACK = Constraint(ltarget="${meta.rack}", operand=Operand.EQUAL, rtarget="r1")
SERVICE = replace(make_small_job(JobType.SERVICE, count=2), constraints=(FIRST_RACK,))


def decide(history: History) -> Decision:
    """Give the last decision of a history."""
    return list(live_through(history))[-1]


@settings(max_examples=15, deadline=None)
@given(history=histories(made=plain_jobs()))
def test_promises_are_kept(history: History) -> None:
    for decision in live_through(history):
        assert [] == [problem for name in NAMES for problem in PROPERTIES[name](decision)]


@pytest.mark.deep
@settings(max_examples=1500, deadline=None)
@given(history=histories())
def test_promises_are_kept_whatever_jobs_want(history: History) -> None:
    for decision in live_through(history):
        assert [] == [problem for name in NAMES for problem in PROPERTIES[name](decision)]


@pytest.mark.parametrize("name", NAMES)
def test_a_scheduler_that_shuns_a_change_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It places something only on the very state that it saw first."""
    decision = decide(History(nodes=(make_node(),), steps=(Register(SERVICE),)))

    def shun(_decision: Decision, snapshot: Snapshot, _evaluation: object) -> tuple[Plan, ...]:
        return decision.outcome.plans if snapshot is decision.before else ()

    assert 2 == sum(count_placed(decision, decision.outcome.plans).values())
    assert [] == list(PROPERTIES[name](decision))
    monkeypatch.setattr(monotony, "plan_anew", shun)
    assert 1 == len(list(PROPERTIES[name](decision)))


def test_the_changes_are_real() -> None:
    """A full cluster has room where there is a node more, or a larger one, or a constraint less."""
    service = replace(make_small_job(JobType.SERVICE, count=4, cpu_mhz=600), constraints=(FIRST_RACK,))
    decision = decide(History(nodes=(make_node(), make_node(rack="r2")), steps=(Register(service),)))
    placed = Counter[str]()

    def watch(given: Decision, snapshot: Snapshot, evaluation: object) -> tuple[Plan, ...]:
        plans = plan_anew(given, snapshot, decision.evaluation)
        placed[f"{len(placed)}"] = sum(count_placed(given, plans).values())
        return plans

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(monotony, "plan_anew", watch)
        for name in NAMES:
            assert [] == list(PROPERTIES[name](decision))

    assert {"web": 1} == count_placed(decision, decision.outcome.plans)
    assert [2, 4, 2, 1] == list(placed.values())


@pytest.mark.parametrize(
    "history",
    [
        History(nodes=(make_node(),), steps=(Register(replace(SERVICE, stop=True)),)),
        History(nodes=(make_node(),), steps=(Register(SERVICE),), configuration=WITH_PREEMPTION),
        History(
            nodes=(make_node(),),
            steps=(Register(replace(SERVICE, constraints=(Constraint(operand=Operand.DISTINCT_HOSTS),))),),
        ),
        History(
            nodes=(make_node(),),
            steps=(
                Register(
                    replace(
                        SERVICE,
                        task_groups=(replace(SERVICE.task_groups[0], update=UpdateStrategy(max_parallel=1)),),
                    )
                ),
            ),
        ),
        History(
            nodes=(make_node(),),
            steps=(
                Register(
                    replace(
                        SERVICE,
                        task_groups=(*SERVICE.task_groups, replace(SERVICE.task_groups[0], name="db")),
                    )
                ),
            ),
        ),
    ],
    ids=["stopped", "evicting", "distinct", "rolled out", "several groups"],
)
def test_some_get_no_promise(history: History) -> None:
    assert not is_promised(decide(history))


def test_jobs_on_every_node_get_one_for_further_nodes() -> None:
    system = make_small_job(JobType.SYSTEM)
    two = replace(system, task_groups=(*system.task_groups, replace(system.task_groups[0], name="db")))
    both = decide(History(nodes=(make_node(),), steps=(Register(two),)))
    shrunk = decide(History(nodes=(make_node(),), steps=(Register(two), Register(system))))

    assert (False, True) == (is_promised(both), is_promised(both, has_same_nodes=False))
    assert not is_promised(shrunk, has_same_nodes=False)
