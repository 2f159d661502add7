"""For each property of whole clusters a step that breaks it: a cluster that runs, with one thing wrong."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.invariants.cluster.world import Step
from nomadspec.model.cluster.acts import MissHeartbeat, ReportAllocs, SubmitPlan, WatchDeployments
from nomadspec.model.cluster.components.blocked_state import Held
from nomadspec.model.cluster.components.broker_state import Delivery, EvalQueue
from nomadspec.model.cluster.entities import (
    AllocDeploymentStatus,
    AllocState,
    Deployment,
    DesiredTransition,
    DrainStrategy,
    Evaluation,
    PlanResult,
    RescheduleTracker,
)
from nomadspec.model.cluster.entities.node import DrainMetadata, NodeEvent
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.scheduler.planner import Call
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.world import Delivered, World, with_broker, with_memory
from nomadspec.model.specification.profiles import INTENDED

RUNNING: Final = """
cluster 2 nodes cpu 4000
register web count 2
wait 1m
expect deployment successful
"""
ROLLING: Final = """
cluster 2 nodes cpu 4000
register web count 2
wait 1m
register web count 2 canary 1 image v2
wait 1m
"""

ENDED_DRAIN: Final = DrainMetadata(status="complete", updated_at_ns=2**62)

Plant = Callable[[], Step]
PLANTED: Final[dict[str, Plant]] = {}


def plant(make: Plant) -> Plant:
    """Register a step under the name of the property that it breaks."""
    PLANTED[make.__name__] = make
    return make


@cache
def play(text: str) -> World:
    run = play_lines(parse_lines(text, "planted"), INTENDED)
    assert not run.unmet
    return run.world


def put(world: World, table: str, key: Any, row: Any) -> World:
    rows = getattr(world.state, table).insert(key, row)
    return replace(world, state=replace(world.state, **{table: rows}))


def change(world: World, table: str, position: int = 0, **values: Any) -> World:
    """Change fields of a row, counted in the order of the keys."""
    rows = getattr(world.state, table)
    key = sorted(rows)[position]
    return put(world, table, key, replace(rows[key], **values))


def add_alloc(world: World, **values: Any) -> World:
    """Add a copy of the first allocation, with the look-ups that lead to it."""
    first = world.state.list_allocs()[0]
    made = replace(first, id="alloc-new", create_index=world.state.latest_index, **values)
    state = world.state
    key = (made.namespace, made.job_id)
    return replace(
        world,
        state=replace(
            state,
            allocs=state.allocs.insert(made.id, made),
            allocs_by_job=state.allocs_by_job.insert(key, state.allocs_by_job[key].insert(made.id)),
            allocs_by_node=state.allocs_by_node.insert(
                made.node_id, state.allocs_by_node[made.node_id].insert(made.id)
            ),
        ),
    )


def changed(
    table: str, *, act: Any = None, text: str = RUNNING, was: dict[str, Any] | None = None, **now: Any
) -> Step:
    """Make a step in which the first row of a table was so and is so."""
    before = change(play(text), table, **(was or {}))
    return Step(before, act, change(before, table, **now))


def still(world: World) -> Step:
    return Step(play(RUNNING), None, world)


@plant
def stopped_alloc_stays_stopped() -> Step:
    return changed("allocs", was={"desired_status": "stop"}, desired_status="run")


@plant
def ended_alloc_stays_ended() -> Step:
    return changed("allocs", was={"client_status": "complete"}, client_status="running")


@plant
def identity_of_alloc_never_changes() -> Step:
    return changed("allocs", name="web.web[7]")


@plant
def client_report_leaves_fields_of_servers() -> Step:
    return changed("allocs", act=ReportAllocs(node="node-1"), next_allocation="another")


@plant
def live_alloc_on_disconnected_node_becomes_unknown() -> Step:
    before = change(play(RUNNING), "nodes", status="disconnected")
    missed = MissHeartbeat(node="node-1")
    return Step(before, missed, change(before, "nodes", status_updated_at_s=1))


@plant
def unknown_alloc_is_lost_after_its_time() -> Step:
    since = AllocState(field=0, value="unknown", time_ns=1)
    world = change(play(RUNNING), "allocs", client_status="unknown", alloc_states=(since,))
    node = world.state.nodes[world.state.allocs[min(world.state.allocs)].node_id]
    before = put(world, "nodes", node.id, replace(node, status="disconnected"))
    after = put(world, "nodes", node.id, replace(node, status="down"))
    return Step(before, MissHeartbeat(node=node.id), after)


@plant
def batch_alloc_gets_no_health() -> Step:
    before = play("cluster 1 nodes\nregister work type batch\nwait 1m\nexpect 1 allocs running")
    healthy = AllocDeploymentStatus(healthy=True)
    act = ReportAllocs(node="node-1")
    return Step(before, act, change(before, "allocs", deployment_status=healthy))


@plant
def stopped_job_gets_no_new_alloc() -> Step:
    before = change(play(RUNNING), "jobs", stop=True)
    return Step(before, None, add_alloc(before))


@plant
def no_node_is_oversubscribed() -> Step:
    node = play(RUNNING).state.list_nodes()[0]
    assert node.node_resources is not None
    resources = replace(node.node_resources, memory=replace(node.node_resources.memory, memory_mb=100))
    return still(put(change_node_of_all(), "nodes", node.id, replace(node, node_resources=resources)))


def change_node_of_all() -> World:
    """Give the first node one more allocation, so that it has one in any case."""
    return add_alloc(play(RUNNING), node_id="node-1")


@plant
def alloc_has_the_room_its_version_asks_for() -> Step:
    world = play(RUNNING)
    return Step(world, None, add_alloc(world, allocated_resources=None))


@plant
def alloc_joins_deployment_of_its_version() -> Step:
    world = play(RUNNING)
    job = world.state.list_allocs()[0].job
    assert job is not None
    return Step(world, None, add_alloc(world, job=replace(job, version=job.version + 1)))


@plant
def alloc_keeps_its_desired_transition() -> Step:
    asked = DesiredTransition(migrate=True)
    return changed("allocs", was={"desired_transition": asked}, desired_transition=DesiredTransition())


def _disconnect(**values: Any) -> World:
    """Make the first allocation unknown, on a node that is disconnected."""
    world = change(play(RUNNING), "allocs", client_status="unknown", **values)
    node = world.state.find_node(world.state.allocs[min(world.state.allocs)].node_id)
    assert node is not None
    return put(world, "nodes", node.id, replace(node, status="disconnected"))


@plant
def unknown_alloc_takes_no_place_of_a_lost_one() -> Step:
    world = _disconnect(next_allocation=max(play(RUNNING).state.allocs))
    return still(change(world, "allocs", 1, client_status="lost", desired_status="stop"))


@plant
def unplaced_unknown_alloc_has_an_eval() -> Step:
    return still(_disconnect(reschedule_tracker=RescheduleTracker(last_reschedule="no placement")))


@plant
def alloc_has_one_live_successor() -> Step:
    world = play(RUNNING)
    for position in (0, 1):
        world = change(world, "allocs", position, previous_allocation="old")
    return still(world)


@plant
def chain_of_replacements_has_no_cycle() -> Step:
    allocs = play(RUNNING).state.list_allocs()
    return still(change(play(RUNNING), "allocs", previous_allocation=allocs[1].id))


@plant
def terminal_eval_stays_terminal() -> Step:
    return changed("evals", status="pending")


@plant
def links_of_evals_lead_back() -> Step:
    evals = play(RUNNING).state.list_evals()
    return still(change(play(RUNNING), "evals", next_eval=evals[-1].id))


@plant
def chain_of_evals_has_no_cycle() -> Step:
    first = min(play(RUNNING).state.evals)
    return still(change(play(RUNNING), "evals", previous_eval=first))


@plant
def indexes_are_in_order() -> Step:
    return still(change(play(RUNNING), "evals", modify_index=10_000))


@plant
def indexes_never_go_back() -> Step:
    return changed("jobs", modify_index=1)


def _entry(name: str, **values: Any) -> Evaluation:
    return Evaluation(id=name, namespace="default", job_id="web", type="service", status="pending", **values)


@plant
def job_has_one_eval_in_flight() -> Step:
    world = play(RUNNING)
    queue = EvalQueue(ready=(_entry("a"), _entry("b")))
    broker = world.leader.memory.broker
    return still(with_broker(world, replace(broker, queues=HashTrieMap({"service": queue}))))


@plant
def eval_is_in_one_place_of_broker() -> Step:
    broker = play(RUNNING).leader.memory.broker
    lost = replace(broker, queues=HashTrieMap({"service": EvalQueue(ready=(_entry("a"),))}))
    return still(with_broker(play(RUNNING), lost))


@plant
def deliveries_have_tokens_of_their_own() -> Step:
    broker = play(RUNNING).leader.memory.broker
    unack = HashTrieMap(
        {name: Delivery(eval=_entry(name), token="same", nack_at_ns=None) for name in ("a", "b")}  # noqa: S106 -- no password
    )
    return still(with_broker(play(RUNNING), replace(broker, unack=unack)))


def _track(**tables: Any) -> World:
    memory = play(RUNNING).leader.memory
    return with_memory(play(RUNNING), replace(memory, blocked_evals=replace(memory.blocked_evals, **tables)))


@plant
def job_has_one_blocked_eval() -> Step:
    held = {name: Held(_entry(name)) for name in ("a", "b")}
    return still(_track(captured=HashTrieMap(held)))


@plant
def disabled_memory_is_empty() -> Step:
    return still(_track(is_enabled=False, captured=HashTrieMap({"a": Held(_entry("a"))})))


@plant
def ended_deployment_stays_ended() -> Step:
    return changed("deployments", status="running")


@plant
def paused_deployment_stays_paused() -> Step:
    return changed("deployments", act=WatchDeployments(), was={"status": "paused"}, status="running")


def _with_group(world: World, **values: Any) -> World:
    deployment = world.state.list_deployments()[0]
    groups = {name: replace(group, **values) for name, group in deployment.task_groups.items() if group}
    return put(world, "deployments", deployment.id, replace(deployment, task_groups=groups))


@plant
def promotion_is_never_undone() -> Step:
    return Step(_with_group(play(RUNNING), promoted=True), None, _with_group(play(RUNNING), promoted=False))


@plant
def successful_deployment_is_healthy() -> Step:
    before = change(play(RUNNING), "deployments", status="running")
    after = change(before, "deployments", status="successful")
    unhealthy = AllocDeploymentStatus(healthy=False)
    return Step(
        before, None, _with_group(change(after, "allocs", deployment_status=unhealthy), healthy_allocs=1)
    )


@plant
def deployed_version_is_not_deployed_again() -> Step:
    (deployment,) = play(RUNNING).state.list_deployments()
    world = put(play(RUNNING), "deployments", "again", replace(deployment, id="again", status="running"))
    return still(world)


@plant
def deployment_desires_no_more_than_count() -> Step:
    (deployment,) = play(RUNNING).state.list_deployments()
    ((name, group),) = deployment.task_groups.items()
    assert group is not None
    made = replace(deployment, id="deployment-new", task_groups={name: replace(group, desired_total=3)})
    return still(put(play(RUNNING), "deployments", made.id, made))


@plant
def deployment_to_be_promoted_has_its_canaries() -> Step:
    (canary,) = (a for a in play(ROLLING).state.list_allocs() if a.job is not None and a.job.version == 1)
    world = put(play(ROLLING), "allocs", canary.id, replace(canary, desired_status="stop"))
    return Step(world, None, world)


@plant
def counts_of_deployment_are_possible() -> Step:
    return still(_with_group(play(RUNNING), healthy_allocs=9))


@plant
def counts_of_deployment_equal_allocs() -> Step:
    status = AllocDeploymentStatus(healthy=False)
    return still(change(play(RUNNING), "allocs", deployment_status=status))


@plant
def job_has_one_active_deployment() -> Step:
    deployment = replace(play(RUNNING).state.list_deployments()[0], status="running")
    world = put(play(RUNNING), "deployments", deployment.id, deployment)
    return still(put(world, "deployments", "another", replace(deployment, id="another")))


@plant
def ended_deployment_gets_no_new_alloc() -> Step:
    return Step(play(RUNNING), None, add_alloc(play(RUNNING)))


@plant
def paused_deployment_replaces_no_alloc() -> Step:
    paused = change(play(RUNNING), "deployments", status="paused")
    first = play(RUNNING).state.list_allocs()[0]
    made = add_alloc(paused, previous_allocation=first.id)
    stopped = replace(
        first, desired_status="stop", desired_description="alloc is being updated due to job update"
    )
    return Step(paused, None, put(made, "allocs", first.id, stopped))


@plant
def stopped_job_stays_stopped() -> Step:
    return changed("jobs", act=WatchDeployments(), was={"stop": True}, stop=False)


@plant
def version_of_job_never_decreases() -> Step:
    return changed("jobs", was={"version": 3}, version=2)


@plant
def versions_of_job_are_kept_once() -> Step:
    return still(change(play(RUNNING), "jobs", version=7))


@plant
def dead_job_has_no_live_alloc() -> Step:
    return still(change(play(RUNNING), "jobs", status="dead"))


@plant
def running_job_has_an_alloc_eval_or_deployment() -> Step:
    world = play(RUNNING)
    for position in (0, 1):
        world = change(world, "allocs", position, desired_status="stop")
    return still(world)


@plant
def summary_of_job_follows_allocs() -> Step:
    return still(change(play(RUNNING), "allocs", client_status="unknown"))


@plant
def draining_node_is_ineligible() -> Step:
    return still(change(play(RUNNING), "nodes", drain_strategy=DrainStrategy()))


@plant
def ineligible_node_stays_ineligible() -> Step:
    was = {"scheduling_eligibility": "ineligible"}
    return changed("nodes", act=WatchDeployments(), was=was, scheduling_eligibility="eligible")


@plant
def reachable_node_is_not_marked_down() -> Step:
    return changed("nodes", status="down")


@plant
def missing_alloc_is_looked_for() -> Step:
    return still(change(play(RUNNING), "allocs", client_status="lost", desired_status="stop"))


@plant
def pending_eval_is_in_broker() -> Step:
    return still(change(play(RUNNING), "evals", status="pending"))


@plant
def blocked_eval_is_tracked() -> Step:
    return still(change(play(RUNNING), "evals", status="blocked"))


@plant
def no_more_allocs_than_count() -> Step:
    return still(add_alloc(play(RUNNING)))


@plant
def stopped_job_has_no_live_alloc() -> Step:
    return still(change(play(RUNNING), "jobs", stop=True))


@plant
def no_live_alloc_on_down_node() -> Step:
    return still(put_node(status="down"))


def put_node(**values: Any) -> World:
    """Change the node of the first allocation."""
    world = play(RUNNING)
    node = world.state.find_node(world.state.list_allocs()[0].node_id)
    assert node is not None
    return put(world, "nodes", node.id, replace(node, modify_index=world.state.latest_index, **values))


@plant
def no_alloc_stays_unknown_past_lost_after() -> Step:
    return still(change(play(RUNNING), "allocs", client_status="unknown"))


@plant
def drained_node_is_empty() -> Step:
    return still(put_node(scheduling_eligibility="ineligible", last_drain=ENDED_DRAIN))


@plant
def ineligible_node_gets_no_alloc() -> Step:
    closed = NodeEvent(message="Node marked as ineligible for scheduling", create_index=1)
    return still(put_node(scheduling_eligibility="ineligible", events=(closed,)))


@plant
def drain_of_empty_node_ends() -> Step:
    drained = play("cluster 1 nodes\nwait 1m")
    strategy = DrainStrategy(started_at_ns=1)
    return still(change(drained, "nodes", drain_strategy=strategy, scheduling_eligibility="ineligible"))


@plant
def drain_tells_allocs_to_leave() -> Step:
    strategy = DrainStrategy(started_at_ns=1)
    return still(change(play(RUNNING), "nodes", drain_strategy=strategy, scheduling_eligibility="ineligible"))


@plant
def deployment_ends_or_waits_for_operator() -> Step:
    world = change(play(RUNNING), "deployments", status="running")
    return still(replace(world, now_ns=world.now_ns + 3_600 * 10**9))


@plant
def active_deployment_is_of_current_version() -> Step:
    return still(change(play(RUNNING), "deployments", status="running", job_version=4))


@plant
def client_runs_only_wanted_allocs() -> Step:
    return still(change(play(RUNNING), "allocs", desired_status="stop"))


@plant
def placed_alloc_is_reported() -> Step:
    return still(change(play(RUNNING), "allocs", client_status="pending"))


@plant
def reachable_node_is_ready() -> Step:
    return still(change(play(RUNNING), "nodes", status="initializing"))


@plant
def rejected_plans_end_a_delivery() -> Step:
    return submit_after(PlanResult(deployment=Deployment()))


def submit_after(refused: PlanResult) -> Step:
    """Submit one more plan after six that were answered so."""
    world = play(RUNNING)
    call = Call(
        snapshot=Snapshot.of(world.state),
        evaluation=_entry("a"),
        now_ns=0,
        number=1,
        seed=0,
        profile=INTENDED,
        answers=(Answer(result=refused),) * 6,
    )
    worker = replace(world.workers["worker-1"], call=call)
    before = replace(world, workers=world.workers.insert(worker.id, worker))
    return Step(before, SubmitPlan(worker=worker.id), world)


@plant
def no_worker_is_stuck() -> Step:
    world = play(RUNNING)
    held = Delivered(eval=_entry("a"), token="t", number=1, wait_index=0)  # noqa: S106 -- no password
    worker = replace(world.workers["worker-1"], held=held)
    return still(replace(world, workers=world.workers.insert(worker.id, worker)))
