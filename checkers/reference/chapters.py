"""The specification's chapters: what each is about, where it lives here, and what still waits for what."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter: what it is about, and the modules that it becomes."""

    number: str
    subject: str
    places: tuple[str, ...]
    """Folders and files; those that do not exist yet are marked on the page."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the IDs of one prefix wait for as long as nothing cites them."""

    prefix: str
    subject: str
    reason: str


KERNEL: Final = "kernel"
CLUSTER: Final = "cluster"
SCHEDULER: Final = "scheduler"
CODEC: Final = "codec"
MUSEUM: Final = "museum"
SMALL: Final = "small models"
REASONS: Final = {
    KERNEL: "next: the protocol of evaluations, deliveries, plans and the applier",
    CLUSTER: "the cluster model: the state store, and every actor field by field",
    SCHEDULER: "the scheduler layer of the cluster: reconcile, feasibility, ranking, preemption",
    CODEC: "reading and writing Nomad's own JSON",
    MUSEUM: "the hunt through historical bugs, each a profile of its own",
    SMALL: "the models that calibrate the engines and teach",
}
"""What is still to be written, in the order in which it comes."""

CHAPTERS: Final = (
    Chapter("01", "objects and their statuses", ("model/lifecycle", "model/entities", "model/admission")),
    Chapter(
        "02",
        "evaluations, broker, blocked evals, workers, leader",
        ("model/lifecycle", "model/kernel", "model/rules"),
    ),
    Chapter("03", "plans and the plan applier", ("model/kernel", "model/store", "model/rules")),
    Chapter("04", "service and batch: the cluster reconciler", ("model/scheduler/reconcile", "model/policy")),
    Chapter("05", "system and sysbatch: the node reconciler", ("model/scheduler/reconcile",)),
    Chapter("06", "feasibility, ports and addresses", ("model/scheduler/feasibility", "model/resources")),
    Chapter("07", "ranking and preemption", ("model/scheduler/ranking", "model/resources")),
    Chapter("08", "deployments and health", ("model/lifecycle/deployment.py", "model/kernel", "model/rules")),
    Chapter(
        "09",
        "what triggers evaluations; jobs, nodes, drains, clients",
        ("model/lifecycle", "model/policy", "model/rules"),
    ),
    Chapter("10", "garbage collection", ("model/rules",)),
    Chapter("11", "the JSON of the API", ("model/codec",)),
    Chapter("12", "quirks of the release", ("model/quirks.py",)),
    Chapter("bugs", "the catalogue of historical bugs", ("model/quirks.py",)),
    Chapter("own", "quirks that no catalogue lists, under IDs of our own", ("model/quirks.py",)),
    Chapter(
        "Core", "the benchmark protocol, a TLA+ module", ("model/small/core.py", "invariants/small/core.py")
    ),
    Chapter(
        "TwoPhase",
        "two-phase commit, a TLA+ module",
        ("model/small/two_phase_commit.py", "invariants/small/two_phase_commit.py"),
    ),
)

WAITING: Final = (
    Waiting("OBJ", "objects", CLUSTER),
    Waiting("EVAL", "evaluations", KERNEL),
    Waiting("BROKER", "the eval broker", KERNEL),
    Waiting("BLOCKED", "the blocked-evals tracker", KERNEL),
    Waiting("WORKER", "workers", KERNEL),
    Waiting("LEADER", "what the leader runs", KERNEL),
    Waiting("FSM", "what log entries do to the leader's memory", KERNEL),
    Waiting("PLAN", "plans, plan queue, applier", KERNEL),
    Waiting("GENERIC", "the service and batch scheduler", SCHEDULER),
    Waiting("REC", "the cluster reconciler", SCHEDULER),
    Waiting("RESCHED", "reschedule policy", SCHEDULER),
    Waiting("DISC", "disconnected clients", SCHEDULER),
    Waiting("BATCH", "what is different for batch", SCHEDULER),
    Waiting("VERS", "versions, volumes, scaling", SCHEDULER),
    Waiting("SYSTEM", "the system and sysbatch schedulers", SCHEDULER),
    Waiting("NODE", "the node reconciler", SCHEDULER),
    Waiting("SYSDEP", "deployments of system jobs", SCHEDULER),
    Waiting("FEAS", "feasibility of nodes", SCHEDULER),
    Waiting("NET", "ports and addresses", SCHEDULER),
    Waiting("RANK", "scoring of nodes", SCHEDULER),
    Waiting("PREEMPT", "preemption", SCHEDULER),
    Waiting("SYS", "the stack of the system scheduler", SCHEDULER),
    Waiting("DEP", "deployments and their watcher", KERNEL),
    Waiting("HEALTH", "health of allocations", CLUSTER),
    Waiting("TRIG", "what triggers evaluations", CLUSTER),
    Waiting("JOB", "jobs", CLUSTER),
    Waiting("ALLOC", "allocations", CLUSTER),
    Waiting("DRAIN", "draining of nodes", CLUSTER),
    Waiting("NODEST", "statuses of nodes", CLUSTER),
    Waiting("CLIENT", "clients", CLUSTER),
    Waiting("GC", "garbage collection", CLUSTER),
    Waiting("WIRE", "JSON of the API", CODEC),
    Waiting("01/S", "quirks of objects", CLUSTER),
    Waiting("02/S", "quirks of evaluations", KERNEL),
    Waiting("03/S", "quirks of the plan applier", KERNEL),
    Waiting("04/S", "quirks of the cluster reconciler", SCHEDULER),
    Waiting("05/S", "quirks of the node reconciler", SCHEDULER),
    Waiting("06/S", "quirks of feasibility", SCHEDULER),
    Waiting("07/S", "quirks of ranking", SCHEDULER),
    Waiting("08/S", "quirks of deployments", CLUSTER),
    Waiting("09/S", "quirks of triggers", CLUSTER),
    Waiting("10/S", "quirks of garbage collection", CLUSTER),
    Waiting("11/S", "quirks of the API", CODEC),
    Waiting("BUG", "historical bugs", MUSEUM),
    Waiting("X", "quirks that no catalogue lists", MUSEUM),
    Waiting("Core", "the benchmark protocol", SMALL),
    Waiting("TwoPhase", "two-phase commit", SMALL),
)
"""Every prefix of an ID; a test compares it with the list of IDs."""


def prefix_of(spec_id: str) -> str:
    """Give the part of an ID that says what it is about: ``BROKER``, ``02/S``, ``Core``."""
    if "!" in spec_id:
        return spec_id.partition("!")[0]
    return spec_id.rstrip("abcdefghijklmnopqrstuvwxyz").rstrip("0123456789").rstrip("-")


def find_waiting(spec_id: str) -> Waiting:
    """Say what an ID that nothing cites waits for."""
    return next(waiting for waiting in WAITING if waiting.prefix == prefix_of(spec_id))
