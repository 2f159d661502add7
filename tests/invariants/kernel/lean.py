"""Deviations of the kernel, searched with one property at a time, for many properties make loading slow."""

from dataclasses import dataclass, field, replace

from nomadspec.checkers.explore import explore
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.profile import INTENDED
from nomadspec.model.property import Property
from nomadspec.model.rule import Rule
from nomadspec.model.story import Story
from tests.invariants.kernel.deviations import Sizes, Text


@dataclass(frozen=True, slots=True)
class Lean:
    """A profile, or another text of one rule, with the properties it breaks and a scope in which it shows."""

    breaks: tuple[Property, ...]
    profile: str = INTENDED.name
    rule: Rule | None = None
    text: Text | None = None
    is_unfair: bool = False
    sizes: Sizes = field(default_factory=dict)

    def change(self, rule: Rule) -> Rule:
        """Give a rule as the deviation has it."""
        if self.rule is None or rule.name != self.rule.name:
            return rule
        changed = replace(rule, text=self.text) if self.text else rule
        return replace(changed, fairness=None) if self.is_unfair else changed


def find_broken(deviation: Lean, prop: Property) -> Story | None:
    """Find a shortest story in which a deviation breaks a property."""
    rules = tuple(deviation.change(rule) for rule in KERNEL.rules)
    return _find(deviation, rules, prop)


def find_mended(deviation: Lean, prop: Property) -> Story | None:
    """Find a story that breaks the property in the same scope without the deviation."""
    return _find(replace(deviation, profile=INTENDED.name), KERNEL.rules, prop)


def find_witness(prop: Property, **sizes: int) -> Story | None:
    """Find a shortest story to a world that must be reachable."""
    bounded = replace(KERNEL, properties=(prop,)).at("contention", sizes=sizes, profile=INTENDED.name)
    return explore(bounded, properties=[prop]).reached[prop.name]


def _find(lean: Lean, rules: tuple[Rule, ...], prop: Property) -> Story | None:
    model = replace(KERNEL, rules=rules, properties=(prop,))
    report = explore(model.at("contention", sizes=lean.sizes, profile=lean.profile), properties=[prop])
    stories = [finding.story for finding in report.findings if finding.property == prop.name]
    return stories[0] if stories else None
