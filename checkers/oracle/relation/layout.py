"""Lays nodes out so that every search counts what its metrics say: sums over segments, solved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Final

import z3

from nomadspec.checkers.oracle.relation.expected import Expected
from nomadspec.checkers.oracle.relation.filter_reasons import Texts
from nomadspec.checkers.oracle.relation.probing import Probed
from nomadspec.checkers.oracle.relation.segments import Segment, Window, cut_segments, list_windows
from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.scheduler.ranking.limits import ASIDE_THRESHOLD, MOST_ASIDE
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Scored, Visit

_EFFORT: Final = 30_000_000
"""The solver gives up after so many of its own steps, which are the same in every run."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the solver says of one order of nodes."""

    order: Sequence[Node] | None = None
    """An order that fits; None where none was found."""
    is_impossible: bool = False
    """Whether no order fits."""


def lay_out(probed: Probed, eligibility: Mapping[str, bool]) -> Layout:
    """Find an order of the nodes that fits all metrics.

    Eligibility says of computed classes whether a node that did was met; of others it says nothing. What is
    found may still be wrong, which only a run along it tells.
    """
    if not probed.nodes:
        return Layout(())
    layout = _Solver(probed)
    for computed_class, is_eligible in eligibility.items():
        layout.meet(computed_class, is_eligible=is_eligible)
    return layout.solve()


