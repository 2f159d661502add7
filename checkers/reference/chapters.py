"""The specification's chapters: what each is about, where it lives here, and why some of it is not cited."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter: what it is about, and the modules that it becomes."""

    number: str
    subject: str
    places: tuple[str, ...]
    """Folders and files; those that do not exist yet are marked on the page."""


@dataclass(frozen=True, slots=True)
class Uncited:
    """Why the IDs of one prefix are not cited, those that are not."""

    prefix: str
    subject: str
    reason: str


FOLLOWS: Final = "follows"
PROCESS: Final = "process"
ACTOR: Final = "actor"
OUTSIDE: Final = "outside"
LEFT_OUT: Final = "left out"
SCHEDULER: Final = "scheduler"
HISTORY: Final = "history"
SMALL: Final = "small"
REASONS: Final = {
    FOLLOWS: "lists fields, names words, or says what follows from IDs that are cited",
    PROCESS: "what goes on inside one server and shows in no answer: threads, waiting, attempts after errors",
    ACTOR: "how clients fetch, start and report what they run: their reports are taken as they come",
    OUTSIDE: "endpoints, lists, stubs, dumps and metrics: the model begins behind them",
    LEFT_OUT: "parts of the server that the model leaves out: quotas, claims of volumes, tokens, keys",
    SCHEDULER: "remarks on the schedulers, and what they do outside a call",
    HISTORY: "bugs that need what the models leave out",
    SMALL: "the models that calibrate the engines and teach",
}
"""Why an ID may be without a citation."""

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

UNCITED: Final = (
    Uncited("OBJ", "objects", FOLLOWS),
    Uncited("EVAL", "evaluations", FOLLOWS),
    Uncited("BROKER", "the eval broker", PROCESS),
    Uncited("BLOCKED", "the blocked-evals tracker", FOLLOWS),
    Uncited("WORKER", "workers", PROCESS),
    Uncited("LEADER", "what the leader runs", PROCESS),
    Uncited("FSM", "what log entries do to the leader's memory", FOLLOWS),
    Uncited("PLAN", "plans, plan queue, applier", FOLLOWS),
    Uncited("GENERIC", "the service and batch scheduler", SCHEDULER),
    Uncited("REC", "the cluster reconciler", SCHEDULER),
    Uncited("RESCHED", "reschedule policy", SCHEDULER),
    Uncited("DISC", "disconnected clients", SCHEDULER),
    Uncited("BATCH", "what is different for batch", SCHEDULER),
    Uncited("VERS", "versions, volumes, scaling", SCHEDULER),
    Uncited("SYSTEM", "the system and sysbatch schedulers", SCHEDULER),
    Uncited("NODE", "the node reconciler", SCHEDULER),
    Uncited("SYSDEP", "deployments of system jobs", SCHEDULER),
    Uncited("FEAS", "feasibility of nodes", SCHEDULER),
    Uncited("NET", "ports and addresses", SCHEDULER),
    Uncited("RANK", "scoring of nodes", SCHEDULER),
    Uncited("PREEMPT", "preemption", SCHEDULER),
    Uncited("SYS", "the stack of the system scheduler", SCHEDULER),
    Uncited("DEP", "deployments and their watcher", FOLLOWS),
    Uncited("HEALTH", "health of allocations", FOLLOWS),
    Uncited("TRIG", "what triggers evaluations", FOLLOWS),
    Uncited("JOB", "jobs", OUTSIDE),
    Uncited("ALLOC", "allocations", FOLLOWS),
    Uncited("DRAIN", "draining of nodes", FOLLOWS),
    Uncited("NODEST", "statuses of nodes", FOLLOWS),
    Uncited("CLIENT", "clients", ACTOR),
    Uncited("GC", "garbage collection", FOLLOWS),
    Uncited("WIRE", "JSON of the API", OUTSIDE),
    Uncited("01/S", "quirks of objects", FOLLOWS),
    Uncited("02/S", "quirks of evaluations", FOLLOWS),
    Uncited("03/S", "quirks of the plan applier", FOLLOWS),
    Uncited("04/S", "quirks of the cluster reconciler", SCHEDULER),
    Uncited("05/S", "quirks of the node reconciler", SCHEDULER),
    Uncited("06/S", "quirks of feasibility", SCHEDULER),
    Uncited("07/S", "quirks of ranking", SCHEDULER),
    Uncited("08/S", "quirks of deployments", FOLLOWS),
    Uncited("09/S", "quirks of triggers", FOLLOWS),
    Uncited("10/S", "quirks of garbage collection", FOLLOWS),
    Uncited("11/S", "quirks of the API", OUTSIDE),
    Uncited("BUG", "historical bugs", HISTORY),
    Uncited("X", "quirks that no catalogue lists", HISTORY),
    Uncited("Core", "the benchmark protocol", SMALL),
    Uncited("TwoPhase", "two-phase commit", SMALL),
)
"""Every prefix of an ID; a test compares it with the list of IDs."""

APART: Final[Mapping[str, str]] = {
    **dict.fromkeys(("OBJ-006", "DEP-47", "TRIG-15"), PROCESS),
    **dict.fromkeys(("ALLOC-17",), ACTOR),
    **dict.fromkeys(("ALLOC-23", "DEP-58", "TRIG-05d"), OUTSIDE),
    **dict.fromkeys(("PLAN-41", "GC-70", "GC-71", "GC-72", "GC-73", "GC-74"), LEFT_OUT),
}
"""IDs of another kind than the others of their prefix."""


def prefix_of(spec_id: str) -> str:
    """Give the part of an ID that says what it is about: ``BROKER``, ``02/S``, ``Core``."""
    if "!" in spec_id:
        return spec_id.partition("!")[0]
    return spec_id.rstrip("abcdefghijklmnopqrstuvwxyz").rstrip("0123456789").rstrip("-")


def find_uncited(spec_id: str) -> Uncited:
    """Say of what kind an ID is that nothing cites."""
    found = next(each for each in UNCITED if each.prefix == prefix_of(spec_id))
    return replace(found, reason=APART.get(spec_id, found.reason))
