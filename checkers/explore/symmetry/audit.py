"""Whether ids that are declared interchangeable are: a sample of worlds is compared with renamed ones.

A rule or property that names a single id (``s.up[0]``) or orders ids (``x < y``) breaks the symmetry that it
was declared with, and a reduced search would say ``holds`` too soon. So now and then two ids of a world are
exchanged: the same things must be possible and true, up to names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.symmetry.geometry import Geometry
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.stepper.question import ask_property
from nomadspec.model.errors import ModelError
from nomadspec.model.property import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.world import Ids

_FIRST: Final = 64
_EVERY: Final = 1 << 10
_OFTEN: Final = 1 << 16
"""So many worlds are sampled often, the others once in so many: a large search is not held up."""

_WHOLE: Final = 8
_MOST_TWINS: Final = 4
"""So many worlds are compared with all their twins, the others with so many, in turn."""


class Audit:
    """Compares worlds with their renamed twins."""

    def __init__(self, task: Task) -> None:
        """Prepare the questions to compare."""
        frame = task.bounded.frame
        self._task = task
        self._geometry = Geometry(frame)
        self._exchanges = [
            (ids, member) for ids in find_sorts(frame).all for member in range(frame.length(ids) - 1)
        ]
        self._checked = 0
        self._questions = [
            (prop, ask_property(task.bounded, task.layout, prop))
            for prop in task.list_properties(Kind.ALWAYS, Kind.SOMETIMES)
        ]

    def is_due(self, number: int) -> bool:
        """Tell whether the world with this number belongs to the sample."""
        if number < _FIRST:
            return True
        return number % (_EVERY if number < _OFTEN else _OFTEN) == 0

    def list_due(self, begin: int, end: int) -> list[int]:
        """List those of the sample whose numbers lie in a range."""
        sampled = range(begin + -begin % _EVERY, end, _EVERY)
        return [*range(begin, min(end, _FIRST)), *(at for at in sampled if at >= _FIRST and self.is_due(at))]

    def check(self, packed: int) -> None:
        """Compare a world with twins that differ by the exchange of two neighbouring ids."""
        expected = self._list_outcomes(packed)
        for ids, member, twin in self._list_twins(packed):
            who = f"{ids.name_of(member)} and {ids.name_of(member + 1)}"
            for prop, question in self._questions:
                if question.ask(packed) != question.ask(twin):
                    raise _complain(ids, who, f"the property {prop.name}")
            outcomes = self._list_outcomes(twin)
            for rule, after in expected.items():
                if outcomes[rule] != after:
                    raise _complain(ids, who, f"the rule {rule}")

    def _list_twins(self, packed: int) -> Iterator[tuple[Ids, int, int]]:
        cells = self._task.layout.unpack(packed)
        for ids, member in self._choose_exchanges():
            names = list(range(self._task.bounded.frame.length(ids)))
            names[member], names[member + 1] = member + 1, member
            twin = self._geometry.rename(cells, {ids: tuple(names)})
            yield ids, member, self._task.layout.pack(twin)

    def _choose_exchanges(self) -> list[tuple[Ids, int]]:
        """Choose all exchanges for the first worlds, and a few in turn for each other one."""
        turn, self._checked = self._checked, self._checked + 1
        if turn < _WHOLE or len(self._exchanges) <= _MOST_TWINS:
            return self._exchanges
        places = range(turn * _MOST_TWINS, (turn + 1) * _MOST_TWINS)
        return [self._exchanges[place % len(self._exchanges)] for place in places]

    def _list_outcomes(self, packed: int) -> dict[str, list[int]]:
        """List for each rule the worlds that stand for those after it."""
        bounded, canonical = self._task.bounded, self._task.reduction.canonical
        outcomes: dict[str, list[int]] = {rule.name: [] for rule in bounded.model.rules}
        for position, after in self._task.stepper.successors(packed):
            outcomes[bounded.instances[position].rule.name].append(canonical(after))
        return {rule: sorted(after) for rule, after in outcomes.items()}


def _complain(ids: Ids, who: str, what: str) -> ModelError:
    return ModelError(
        f"The ids of {ids.name} are declared interchangeable, but {what} treats {who} differently: "
        "declare the set with index(...) if its order shows, or explore without reduction."
    )
