"""A bounded model some of whose functions run another text now: only what that concerns is traced anew."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from nomadspec.checkers.requested_properties import put_answers_first
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import is_same as is_same_text
from nomadspec.model.language.trace import Instance, TracedInstance, blaming, read_run

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from nomadspec.checkers.mutants.parts import Part
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property


class Altered(BoundedModel):
    """The model with another text in one part, which must be in force while it is used.

    Instances keep their positions, and new ones come last. One that can no longer happen stays in its
    place; ``happening`` lists the changed instances that can.
    """

    def __init__(self, base: BoundedModel, part: Part) -> None:
        """Trace what the part concerns, and take over the rest."""
        self.base = base
        self.model, self.scope, self.sizes, self.profile = base.model, base.scope, base.sizes, base.profile
        self.declared = base.declared
        self.frame, self.cell_terms = base.frame, base.cell_terms
        self._by_rule = {(item.rule.name, item.arguments): item for item in base.instances}
        self.traced, self.failing_starts = base.traced, base.failing_starts
        self.duties = base.duties.without({*part.rules, *part.properties})
        self.changed: frozenset[int] = frozenset()
        self.happening: frozenset[int] = frozenset()
        self._trace_part(part.rules)
        self.instances = tuple(traced.instance for traced in self.traced)
        has_other_start = any(rule.name in part.rules for rule in base.model.starts)
        self.starts = self._list_starts() if has_other_start else base.starts
        self.initial = tuple(dict.fromkeys(cells for _, cells in self.starts))
        self._traced_steps = {}
        self.pairs = base.pairs.without(part.properties, self.changed)
        self._asked_anew: frozenset[str] = frozenset(part.properties)
        self._find_duties(part)
        self.has_other_duties = self.duties.list_musts() != base.duties.list_musts()
        """Whether it is another question now in which worlds all texts have answers."""
        if self.has_other_duties:
            self.model = base.model.with_answers(self.duties.make_property())

    def trace_step(self, prop: Property, position: int) -> Value:
        """Trace a ``step`` property where the instance or the property is another; take over the rest."""
        if prop.name in self._asked_anew or position in self.changed:
            return super().trace_step(prop, position)
        return self.base.trace_step(prop, position)

    def asks_otherwise(self, usual: Mapping[str, tuple[Value, ...]]) -> bool:
        """True if a property that is usually asked in this scope is another question now."""
        if self.has_other_duties:
            return True
        wanted = [prop for prop in self.model.properties if prop.name in self._asked_anew & usual.keys()]
        return any(not _are_same(trace_property(self, prop), usual[prop.name]) for prop in wanted)

    def list_asked(self, usual: Iterable[Property]) -> tuple[Property, ...]:
        """List what is asked in place of what is usually asked: above all, whether texts have answers."""
        others = [prop for prop in usual if prop.name != TEXTS_HAVE_ANSWERS]
        return put_answers_first(self, others)

    def _find_duties(self, part: Part) -> None:
        """Find what has to hold so that the texts which are others now have answers."""
        asked = self.model.properties
        for prop in (prop for prop in asked if prop.name in part.properties):
            if prop.kind is Kind.STEP:
                self._trace_step_style(prop)
                continue
            who = (f"Property {prop.name}", prop.file, prop.line)
            for case, text in product(self.list_cases(prop), prop.texts):
                self._trace_text(who, text, case, prop.name)
        changed = [traced for traced in self.traced if traced.instance.rule.name in part.rules]
        straying = self.base.duties.straying - {*part.properties}
        for prop in (prop for prop in asked if prop.name in straying):
            for traced in changed:
                self._note_strays_of_step(prop, traced)

    def _trace_part(self, rules: Collection[str]) -> None:
        traced = list(self.base.traced)
        changed, happening = set(), set()
        for rule in self.base.model.rules:
            for arguments in self.base.list_arguments(rule) if rule.name in rules else ():
                known = self._by_rule.get((rule.name, arguments))
                instance = known or Instance(len(traced), rule, arguments)
                run, strays = self._run_noting(instance)
                new = read_run(instance, run, self.cell_terms)
                if strays:
                    self._note_strays(self.duties, instance, run, strays, is_possible=new is not None)
                if new is None and known is None:
                    continue
                if new is not None and known is not None and is_same(new, self.base.traced[known.number]):
                    continue
                changed.add(instance.number)
                if new is not None:
                    happening.add(instance.number)
                    traced[instance.number : instance.number + 1] = [new]
                    self._by_rule[rule.name, arguments] = instance
        self.traced = tuple(traced)
        self.changed, self.happening = frozenset(changed), frozenset(happening)


def trace_property(bounded: BoundedModel, prop: Property) -> tuple[Value, ...]:
    """Trace a property: a ``step`` for each instance, another for each case, with what it is given."""
    if prop.kind is Kind.STEP:
        return bounded.trace_steps(prop)
    world = bounded.world(bounded.cell_terms)
    with blaming(f"Property {prop.name}", prop.file, prop.line):
        return tuple(text(world, *case) for case in bounded.list_cases(prop) for text in prop.texts)


def is_same(one: TracedInstance, other: TracedInstance) -> bool:
    """True if two traces are of the same text: equal terms are the same object."""
    if one.writes.keys() != other.writes.keys() or len(one.guard) != len(other.guard):
        return False
    return _are_same(one.guard, other.guard) and _are_same(
        tuple(one.writes.values()), tuple(other.writes[cell] for cell in one.writes)
    )


def _are_same(ones: tuple[Value, ...], others: tuple[Value, ...]) -> bool:
    return len(ones) == len(others) and all(map(is_same_text, ones, others))
