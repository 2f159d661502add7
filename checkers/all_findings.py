"""All findings in one list: those of the kernel, of single decisions of schedulers, and of whole clusters.

A finding is known by its cause. Where a scenario of a whole cluster has the cure of a finding about the
kernel or a scheduler, it shows that finding once more, and is one of the commands that replay it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS, SchedulerFinding
from nomadspec.invariants.cluster.world.cluster_findings import CLUSTER_FINDINGS
from nomadspec.invariants.cluster.world.finding import ClusterFinding
from nomadspec.invariants.cluster.world.finding_scenarios import SCENARIOS

if TYPE_CHECKING:
    from nomadspec.invariants.known_finding import Impact, KnownFinding
    from nomadspec.model.specification.quirk import Quirk

KERNEL, SCHEDULERS, CLUSTER = "kernel", "schedulers", "cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One finding, wherever it is shown."""

    id: str
    title: str
    happens: str
    conditions: tuple[str, ...] = ()
    impact: Impact
    shown_in: tuple[str, ...]
    violates: tuple[str, ...]
    cure: Quirk | None
    beside: tuple[Quirk, ...] = ()
    """What must be mended as well, where it leads to the same in a way of its own."""
    spec: tuple[str, ...]
    """The rules that admit it, or the quirk that leads to them."""
    commands: tuple[str, ...]
    """Each of them replays it, from the root of a checkout."""

    @property
    def rank(self) -> tuple[int, str]:
        """Give its place among all: the most severe first, then by number."""
        return self.impact.severity.rank, self.id


def list_known() -> list[Known]:
    """List all findings, the most severe first."""
    found = [
        *map(_know_kernel, list_findings()),
        *map(_know_decision, SCHEDULER_FINDINGS),
        *map(_know_cluster, CLUSTER_FINDINGS),
    ]
    return sorted(found, key=lambda one: one.rank)


def _know_kernel(finding: KnownFinding) -> Known:
    return Known(
        id=finding.id,
        title=finding.title,
        happens=f"{finding.happens[0].upper()}{finding.happens[1:].removesuffix('.')}.",
        conditions=finding.conditions,
        impact=finding.impact,
        shown_in=(KERNEL, *_list_clusters(finding.cure)),
        violates=tuple(dict.fromkeys((finding.violates, *(face.violates for face in finding.faces)))),
        cure=finding.cure,
        beside=finding.beside,
        spec=finding.cure.spec or (finding.cure.id,),
        commands=(f"nomadspec story docs/findings/{finding.id}.json", *_list_judged(finding.cure)),
    )


def _know_decision(finding: SchedulerFinding) -> Known:
    return Known(
        id=finding.id,
        title=finding.title,
        happens=finding.happens,
        impact=finding.impact,
        shown_in=(SCHEDULERS, *_list_clusters(finding.cure)),
        violates=(finding.violates,),
        cure=finding.cure,
        spec=finding.spec,
        commands=(f"nomadspec findings {finding.id}", *_list_judged(finding.cure)),
    )


def _know_cluster(finding: ClusterFinding) -> Known:
    return Known(
        id=finding.id,
        title=finding.title,
        happens=finding.happens,
        conditions=finding.conditions,
        impact=finding.impact,
        shown_in=(CLUSTER,),
        violates=(finding.violates,),
        cure=finding.cure,
        spec=finding.cure.spec or (finding.cure.id,),
        commands=tuple(_list_judged(finding.cure)),
    )


def _list_clusters(cure: Quirk | None) -> list[str]:
    return [CLUSTER] if any(True for _ in _list_judged(cure)) else []


def _list_judged(cure: Quirk | None) -> Iterator[str]:
    """List the commands that play the scenarios of a cure and say which act breaks what."""
    for shown in SCENARIOS:
        if shown.cure == cure:
            yield f"nomadspec scenario judge {shown.file}"
