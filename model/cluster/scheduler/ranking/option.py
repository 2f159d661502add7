"""Nodes on which a group fits, with all their scores: what the fit stage and the scorers make of a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities import Allocation, Job, Node, TaskGroup
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.ranking.asks import ask_plainly
from nomadspec.model.cluster.scheduler.ranking.fit import (
    Fitting,
    NoHostNetworkError,
    NoRoomError,
    Offer,
    Plain,
    fit_plainly,
)
from nomadspec.model.cluster.scheduler.ranking.scores import compute_mean
from nomadspec.model.cluster.scheduler.ranking.settings import Settings
from nomadspec.model.cluster.scheduler.ranking.uses import Uses
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Scored
from nomadspec.model.cluster.scheduler.requests import Selected

_SHOWN: Final = (
    ("binpack", True),
    ("devices", False),
    ("job-anti-affinity", True),
    ("node-reschedule-penalty", True),
    ("node-affinity", True),
    ("allocation-spread", False),
    ("preemption", False),
)
"""The stages in order, and whether one that appends nothing is shown as zero.

Spec: RANK-02, RANK-03.
"""
SPREAD: Final = 5
"""The place of what spreads say."""

Scores = tuple[float | None, ...]
"""What each stage appended, in order; None is nothing."""


class Option(Struct, frozen=True, kw_only=True, gc=False):
    """A node on which a group fits.

    Spec: RANK-02.
    """

    node: Node
    offer: Offer
    scores: Scores
    norm_score: float
    """The mean of what the stages appended.

    Spec: RANK-71.
    """

    def show_scores(self) -> dict[str, float]:
        """Show what the stages appended.

        Spec: RANK-03, RANK-74.
        """
        return {
            name: score or 0.0
            for (name, is_always_shown), score in zip(_SHOWN, self.scores, strict=False)
            if is_always_shown or score is not None
        }

    def select(self) -> Selected:
        """Give what a search returns of the node.

        Spec: RANK-75.
        """
        return Selected(
            node=self.node,
            resources=self.offer.resources,
            preempted=self.offer.preempted,
            scores=self.show_scores(),
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
    uses: Uses
    may_preempt: bool
    plain: Plain | None

    @staticmethod
    def make(
        context: Context, job: Job, group: TaskGroup, settings: Settings, uses: Uses, *, may_preempt: bool
    ) -> Fitter:
        """Make one, with what all nodes would give alike."""
        asked = ask_plainly(group, has_oversubscription=settings.has_oversubscription)
        plain = Plain.of(asked) if asked else None
        return Fitter(context, job, group, settings, uses, may_preempt, plain)

    def fit(self, node: Node, proposed: tuple[Allocation, ...]) -> Offer | None:
        """Fit the group on a node; None where it does not.

        Spec: RANK-41, FEAS-86, FEAS-90.
        """
        context, plain = self.context, self.plain
        use = self.uses.find(node, proposed)
        if plain is not None and (offer := fit_plainly(use, plain, self.settings)) is not None:
            return offer
        fitting = Fitting(context, self.job, self.group, node, self.settings, self.may_preempt, use, plain)
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


def make_option(context: Context, node: Node, offer: Offer, more: Scores = ()) -> Option:
    """Put the scores of a node together, those of the fit first, and write them down.

    Spec: RANK-02, RANK-71, RANK-74.
    """
    scores = (offer.fit_score, offer.device_score, *more)
    norm_score = compute_mean([score for score in scores if score is not None])
    option = Option(node=node, offer=offer, scores=scores, norm_score=norm_score)
    if norm_score > context.metrics.find_least_kept():
        context.metrics.score(node.id, option.show_scores(), norm_score)
    if context.reasons.is_on:
        preempted = tuple(alloc.id for alloc in offer.preempted)
        context.reasons.note_visit(
            Scored(node_id=node.id, scores=option.show_scores(), norm_score=norm_score, preempted=preempted)
        )
    return option
