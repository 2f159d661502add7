"""What must hold of one search whatever the order of nodes, once it is known how each node would fare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nomadspec.checkers.oracle.relation.probing import Stretch
from nomadspec.model.cluster.entities import AllocMetric, Node, NodeScoreMeta
from nomadspec.model.cluster.scheduler.best_scores import KEPT
from nomadspec.model.cluster.scheduler.ranking.limits import ASIDE_THRESHOLD
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Scored, Visit


@dataclass(frozen=True, slots=True)
class Breach:
    """What was recorded of a search and cannot be, whatever the order."""

    rule: str
    reason: str


def find_breach(stretch: Stretch, nodes: Sequence[Node]) -> Breach | None:
    """Find what cannot be so in any order of nodes; None where nothing tells.

    Spec: RANK-18, RANK-20, RANK-74, FEAS-86, FEAS-87.
    """
    if stretch.is_aside:
        return None
    if stretch.alloc is None:
        return _find_taker(stretch)
    return next(_list_breaches(stretch, stretch.alloc.node_id, stretch.alloc.metrics, nodes), None)


def _list_breaches(
    stretch: Stretch, chosen: str, metrics: AllocMetric | None, nodes: Sequence[Node]
) -> Iterator[Breach]:
    told = metrics or AllocMetric()
    yield from _list_of_chosen(stretch, told, chosen)
    yield from _list_of_shown(stretch, told)
    yield from _list_of_counts(stretch, told, nodes)


def _find_taker(stretch: Stretch) -> Breach | None:
    """Find a node that could be taken where none was."""
    for node_id, verdict in stretch.verdicts.items():
        if isinstance(verdict, Scored):
            return Breach("RANK-20", f"nothing was placed, and {node_id} can take it in every order")
    return None


def _list_of_chosen(stretch: Stretch, metrics: AllocMetric, chosen: str) -> Iterator[Breach]:
    match stretch.verdicts.get(chosen):
        case Filtered() as visit:
            yield Breach(visit.rule, f"infeasible: {visit.text}")
        case Exhausted() as visit:
            yield Breach(visit.rule, f"no room: {visit.dimension}")
        case Dropped() as visit:
            yield Breach(visit.rule, "passed over")
        case None:
            yield Breach("RANK-20", "no candidate")
        case Scored() as visit:
            better = [
                shown.node_id
                for shown in metrics.score_meta_data
                if shown.norm_score > max(visit.norm_score, ASIDE_THRESHOLD)
            ]
            if better:
                others = ", ".join(better)
                yield Breach("RANK-20", f"scored {visit.norm_score:.12g}, outscored by {others}")


def _list_of_shown(stretch: Stretch, metrics: AllocMetric) -> Iterator[Breach]:
    """List the nodes whose scores are others than was shown."""
    for shown in metrics.score_meta_data:
        verdict = stretch.verdicts.get(shown.node_id)
        if not isinstance(verdict, Scored) or not _is_shown_as(verdict, shown):
            told = f"scores {verdict.norm_score:.12g}" if isinstance(verdict, Scored) else "cannot take it"
            yield Breach("RANK-74", f"{shown.node_id} {told}, whatever the order")
    if not metrics.score_meta_data:
        yield Breach("RANK-74", "no score is shown, not even that of the node that was taken")


def _is_shown_as(verdict: Scored, shown: NodeScoreMeta) -> bool:
    return verdict.norm_score == shown.norm_score and dict(verdict.scores) == dict(shown.scores)


def _list_of_counts(stretch: Stretch, metrics: AllocMetric, nodes: Sequence[Node]) -> Iterator[Breach]:
    """List the counts that no choice of visited nodes adds up to."""
    verdicts = stretch.verdicts
    classes = {node.id: node.node_class for node in nodes}
    yield from _compare_kind(
        "filtered", metrics.nodes_filtered, metrics.class_filtered, verdicts, classes, Filtered
    )
    yield from _compare_kind(
        "exhausted", metrics.nodes_exhausted, metrics.class_exhausted, verdicts, classes, Exhausted
    )
    dimensions = Counter(each.dimension for each in verdicts.values() if isinstance(each, Exhausted))
    for dimension, told in metrics.dimension_exhausted.items():
        if told > dimensions[dimension]:
            yield Breach("FEAS-86", f"{told} nodes lack {dimension}, at most {dimensions[dimension]} can")
    is_named = all(each.text for each in verdicts.values() if isinstance(each, Filtered))
    if is_named and sum(metrics.constraint_filtered.values()) != metrics.nodes_filtered:
        yield Breach("FEAS-86", "the reasons of refusals do not add up")
    if dimensions[""] == 0 and sum(metrics.dimension_exhausted.values()) != metrics.nodes_exhausted:
        yield Breach("FEAS-86", "the dimensions that are lacking do not add up")
    yield from _compare_total(metrics, verdicts)


def _compare_kind(
    word: str,
    total: int,
    by_class: Mapping[str, int],
    verdicts: Mapping[str, Visit],
    classes: Mapping[str, str],
    kind: type[Filtered | Exhausted],
) -> Iterator[Breach]:
    there = Counter(classes.get(node_id, "") for node_id, each in verdicts.items() if isinstance(each, kind))
    if total > there.total():
        yield Breach("FEAS-86", f"{total} nodes are {word}, at most {there.total()} can be")
    for node_class, told in by_class.items():
        if told > there[node_class]:
            yield Breach(
                "FEAS-86", f"{told} nodes of {node_class} are {word}, at most {there[node_class]} can be"
            )
    classless = total - sum(by_class.values())
    if not 0 <= classless <= there[""]:
        yield Breach("FEAS-86", f"the classes of nodes that are {word} do not add up")


def _compare_total(metrics: AllocMetric, verdicts: Mapping[str, Visit]) -> Iterator[Breach]:
    """Compare how many nodes were visited with how many can have been, by how they fared."""
    scored = metrics.nodes_evaluated - metrics.nodes_filtered - metrics.nodes_exhausted
    quiet = sum(isinstance(each, Dropped) for each in verdicts.values())
    able = sum(isinstance(each, Scored) for each in verdicts.values())
    shown = len(metrics.score_meta_data)
    most = able if shown == KEPT else shown
    if not shown <= scored <= most + quiet or metrics.nodes_evaluated > len(verdicts):
        yield Breach("FEAS-86", f"{metrics.nodes_evaluated} nodes are evaluated, which does not add up")
