"""Clusters that live through histories."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import History, Names, histories, live_through
from nomadspec.checkers.stateful.clusters.cluster import Cluster
from nomadspec.checkers.stateful.clusters.histories import (
    WITHOUT_PREEMPTION,
    ChangeNode,
    Promote,
    Register,
    Report,
    Step,
    Stop,
    Wait,
)
from nomadspec.checkers.stateful.clusters.nodes import DRIVER, make_node
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS, make_mended_profile
from nomadspec.invariants.cluster.scheduler import PROPERTIES, Decision
from nomadspec.invariants.cluster.scheduler.choices import SortedChoices
from nomadspec.invariants.cluster.scheduler.decision import list_written
from nomadspec.model.cluster.codec import write_json
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Allocation,
    AllocClient,
    Constraint,
    DisconnectStrategy,
    EphemeralDisk,
    Job,
    JobType,
    LastReschedule,
    Operand,
    ReschedulePolicy,
    Resources,
    Task,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.node import is_ready
from nomadspec.model.cluster.scheduler.feasibility.distinct_hosts import is_enabled
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile

UPDATE = UpdateStrategy(max_parallel=1, health_check="checks")
POLICY = ReschedulePolicy(unlimited=True, delay_function="constant", delay_ns=30 * NS_PER_S)


def make_service(count: int = 1, cpu_mhz: int = 100, text: str = "", **fields: object) -> Job:
    """Make a service of one group."""
    group = TaskGroup(
        name="web",
        count=count,
        tasks=(Task(name="main", driver=DRIVER, resources=Resources(cpu_mhz=cpu_mhz, memory_mb=64)),),
        ephemeral_disk=EphemeralDisk(size_mb=10),
        meta={"text": text},
    )
    return Job(
        id="service",
        name="service",
        namespace="default",
        type=JobType.SERVICE,
        priority=50,
        datacenters=("*",),
        node_pool="default",
        task_groups=(replace(group, **fields),),
    )


def live(*steps: Step, nodes: int = 2) -> list[Decision]:
    """Live through some steps."""
    return list(live_through(History(nodes=(make_node(),) * nodes, steps=steps), profile=NOMAD_2_0))


def count_running(decision: Decision) -> int:
    """Count what shall run after a decision."""
    return sum(not is_terminal(alloc) for alloc in decision.after.state.allocs.values())


def test_each_step_is_followed_by_a_look_at_each_job() -> None:
    batch = replace(make_service(), id="batch", type=JobType.BATCH)
    decisions = live(Register(make_service(2)), Register(batch), Wait(1))

    assert ["j-service", "j-batch", "j-service", "j-batch", "j-service"] == [
        decision.evaluation.job_id for decision in decisions
    ]
    assert [2, 3, 3, 3, 3] == [count_running(decision) for decision in decisions]


def test_a_stopped_job_runs_nothing() -> None:
    assert [1, 0] == [count_running(decision) for decision in live(Register(make_service()), Stop(7))]


def test_a_failed_allocation_is_placed_again_when_it_is_due() -> None:
    """RESCHED-18, RESCHED-19."""
    service = make_service(reschedule_policy=POLICY)
    _, failed, waited = live(Register(service), Report(0, AllocClient.FAILED, None), Wait(45))

    assert (0, 1) == (count_running(failed), count_running(waited))
    assert failed.outcome.created_evals[0].id == waited.evaluation.id


@pytest.mark.parametrize(("change", "running"), [("down", 2), ("drain", 2), ("ineligible", 2)])
def test_what_leaves_a_node_is_replaced(change: str, running: int) -> None:
    decisions = live(Register(make_service(2)), ChangeNode(0, change))

    assert running == count_running(decisions[-1])
    used = {each.node_id for each in decisions[-1].after.state.allocs.values() if not is_terminal(each)}
    assert used == ({"n0", "n1"} if change == "ineligible" else {"n1"})


def test_a_node_may_come_back() -> None:
    away = DisconnectStrategy(lost_after_ns=60 * NS_PER_S, replace=True)
    decisions = live(
        Register(make_service(disconnect=away)),
        Report(0, AllocClient.RUNNING, None),
        ChangeNode(0, "disconnected"),
        ChangeNode(1, "disconnected"),
        ChangeNode(0, "ready"),
        ChangeNode(1, "undrain"),
    )
    away_then = decisions[3].after.state.nodes["n0"], decisions[3].after.state.nodes["n1"]

    assert {"disconnected"} == {node.status for node in away_then}
    assert AllocClient.UNKNOWN in {each.client_status for each in decisions[3].after.state.allocs.values()}
    assert is_ready(decisions[-1].after.state.nodes["n0"])


def test_canaries_wait_for_their_promotion() -> None:
    """REC-72: nothing is replaced before."""
    update = UpdateStrategy(max_parallel=1, health_check="checks", canary=1)
    first, second = make_service(update=update), make_service(text="new", cpu_mhz=200, update=update)
    steps = (Register(first), Report(0, AllocClient.RUNNING, True), Wait(1), Register(second))
    before = live(*steps)
    living = [each for each in sorted(before[-1].after.state.allocs.items()) if not is_terminal(each[1])]
    canary = next(at for at, (_, each) in enumerate(living) if each.job and each.job.version == 1)
    decisions = live(*steps, Report(canary, AllocClient.RUNNING, True), Promote())

    assert 2 == count_running(before[-1]) == count_running(decisions[-2])
    assert 1 == count_running(decisions[-1])


def ends_deployment(decision: Decision) -> bool:
    """Whether a decision ends a deployment, so that the next one does what was left to it: D-11."""
    return any(plan.deployment_updates for plan in decision.outcome.plans)


def list_written_first(decision: Decision) -> list[Allocation]:
    """List what the first plan places or updates."""
    return [alloc for plan in decision.outcome.plans[:1] for alloc in list_written(plan)]


def find_hosts_of_noted(decision: Decision) -> set[str]:
    """Find the nodes where the first plan writes something about an allocation that has ended there."""
    stored = [decision.before.find_alloc(alloc.id) for alloc in list_written_first(decision)]
    return {alloc.node_id for alloc in stored if alloc is not None and is_terminal(alloc)}


def list_unfit(decision: Decision) -> list[str]:
    """List the nodes that refuse their part of a plan, but for those of D-12.

    Those get nothing new, and the plan writes something about an allocation that has ended there.
    """
    closed = {node.id for node in decision.before.nodes if not is_ready(node)}
    known = find_hosts_of_noted(decision) & closed
    return [problem for problem in PROPERTIES["plans_fit"](decision) if problem.split()[0] not in known]


def keeps_hosts_of_noted(decision: Decision) -> bool:
    """Whether a job that wants hosts of its own may not use one where it notes what has ended: D-13."""
    job = decision.job
    if job is None or not find_hosts_of_noted(decision):
        return False
    wishes = [job.constraints, *(group.constraints for group in job.task_groups)]
    return any(map(is_enabled, wishes))


def notes_that_none_has_room(decision: Decision) -> bool:
    """Whether a plan notes that a replacement found no room, which the next one does again: D-14."""
    trackers = [alloc.reschedule_tracker for alloc in list_written_first(decision)]
    return any(each and each.last_reschedule == LastReschedule.NO_PLACEMENT for each in trackers)


def is_known_to_go_on(decision: Decision) -> bool:
    """Whether it is known that the next decision does more: D-11, D-13, D-14."""
    return ends_deployment(decision) or keeps_hosts_of_noted(decision) or notes_that_none_has_room(decision)


BROKEN = {each.violates for each in SCHEDULER_FINDINGS if each.profile is NOMAD_2_0}
"""Those that findings are about; once all are mended, every property is asked."""
GOOD = [name for name in PROPERTIES if name not in BROKEN]


@settings(max_examples=12, deadline=None)
@given(history=histories())
def test_decisions_are_right(history: History) -> None:
    for decision in live_through(history, profile=NOMAD_2_0):
        assert [] == [problem for name in GOOD for problem in PROPERTIES[name](decision)]


@settings(max_examples=10, deadline=None)
@given(history=histories((JobType.SERVICE, JobType.BATCH)))
def test_schedulers_of_services_and_batches_come_to_rest(history: History) -> None:
    """But for D-03, D-08 and D-15, which are mended, and for D-11, D-13 and D-14."""
    for decision in live_through(history, profile=find_profile("nomad-2.0 -06/S-04 -06/S-06 -04/S-18")):
        assert is_known_to_go_on(decision) or not list(PROPERTIES["a_second_look_moves_nothing"](decision))


@settings(max_examples=10, deadline=None)
@given(history=histories(configurations=(WITHOUT_PREEMPTION,)))
def test_plans_fit_where_nothing_is_evicted(history: History) -> None:
    """But for D-12."""
    for decision in live_through(history, profile=NOMAD_2_0):
        assert [] == list_unfit(decision)


@pytest.mark.parametrize(("delay_s", "made"), [(30, 5), (0, 0)])
def test_nothing_is_written_of_what_failed_on_a_node_that_gets_nothing_new(delay_s: int, made: int) -> None:
    """D-12: PLAN-51, RESCHED-22, GENERIC-38. Each attempt makes an evaluation for later, or none has room."""
    policy = replace(POLICY, delay_ns=delay_s * NS_PER_S)
    closed, failed = ChangeNode(0, "ineligible"), Report(0, AllocClient.FAILED, None)
    steps = (Register(make_service(reschedule_policy=policy)), closed, failed)
    decision, eligible = live(*steps, ChangeNode(0, "eligible"), nodes=1)[-2:]

    assert decision.has_used_up_attempts
    assert made == sum(each.wait_until_ns > 0 for each in decision.outcome.created_evals)
    assert ["n0 cannot take its part of the plan"] == list(PROPERTIES["plans_fit"](decision))
    assert [] == list_unfit(decision)
    assert not eligible.has_used_up_attempts
    assert not live(*steps[::2], closed, nodes=1)[-1].has_used_up_attempts


@pytest.mark.parametrize("change", ["down", "disconnected", "drain", "ineligible"])
def test_nothing_is_written_of_what_failed_when_its_node_closed_later(change: str) -> None:
    """D-12: PLAN-51, GENERIC-38. Where the node is open, that none has room is written (D-14)."""
    service = Register(make_service(2, cpu_mhz=600, reschedule_policy=POLICY))
    failed = Report(0, AllocClient.FAILED, None)
    closed = live(service, failed, ChangeNode(0, change), Wait(45), nodes=1)[-1]
    usual = live(service, failed, Wait(45), nodes=1)[-1]

    assert ["n0 cannot take its part of the plan"] == list(PROPERTIES["plans_fit"](closed))
    assert (True, []) == (closed.has_used_up_attempts, list_unfit(closed))
    assert (False, True) == (usual.has_used_up_attempts, notes_that_none_has_room(usual))
    assert 1 == len(list(PROPERTIES["a_second_look_moves_nothing"](usual)))


def test_a_host_that_is_only_noted_is_kept_from_jobs_that_want_hosts_of_their_own() -> None:
    """D-13: FEAS-03, FEAS-44; without the wish for hosts of their own the second is placed at once."""
    plain = make_service(2, cpu_mhz=600, reschedule_policy=POLICY)
    apart = replace(plain, constraints=(Constraint(operand=Operand.DISTINCT_HOSTS),))
    failed = Report(0, AllocClient.FAILED, None)
    decisions = [live(Register(job), failed, nodes=1)[-1] for job in (plain, apart)]

    assert [1, 0] == [count_running(decision) for decision in decisions]
    assert [False, True] == [keeps_hosts_of_noted(decision) for decision in decisions]
    assert 1 == count_running(live(Register(apart), failed, Wait(1), nodes=1)[-1])


@settings(max_examples=10, deadline=None)
@given(history=histories(may_be_broken=True))
def test_drivers_were_meant_to_work(history: History) -> None:
    """06/S-01."""
    for decision in live_through(history, profile=find_profile("nomad-2.0 -06/S-01")):
        assert [] == list(PROPERTIES["drivers_work"](decision))


@settings(max_examples=10, deadline=None)
@given(history=histories(), prefix=st.sampled_from(("a", "zz-")))
def test_names_do_not_matter(history: History, prefix: str) -> None:
    """As long as they are in the same order."""
    usual = live_through(history, choices=SortedChoices(0), profile=NOMAD_2_0)
    renamed = live_through(
        history, choices=SortedChoices(0), names=Names(f"{prefix}-node-", f"{prefix}-job-"), profile=NOMAD_2_0
    )

    for one, other in zip(usual, renamed, strict=True):
        for plan, renamed_plan in zip(one.outcome.plans, other.outcome.plans, strict=True):
            text = write_json(renamed_plan).decode()
            back = text.replace(f"{prefix}-node-", "n").replace(f"{prefix}-job-", "j-")
            assert write_json(plan).decode() == back


def test_a_cluster_stands_for_one_profile() -> None:
    cluster = Cluster(Names(), NOMAD_2_0, SortedChoices(0))
    cluster.begin(History(nodes=(make_node(),), steps=()))

    assert ["n0"] == list(cluster.state.nodes)


def list_problems_once_mended(history: History) -> list[str]:
    """Ask every property of each decision, with all findings mended."""
    decisions = live_through(history, profile=make_mended_profile())
    return [problem for decision in decisions for ask in PROPERTIES.values() for problem in ask(decision)]


@settings(max_examples=15, deadline=None)
@given(history=histories(may_be_broken=True, may_meet=True))
def test_every_property_is_asked_once_findings_are_mended(history: History) -> None:
    assert [] == list_problems_once_mended(history)


@pytest.mark.deep
@settings(max_examples=1000, deadline=None)
@given(history=histories(may_be_broken=True, may_meet=True))
def test_nothing_is_wrong_once_findings_are_mended(history: History) -> None:
    assert [] == list_problems_once_mended(history)
