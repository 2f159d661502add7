"""What operators ask for: what is written, and why it is not."""

from msgspec.structs import replace

from nomadspec.model.cluster.acts import (
    Act,
    CallDeployment,
    Configure,
    DeleteEvals,
    DeletePool,
    DeregisterJob,
    DispatchJob,
    DrainNode,
    EndDrain,
    EvaluateJob,
    EvaluateNode,
    ForcePeriodic,
    LoseEntry,
    LoseLeadership,
    MarkStable,
    PlanJob,
    PurgeNode,
    RegisterJob,
    RestartAlloc,
    RevertJob,
    ScaleJob,
    SetEligibility,
    SetHealth,
    StopAlloc,
    TagVersion,
    WritePool,
)
from nomadspec.model.cluster.acts.commit import LOST_ENTRY
from nomadspec.model.cluster.acts.operator_answers import NO_LEADER
from nomadspec.model.cluster.entities import JobType, SchedulerConfiguration
from nomadspec.model.cluster.world import World
from tests.model.cluster.acts.running import list_evals, make_cluster, make_job, register, settle


def make_deployed(count: int = 2) -> World:
    return settle(register(make_cluster(), count), wait_s=60)


def count_written(before: World, after: World) -> int:
    return after.state.latest_index - before.state.latest_index


def test_what_is_refused_writes_nothing_and_says_why() -> None:
    """JOB-14, JOB-18, JOB-20, JOB-21, JOB-22, JOB-29, ALLOC-16, NODEST-18, DEP-57."""
    world = make_deployed()
    refused: list[tuple[Act, str]] = [
        (RegisterJob(job=make_job(kind=JobType.BATCH)), 'cannot update job from type "service" to "batch"'),
        (RegisterJob(job=make_job(), enforced_index=3), "job exists with conflicting job modify index"),
        (RegisterJob(job=replace(make_job(), namespace="none")), "none"),
        (PlanJob(job=replace(make_job(), namespace="none")), "none"),
        (RevertJob(job_id="web", version=0), "can't revert to current version"),
        (RevertJob(job_id="web", version=7), "not found"),
        (RevertJob(job_id="none", version=0), 'job "none" not found'),
        (MarkStable(job_id="web", version=7, stable=True), 'job "web" in namespace "default" at version 7'),
        (EvaluateJob(job_id="none"), "job not found"),
        (DispatchJob(job_id="web"), "not parameterized"),
        (ForcePeriodic(job_id="web"), "can't force run non-tracked job"),
        (ScaleJob(job_id="none", group="web", count=1), "not found"),
        (ScaleJob(job_id="web", group="none", count=1), "does not exist"),
        (ScaleJob(job_id="none", group="none", count=-1), "can't be negative"),
        (StopAlloc(alloc="none"), "allocation not found"),
        (RestartAlloc(alloc="none"), "allocation not found"),
        (DrainNode(node="none"), "node not found"),
        (EndDrain(node="none"), "node not found"),
        (SetEligibility(node="none", eligible=True), "node not found"),
        (PurgeNode(node="none"), "node not found"),
        (EvaluateNode(node="none"), "node not found"),
        (CallDeployment(deployment="none", verb="pause"), "deployment not found"),
        (SetHealth(deployment="none", healthy=("a",)), "deployment not found"),
        (DeleteEvals(evals=("none",)), "must be paused"),
    ]

    for one, text in refused:
        after = one.take(world)
        assert text in after.reply.error, one
        assert after.state is world.state, one


def test_a_restart_is_told_to_the_client_alone() -> None:
    """ALLOC-17."""
    world = make_deployed(1)
    one, *_ = RestartAlloc.choices(world)
    after = one.take(world)

    assert after.state is world.state
    (runner,) = (
        client.runners[one.alloc] for client in after.clients.values() if one.alloc in client.runners
    )
    assert (world.now_ns,) == runner.restarts_ns


def test_scaling_writes_three_entries_and_is_refused_during_a_deployment() -> None:
    """JOB-22, TRIG-22, DEP-58."""
    early = settle(register(make_cluster(), 1))
    world = make_deployed(1)
    after = ScaleJob(job_id="web", group="web", count=3).take(world)

    assert "active deployment" in ScaleJob(job_id="web", group="web", count=3).take(early).reply.error
    assert 3 == count_written(world, after)
    assert ("job-scaling", "pending") in list_evals(after)
    events = after.state.scaling_events["default", "web"].scaling_events["web"]
    assert [(3, 1)] == [(event.count, event.previous_count) for event in events]


