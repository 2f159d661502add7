"""Whether ids that are declared interchangeable are: a sample of worlds is compared with renamed ones.

A rule or property that names a single id (``s.up[0]``) or orders ids (``x < y``) breaks the symmetry that it
was declared with, and a reduced search would say ``holds`` too soon. So now and then two ids of a world are
exchanged: the same things must be possible and true, up to names.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.symmetry.geometry import Geometry
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.stepper.checks import Checks
from nomadspec.checkers.stepper.question import ask_premise, ask_property, ask_rest
from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.stepper.question import Question
    from nomadspec.model.language.arguments import Argument, ArgumentDomain
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.sets import Ids

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
        self._questions = [*_list_questions(task)]
        self._step_properties = task.list_properties(Kind.STEP)
        self._checks = Checks(task.bounded, task.layout, self._step_properties)

    def is_due(self, number: int) -> bool:
        """True if the world with this number belongs to the sample."""
        if number < _FIRST:
            return True
        return number % (_EVERY if number < _OFTEN else _OFTEN) == 0

    def list_due(self, begin: int, end: int) -> list[int]:
        """List those of the sample whose numbers lie in a range."""
        sampled = range(begin + -begin % _EVERY, end, _EVERY)
        return [*range(begin, min(end, _FIRST)), *(at for at in sampled if at >= _FIRST and self.is_due(at))]

    def check_due(self, worlds: Sequence[int], begin: int, end: int) -> None:
        """Check those of the sample whose numbers lie in a range."""
        for number in self.list_due(begin, end):
            self.check(worlds[number])

    def check(self, packed: int) -> None:
        """Compare a world with twins that differ by the exchange of two neighbouring ids."""
        expected = self._list_outcomes(packed)
        for ids, member, twin in self._list_twins(packed):
            who = f"{ids.name_of(member)} and {ids.name_of(member + 1)}"
            for question in self._questions:
                if not question.says_the_same(packed, twin, ids, member):
                    raise _complain(ids, who, question.what)
            outcomes = self._list_outcomes(twin)
            for what, found in expected.items():
                if outcomes[what] != found:
                    raise _complain(ids, who, what)

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
        """List for each rule the worlds that stand for those after it, and what is said of its steps."""
        bounded, canonical = self._task.bounded, self._task.reduction.canonical
        outcomes: dict[str, list[int]] = {_name_text("rule", rule): [] for rule in bounded.model.rules}
        outcomes |= {_name_text("property", prop): [] for prop in self._step_properties}
        for position, after in self._task.stepper.successors(packed):
            instance, stands = bounded.instances[position], canonical(after)
            outcomes[_name_text("rule", instance.rule)].append(stands)
            for prop in self._checks.list_broken_steps(packed, position, after):
                outcomes[_name_text("property", prop)].append(stands)
        return {what: sorted(found) for what, found in outcomes.items()}


@dataclass(frozen=True, slots=True)
class _Twofold:
    """A question about worlds, asked in each of its cases."""

    what: str
    domains: tuple[ArgumentDomain, ...]
    by_case: dict[tuple[Argument, ...], Question]

    def says_the_same(self, packed: int, twin: int, ids: Ids, member: int) -> bool:
        """True if what is asked in a world is so in its twin, with the two ids exchanged in its case."""
        return all(
            question.ask(packed) == self.by_case[self._exchange(case, ids, member)].ask(twin)
            for case, question in self.by_case.items()
        )

    def _exchange(self, case: tuple[Argument, ...], ids: Ids, member: int) -> tuple[Argument, ...]:
        return tuple(
            _rename_argument(value, domain, ids, member)
            for value, domain in zip(case, self.domains, strict=True)
        )


def _rename_argument(value: Argument, domain: ArgumentDomain, ids: Ids, member: int) -> Argument:
    """Exchange two neighbouring ids in an argument: as values, and as those that have values."""
    swap = {member: member + 1, member + 1: member}
    is_renamed = domain.interval.domain.members is ids
    if not isinstance(value, tuple):
        return swap.get(value, value) if is_renamed else value
    renamed = [swap.get(each, each) if is_renamed else each for each in value]
    if domain.index is ids:
        renamed[member], renamed[member + 1] = renamed[member + 1], renamed[member]
    return tuple(renamed)


def _list_questions(task: Task) -> Iterator[_Twofold]:
    """List what is asked of worlds: properties in each case, premises, and where a model may rest."""
    bounded, layout = task.bounded, task.layout
    for prop in task.list_properties(Kind.ALWAYS, Kind.SOMETIMES, Kind.EVENTUALLY):
        cases, domains = bounded.list_cases(prop), prop.domains(bounded.frame)
        asked = {case: ask_property(bounded, layout, prop, case) for case in cases}
        yield _Twofold(_name_text("property", prop), domains, asked)
        premises = {case: ask_premise(bounded, layout, prop, case) for case in cases}
        given = {case: question for case, question in premises.items() if question is not None}
        yield _Twofold(_name_text("premise of the property", prop), domains, given)
    yield _Twofold("what is_at_rest says", (), {(): ask_rest(bounded, layout)})


def _name_text(kind: str, text: Rule | Property) -> str:
    return f"the {kind} {text.name} ({text.file.removeprefix(sys.prefix)}:{text.line})"


def _complain(ids: Ids, who: str, what: str) -> ModelError:
    return ModelError(
        f"The ids of {ids.name} are declared interchangeable, but {what} treats {who} differently: "
        "declare the set with index(...) if its order shows, or explore without reduction."
    )
