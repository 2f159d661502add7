"""Servers that are behind, time-outs of workers, paused workers, and launches that nobody led through."""

from msgspec.structs import replace

from nomadspec.model.cluster.acts import (
    CatchUp,
    Dequeue,
    GainLeadership,
    LoseEntry,
    LoseLeadership,
    RegisterJob,
    RegisterNode,
    StartScheduler,
    TimeOutWait,
    UpdateEval,
)
from nomadspec.model.cluster.acts.waits import PATIENCE_NS, REST_NS
from nomadspec.model.cluster.entities import JobType, PeriodicConfig
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.world import Settings, World, make_world
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.acts.running import (
    count_running,
    list_evals,
    make_cluster,
    make_job,
    register,
    settle,
)


def make_behind() -> World:
    """Make a cluster whose only worker is that of a follower which has applied nothing."""
    world = GainLeadership().take(make_world(Settings(profile=NOMAD_2_0, followers=1), workers=0))
    node = make_cluster(1).state.list_nodes()[0]
    world = RegisterNode(node=node).take(world)
    return Dequeue(worker="worker-of-server-2", queue="service").take(register(world))


def test_a_worker_waits_until_its_server_has_caught_up() -> None:
    """WORKER-05, WORKER-08."""
    behind = make_behind()
    caught_up = CatchUp(server="server-2").take(behind)

    assert not list(StartScheduler.choices(behind))
    assert [StartScheduler(worker="worker-of-server-2")] == list(StartScheduler.choices(caught_up))
    assert not list(CatchUp.choices(caught_up))
    assert 1 == count_running(settle(caught_up))


def test_a_worker_gives_back_what_its_server_is_too_far_behind_for_and_rests() -> None:
    """WORKER-06."""
    behind = make_behind()
    late = replace(behind, now_ns=behind.now_ns + PATIENCE_NS)
    given_back = TimeOutWait(worker="worker-of-server-2").take(late)
    redelivered = settle(given_back, wait_s=2, held=[CatchUp])
    rested = replace(redelivered, now_ns=late.now_ns + REST_NS)

    assert not list(TimeOutWait.choices(behind))
    assert given_back.workers["worker-of-server-2"].held is None
    assert not list(Dequeue.choices(redelivered))
    assert list(Dequeue.choices(rested))
    assert list(Dequeue.choices(CatchUp(server="server-2").take(redelivered)))


def test_the_leader_pauses_three_quarters_of_its_workers() -> None:
    """WORKER-02."""
    fresh = make_world(Settings(profile=NOMAD_2_0, pauses_workers=True, followers=1), workers=5)
    led = GainLeadership().take(fresh)
    lost = LoseLeadership(committed=0).take(led)

    assert ["worker-1", "worker-2", "worker-3"] == sorted(w.id for w in led.workers.values() if w.is_paused)
    assert not any(worker.is_paused for worker in lost.workers.values())


def test_a_worker_whose_write_is_lost_gives_the_evaluation_back_and_it_goes_well_next_time() -> None:
    """WORKER-20, WORKER-03."""
    world = settle(register(make_cluster()), held=[UpdateEval])
    failing = settle(LoseEntry().take(world), wait_s=30)

    assert ("job-register", "pending") in list_evals(world)
    assert ("job-register", "complete") in list_evals(failing)
    assert 1 == count_running(failing)
    assert failing.deliveries > world.deliveries


def test_a_new_leader_makes_up_for_missed_launches_once() -> None:
    """LEADER-05, JOB-28, TRIG-08."""
    hourly = PeriodicConfig(enabled=True, spec_type="cron", spec="0 * * * *")
    job = replace(make_job(kind=JobType.BATCH), periodic=hourly)
    world = RegisterJob(job=job).take(make_cluster())
    lost = LoseLeadership(committed=0).take(world)
    later = replace(lost, now_ns=lost.now_ns + 5 * 3600 * NS_PER_S)
    led = GainLeadership().take(later)

    assert 1 == len(led.state.list_children("default", "web"))
    assert [("periodic-job", "pending")] == list_evals(led)
