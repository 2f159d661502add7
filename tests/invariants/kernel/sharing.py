"""The kernel, bounded so that variants of it share what the rules do that they have in common.

A deviation is searched beside the kernel as intended, in the same sizes: most rules and worlds are the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.language.arguments import Argument, ArgumentSpec
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.term import Term
from nomadspec.model.language.trace import Instance, TracedInstance, trace_instance
from nomadspec.model.specification.profiles import Profile

Case = tuple[str, tuple[Argument, ...]]
"""A rule by its name, with arguments."""

MOST_SIZES = 16
"""Tests that follow each other mostly have the same sizes."""

OWN = frozenset(id(rule.text) for rule in KERNEL.rules)


@dataclass(slots=True)
class Shared:
    """What the kernel's own rules are and do in some sizes under a profile."""

    cell_terms: tuple[Term, ...] = ()
    traced: dict[Case, TracedInstance | None] = field(default_factory=dict)
    steps: dict[tuple[Case, Cells], Cells | None] = field(default_factory=dict)
    arguments: dict[tuple[tuple[str, ArgumentSpec], ...], list[tuple[Argument, ...]]] = field(
        default_factory=dict
    )
    """With what rules may happen whose arguments are of these sets."""


@lru_cache(MOST_SIZES)
def find_shared(_sizes: tuple[tuple[str, int], ...], _profile: Profile) -> Shared:
    """Find what was shared last in these sizes, or begin anew."""
    return Shared()


class SharingKernel(BoundedModel):
    """A variant of the kernel in a scope; its own rules are traced and stepped as everywhere."""

    def _trace_rules(self) -> tuple[TracedInstance, ...]:
        self._shared = find_shared(tuple(sorted(self.sizes.items())), self.profile)
        self._shared.cell_terms = self.cell_terms = self._shared.cell_terms or self.cell_terms
        found: list[TracedInstance] = []
        for rule in self.model.rules:
            for arguments in self._list_once(rule):
                traced = self._trace(Instance(len(found), rule, arguments))
                if traced is not None:
                    found.append(traced)
        return tuple(found)

    def _list_once(self, rule: Rule) -> Iterable[tuple[Argument, ...]]:
        if self.failing_starts:  # the kernel has none
            return self.list_arguments(rule)
        listed = self._shared.arguments
        if rule.arguments not in listed:
            listed[rule.arguments] = list(self.list_arguments(rule))
        return listed[rule.arguments]

    def _trace(self, instance: Instance) -> TracedInstance | None:
        known, case = self._shared.traced, find_case(instance)
        if case is None:
            return trace_instance(instance, self.model.world, self.frame, self.cell_terms)
        if case not in known:
            known[case] = trace_instance(instance, self.model.world, self.frame, self.cell_terms)
        traced = known[case]
        return None if traced is None else replace(traced, instance=instance)

    def step(self, cells: Cells, instance: Instance) -> Cells | None:
        """Run the text of a rule, or recall what it did in the same world."""
        known, case = self._shared.steps, find_case(instance)
        if case is None:
            return super().step(cells, instance)
        if (case, cells) not in known:
            known[case, cells] = super().step(cells, instance)
        return known[case, cells]


def find_case(instance: Instance) -> Case | None:
    """Name what happens, where the kernel itself does the same."""
    is_own = is_of_kernel(instance.rule)
    return (instance.rule.name, instance.arguments) if is_own else None


def is_of_kernel(rule: Rule) -> bool:
    """Tell whether a rule's text is the kernel's own."""
    return id(rule.text) in OWN


def bind_variant(model: Model, sizes: Mapping[str, int], profile: str) -> BoundedModel:
    """Bound a variant of the kernel: other properties, or rules that do something else."""
    scope = model.find_scope("contention")
    all_sizes = model.sizes_of({**scope.sizes, **sizes})
    return SharingKernel(model, scope.name, all_sizes, model.profile_for(scope, profile))
