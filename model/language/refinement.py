"""Refinement: how the worlds of one model, the low one, are seen as worlds of another, the high one.

    @refines(COMMIT)
    def as_commit(s: TwoPhase, t: Commit) -> None:
        \"\"\"Only what a manager has settled on shows.\"\"\"
        for rm in s.rms:
            t.outcome[rm] = ite(s.state[rm] == Manager.COMMITTED, Outcome.COMMITTED, Outcome.OPEN)

The mapping is one function in the style of rules: ``s`` is the world of the low model, ``t`` that of the
high one, of which every field is assigned. Sets are mapped by their members: ids are numbers, so that ``rm``
is the member of the other set with the same number.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.language.frame import Line
from nomadspec.model.language.model import Model
from nomadspec.model.specification.profiles import NoProfile

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value

MappingText: TypeAlias = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Refinement:
    """A mapping of the worlds of any model with such fields to those of a high model."""

    name: str
    high: Model
    text: MappingText
    about: str
    scope: str | None
    sizes: Mapping[str, str | int]
    profile: str | None
    most_steps: int
    """So many steps of the high model one step of the low model may be."""
    file: str
    line: int

    def bound(self, low: BoundedModel) -> BoundedModel:
        """Bound the high model as large as the low one, under the profile of that where none is its own."""
        scope = self.high.find_scope(self.scope)
        of_low = None if isinstance(low.profile, NoProfile) else low.profile.name
        profile = self.profile or scope.profile or of_low
        return self.high.at(scope.name, sizes=self._find_sizes(low), profile=profile)

    def _find_sizes(self, low: BoundedModel) -> dict[str, int]:
        """Give the sizes that are told, and those of the same name."""
        known = {size.name for size in self.high.world.schema.sizes}
        sizes = {name: number for name, number in low.sizes.items() if name in known}
        for name, told in self.sizes.items():
            if isinstance(told, str) and told not in low.sizes:
                raise UnknownNameError(f"size of {low.model.name}", told, low.sizes)
            sizes[name] = low.sizes[told] if isinstance(told, str) else told
        return sizes


def refines(
    high: Model,
    *,
    scope: str | None = None,
    sizes: Mapping[str, str | int] = MappingProxyType({}),
    profile: str | None = None,
    steps: int = 1,
) -> Callable[[MappingText], Refinement]:
    """Make a mapping of a function ``(s, t)``: the low world, and the high one that it assigns.

    ``sizes`` says how large the high model is: a number, or the name of a size of the low one; sizes of the
    same name agree anyway. The profile is that of its scope or of the low model, unless ``profile`` names
    one. One step of the low model is at most so many ``steps`` of the high one.
    """
    if not isinstance(high, Model):
        raise ModelError(f"A mapping leads to a model, not to {high!r}: write @refines(MODEL).")
    _check_steps(steps)

    def make(text: MappingText) -> Refinement:
        name, code = text.__name__, text.__code__
        parameters = list(inspect.signature(text).parameters)
        if parameters != ["s", "t"]:
            raise ModelError(f"Mapping {name} takes ({', '.join(parameters)}), but it should take (s, t).")
        about = inspect.getdoc(text) or ""
        where = (code.co_filename, code.co_firstlineno)
        return Refinement(name, high, text, about, scope, dict(sizes), profile, steps, *where)

    return make


def _check_steps(steps: object) -> None:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
        raise UsageError(f"steps={steps!r} should be at least 1: so many steps one step may be at most.")


def copy_queue(to: Value, of: Value) -> None:
    """Let a queue of the high world hold the same ids, in the same order, as one of the low world."""
    if not isinstance(to, Line) or not isinstance(of, Line):
        raise ModelError("copy_queue takes a queue of t and one of s: copy_queue(t.line, s.line).")
    for member in of._members():  # noqa: SLF001 -- both are queues, and nothing else may see their ranks
        to._writer[member] = of._ranks[member]  # noqa: SLF001 -- as above
