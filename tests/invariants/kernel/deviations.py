"""Deviations of the kernel: what each must break, and that nothing is broken without it.

Only the properties that are asked about are loaded, for to trace all of them takes longer than to search.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.verdict import ExploreReport
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import not_
from nomadspec.model.language.property import Kind, Property
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.story import Story
from nomadspec.model.specification.profiles import INTENDED
from tests.invariants.kernel.sharing import bind_variant
from tests.invariants.mutants import Text, then

Sizes = dict[str, int]
Key = tuple[tuple[str, int], ...]

NEAR = ("near", "whole")

ALONE: Sizes = {"jobs": 1, "nodes": 1, "workers": 1, "allocations": 2}


@dataclass(frozen=True, slots=True)
class Deviation:
    """A profile, or one rule that is changed, with the properties it breaks and a scope in which it shows."""

    breaks: tuple[Property, ...]
    profile: str = INTENDED.name
    changed: Rule | None = None
    sizes: Sizes = field(default_factory=dict)
    is_long: bool = False
    """Whether to find it takes so many seconds that it is left to the deep tests."""

    def change(self, rule: Rule) -> Rule:
        """Give a rule as the deviation has it."""
        return self.changed if self.changed is not None and self.changed.name == rule.name else rule


def reword(rule: Rule, text: Text) -> Rule:
    """Let a rule do something else."""
    return replace(rule, text=text)


def also(rule: Rule, more: Text) -> Rule:
    """Let a rule do something more, which wins."""
    return reword(rule, then(rule, more))


def unfair(rule: Rule) -> Rule:
    """Let a rule wait for ever."""
    return replace(rule, fairness=None)


def spoil(rule: Rule, cell: str, value: Any, *at: str | int) -> Rule:
    """Let a rule write something else into one cell, whose place is given by arguments and numbers.

    The value may be computed from the world before and the arguments.
    """
    names = [name for name, _ in rule.arguments]

    def write(s: Any, t: Any, *arguments: Any) -> None:
        place = tuple(arguments[names.index(part)] if isinstance(part, str) else part for part in at)
        written = value(s, *arguments) if callable(value) else value
        declared = next(one for one in KERNEL.world.schema.fields if one.name == cell)
        if place:
            t.frame.read(t, declared)[place] = written
        else:
            t.frame.write(t, declared, written)

    return also(rule, write)


class Lenient:
    """The world after a step that overlooks one of the conditions that it requires."""

    def __init__(self, after: Any, overlooked: int) -> None:
        """Overlook a condition, by its number in the order in which they are required."""
        self.__dict__["_after"] = after
        self.__dict__["_left"] = [overlooked]

    def require(self, *conditions: Any) -> None:
        """Require all conditions but the one that is overlooked."""
        (left,) = self._left
        self._after.require(*[one for number, one in enumerate(conditions) if number != left])
        self._left[0] = left - len(conditions)

    def __getattr__(self, name: str) -> Any:
        """Give what the world has."""
        return getattr(self._after, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Write to the world."""
        setattr(self._after, name, value)


def loosen(rule: Rule, overlooked: int) -> Rule:
    """Let a rule overlook one of its conditions."""

    def text(s: Any, t: Any, *arguments: Any) -> None:
        after: Any = Lenient(t, overlooked)
        rule(s, after, *arguments)

    return reword(rule, text)


