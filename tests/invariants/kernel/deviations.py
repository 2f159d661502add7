"""Deviations of the kernel, and the explorer's shortest stories of what they break."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from nomadspec.checkers.explore import explore
from nomadspec.invariants.kernel.kernel import KERNEL
from nomadspec.model.bounded import BoundedModel
from nomadspec.model.profile import INTENDED
from nomadspec.model.property import Property
from nomadspec.model.quirks import Quirk
from nomadspec.model.rule import Rule
from nomadspec.model.story import Story

Text = Callable[..., None]
Sizes = dict[str, int]

ALONE: Sizes = {"jobs": 1, "nodes": 1, "workers": 1, "spares": 2}


@dataclass(frozen=True, slots=True)
class Deviation:
    """A quirk, or another text of one rule, with the properties it breaks and a scope in which it shows."""

    breaks: tuple[Property, ...]
    quirk: Quirk | None = None
    rule: Rule | None = None
    text: Text | None = None
    sizes: Sizes = field(default_factory=dict)

    def apply(self) -> BoundedModel:
        """Bound the kernel with the deviation."""
        rules = tuple(
            replace(rule, text=self.text) if self.text and self.rule and rule.name == self.rule.name else rule
            for rule in KERNEL.rules
        )
        profile = INTENDED.name if self.quirk is None else self.quirk.id
        return replace(KERNEL, rules=rules).at("contention", sizes=self.sizes, profile=profile)

    def mend(self) -> BoundedModel:
        """Bound the kernel to the same scope without the deviation."""
        return KERNEL.at("contention", sizes=self.sizes, profile=INTENDED.name)


def find_story(bounded: BoundedModel, prop: Property) -> Story | None:
    """Find a shortest story that breaks the property."""
    report = explore(bounded, properties=[prop])
    stories = [finding.story for finding in report.findings if finding.property == prop.name]
    return stories[0] if stories else None
