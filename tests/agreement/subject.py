"""A component beside the kernel: after each step both have to be alike, and before it to allow the same.

A choice is the name of what may happen next, and what it is about. A component lists those that it allows;
those of the kernel are its rules that can fire, by the names that the table of the subject gives them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from nomadspec.checkers.diagrams.sightings import read_kernel
from nomadspec.model.errors import ModelError
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.trace import Instance
from nomadspec.model.language.world import Disabled
from nomadspec.model.specification.profiles import Profile
from tests.agreement.evaluations import name, read_arguments
from tests.agreement.walking import Edge, Follow, wander

Mirror = TypeVar("Mirror")

Choice = tuple[Any, ...]
"""The name of what may happen, and what it is about."""

Translate = Callable[[Kernel, dict[str, Any]], Choice]
"""How a rule of the kernel is called as a choice, by its arguments."""


@dataclass(frozen=True, slots=True)
class Exemption(Generic[Mirror]):
    """Choices that one side has alone, and why that is no difference."""

    reason: str
    covers: Callable[[Kernel, Mirror, Choice], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject(Generic[Mirror]):
    """A component that is given what the kernel gives to its own."""

    begin: Callable[[Kernel, Profile], Mirror]
    follow: Follow[Mirror]
    check: Callable[[BoundedModel, Edge[Mirror]], None]
    """Compare what kernel and component are after a step."""
    rules: Mapping[str, Translate]
    """The rules of the kernel about which the component decides."""
    list_allowed: Callable[[Kernel, Mirror], Iterable[Choice]]
    """List what the component allows next; the kernel says how far workers and others have come."""
    kernel_alone: tuple[Exemption[Mirror], ...] = ()
    component_alone: tuple[Exemption[Mirror], ...] = ()

    def compare(self, bounded: BoundedModel, steps: int) -> set[str]:
        """Walk through a scope with the component beside it; give the rules that have fired."""
        decided = [one for one in bounded.instances if one.rule.name in self.rules]
        start = bounded.initial[0]
        names = {self._translate(read_kernel(bounded, start), one)[0] for one in decided}

        def visit(cells: Cells, world: Kernel, mirror: Mirror, possible: Sequence[Instance]) -> None:
            ours = {self._translate(world, one) for one in possible if one.rule.name in self.rules}
            theirs = {one for one in self.list_allowed(world, mirror) if one[0] in names}
            lax = {one for one in ours - theirs if not _is_exempt(self.kernel_alone, world, mirror, one)}
            strict = {
                one for one in theirs - ours if not _is_exempt(self.component_alone, world, mirror, one)
            }
            strict -= {
                choice
                for one in (decided if strict else ())
                if (choice := self._translate(world, one)) in strict and _would_fire(bounded, cells, one)
            }
            assert not lax, f"The kernel allows what the component does not: {lax}"
            assert not strict, f"The component allows what the kernel does not: {strict}"

        seen = set()
        for edge in wander(
            bounded, lambda world: self.begin(world, bounded.profile), self.follow, visit, steps
        ):
            self.check(bounded, edge)
            seen.add(edge.rule)
        return seen

    def _translate(self, world: Kernel, instance: Instance) -> Choice:
        return self.rules[instance.rule.name](world, read_arguments(instance))


def name_by_eval(word: str) -> Translate:
    """Call a rule by a word and its evaluation."""
    return lambda _world, told: (word, name(told["job"], told["number"]))


def _is_exempt(
    exemptions: tuple[Exemption[Mirror], ...], world: Kernel, mirror: Mirror, choice: Choice
) -> bool:
    return any(each.covers(world, mirror, choice) for each in exemptions)


def _would_fire(bounded: BoundedModel, cells: Cells, instance: Instance) -> bool:
    """True where the text of a rule lets it fire, whatever the scope bounds."""
    rule, after = instance.rule, bounded.model.world(bounded.frame, list(cells), condition=True, guard=[])
    try:
        rule.text(bounded.world(cells), after, *instance.arguments)
    except Disabled:
        return False
    except ModelError:
        return True  # its guard holds, and it wrote past the end of a table
    return True
