"""The specification's chapters: what each is about, and where it lives here."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter: what it is about, and the modules that it becomes."""

    number: str
    subject: str
    places: tuple[str, ...]
    """Folders and files; those that do not exist yet are marked on the page."""


CHAPTERS: Final = (
    Chapter(
        "01",
        "objects and their statuses",
        ("model/lifecycle", "model/cluster/entities", "model/cluster/admission"),
    ),
    Chapter(
        "02",
        "evaluations, broker, blocked evals, workers, leader",
        ("model/lifecycle", "model/kernel", "model/cluster/components"),
    ),
    Chapter(
        "03",
        "plans and the plan applier",
        ("model/kernel", "model/cluster/store", "model/cluster/components"),
    ),
    Chapter(
        "04",
        "service and batch: the cluster reconciler",
        ("model/cluster/scheduler/reconcile", "model/cluster/policy"),
    ),
    Chapter("05", "system and sysbatch: the node reconciler", ("model/cluster/scheduler/reconcile",)),
    Chapter(
        "06",
        "feasibility, ports and addresses",
        ("model/cluster/scheduler/feasibility", "model/cluster/resources"),
    ),
    Chapter("07", "ranking and preemption", ("model/cluster/scheduler/ranking", "model/cluster/resources")),
    Chapter(
        "08",
        "deployments and health",
        ("model/lifecycle/deployment.py", "model/kernel", "model/cluster/components"),
    ),
    Chapter(
        "09",
        "what triggers evaluations; jobs, nodes, drains, clients",
        ("model/lifecycle", "model/cluster/policy", "model/cluster/components"),
    ),
    Chapter("10", "garbage collection", ("model/cluster/components",)),
    Chapter("11", "the JSON of the API", ("model/cluster/codec",)),
    Chapter("12", "quirks of the release", ("model/specification/quirks.py",)),
    Chapter("bugs", "the catalogue of historical bugs", ("model/specification/quirks.py",)),
    Chapter(
        "own", "quirks that no catalogue lists, under IDs of our own", ("model/specification/quirks.py",)
    ),
    Chapter(
        "Core", "the benchmark protocol, a TLA+ module", ("model/small/core.py", "invariants/small/core.py")
    ),
    Chapter(
        "TwoPhase",
        "two-phase commit, a TLA+ module",
        ("model/small/two_phase_commit.py", "invariants/small/two_phase_commit.py"),
    ),
)


def prefix_of(spec_id: str) -> str:
    """Give the part of an ID that says what it is about: ``BROKER``, ``02/S``, ``Core``."""
    if "!" in spec_id:
        return spec_id.partition("!")[0]
    return spec_id.rstrip("abcdefghijklmnopqrstuvwxyz").rstrip("0123456789").rstrip("-")