def test_a_dry_run_answers_and_writes_nothing() -> None:
    """JOB-23, TRIG-05d."""
    world = make_cluster()
    after = PlanJob(job=make_job(2)).take(world)

    assert "web: 2 create" == after.reply.says
    assert after.state is world.state
    assert after.leader == world.leader


def test_a_deployment_can_be_paused_resumed_and_failed() -> None:
    """DEP-48, DEP-49, DEP-51, DEP-53."""
    world = settle(register(make_cluster(), 1))
    (deployment,) = world.state.list_deployments()
    paused = CallDeployment(deployment=deployment.id, verb="pause").take(world)
    resumed = CallDeployment(deployment=deployment.id, verb="resume").take(paused)
    failed = CallDeployment(deployment=deployment.id, verb="fail").take(resumed)
    unblocked = CallDeployment(deployment=deployment.id, verb="unblock").take(world)

    assert ["paused", "running", "failed"] == [
        each.state.list_deployments()[0].status for each in (paused, resumed, failed)
    ]
    assert len(list_evals(paused)) == len(list_evals(world))
    assert ("deployment-watcher", "pending") in list_evals(resumed)
    assert unblocked.state is world.state


def test_a_drain_closes_the_node_and_taking_it_back_can_open_it() -> None:
    """NODEST-16, NODEST-17."""
    world = make_deployed()
    drained = DrainNode(node="node-1", deadline_ns=60).take(world)
    ended = EndDrain(node="node-1", marks_eligible=True).take(drained)
    node, opened = drained.state.nodes["node-1"], ended.state.nodes["node-1"]

    assert node.drain_strategy is not None
    assert world.now_ns + 60 == node.drain_strategy.force_deadline_ns
    assert "ineligible" == node.scheduling_eligibility
    assert "while it is draining" in SetEligibility(node="node-1", eligible=True).take(drained).reply.error
    assert (None, "eligible") == (opened.drain_strategy, opened.scheduling_eligibility)
    assert 1 == count_written(world, drained)


def test_versions_are_tagged_and_called_stable() -> None:
    """JOB-19, JOB-36."""
    world = make_deployed()
    tagged = TagVersion(job_id="web", name="good").take(world)
    unstable = MarkStable(job_id="web", version=0, stable=False).take(tagged)
    (version,) = unstable.state.list_job_versions("default", "web")

    assert version.version_tag is not None
    assert "good" == version.version_tag.name
    assert not version.stable
    assert world.state.list_job_versions("default", "web")[0].stable


def test_evaluations_are_deleted_while_the_broker_is_paused() -> None:
    """EVAL-47, LEADER-04: of a job that is stopped, and all or none."""
    world = DeregisterJob(job_id="web").take(make_deployed())
    paused = Configure(configuration=SchedulerConfiguration(pause_eval_broker=True)).take(world)
    names = tuple(entry.id for entry in paused.state.list_evals())
    deleted = DeleteEvals(evals=names).take(paused)
    resumed = Configure(configuration=SchedulerConfiguration()).take(deleted)

    assert not paused.leader.memory.broker.is_enabled
    assert names
    assert not deleted.state.list_evals()
    assert DeleteEvals(evals=(*names, "none")).take(paused).state.list_evals()
    assert resumed.leader.memory.broker.is_enabled


def test_an_evaluation_is_not_deleted_while_what_it_placed_runs() -> None:
    """EVAL-47."""
    world = make_deployed()
    paused = Configure(configuration=SchedulerConfiguration(pause_eval_broker=True)).take(world)
    (placed,) = {alloc.eval_id for alloc in paused.state.allocs.values()}

    assert "still needed" in DeleteEvals(evals=(placed,)).take(paused).reply.error


def test_a_pool_with_nodes_is_not_deleted() -> None:
    """NODEST-21."""
    world = WritePool(name="gpu").take(make_cluster())

    assert DeletePool(name="gpu").take(world).state.find_node_pool("gpu") is None
    assert "has nodes" in DeletePool(name="default").take(world).reply.error


def test_without_a_leader_and_with_a_lost_entry_nothing_is_written() -> None:
    """PLAN-98, WORKER-11."""
    world = make_deployed()
    leaderless = LoseLeadership(committed=0).take(world)
    failing = LoseEntry().take(world)
    stopped = DeregisterJob(job_id="web").take(failing)

    assert NO_LEADER == DeregisterJob(job_id="web").take(leaderless).reply.error
    assert LOST_ENTRY == stopped.reply.error
    assert stopped.state is world.state
    assert "" == DeregisterJob(job_id="web").take(stopped).reply.error
