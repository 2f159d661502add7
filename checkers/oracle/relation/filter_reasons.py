"""Which reason a refused node is counted under: the real one for the first of its class, then the class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from nomadspec.checkers.oracle.relation.probing import Probed
from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.scheduler.reasons import Filtered

_OF_JOB: Final = "FEAS-21"


@dataclass(slots=True)
class Texts:
    """What is learnt of classes in a run that examines all nodes."""

    LEARNT: ClassVar[str] = "computed class ineligible"
    learnt: set[tuple[str, str]] = field(default_factory=set)
    """By group and computed class, those of which it is kept that they are refused."""
    of_job: set[str] = field(default_factory=set)
    """The classes that the job refuses, whatever the group."""
    first: dict[tuple[str, str], str] = field(default_factory=dict)
    """By group and computed class, the reason."""

    @staticmethod
    def of(probed: Probed) -> Texts:
        """Gather what was learnt."""
        texts = Texts()
        for stretch in probed.stretches:
            for node in probed.nodes:
                visit = stretch.verdicts.get(node.id)
                if not isinstance(visit, Filtered):
                    continue
                key = (stretch.group, node.computed_class)
                if visit.text != Texts.LEARNT:
                    texts.first.setdefault(key, visit.text)
                else:
                    texts.learnt.add(key)
                    texts.of_job |= {node.computed_class} if visit.rule == _OF_JOB else set()
        return texts

    def is_learnt(self, group: str, node: Node) -> bool:
        """True if a later node of the class is refused because of the first."""
        return (group, node.computed_class) in self.learnt

    def is_of_job(self, node: Node) -> bool:
        """True if what is learnt of the class holds for all groups."""
        return node.computed_class in self.of_job

    def find_first(self, group: str, node: Node) -> str:
        """Find the reason that the first node of a class is refused for.

        A group may have learnt of a class before the search, when an update was tried in place.
        """
        known = self.first.get((group, node.computed_class))
        if known is None and not self.is_of_job(node):
            return Texts.LEARNT
        of_any = (text for (_, each), text in self.first.items() if each == node.computed_class)
        return known if known is not None else next(of_any, Texts.LEARNT)

    def list_possible(self, group: str, node: Node, visit: Filtered) -> tuple[str, ...]:
        """List the reasons that a node may be counted under."""
        return (self.find_first(group, node), Texts.LEARNT) if self.is_learnt(group, node) else (visit.text,)

    def list_classes(self, group: str, nodes: Iterable[Node]) -> Iterable[Sequence[Node]]:
        """List the nodes of each class of which something is kept."""
        mates: Mapping[str, list[Node]] = defaultdict(list)
        for node in nodes:
            if self.is_learnt(group, node):
                mates[node.computed_class].append(node)
        return mates.values()
