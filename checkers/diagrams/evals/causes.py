"""What an evaluation was made for: the facts, plans and objects that were there shortly before it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from nomadspec.checkers.diagrams.evals.records import Fact, History, NodeKind, Subject, What, node_id
from nomadspec.model.cluster.entities import Allocation, Evaluation, Trigger

Key = tuple[str, ...]

_EVER: Final = 1 << 63
_OF_ALLOCS: Final = {
    Trigger.ALLOC_FAILURE: {What.FAILED},
    Trigger.ALLOC_RESCHEDULE: {What.FAILED},
    Trigger.ALLOC_STOP: {What.ASKED},
    Trigger.NODE_DRAIN: {What.ASKED},
}
"""Which facts of allocations of its job an evaluation may be made for."""


class Causes:
    """Finds what each evaluation of a history was made for."""

    def __init__(self, history: History) -> None:
        """Sort the facts by what they are about."""
        self._allocs = {alloc.id: alloc for alloc in history.allocs}
        self._makers = {made: plan.eval_id for plan in history.plans for made in plan.made_evals}
        self._preemptors = _group_preemptors(history.allocs, self._allocs)
        self._of_node = _group(history.facts, self._key_of_node)
        self._of_job = _group(history.facts, self._key_of_job)
        self._of_allocs = _group(history.facts, self._key_of_alloc)
        self._of_deployment = _group(history.facts, self._key_of_deployment)
        self._births = _group_births(history.evals)
        self._waiting = _group_waiting(history.allocs)

    def find(self, entry: Evaluation) -> list[str]:
        """List the IDs of the nodes that an evaluation was made for; none where nobody knows."""
        maker = self._makers.get(entry.id) or self._preemptors.get((*_job_of(entry), str(entry.create_index)))
        if maker is not None:
            return [node_id(NodeKind.EVAL, maker)]
        waiting = [node_id(NodeKind.ALLOC, alloc) for alloc in self._waiting.get(entry.id, ())]
        return waiting or [fact.key for fact in self.find_facts(entry)]

    def find_facts(self, entry: Evaluation) -> Sequence[Fact]:
        """List the facts that an evaluation was made for: what it names itself, else what was last."""
        if entry.triggered_by == Trigger.DEPLOYMENT_WATCHER:
            return self._find_since(self._of_deployment.get((entry.deployment_id,), ()), entry)
        wanted = _OF_ALLOCS.get(Trigger(entry.triggered_by)) if entry.triggered_by in set(Trigger) else None
        if wanted:
            facts = [f for f in self._of_allocs.get(_job_of(entry), ()) if f.what in wanted]
            found = self._find_since(facts, entry)
            if found:
                return found
        if entry.node_id:
            return _find_last(self._of_node.get((entry.node_id,), ()), _index(entry))
        return _find_last(self._of_job.get(_job_of(entry), ()), _index(entry))

    def _find_since(self, facts: Sequence[Fact], entry: Evaluation) -> Sequence[Fact]:
        """List the facts of the same entry of the log, else those since the last evaluation for this reason.

        What another evaluation was made for in one entry with it is left to that one.
        """
        births, indexes = self._births.get(_reason(entry), set()), {fact.index for fact in facts}
        if entry.create_index in indexes:
            return [fact for fact in facts if fact.index == entry.create_index]
        since = max((birth for birth in births - indexes if birth < _index(entry)), default=0)
        return [fact for fact in facts if since < fact.index <= _index(entry) and fact.index not in births]

    @staticmethod
    def _key_of_node(fact: Fact) -> Key | None:
        return (fact.id,) if fact.subject == Subject.NODE else None

    @staticmethod
    def _key_of_job(fact: Fact) -> Key | None:
        return (fact.namespace, fact.id) if fact.subject == Subject.JOB else None

    def _key_of_alloc(self, fact: Fact) -> Key | None:
        alloc = self._allocs.get(fact.id) if fact.subject == Subject.ALLOC else None
        return (alloc.namespace, alloc.job_id) if alloc else None

    def _key_of_deployment(self, fact: Fact) -> Key | None:
        if fact.subject == Subject.DEPLOYMENT:
            return (fact.id,)
        alloc = self._allocs.get(fact.id) if fact.what in {What.HEALTHY, What.UNHEALTHY} else None
        return (alloc.deployment_id,) if alloc else None


def _group(facts: Iterable[Fact], key: Callable[[Fact], Key | None]) -> dict[Key, list[Fact]]:
    groups: dict[Key, list[Fact]] = defaultdict(list)
    for fact in facts:
        found = key(fact)
        if found is not None:
            groups[found].append(fact)
    return groups


def _group_births(evals: Iterable[Evaluation]) -> dict[Key, set[int]]:
    """Collect by reason at which indexes evaluations were made."""
    births: dict[Key, set[int]] = defaultdict(set)
    for entry in evals:
        births[_reason(entry)].add(entry.create_index)
    return births


def _group_waiting(allocs: Iterable[Allocation]) -> dict[str, list[str]]:
    waiting: dict[str, list[str]] = defaultdict(list)
    for alloc in allocs:
        if alloc.followup_eval_id:
            waiting[alloc.followup_eval_id].append(alloc.id)
    return waiting


def _group_preemptors(allocs: Iterable[Allocation], known: Mapping[str, Allocation]) -> dict[Key, str]:
    """Find by the job that lost allocations, and by the index of the log, for which evaluation it did."""
    found: dict[Key, str] = {}
    for alloc in allocs:
        by = known.get(alloc.preempted_by_allocation)
        if by is not None and by.create_index:
            found[alloc.namespace, alloc.job_id, str(by.create_index)] = by.eval_id
    return found


def _reason(entry: Evaluation) -> Key:
    return (*_job_of(entry), entry.triggered_by, entry.deployment_id)


def _job_of(entry: Evaluation) -> Key:
    return entry.namespace, entry.job_id


def _index(entry: Evaluation) -> int:
    return entry.create_index or _EVER


def _find_last(facts: Sequence[Fact], index: int) -> Sequence[Fact]:
    position = bisect_right(facts, index, key=lambda fact: fact.index)
    return facts[position - 1 : position] if position else ()


def list_chain(entry: Evaluation) -> Iterator[tuple[str, str, str]]:
    """List the links that an evaluation bears, each as source, target and name, the earlier one first."""
    if entry.previous_eval:
        yield entry.previous_eval, entry.id, "previous"
    if entry.next_eval:
        yield entry.id, entry.next_eval, "next"
    if entry.blocked_eval:
        yield entry.id, entry.blocked_eval, "blocked"
