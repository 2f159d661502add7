"""More to choose from never places less."""

from collections import Counter

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import History, histories, live_through
from nomadspec.checkers.stateful.clusters.histories import WITH_PREEMPTION, Register
from nomadspec.checkers.stateful.clusters.jobs import plain_jobs
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.checkers.stateful.clusters.scheduler_findings import make_small_job
from nomadspec.invariants.cluster.scheduler import PROPERTIES, Decision, monotony
from nomadspec.invariants.cluster.scheduler.monotony import count_placed, is_promised
from nomadspec.invariants.cluster.scheduler.repetition import plan_anew
from nomadspec.model.cluster.entities import Constraint, Evaluation, JobType, Operand, Plan, UpdateStrategy
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import NOMAD_2_0

NAMES = (
    "more_nodes_place_no_less",
    "larger_nodes_place_no_less",
    "fewer_constraints_place_no_less",
    "higher_priority_alone_changes_nothing",
)
FIRST_RACK = Constraint(ltarget="${meta.rack}", operand=Operand.EQUAL, rtarget="r1")
NOT_THE_FIRST = Constraint(ltarget="${attr.unique.number}", operand=Operand.UNEQUAL, rtarget="1")
SERVICE = replace(make_small_job(JobType.SERVICE, count=2), constraints=(FIRST_RACK,))
LARGE = make_small_job(JobType.SYSBATCH, cpu_mhz=600)
TWO_LARGE = replace(
    LARGE,
    task_groups=(
        *LARGE.task_groups,
        replace(LARGE.task_groups[0], name="db", constraints=(NOT_THE_FIRST,)),
    ),
)
CONTENDED = History(nodes=(make_node(number="1"), make_node()), steps=(Register(TWO_LARGE),))
"""A node has room for one of two groups, and only the second node may have either."""


def decide(history: History) -> Decision:
    """Give the last decision of a history."""
    return list(live_through(history, profile=NOMAD_2_0))[-1]


@settings(max_examples=15, deadline=None)
@given(history=histories(made=plain_jobs()))
def test_promises_are_kept(history: History) -> None:
    for decision in live_through(history, profile=NOMAD_2_0):
        assert [] == [problem for name in NAMES for problem in PROPERTIES[name](decision)]


@pytest.mark.deep
@settings(max_examples=1500, deadline=None)
@given(history=histories())
def test_promises_are_kept_whatever_jobs_want(history: History) -> None:
    for decision in live_through(history, profile=NOMAD_2_0):
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
    ids=["stopped", "evicting", "distinct", "deployed", "several groups"],
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


def test_which_of_two_groups_gets_the_last_room_is_chance() -> None:
    """NODE-03, SYSTEM-25: a further node may change the one that is lucky, but not who has room."""
    decisions = [decide(replace(CONTENDED, seed=seed)) for seed in range(8)]
    placed = [count_placed(decision, decision.outcome.plans) for decision in decisions]

    assert {"web": 1, "db": 1} in placed
    assert {"web": 2} in placed
    assert [[]] * 8 == [list(PROPERTIES["more_nodes_place_no_less"](decision)) for decision in decisions]


def test_a_scheduler_that_shuns_a_group_is_caught_though_rooms_are_contended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where there is one more node it leaves out a group, also in the order in which that has room."""
    decision = decide(CONTENDED)

    def shun(
        given: Decision, snapshot: Snapshot, evaluation: Evaluation, choices: Choices
    ) -> tuple[Plan, ...]:
        (plan,) = plan_anew(given, snapshot, evaluation, choices)
        if snapshot is decision.before:
            return (plan,)
        placed = {
            node_id: tuple(alloc for alloc in allocs if alloc.task_group == "web")
            for node_id, allocs in plan.node_allocation.items()
        }
        return (replace(plan, node_allocation=placed),)

    monkeypatch.setattr(monotony, "plan_anew", shun)
    assert ["0 of db are placed with one more node, 1 without"] == list(
        PROPERTIES["more_nodes_place_no_less"](decision)
    )