class _Solver:
    def __init__(self, probed: Probed) -> None:
        self._nodes = probed.nodes
        count = len(probed.nodes)
        self._windows = list_windows(count, probed.stretches)
        self._expected = [window.expected for window in self._windows]
        self._segments = cut_segments(count, self._windows)
        self._texts = Texts.of(probed)
        self._context = z3.Context()
        self._solver = z3.Solver(ctx=self._context)
        self._solver.set("rlimit", _EFFORT)
        self._stands = {
            (node.id, segment): z3.Bool(f"{node.id} {segment.first}", self._context)
            for node in self._nodes
            for segment in self._segments
            if self._may_stand(node, segment)
        }

    def meet(self, computed_class: str, *, is_eligible: bool) -> None:
        """Let nodes of a class that are not refused be met, or not be."""
        mates = [node for node in self._nodes if node.computed_class == computed_class]
        met = [
            each
            for window in self._windows
            for each in self._list_within(
                window, (node for node in mates if self._may_pass(window, node, is_sure=not is_eligible))
            )
        ]
        if met:
            self._solver.add(z3.Or(met) if is_eligible else z3.Not(z3.Or(met)))

    def solve(self) -> Layout:
        for node in self._nodes:
            self._demand(self._list_stands([node.id], self._segments), 1)
        for segment in self._segments:
            self._demand(self._list_stands([node.id for node in self._nodes], [segment]), segment.size)
        for at, (window, expected) in enumerate(zip(self._windows, self._expected, strict=True)):
            if expected is not None:
                self._count(window, expected)
                self._count_texts(at, expected)
                self._put_aside(window, expected)
                self._put_first(window, expected)
        found = self._solver.check()
        order = self._read(self._solver.model()) if found == z3.sat else None
        return Layout(order, is_impossible=found == z3.unsat)

    # --- what may stand where ---

    def _may_stand(self, node: Node, segment: Segment) -> bool:
        for window, expected in zip(self._windows, self._expected, strict=True):
            if expected is None:
                continue
            if not window.holds(segment.first):
                may_stand = node.id not in expected.shown
            else:
                is_end = not window.is_whole and segment.first == window.last
                may_stand = self._may_be_met(window, expected, node, is_end=is_end)
            if not may_stand:
                return False
        return True

    def _may_be_met(self, window: Window, expected: Expected, node: Node, *, is_end: bool) -> bool:
        told, verdict = expected.metrics, window.stretch.verdicts.get(node.id)
        if verdict is None or (is_end and not _may_end(expected, verdict)):
            return False
        match verdict:
            case Filtered():
                texts = self._texts.list_possible(window.stretch.group, node, verdict)
                return any(text in told.constraint_filtered for text in texts)
            case Exhausted():
                return verdict.dimension in told.dimension_exhausted
            case Scored():
                return expected.may_score(node.id, verdict.norm_score)
            case Dropped():
                return True

    # --- what must be counted ---

    def _count(self, window: Window, expected: Expected) -> None:
        told, verdicts = expected.metrics, window.stretch.verdicts
        kinds: Mapping[bool, tuple[int, Mapping[str, int]]] = {
            True: (told.nodes_filtered, told.class_filtered),
            False: (told.nodes_exhausted, told.class_exhausted),
        }
        for is_filtered, (total, by_class) in kinds.items():
            kind = Filtered if is_filtered else Exhausted
            counted = [node for node in self._nodes if isinstance(verdicts.get(node.id), kind)]
            self._demand_within(window, counted, total)
            for node_class in sorted({*by_class, *(node.node_class for node in counted)} - {""}):
                of_class = [node for node in counted if node.node_class == node_class]
                self._demand_within(window, of_class, by_class.get(node_class, 0))
        for dimension, wanted in told.dimension_exhausted.items():
            short = [node for node in self._nodes if _find_dimension(verdicts.get(node.id)) == dimension]
            self._demand_within(window, short, wanted)

    def _count_texts(self, at: int, expected: Expected) -> None:
        window = self._windows[at]
        counted: defaultdict[str, list[z3.BoolRef]] = defaultdict(list)
        group, verdicts = window.stretch.group, window.stretch.verdicts
        for node in self._nodes:
            verdict = verdicts.get(node.id)
            if isinstance(verdict, Filtered) and not self._texts.is_learnt(group, node):
                counted[verdict.text] += self._list_within(window, [node])
        for mates in self._texts.list_classes(group, self._nodes):
            counted[self._texts.find_first(group, mates[0])].append(self._is_new(at, mates))
        told = expected.metrics.constraint_filtered
        for text in sorted({*told, *counted} - {self._texts.LEARNT}):
            self._demand(counted[text], told.get(text, 0))

    def _is_new(self, at: int, mates: Sequence[Node]) -> z3.BoolRef:
        """True if a search is the first to meet a class."""
        window = self._windows[at]
        is_of_job = self._texts.is_of_job(mates[0])
        before = [
            earlier
            for earlier in self._windows[:at]
            if is_of_job or earlier.stretch.group == window.stretch.group
        ]
        is_met = [self._holds_any(each, mates) for each in before]
        return z3.And(self._holds_any(window, mates), *(z3.Not(each) for each in is_met))

    def _put_aside(self, window: Window, expected: Expected) -> None:
        """Put as many aside as were visited beyond the limit; who leaves no trace counts with them."""
        told, verdicts = expected.metrics, window.stretch.verdicts
        if window.is_whole:
            return
        extra = window.length - told.nodes_filtered - told.nodes_exhausted - window.stretch.limit
        aside = self._list_within(window, (node for node in self._nodes if _is_aside(verdicts.get(node.id))))
        if extra < MOST_ASIDE:
            self._demand(aside, extra)
        elif aside:
            self._solver.add(z3.PbGe([(each, 1) for each in aside], MOST_ASIDE))

    def _put_first(self, window: Window, expected: Expected) -> None:
        """Of equal scores the first is taken."""
        chosen = expected.alloc.node_id
        for rival in _list_rivals(window, chosen):
            for segment in self._segments:
                for other in self._segments:
                    pair = self._stands.get((chosen, segment)), self._stands.get((rival, other))
                    is_later = window.find_turn(other.first) < window.find_turn(segment.first)
                    if is_later and window.holds(other.first) and None not in pair:
                        self._solver.add(z3.Not(z3.And(*pair)))

    # --- inside ---

    def _may_pass(self, window: Window, node: Node, *, is_sure: bool) -> bool:
        """True if the class of a node surely does, or may do, by how the node fares."""
        verdict = window.stretch.verdicts.get(node.id)
        if isinstance(verdict, Filtered):
            return not is_sure and not self._texts.is_learnt(window.stretch.group, node)
        return isinstance(verdict, Scored | Exhausted)

    def _list_stands(self, nodes: Iterable[str], segments: Iterable[Segment]) -> list[z3.BoolRef]:
        segments = list(segments)
        keys = ((node_id, segment) for node_id in nodes for segment in segments)
        return [self._stands[key] for key in keys if key in self._stands]

    def _list_within(self, window: Window, nodes: Iterable[Node]) -> list[z3.BoolRef]:
        held = [segment for segment in self._segments if window.holds(segment.first)]
        return self._list_stands([node.id for node in nodes], held)

    def _holds_any(self, window: Window, nodes: Iterable[Node]) -> z3.BoolRef:
        return z3.Or(*self._list_within(window, nodes), z3.BoolVal(val=False, ctx=self._context))

    def _demand_within(self, window: Window, nodes: Iterable[Node], wanted: int) -> None:
        self._demand(self._list_within(window, nodes), wanted)

    def _demand(self, which: Sequence[z3.BoolRef], wanted: int) -> None:
        is_met = z3.BoolVal(wanted == 0, ctx=self._context)
        self._solver.add(z3.PbEq([(each, 1) for each in which], wanted) if which else is_met)

    def _read(self, model: z3.ModelRef) -> Sequence[Node] | None:
        order: list[Node] = []
        for segment in self._segments:
            within = [
                node
                for node in self._nodes
                if (node.id, segment) in self._stands and z3.is_true(model[self._stands[node.id, segment]])
            ]
            try:
                order += self._sort(segment, within)
            except CycleError:
                return None
        return order

    def _sort(self, segment: Segment, within: Sequence[Node]) -> Iterator[Node]:
        by_id = {node.id: node for node in within}
        sorter = TopologicalSorter[str]({node.id: () for node in within})
        for window, expected in zip(self._windows, self._expected, strict=True):
            if expected is not None and window.holds(segment.first) and expected.alloc.node_id in by_id:
                for rival in _list_rivals(window, expected.alloc.node_id):
                    if rival in by_id:
                        sorter.add(rival, expected.alloc.node_id)
        return (by_id[node_id] for node_id in sorter.static_order())


def _may_end(expected: Expected, verdict: Visit) -> bool:
    """True if a search that did not see all nodes may have ended with such a one."""
    if not isinstance(verdict, Scored):
        return False
    low = sum(score <= ASIDE_THRESHOLD for score in expected.shown.values())
    return verdict.norm_score > ASIDE_THRESHOLD or low > MOST_ASIDE


def _is_aside(verdict: Visit | None) -> bool:
    is_low = isinstance(verdict, Scored) and verdict.norm_score <= ASIDE_THRESHOLD
    return is_low or isinstance(verdict, Dropped)


def _list_rivals(window: Window, chosen: str) -> list[str]:
    verdicts = window.stretch.verdicts
    best = verdicts.get(chosen)
    if not isinstance(best, Scored):
        return []
    return [
        node_id
        for node_id, verdict in verdicts.items()
        if node_id != chosen and isinstance(verdict, Scored) and verdict.norm_score == best.norm_score
    ]


def _find_dimension(verdict: Visit | None) -> str | None:
    return verdict.dimension if isinstance(verdict, Exhausted) else None
