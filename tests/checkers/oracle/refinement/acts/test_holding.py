"""Acts of whole clusters are the kernel's steps that they declare; one that does otherwise is found."""

from collections import Counter
from itertools import chain, islice

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.acts import (
    UNHELD,
    hold,
    list_deployment_texts,
    list_kernel_texts,
    list_node_texts,
    list_plan_texts,
)
from nomadspec.model.cluster.acts import (
    Ack,
    CreateEval,
    Dequeue,
    FireBrokerTimer,
    PullAllocs,
    UpdateEval,
    list_acts,
)
from nomadspec.model.cluster.acts.registry import find_act
from nomadspec.model.cluster.components import broker
from nomadspec.model.cluster.scheduler.planner import Call
from nomadspec.model.cluster.world import World, with_broker
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.oracle.refinement.acts.steps import (
    FEW_SCENARIOS,
    FEW_SEEDS,
    SCENARIOS,
    SEEDS,
    list_first_of,
    list_of,
    list_steps,
    walk,
)


def test_every_act_declares_texts_of_the_kernel_or_is_listed_with_a_reason() -> None:
    names = {act.__name__ for act in list_acts()}

    assert set(UNHELD) <= names
    known = list_kernel_texts() | list_plan_texts() | list_node_texts() | list_deployment_texts()
    assert all(set(act.refines) <= known for act in list_acts())
    assert not [name for name in UNHELD if find_act(name).refines]
    declared = {text for act in list_acts() for text in act.refines}
    assert declared == known


@pytest.mark.parametrize(
    ("folders", "seeds", "fewest"),
    [
        pytest.param(FEW_SCENARIOS, FEW_SEEDS, 1_200, id="few"),
        pytest.param(SCENARIOS, SEEDS, 2_000, id="all", marks=pytest.mark.deep),
    ],
)
def test_acts_are_the_steps_that_they_declare_and_nearly_all_that_is_declared_happens(
    folders: tuple[str, ...], seeds: tuple[int, ...], fewest: int
) -> None:
    held, taken = Counter[str](), set[str]()
    for step in chain(list_steps(folders), *(walk(seed, NOMAD_2_0) for seed in seeds)):
        found = hold(*step)
        assert not found.problem
        held["outside" if found.outside else "steps" if found.steps else "nothing"] += 1
        taken.update(found.steps)

    assert held["steps"] > fewest
    assert held["outside"] < 40
    # not here: triggers that no scheduler handles, and plans that are refused at the door
    assert list_kernel_texts() - taken == {"reject_trigger"}


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[] if seed in FEW_SEEDS else pytest.mark.deep) for seed in SEEDS]
)
def test_the_acts_of_an_intended_cluster_are_the_steps_that_they_declare(seed: int) -> None:
    found = [hold(*step) for step in walk(seed, INTENDED)]

    assert [] == [each.problem for each in found if each.problem]
    assert sum(bool(each.steps) for each in found) > 20


@pytest.mark.parametrize(
    "file",
    [
        "findings/shared-follow-up-is-canceled-by-the-first-that-reconnects.scenario",
        pytest.param("findings", marks=pytest.mark.deep),
    ],
)
def test_the_acts_of_findings_are_the_steps_that_they_declare(file: str) -> None:
    """Among them a follow-up that is called off while the broker watches another one."""
    found = [hold(*step) for step in list_steps((file,))]

    assert [] == [each.problem for each in found if each.problem]
    assert sum("cancel_follow_up" in each.steps for each in found) > 0


def test_an_ack_that_is_forgotten_is_no_ack() -> None:
    """A mutant: the worker is idle, and the broker was told nothing."""
    for before, act, after in list_first_of(Ack):
        mutant = with_broker(after, before.leader.memory.broker)
        assert "Ack: " in hold(before, act, mutant).problem


def test_a_delivery_that_is_not_counted_is_none() -> None:
    """A mutant: the broker delivers, and counts no delivery."""
    for before, act, after in list_first_of(Dequeue):
        after_broker = after.leader.memory.broker
        fewer = replace(after_broker, known=before.leader.memory.broker.known)
        assert "Dequeue: " in hold(before, act, with_broker(after, fewer)).problem


def test_an_evaluation_of_a_lower_priority_is_not_delivered_first() -> None:
    """A mutant: a worker takes what is not at the head of its queue."""
    found = 0
    for before, act, _ in list_of(Dequeue):
        assert isinstance(act, Dequeue)
        ready = before.leader.memory.broker.queues[act.queue].ready
        last = max(ready, key=lambda entry: -entry.priority)
        if last.priority == max(entry.priority for entry in ready):
            continue
        found += 1
        queue = before.leader.memory.broker.queues[act.queue]
        turned = replace(queue, ready=(last, *(one for one in ready if one is not last)))
        swapped = replace(
            before.leader.memory.broker,
            queues=before.leader.memory.broker.queues.insert(act.queue, turned),
        )
        assert hold(before, act, act.take(with_broker(before, swapped))).problem
    assert found


def test_an_outcome_that_is_not_written_is_none() -> None:
    """A mutant: the scheduler is told that its outcome is written, and it is not."""
    for before, act, after in list_first_of(UpdateEval):
        found = hold(before, act, replace(after, state=before.state))
        assert found.problem or found.outside


def test_a_timer_fires_for_what_it_was_set() -> None:
    """A mutant: the timer drops the evaluation instead of giving it back."""
    for before, act, after in list_of(FireBrokerTimer):
        assert hold(before, act, with_broker(after, broker.disable(after.leader.memory.broker))).problem


def test_an_act_that_declares_nothing_may_change_nothing() -> None:
    """A mutant: a client that pulls makes the broker forget what is ready."""
    found = 0
    for before, act, after in list_of(PullAllocs):
        if not list(before.leader.memory.broker.unack):
            continue
        found += 1
        assert hold(before, act, with_broker(after, broker.disable(after.leader.memory.broker))).problem
    assert found


def test_a_worker_whose_token_is_stale_makes_no_evaluation_however_many_its_job_has() -> None:
    """In this walk a job has as many evaluations as its stage had room for."""
    before, act, after = next(
        step
        for step in islice(walk(229, NOMAD_2_0), 170, None)
        if isinstance(step[1], CreateEval) and find_call(step[2], step[1]).error
    )

    assert hold(before, act, after).steps == ("block",)


def find_call(world: World, act: CreateEval) -> Call:
    call = world.workers[act.worker].call
    assert call is not None
    return call
