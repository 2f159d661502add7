"""What schedulers do wrong, each with a smallest history that shows it.

These are no mistakes of the model: the rules say what the specification says, and recordings agree. What
the described release does no longer is shown by the quirk of the bug that it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters.cluster import live_through
from nomadspec.checkers.stateful.clusters.histories import (
    WITH_PREEMPTION,
    ChangeNode,
    History,
    Register,
    Report,
    Stop,
    Together,
    Wait,
)
from nomadspec.checkers.stateful.clusters.nodes import DEVICE, DRIVER, make_node
from nomadspec.invariants.cluster.scheduler import PROPERTIES
from nomadspec.invariants.cluster.world.finding_scenarios import make_cured_profile
from nomadspec.invariants.known_finding import Impact, Lasting, Loss
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    AllocClient,
    Constraint,
    DelayFunction,
    DisconnectStrategy,
    EphemeralDisk,
    Job,
    JobType,
    Operand,
    RequestedDevice,
    ReschedulePolicy,
    Resources,
    Task,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile, find_profile
from nomadspec.model.specification.quirk import Quirk
from nomadspec.model.specification.quirks import (
    CANARIES_AT_ONCE,
    COARSE_CLASSES,
    CROWDED_CANARIES,
    DEPLOYED_AGAIN,
    HELD_FOR_NOTHING,
    NOTED_AGAIN,
    NOTED_AS_NEW,
    NOTED_HOST,
    REPLACED_BY_NOTHING,
    SPENT_BY_A_NOTE,
    STOPPED_AGAIN,
    SUCCESS_OF_THE_ENDED,
    TURN_OF_THE_HOSTLESS,
    UNASKED_GRACE,
    UNCOUNTED_STOPS,
    UNCOUNTED_UNKNOWN,
    UNREACHABLE_TOTALS,
    UPDATED_TWICE,
    VAIN_EVICTION,
)


class SchedulerFinding(Struct, frozen=True, kw_only=True):
    """A property of decisions that fails, where, and what would cure it."""

    id: str
    title: str
    happens: str
    impact: Impact
    """What it does to people."""
    violates: str
    """The name of the property."""
    history: History
    """A smallest one: with any node, step or request less, nothing is wrong."""
    spec: tuple[str, ...]
    """The rules that admit it."""
    cure: Quirk | None = None
    """What must be mended; None where no mended behaviour is modelled."""

    @property
    def profile(self) -> Profile:
        """The profile that shows it: the described release, with what was mended before."""
        if self.cure is None or self.cure.shipped:
            return NOMAD_2_0
        return find_profile(f"{NOMAD_2_0.name} +{self.cure}")

    @property
    def cured_profile(self) -> Profile | None:
        """The profile of the described release with only this mended."""
        return find_profile(f"{NOMAD_2_0.name} -{self.cure}") if self.cure else None


def make_small_job(job_type: JobType, count: int = 1, cpu_mhz: int = 100, priority: int = 50) -> Job:
    """Make a job of one group that wants little."""
    resources = Resources(cpu_mhz=cpu_mhz, memory_mb=64)
    group = TaskGroup(
        name="web",
        count=count,
        tasks=(Task(name="main", driver=DRIVER, resources=resources),),
        ephemeral_disk=EphemeralDisk(size_mb=10),
    )
    return Job(
        id=job_type.value,
        name=job_type.value,
        namespace="default",
        type=job_type,
        priority=priority,
        datacenters=("*",),
        node_pool="default",
        task_groups=(group,),
    )


def _with_update(job: Job, **fields: Any) -> Job:
    update = UpdateStrategy(max_parallel=1, health_check="checks")
    (group,) = job.task_groups
    return replace(job, task_groups=(replace(group, **{"update": update} | fields),))


_FIRST_RACK: Final = Constraint(ltarget="${meta.rack}", operand=Operand.EQUAL, rtarget="r1")
_TRY_HALF: Final = UpdateStrategy(max_parallel=1, health_check="checks", canary=50)
_TWO_CANARIES: Final = UpdateStrategy(max_parallel=2, health_check="checks", canary=2)
_OLD_NODE: Final = replace(make_node(), attributes={"nomad.version": "1.10.0"})
_TWO_A_RACK: Final = Constraint(ltarget="${meta.rack}", operand=Operand.DISTINCT_PROPERTY, rtarget="2")
_SERVICE: Final = make_small_job(JobType.SERVICE)
_SYSTEM: Final = make_small_job(JobType.SYSTEM)
_CHANGED_AND_ELSEWHERE: Final[Mapping[str, Any]] = {
    "update": None,
    "meta": {"new": "1"},
    "constraints": (Constraint(ltarget="${attr.unique.number}", operand=Operand.UNEQUAL, rtarget="1"),),
}
_UPDATED_AND_ELSEWHERE: Final[Mapping[str, Any]] = {
    "meta": {"new": "1"},
    "constraints": _CHANGED_AND_ELSEWHERE["constraints"],
}
_WITH_DEVICE: Final = (
    Task(
        name="main",
        driver=DRIVER,
        resources=Resources(cpu_mhz=100, memory_mb=64, devices=(RequestedDevice(name=DEVICE, count=1),)),
    ),
)
_ONCE: Final = ReschedulePolicy(
    attempts=1, interval_ns=3600 * NS_PER_S, delay_function=DelayFunction.CONSTANT
)
_AFTER_A_WHILE: Final = ReschedulePolicy(
    unlimited=True, delay_function=DelayFunction.CONSTANT, delay_ns=30 * NS_PER_S
)
_PATIENT: Final = DisconnectStrategy(lost_after_ns=60 * NS_PER_S, replace=True)
_SYSBATCH: Final = make_small_job(JobType.SYSBATCH)
_TWO_SERVICES: Final = make_small_job(JobType.SERVICE, count=2)
_TWO_LARGE_SERVICES: Final = make_small_job(JobType.SERVICE, count=2, cpu_mhz=600)
_LARGE_SERVICE: Final = make_small_job(JobType.SERVICE, cpu_mhz=600)
_LARGE_BATCH: Final = make_small_job(JobType.BATCH, cpu_mhz=600)
_TWO_BATCHES: Final = make_small_job(JobType.BATCH, count=2)
_TWO_LARGER_BATCHES: Final = make_small_job(JobType.BATCH, count=2, cpu_mhz=200)

SCHEDULER_FINDINGS: Final = (
    SchedulerFinding(
        id="D-01",
        title="The class cache places an allocation where its driver is unhealthy",
        happens="The scheduler visits a node with a healthy driver first and caches its class as eligible. "
        "Another node of the class, whose driver is unhealthy, gets the second allocation.",
        impact=Impact(
            harm="an allocation is placed without driver",
            loss=Loss.WORK,
            lasts=Lasting.FOR_A_WHILE,
            hits="any job whose driver is unhealthy on some nodes of a class; the allocation fails and is "
            "rescheduled as often as its policy allows",
        ),
        violates="drivers_work",
        history=History(
            nodes=(make_node(), make_node(works=False)),
            steps=(Register(make_small_job(JobType.SERVICE, count=2)),),
            seed=2,
        ),
        spec=("FEAS-17", "FEAS-22", "06/S-01"),
        cure=COARSE_CLASSES,
    ),
    SchedulerFinding(
        id="D-02",
        title="Preemption is planned where it cannot make room",
        happens="Half of a service does not fit beside its other half, and preempting a batch job does not "
        "help. The scheduler measures what a preemption frees without the service's own "
        "allocations. The plan is rejected and made again until the attempts are used up.",
        impact=Impact(
            harm="an evaluation fails by impossible plans",
            loss=Loss.RECORD,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service that may preempt where that does not help: its plans are rejected, nothing is "
            "preempted, and the job stays blocked as it has to; for a system job with an update block it "
            "ends in C-09",
        ),
        violates="plans_fit",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(make_small_job(JobType.SERVICE, count=2, cpu_mhz=600)),
                Register(make_small_job(JobType.BATCH, priority=20)),
            ),
            configuration=WITH_PREEMPTION,
        ),
        spec=("PREEMPT-03", "PREEMPT-09", "PLAN-54"),
        cure=VAIN_EVICTION,
    ),
    SchedulerFinding(
        id="D-03",
        title="distinct_property counts an in-place update twice and stops a system allocation",
        happens="A new version allows two allocations per rack and changes nothing else. The first "
        "allocation is updated in place and counts twice, so the second is stopped and not placed. "
        "The next evaluation places it again.",
        impact=Impact(
            harm="a node lacks its system job",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="system and sysbatch jobs with a distinct_property of more than one, until the next "
            "evaluation of the job",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(), make_node()),
            steps=(Register(_SYSTEM), Register(replace(_SYSTEM, constraints=(_TWO_A_RACK,)))),
        ),
        spec=("FEAS-47", "06/S-04"),
        cure=UPDATED_TWICE,
    ),
    SchedulerFinding(
        id="D-04",
        title="A completed allocation makes a deployment successful",
        happens="The only allocation of a service was healthy and is complete. It is replaced, and the next "
        "evaluation ends the deployment as successful before the replacement is healthy.",
        impact=Impact(
            harm="a deployment succeeds without being healthy",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="a service with an update block whose tasks may complete: a version that never becomes "
            "healthy is marked stable, and is neither failed nor reverted",
        ),
        violates="successful_deployments_are_healthy",
        history=History(
            nodes=(make_node(),),
            steps=(Register(_with_update(_SERVICE)), Report(0, AllocClient.COMPLETE, healthy=True), Wait(1)),
        ),
        spec=("REC-89", "REC-90"),
        cure=SUCCESS_OF_THE_ENDED,
    ),
    SchedulerFinding(
        id="D-05",
        title="A system allocation without lost_after is first unknown, then lost",
        happens="A node is disconnected that runs a system job without lost_after. The first evaluation "
        "marks the allocation as unknown, the next one as lost.",
        impact=Impact(
            harm="an allocation's client status is wrong",
            loss=Loss.RECORD,
            lasts=Lasting.UNTIL_CHANGED,
            hits="system jobs without lost_after on a disconnected node: nothing can run there either way",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(_SYSTEM),
                Report(0, AllocClient.RUNNING, healthy=None),
                ChangeNode(0, "disconnected"),
            ),
        ),
        spec=("NODE-07", "NODE-11", "05/S13"),
        cure=UNASKED_GRACE,
    ),
    SchedulerFinding(
        id="D-06",
        title="A system job's canaries are placed all at once without a deployment",
        happens="Two nodes with clients older than 1.11 run a system job, so the job gets no deployment. A "
        "new version asks for canaries on half of the nodes and max_parallel 1. Canaries do not "
        "count against the limit, and without a deployment the surplus is not taken back.",
        impact=Impact(
            harm="system job replaced all at once",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="system jobs with canaries on clients older than 1.11, whose operator asked for one at a "
            "time: what was replaced cannot be taken back",
        ),
        violates="replacements_keep_to_max_parallel",
        history=History(
            nodes=(_OLD_NODE, _OLD_NODE),
            steps=(Register(_SYSTEM), Register(_with_update(_SYSTEM, update=_TRY_HALF, meta={"new": "1"}))),
        ),
        spec=("SYSTEM-21", "SYSDEP-08", "05/S16"),
        cure=CANARIES_AT_ONCE,
    ),
    SchedulerFinding(
        id="D-08",
        title="distinct_property leaves one old allocation of a batch job behind",
        happens="A batch job with two allocations in a rack, where two may be, changes so that both have to "
        "be replaced. Of two stops in the rack one is not counted, so that there is no room for the second "
        "new allocation. The old one stays until the next evaluation.",
        impact=Impact(
            harm="an old version keeps running",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="batch jobs with a distinct_property that is used up, until the next evaluation of the job",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(replace(_TWO_BATCHES, constraints=(_TWO_A_RACK,))),
                Register(replace(_TWO_LARGER_BATCHES, constraints=(_TWO_A_RACK,))),
            ),
        ),
        spec=("FEAS-47", "06/S-06"),
        cure=UNCOUNTED_STOPS,
    ),
    SchedulerFinding(
        id="D-09",
        title="A stopped sysbatch allocation is stopped by every evaluation",
        happens="A sysbatch job changes and may no longer run on its only node. Its allocation there is "
        "stopped. It has an older version and so counts as one to be replaced, and each further "
        "evaluation stops it again.",
        impact=Impact(
            harm="evaluations repeat the same stop",
            loss=Loss.RECORD,
            lasts=Lasting.UNTIL_CHANGED,
            hits="sysbatch jobs with an update block that may no longer run on a node: every evaluation "
            "writes the same stop; nothing runs that should not",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(number="1"),),
            steps=(Register(_SYSBATCH), Register(_with_update(_SYSBATCH, **_CHANGED_AND_ELSEWHERE))),
        ),
        spec=("NODE-20", "SYSTEM-19"),
        cure=STOPPED_AGAIN,
    ),
    SchedulerFinding(
        id="D-10",
        title="A system job's update stops what no node can replace, and succeeds",
        happens="A system job runs on two nodes. Its new version asks for a device that no node has, and is "
        "deployed one node at a time. Each evaluation stops one allocation without a replacement "
        "and no longer counts its node. In the end the deployment is successful with one allocation "
        "desired, none placed and none healthy.",
        impact=Impact(
            harm="a system job runs nowhere, successfully",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="system jobs with an update block whose new version asks for something that no node has: "
            "it is stopped node after node, and only another version rescues it",
        ),
        violates="successful_deployments_are_healthy",
        history=History(
            nodes=(make_node(), make_node()),
            steps=(Register(_SYSTEM), Register(_with_update(_SYSTEM, tasks=_WITH_DEVICE)), Wait(1)),
        ),
        spec=("SYSTEM-19", "SYSTEM-21", "SYSDEP-20"),
        cure=REPLACED_BY_NOTHING,
    ),
    SchedulerFinding(
        id="D-11",
        title="A deployment's last evaluation leaves its failed allocation without a replacement",
        happens="The only allocation of a service was healthy, has failed, and may be rescheduled at once. "
        "While its deployment runs, failed allocations are left to the deployment. The evaluation "
        "that ends the deployment as successful therefore replaces nothing, and it is the last one.",
        impact=Impact(
            harm="a successfully deployed service runs nowhere",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service with an update block whose allocation becomes healthy and fails in the same "
            "moment, until a node changes or somebody registers the job",
        ),
        violates="lacking_work_is_looked_for",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(_with_update(_SERVICE, reschedule_policy=_ONCE)),
                Report(0, AllocClient.FAILED, healthy=True),
            ),
        ),
        spec=("RESCHED-15", "REC-90", "GENERIC-22"),
        cure=HELD_FOR_NOTHING,
    ),
    SchedulerFinding(
        id="D-12",
        title="A failed allocation on an ineligible node makes every plan rejected",
        happens="The only allocation of a service has failed on a node that is not eligible, and is to be "
        "rescheduled after its delay. The plan notes the follow-up with the failed allocation. The "
        "applier takes that for a placement on an ineligible node and rejects it. Every attempt "
        "creates one more follow-up, until the attempts are used up. The same happens on a node "
        "that is down or disconnected, and each time again, once the note says that no other node has "
        "room. What the plan stops on that node is rejected with it: after a drain the job's other "
        "allocations run on there.",
        impact=Impact(
            harm="a drained node still runs allocations",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="an operator who drains a node on which one allocation of a service has failed and another "
            "one runs, while no other node has room; alone, its evaluations fail and multiply; room on "
            "another node or a stop of the job rescues it",
        ),
        violates="plans_fit",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(_with_update(_SERVICE, update=None, reschedule_policy=_AFTER_A_WHILE)),
                ChangeNode(0, "ineligible"),
                Report(0, AllocClient.FAILED, healthy=None),
            ),
        ),
        spec=("PLAN-51", "RESCHED-22", "GENERIC-09", "GENERIC-38"),
        cure=NOTED_AS_NEW,
    ),
    SchedulerFinding(
        id="D-13",
        title="A failed allocation keeps its distinct host while its reschedule is noted",
        happens="A service with distinct_hosts wants two allocations and has one host. The allocation there "
        "has failed and is to be rescheduled after its delay, so its host is free for the other. "
        "But the evaluation that notes the follow-up counts the failed allocation as being there, "
        "and the other one is blocked; the next evaluation places it.",
        impact=Impact(
            harm="an allocation waits although there's room",
            loss=Loss.WORK,
            lasts=Lasting.FOR_A_WHILE,
            hits="a service with distinct_hosts and a reschedule delay, until the follow-up is due",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(
                    replace(
                        _with_update(_TWO_SERVICES, update=None, reschedule_policy=_AFTER_A_WHILE),
                        constraints=(Constraint(operand=Operand.DISTINCT_HOSTS),),
                    )
                ),
                Report(0, AllocClient.FAILED, healthy=None),
            ),
        ),
        spec=("FEAS-03", "FEAS-44", "RESCHED-22"),
        cure=NOTED_HOST,
    ),
    SchedulerFinding(
        id="D-14",
        title="Every evaluation writes again that a reschedule found no room",
        happens="One of two allocations of a service has failed, and the other has got its room. The "
        "reschedule finds none, which is written into the failed allocation. Each further "
        "evaluation writes it again, though nothing has changed.",
        impact=Impact(
            harm="evaluations repeat the same note",
            loss=Loss.RECORD,
            lasts=Lasting.UNTIL_CHANGED,
            hits="only the log: each evaluation of a job that is blocked with a failed allocation makes a "
            "plan and an entry in vain",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(
                    _with_update(_TWO_LARGE_SERVICES, update=None, reschedule_policy=_AFTER_A_WHILE),
                ),
                Report(0, AllocClient.FAILED, healthy=None),
                Wait(45),
            ),
        ),
        spec=("GENERIC-38", "RESCHED-18"),
        cure=NOTED_AGAIN,
    ),
    SchedulerFinding(
        id="D-15",
        title="One evaluation places only as many canaries as count",
        happens="A service of one allocation gets a new version with two canaries. A group asks for at most "
        "count canaries at once, so the first evaluation places one. The next one places the other.",
        impact=Impact(
            harm="a canary is missing for promotion",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service with more canaries than count: the deployment waits for the missing one until "
            "the next evaluation",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(_SERVICE),
                Register(_with_update(_SERVICE, update=_TWO_CANARIES, meta={"new": "1"})),
            ),
        ),
        spec=("REC-70", "04/S-18"),
        cure=CROWDED_CANARIES,
    ),
    SchedulerFinding(
        id="D-16",
        title="A deployment of a system job succeeds while one allocation becomes unknown",
        happens="A system job with lost_after is deployed on two nodes. It is healthy on one, and the "
        "other is disconnected. The evaluation that marks the allocation there as unknown does not "
        "count it, so the deployment desires one and is successful. Any later evaluation would "
        "count it and wait.",
        impact=Impact(
            harm="a deployment succeeds without being healthy",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="system jobs with an update block and lost_after: a version that never became healthy on "
            "some nodes is marked stable, and the next bad version is reverted to it",
        ),
        violates="successful_deployments_are_healthy",
        history=History(
            nodes=(make_node(), make_node()),
            steps=(
                Register(_with_update(_SYSTEM, disconnect=_PATIENT)),
                Report(0, AllocClient.RUNNING, healthy=True),
                ChangeNode(1, "disconnected"),
            ),
        ),
        spec=("NODE-07", "SYSDEP-10", "SYSDEP-20"),
        cure=UNCOUNTED_UNKNOWN,
    ),
    SchedulerFinding(
        id="D-17",
        title="A failed allocation that finds no room is never rescheduled",
        happens="The allocation of a job with limited reschedule attempts has failed, and another job has "
        "its room. The scheduler writes that no room was found as a reschedule tracker without "
        "events. Such a tracker counts as used up, as long as nothing copies the record. The blocked "
        "evaluation is unblocked later, finds nothing to do and is complete.",
        impact=Impact(
            harm="a failed job never runs again",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="batch jobs by default, and services with limited attempts, whose allocation fails while "
            "other jobs have its room; only a registration or a forced evaluation rescues the job",
        ),
        violates="lacking_work_is_looked_for",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(_with_update(_LARGE_SERVICE, update=None, reschedule_policy=_ONCE)),
                Together((Report(0, AllocClient.FAILED, healthy=None), Register(_LARGE_BATCH))),
                Stop(0),
            ),
        ),
        spec=("GENERIC-38", "RESCHED-10", "01/S11"),
        cure=SPENT_BY_A_NOTE,
    ),
    SchedulerFinding(
        id="D-18",
        title="An infeasible node uses up max_parallel, and the system deployment stalls",
        happens="A system job runs on two nodes. Its new version may not use one of them, and is deployed "
        "one node at a time. The allocation on the infeasible node is stopped first, which uses up "
        "max_parallel, and nothing is placed. Nothing becomes healthy, so no evaluation follows: "
        "the deployment fails at its progress deadline, and is reverted where auto_revert is set.",
        impact=Impact(
            harm="a good version's deployment fails",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="system jobs with an update block whose new version is infeasible on one of the old "
            "version's nodes: with max_parallel 1, whenever that node comes first",
        ),
        violates="a_second_look_moves_nothing",
        history=History(
            nodes=(make_node(number="1"), make_node()),
            steps=(Register(_SYSTEM), Register(_with_update(_SYSTEM, **_UPDATED_AND_ELSEWHERE))),
        ),
        spec=("SYSTEM-21", "SYSTEM-22", "DEP-26"),
        cure=TURN_OF_THE_HOSTLESS,
    ),
    SchedulerFinding(
        id="D-19",
        title="A service whose node was lost is deployed again, and may fail",
        happens="A version of a service was deployed successfully. Its node is lost, and no other has room. "
        "Once none of its allocations is left, the next evaluation begins a second deployment of the same "
        "version. As soon as there is room, the replacement is placed for that deployment. If it is not "
        "healthy before the progress deadline, the deployment fails, and allocations of a failed deployment "
        "are never rescheduled, whatever the reschedule policy.",
        impact=Impact(
            harm="a lost service never runs again",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="any service that loses all allocations of a group while the cluster is full, and is not "
            "healthy within its progress deadline when it is placed again; a new version rescues it, an "
            "evaluation by hand does not, not even a forced one",
        ),
        violates="a_second_look_ends_no_deployment",
        history=History(
            nodes=(make_node(),),
            steps=(
                Register(_with_update(_SERVICE)),
                Report(0, AllocClient.RUNNING, healthy=True),
                ChangeNode(0, "down"),
            ),
        ),
        spec=("REC-09", "REC-14", "REC-87", "REC-84"),
        cure=DEPLOYED_AGAIN,
    ),
)
"""Every finding about single decisions, by ID."""

EARLIER_FINDINGS: Final = (
    SchedulerFinding(
        id="D-07",
        title="A deployment waits for nodes where the job cannot run",
        happens="A node does not meet a constraint of a system job. The deployment wants the job to become "
        "healthy there as well, and so it never ends.",
        impact=Impact(
            harm="a deployment comes to no end",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="system jobs with a constraint that some nodes do not meet; the described release has it "
            "no more",
        ),
        violates="totals_can_be_reached",
        history=History(
            nodes=(make_node(rack="r2"),),
            steps=(Register(replace(_with_update(_SYSTEM), constraints=(_FIRST_RACK,))),),
        ),
        spec=("SYSDEP-10", "SYSDEP-11"),
        cure=UNREACHABLE_TOTALS,
    ),
)
"""What an earlier release did wrong: the bug that it was is mended in the described one."""


def find_problems(finding: SchedulerFinding, profile: Profile) -> Iterator[str]:
    """Say what is wrong with the decisions of a finding's history under a profile."""
    for decision in live_through(finding.history, profile=profile):
        yield from PROPERTIES[finding.violates](decision)


def make_mended_profile() -> Profile:
    """Make the profile of the release in which all that is known to break clusters or decisions is mended."""
    cures = sorted({str(finding.cure) for finding in SCHEDULER_FINDINGS if finding.cure})
    return find_profile(" ".join((make_cured_profile().name, *(f"-{cure}" for cure in cures))))
