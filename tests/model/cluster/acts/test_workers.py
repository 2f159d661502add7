"""Workers: from the broker to the broker, one request at a time."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.acts import (
    Ack,
    CollectGarbage,
    CommitPlan,
    CreateEval,
    Dequeue,
    DeregisterJob,
    EnqueueCoreEval,
    Nack,
    UpdateEval,
    list_choices,
)
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.acts.running import count_running, list_evals, make_cluster, register, settle


def test_a_job_is_evaluated_placed_and_runs() -> None:
    """WORKER-03."""
    world = settle(register(make_cluster(), 3))

    assert [("job-register", "complete")] == list_evals(world)
    assert 3 == count_running(world)
    assert all(worker.held is None for worker in world.workers.values())


def test_two_workers_never_hold_evaluations_of_one_job() -> None:
    """BROKER-22."""
    world = Dequeue(worker="worker-1", queue="service").take(register(register(make_cluster())))

    assert not list(Dequeue.choices(world))


def test_a_worker_can_be_stopped_between_two_requests() -> None:
    """GENERIC-40: the blocked evaluation is written before the plan is handed over."""
    world = settle(register(make_cluster(1), 3, cpu_mhz=400), held=[CommitPlan])

    assert [("job-register", "pending"), ("queued-allocs", "blocked")] == list_evals(world)
    assert not world.state.list_allocs()


def test_a_delivery_that_is_over_may_write_nothing() -> None:
    """WORKER-20, BROKER-32: the nack timer expired while the worker slept."""
    world = settle(register(make_cluster()), held=[UpdateEval])
    late = settle(world, wait_s=70, held=[UpdateEval, Dequeue])
    refused = UpdateEval(worker="worker-1").take(late)

    assert not list(Ack.choices(refused))
    assert [Nack(worker="worker-1")] == list(Nack.choices(refused))
    assert ("job-register", "pending") in list_evals(refused)


def test_what_cannot_be_placed_waits_and_is_placed_when_there_is_room() -> None:
    """EVAL-13, BLOCKED-40."""
    world = settle(register(make_cluster(1), 3, cpu_mhz=400))
    more = make_cluster(2).state.find_node("node-2")

    assert 2 == count_running(world)
    assert more is not None
    from nomadspec.model.cluster.acts import RegisterNode

    grown = settle(RegisterNode(node=more).take(world))

    assert 3 == count_running(grown)
    assert ("queued-allocs", "complete") in list_evals(grown)


def test_nothing_is_left_to_do_in_the_end() -> None:
    world = settle(register(make_cluster(), 3), wait_s=60)

    assert not [one for one in list_choices(world) if isinstance(one, Dequeue | CreateEval | CommitPlan)]


@pytest.mark.parametrize(("profile", "left"), [(NOMAD_2_0, 0), (INTENDED, 1)], ids=["nomad-2.0", "intended"])
def test_an_evaluation_that_the_broker_still_has_is_collected_only_in_the_release(
    profile: Profile, left: int
) -> None:
    """GC-92, X-21: the purge completed it, and nobody told the broker."""
    world = DeregisterJob(job_id="web", purge=True).take(register(make_cluster(profile=profile)))
    old = replace(world, now_ns=world.now_ns + 48 * 3600 * NS_PER_S)
    world = EnqueueCoreEval(work="force-gc").take(old)
    world = Dequeue(worker="worker-1", queue="_core").take(world)
    world = CollectGarbage(worker="worker-1").take(world)

    assert left == len([each for each in world.state.list_evals() if each.triggered_by == "job-register"])
