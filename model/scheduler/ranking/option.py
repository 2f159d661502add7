"""Nodes on which a group fits, with all their scores: what the fit stage and the scorers make of a node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from nomadspec.model.entities import Allocation, Job, Node, TaskGroup
from nomadspec.model.scheduler.context import Context
from nomadspec.model.scheduler.ranking.fit import Fitting, NoHostNetworkError, NoRoomError, Offer
from nomadspec.model.scheduler.ranking.scores import compute_mean
from nomadspec.model.scheduler.ranking.settings import Settings
from nomadspec.model.scheduler.reasons import Dropped, Exhausted, Scored
from nomadspec.model.scheduler.requests import Selected

BINPACK: Final = "binpack"
DEVICES: Final = "devices"


class Option(Struct, frozen=True, kw_only=True):
    """A node on which a group fits.

    Spec: RANK-02.
    """

    node: Node
    offer: Offer
    scores: Mapping[str, float]
    """What is shown of each stage.

    Spec: RANK-03.
    """
    norm_score: float
    """The mean of what the stages appended.

    Spec: RANK-71.
    """

    def select(self) -> Selected:
        """Give what a search returns of the node.

        Spec: RANK-75.
        """
        return Selected(
            node=self.node,
            resources=self.offer.resources,
            preempted=self.offer.preempted,
            scores=self.scores,
            norm_score=self.norm_score,
        )


@dataclass(frozen=True, slots=True)
class Fitter:
    """Fits one group on nodes, and writes down where it does not.

    Spec: RANK-41.
    """

    context: Context
    job: Job
    group: TaskGroup
    settings: Settings
    may_preempt: bool

    def fit(self, node: Node, proposed: tuple[Allocation, ...]) -> Offer | None:
        """Fit the group on a node; None where it does not.

        Spec: RANK-41, FEAS-86, FEAS-90.
        """
        context = self.context
        fitting = Fitting(context, self.job, self.group, node, self.settings, self.may_preempt, proposed)
        try:
            return fitting.run()
        except NoRoomError as short:
            context.metrics.exhaust(node, short.dimension)
            context.reasons.note_visit(
                Exhausted(
                    node_id=node.id,
                    rule=short.rule,
                    dimension=short.dimension,
                    asked=short.asked,
                    free=short.free,
                )
            )
        except NoHostNetworkError:
            context.reasons.note_visit(Dropped(node_id=node.id, rule="NET-09"))
        return None


@dataclass(frozen=True, slots=True)
class Stage:
    """What one stage says of a node.

    Spec: RANK-02, RANK-03.
    """

    name: str
    score: float | None
    """None where it appends nothing."""
    is_always_shown: bool = False
    """Whether nothing appended is shown as zero."""


def make_option(context: Context, node: Node, offer: Offer, more: Iterable[Stage] = ()) -> Option:
    """Put the scores of a node together, and write them down.

    Spec: RANK-02, RANK-03, RANK-71, RANK-74.
    """
    stages = (Stage(BINPACK, offer.fit_score), Stage(DEVICES, offer.device_score), *more)
    appended = [stage.score for stage in stages if stage.score is not None]
    shown = {stage.name: stage.score or 0.0 for stage in stages if _is_shown(stage)}
    option = Option(node=node, offer=offer, scores=shown, norm_score=compute_mean(appended))
    context.metrics.score(node.id, option.scores, option.norm_score)
    if context.reasons.is_on:
        preempted = tuple(alloc.id for alloc in offer.preempted)
        context.reasons.note_visit(
            Scored(node_id=node.id, scores=shown, norm_score=option.norm_score, preempted=preempted)
        )
    return option


def _is_shown(stage: Stage) -> bool:
    return stage.score is not None or stage.is_always_shown
