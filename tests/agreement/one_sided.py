"""What the kernel or a component has alone: all that the comparison leaves out, each with a reason.

Two things are left open on purpose, and so allowed in each test: the kernel has no clock, so that any timer
may go off and any time has gone by; and of what has the same priority, or is written in one entry by the
component, the kernel may take any one first.
"""

from typing import Any, Final

from nomadspec.model.cluster.components.blocked_state import Unblocking
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, EvalRecord
from tests.agreement.evaluations import list_evals, name
from tests.agreement.objects import name_alloc
from tests.agreement.subject import Choice, Exemption

RULES_OF_OTHERS: Final = {
    "a worker goes on by itself, and its scheduler comes to any plan of its contract": (
        "Begin BeginStale RejectTrigger RunCoreEval FailOnError Plan PlanPreemption PlanPreemptions Block"
        " BlockAt Submit Refresh MissRefresh WriteOutcome UseUpAttempts MakeFollowUp"
    ),
    "its own step in the kernel, and part of a plan in the cluster": (
        "MarkUnknown RunOutOfTime ReconnectAlloc"
    ),
    "operators, clients and nodes do it when they like": (
        "MakeUnhandledTrigger RequestEvaluation UpdateJob UpdateJobInPlace StopJob RegisterAgain EvaluateJob"
        " PurgeJob MarkIneligible MarkEligible DrainNode MigrateAlloc FailAlloc CompleteAlloc ReportEnd"
        " ReportHealth LoseNode RecoverNode MissHeartbeat ReconnectNode ReadyNode ExpireDisconnectedNode"
    ),
    "a follower of a cluster takes over the state as it is: no component decides about that": "CatchUp",
    "in a cluster one act writes the status of a node and its evaluations, and no leader is lost between": (
        "LoseHandler"
    ),
    "a run of the collector may fail at any time": "SkipGcJob",
}
"""The rules of the kernel about which no component is asked."""


def is_dropped_early(world: Kernel, _mirror: Any, choice: Choice) -> bool:
    return choice[0] == "drop" and _is_canceled(world, choice)


def is_early(_world: Kernel, mirror: Any, choice: Choice) -> bool:
    return choice[0] == "track" and choice[1] in mirror.early


def is_canceled_early(_world: Kernel, mirror: Any, choice: Choice) -> bool:
    return _cancels(choice) and _has_pending_unblock(mirror)


def is_freed_late(_world: Kernel, mirror: Any, choice: Choice) -> bool:
    return choice[0] == "retry" and _has_pending_unblock(mirror)


def is_canceled_again(world: Kernel, _mirror: Any, choice: Choice) -> bool:
    return _cancels(choice) and _is_canceled(world, choice)


def _is_canceled(world: Kernel, choice: Choice) -> bool:
    """True where a choice is about an evaluation whose record is canceled."""
    canceled = (name(*at) for at in list_evals(world) if world.eval_record[at] == EvalRecord.CANCELED)
    return choice[1] in canceled


def _cancels(choice: Choice) -> bool:
    return choice[0] in {"cancel", "forget to cancel"}


def _has_pending_unblock(mirror: Any) -> bool:
    """True while the component has still to hear of what became free."""
    return any(isinstance(one, Unblocking) for one in mirror.blocked_evals.changes)


def is_same_status(world: Kernel, _mirror: Any, choice: Choice) -> bool:
    return choice[0] == "set" and bool(world.deployment[choice[1]] == choice[2])


def is_found_again(_world: Kernel, mirror: Any, choice: Choice) -> bool:
    return choice[0] == "find" and choice[1] in mirror.found


def is_marked(world: Kernel, _mirror: Any, choice: Choice) -> bool:
    marked = (name_alloc(job, i) for job in world.jobs for i in world.allocs if world.migrate[job, i])
    return choice[0] == "mark" and choice[1] in marked


def is_stopped(world: Kernel, _mirror: Any, choice: Choice) -> bool:
    stopped = (
        name_alloc(job, i)
        for job in world.jobs
        for i in world.allocs
        if world.alloc_phase[job, i] == AllocPhase.STOPPED
    )
    return choice[0] == "mark" and choice[1] in stopped


def is_untold(_world: Kernel, mirror: Any, choice: Choice) -> bool:
    return choice[1] in mirror.untold


def is_ending(_world: Kernel, mirror: Any, choice: Choice) -> bool:
    return choice[1] in mirror.ending


HEARD_AT_ONCE: Final = (
    "what became free is heard of at once in the kernel, and takes its turn in the component"
)

BROKER_IN_KERNEL: Final = (
    Exemption(
        "as intended the broker of the kernel drops what is canceled by itself, and in the component whoever"
        " dequeues for an idle worker does it",
        is_dropped_early,
    ),
)
BLOCKED_IN_KERNEL: Final = (
    Exemption("a line for each job in the kernel, and one for all in the component", is_early),
    Exemption(HEARD_AT_ONCE, is_canceled_early),
)
BLOCKED_IN_COMPONENT: Final = (
    Exemption(HEARD_AT_ONCE, is_freed_late),
    Exemption(
        "a duplicate that is canceled already is canceled once more, and nothing changes", is_canceled_again
    ),
)
WATCHER_IN_COMPONENT: Final = (
    Exemption(
        "an operator gives a deployment the status that it has, and only its job is evaluated", is_same_status
    ),
)
DRAINER_IN_COMPONENT: Final = (
    Exemption(
        "at its deadline, which the kernel has not, a drain marks once more what is marked, and its job is"
        " evaluated: without a deadline that would go on for ever",
        is_marked,
    ),
    Exemption(
        "what was stopped, and runs still, is marked while its job has more there, which is only one"
        " evaluation more",
        is_stopped,
    ),
)
HANDLER_IN_KERNEL: Final = (
    Exemption(
        "handlers of the kernel look at all that is on a node alike: also at system jobs that are stopped"
        " and at sysbatch jobs; as intended also at what is placed on a node that went down, which no cluster"
        " does",
        is_untold,
    ),
)
HANDLER_IN_COMPONENT: Final = (
    Exemption(
        "what either its client or the servers have ended is looked at until both have, which is only one"
        " evaluation more",
        is_ending,
    ),
)
COLLECTOR_IN_COMPONENT: Final = (
    Exemption("a job is found once more before what was found is purged or left", is_found_again),
)
