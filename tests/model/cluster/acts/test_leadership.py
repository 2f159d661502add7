"""Leadership and the leader's own loops."""

from msgspec.structs import replace

from nomadspec.model.cluster.acts import (
    Configure,
    Dequeue,
    EnqueueCoreEval,
    GainLeadership,
    LoseLeadership,
    ReapFailedEval,
    StartScheduler,
)
from nomadspec.model.cluster.entities.configuration import NEW_CLUSTERS
from nomadspec.model.cluster.world import Settings, World, make_world
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.acts.running import list_evals, make_cluster, register, settle


def test_a_new_leader_finds_the_pending_evaluations_in_the_state() -> None:
    """LEADER-02."""
    lost = LoseLeadership(committed=0).take(register(make_cluster()))
    led = GainLeadership().take(lost)

    assert not list(Dequeue.choices(lost))
    assert [Dequeue(worker=f"worker-{number}", queue="service") for number in (1, 2)] == list(
        Dequeue.choices(led)
    )


def test_the_first_leader_configures_the_schedulers_and_the_next_one_leaves_that_as_it_is() -> None:
    """LEADER-01, RANK-76: of a new cluster, only system jobs preempt."""
    first = GainLeadership().take(make_world(Settings(profile=NOMAD_2_0)))
    spreading = replace(NEW_CLUSTERS, scheduler_algorithm="spread")
    changed = Configure(configuration=spreading).take(first)
    next_one = GainLeadership().take(LoseLeadership(committed=0).take(changed))

    made, kept = first.state.configuration, next_one.state.configuration
    assert made is not None
    assert (True, False) == (
        made.preemption_config.system_scheduler_enabled,
        made.preemption_config.service_scheduler_enabled,
    )
    assert kept is not None
    assert "spread" == kept.scheduler_algorithm
    assert changed.state.latest_index == next_one.state.latest_index


def test_an_evaluation_that_is_never_worked_on_fails_and_is_followed_up() -> None:
    """LEADER-21, LEADER-22: three deliveries whose timers expire."""
    world = settle(register(make_cluster()), wait_s=400, held=[StartScheduler, ReapFailedEval])
    for _ in range(3):
        for name, worker in world.workers.items():
            world = _drop(world, name) if worker.held else world
        world = settle(world, wait_s=100, held=[StartScheduler, ReapFailedEval])
    reaped = next(iter(ReapFailedEval.choices(world))).take(world)

    assert [("job-register", "failed"), ("failed-follow-up", "pending")] == list_evals(reaped)


def _drop(world: World, name: str) -> World:
    """Let a worker forget what it holds, as one that crashed."""
    return replace(world, workers=world.workers.insert(name, replace(world.workers[name], held=None)))


def test_garbage_is_collected_by_a_worker() -> None:
    """GC-02."""
    world = settle(EnqueueCoreEval(work="force-gc").take(settle(make_cluster(), wait_s=1)))

    assert [] == list_evals(world)
    assert all(worker.held is None for worker in world.workers.values())