class Matrix:
    """Deviations by their names; what is mended is searched once for each scope."""

    def __init__(self, deviations: Mapping[str, Deviation]) -> None:
        """Keep the deviations."""
        self.deviations = dict(deviations)
        self._mended: dict[tuple[Key, int | None], frozenset[str]] = {}
        self._bounded: dict[Key, BoundedModel] = {}
        """The kernel as intended in the scope that was asked for last."""

    def list_pairs(self) -> list[tuple[str, Property]]:
        """List each deviation with each property that it breaks."""
        return [(name, prop) for name, deviation in self.deviations.items() for prop in deviation.breaks]

    def find_broken(self, name: str, prop: Property) -> Story | None:
        """Find a shortest story in which a deviation breaks a property."""
        deviation = self.deviations[name]
        rules = tuple(map(deviation.change, KERNEL.rules))
        model = replace(KERNEL, rules=rules, properties=(prop,))
        return find_any_story(bind_variant(model, deviation.sizes, deviation.profile), prop)

    def make_test(self, *, every: int = 1) -> Callable[..., None]:
        """Make the test that each deviation breaks each of its properties, which holds without it.

        The usual tests search each so many-th alone where the properties are lemmas: these promise users
        nothing, and one that cannot fail lets no proof succeed that should not.
        """
        pairs = [
            pytest.param(
                name, prop, marks=[pytest.mark.deep] if self.deviations[name].is_long or at % every else []
            )
            for at, (name, prop) in enumerate(self.list_pairs())
        ]

        @pytest.mark.parametrize(("name", "prop"), pairs)
        @pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.deep)], ids=NEAR)
        def test(name: str, prop: Property, *, is_whole: bool) -> None:
            """Nothing is broken so near without the deviation; deep tests ask that of the whole scope."""
            story = self.find_broken(name, prop)

            assert story is not None
            assert prop.name == story.property
            assert prop.name not in self._find_mended(name, None if is_whole else len(story.steps))

        return test

    def _find_mended(self, name: str, depth: int | None) -> frozenset[str]:
        """Find what is broken in the scope of a deviation without it, so many steps from the beginning."""
        sizes = self.deviations[name].sizes
        key = tuple(sorted(sizes.items()))
        if (key, depth) not in self._mended:
            if key not in self._bounded:
                self._bounded = {key: bind_intended(*self._list_asked(sizes), sizes=sizes)}
            bounded = self._bounded[key]
            asked = bounded.model.properties
            report = explore(bounded, properties=asked, stop_at_first=False, max_depth=depth)
            self._mended[key, depth] = frozenset(finding.property for finding in report.findings)
        return self._mended[key, depth]

    def _list_asked(self, sizes: Sizes) -> list[Property]:
        """List what is asked in a scope: what any deviation breaks there."""
        asked = {
            prop.name: prop for one in self.deviations.values() if one.sizes == sizes for prop in one.breaks
        }
        return list(asked.values())


def bind_intended(*properties: Property, sizes: Sizes) -> BoundedModel:
    """Bound the kernel as intended, with some properties."""
    return bind_variant(replace(KERNEL, properties=properties), sizes, INTENDED.name)


def find_story(bounded: BoundedModel, prop: Property) -> Story | None:
    """Find a shortest story that breaks the property."""
    return pick_story(explore(bounded, properties=[prop]), prop)


def find_any_story(bounded: BoundedModel, prop: Property) -> Story | None:
    """Find a story that breaks the property, as short as any, however often its actors change."""
    return pick_story(explore(bounded, properties=[prop], tells_fewest_switches=False), prop)


def pick_story(report: ExploreReport, prop: Property) -> Story | None:
    """Pick the story of a property."""
    stories = [finding.story for finding in report.findings if finding.property == prop.name]
    return stories[0] if stories else None


def find_story_under(profile: str, prop: Property, sizes: Sizes) -> Story | None:
    """Find a shortest story that breaks the property under a profile."""
    model = replace(KERNEL, properties=(prop,))
    return find_story(bind_variant(model, sizes, profile), prop)


def find_witness(prop: Property, **sizes: int) -> Story | None:
    """Find a shortest story to a world that must be reachable: one that breaks that it never is."""

    def never(s: Any, *case: Any) -> Any:
        return not_(prop(s, *case))

    asked = replace(prop, kind=Kind.ALWAYS, text=never, scopes=())
    return find_any_story(bind_intended(asked, sizes=sizes), asked)
