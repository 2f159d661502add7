"""Searches that remember: a node on which nothing has changed is not put through the stages again.

Where nodes are wished for, each placement looks at a hundred nodes or more, nearly all of which it saw
before. What is found here is what the stages find one by one, and the tests hold it against them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from msgspec import Struct

from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.scheduler.metrics import MetricBuilder
from nomadspec.model.cluster.scheduler.ranking.fit import Offer
from nomadspec.model.cluster.scheduler.ranking.limits import ASIDE_THRESHOLD, MOST_ASIDE, Source
from nomadspec.model.cluster.scheduler.ranking.option import SPREAD, Option, Scores
from nomadspec.model.cluster.scheduler.ranking.spread import SpreadStage, Values

Proposed = tuple[Allocation, ...]
Found = tuple[float, Node, "Option | Remembered", "float | None"]
"""A final score, the node, what is known of it, and what spreads say of one that was remembered."""
Examine = Callable[[Node], Option | None]
"""Puts a node through all stages."""


class Remembered(Struct, frozen=True, gc=False):
    """A node that passed and on which the group fits, with the scores that only a change on it can change."""

    proposed: Proposed
    offer: Offer
    scores: Scores
    """Those of all stages, without what spreads say."""
    total: float
    """Their sum, in order."""
    count: int
    norm_score: float
    """Their mean: the final score where spreads say nothing."""
    values: Values
    """What spreads look at."""

    def compute_norm_score(self, spread: float) -> float:
        """Compute the final score with what spreads say now.

        Spec: RANK-71.
        """
        return (self.total + spread) / (self.count + 1)

    def make_option(self, node: Node, spread: float | None, norm_score: float) -> Option:
        """Put what spreads say now to the rest."""
        scores = (*self.scores[:SPREAD], spread, *self.scores[SPREAD + 1 :])
        return Option(node=node, offer=self.offer, scores=scores, norm_score=norm_score)


def remember(option: Option, proposed: Proposed, values: Values) -> Remembered:
    """Remember what the stages made of a node that nobody has to leave."""
    scores = (*option.scores[:SPREAD], None, *option.scores[SPREAD + 1 :])
    appended = [score for score in scores if score is not None]
    total = 0.0
    for score in appended:  # in the order of the stages: spreads come last of these
        total += score
    count = len(appended)
    return Remembered(proposed, option.offer, scores, total, count, total / count, values)


@dataclass(slots=True)
class Recall:
    """A search over nodes of which most are remembered."""

    known: Mapping[str, Remembered]
    """By node."""
    settled: AbstractSet[str]
    """The nodes that will pass again if nothing changes on them."""
    proposed: Mapping[str, Proposed]
    """What is on nodes if the plan is carried out, as far as that was asked for since it changed."""
    spread: SpreadStage
    metrics: MetricBuilder
    examine: Examine

    def search(self, source: Source, limit: int) -> Option | None:
        """Find the node that the stages, the limit and the maximum find.

        Spec: RANK-01, RANK-04, RANK-18, RANK-19, RANK-20, RANK-21.
        """
        known, settled, proposed, metrics = self.known, self.settled, self.proposed, self.metrics
        score_values = self.spread.score_values
        aside: list[Found] = []
        best: Found | None = None
        least_kept, missing = metrics.find_least_kept(), limit
        for node in source.visit():
            node_id = node.id
            seen = known.get(node_id)
            if seen is None or node_id not in settled or seen.proposed is not proposed.get(node_id):
                option = self.examine(node)
                least_kept = metrics.find_least_kept()
                if option is None:
                    continue
                found: Found = (option.norm_score, node, option, None)
            else:
                metrics.nodes_evaluated += 1
                spread = score_values(seen.values) if seen.values else None
                norm_score = seen.norm_score if spread is None else seen.compute_norm_score(spread)
                found = (norm_score, node, seen, spread)
                if norm_score > least_kept:
                    least_kept = self._keep(found)
            if found[0] <= ASIDE_THRESHOLD and len(aside) < MOST_ASIDE:
                aside.append(found)
                continue
            if best is None or found[0] > best[0]:
                best = found
            missing -= 1
            if not missing:
                break
        best = choose_later(best, aside[:missing])
        return make_option(best) if best else None

    def _keep(self, found: Found) -> float:
        """Keep the scores of a node that is among the best; tell which score the next has to exceed.

        Spec: RANK-74.
        """
        option = make_option(found)
        self.metrics.score(option.node.id, option.show_scores(), option.norm_score)
        return self.metrics.find_least_kept()


def choose_later(best: Found | None, later: Iterable[Found]) -> Found | None:
    """Choose one that is delivered later only if it is better.

    Spec: RANK-19, RANK-20.
    """
    for found in later:
        if best is None or found[0] > best[0]:
            best = found
    return best


def make_option(found: Found) -> Option:
    """Make an option of a node that was found."""
    norm_score, node, seen, spread = found
    return seen if isinstance(seen, Option) else seen.make_option(node, spread, norm_score)
