"""A second look: some of what an engine found is asked again of the Python text, on plain values.

Engines work from what tracing made of the texts: terms, tables and code. A text that says something else when
it is traced than when it runs would make each of them wrong in the same way, and every verdict with them. So
of the worlds that a search visits a sample is looked at once more: what the properties say there, which rules
can happen and where they lead. Nothing of this goes through a term. A difference is a fault of this package.

Which worlds, properties and instances are looked at depends on their numbers alone, so that the same search
looks at the same ones; each has its turn.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.errors import DomainError, ImpossibleError, ModelError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.trace import Instance

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule

_FIRST: Final = 128
_EVERY: Final = 1 << 8
_STRIDES: Final = ((1 << 15, _EVERY), (1 << 20, 1 << 14))
_SELDOM: Final = 1 << 17
"""So many worlds are looked at from the first on, up to a number one in so many, beyond that fewer still."""

_QUESTIONS: Final = 8
_INSTANCES: Final = 16
_STEP_QUESTIONS: Final = 2
"""So many properties, instances and properties of each step are asked about in a world."""

_RANDOM_WORLDS: Final = 24
_MOST_NAMED: Final = 12

_Thing = TypeVar("_Thing")

Leads: TypeAlias = "Callable[[int], Cells | None]"
"""Where an engine says that the instance at a position leads from the world that is looked at."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of worlds: in words, as the term that engines read, and as the text."""

    name: str
    kind: Kind | None
    value: Value
    ask: Callable[[Cells], bool]


class SecondLook:
    """Asks the texts of a bounded model again."""

    def __init__(self, bounded: BoundedModel, properties: Iterable[Property] | None = None) -> None:
        """Prepare what is asked: about some properties, or all."""
        chosen = tuple(bounded.model.properties if properties is None else properties)
        self._bounded = bounded
        self._turn = 0
        self._questions = [*_list_questions(bounded, chosen)]
        self._steps = [prop for prop in chosen if prop.kind is Kind.STEP]
        self._ways = [(rule, case) for rule in bounded.model.rules for case in bounded.list_arguments(rule)]

    def is_due(self, number: int) -> bool:
        """True if the world with this number belongs to the sample."""
        if number < _FIRST:
            return True
        return number % next((stride for end, stride in _STRIDES if number < end), _SELDOM) == 0

    def list_due(self, begin: int, end: int) -> list[int]:
        """List those of the sample whose numbers lie in a range."""
        due, low = [*range(begin, min(end, _FIRST))], max(begin, _FIRST)
        for high, stride in (*_STRIDES, (end, _SELDOM)):
            due += range(low + -low % stride, min(end, high), stride)
            low = max(low, high)
        return due

    def check(
        self,
        cells: Cells,
        leads: Leads,
        noted: Collection[str] | None = None,
        *,
        is_expanded: bool = False,
    ) -> None:
        """Compare what an engine says of a world with what the texts say.

        ``noted`` are the properties of which the engine knows an answer by now that it would tell: violated
        ones, and those of the kind ``sometimes`` that it reached. Without it only terms are compared. Where a
        world ``is_expanded``, all steps from it were taken and asked about.
        """
        turn, self._turn = self._turn, self._turn + 1
        for asked in _take(self._questions, turn, _QUESTIONS):
            self._check_world(asked, cells, noted)
        for number, (rule, arguments) in enumerate(_take(self._ways, turn, _INSTANCES)):
            after = self._check_way(rule, arguments, cells, leads)
            step = self._bounded.find_instance(rule, arguments)
            if step is not None and after is not None:
                self._check_step(step, cells, after, noted if is_expanded else None, turn + number)

    def check_some(self) -> None:
        """Compare the terms with the texts in initial worlds and in worlds made up at random."""
        for cells in (*self._bounded.initial[:_RANDOM_WORLDS], *_make_up(self._bounded)):
            with suppress(ModelError):  # a text may fail where no step leads; where one does, a search tells
                self.check(cells, partial(self._follow, cells))

    def _follow(self, cells: Cells, position: int) -> Cells | None:
        traced = self._bounded.traced[position]
        if not all(evaluate(part, cells) for part in traced.guard):
            return None
        return tuple(evaluate(traced.writes.get(at, old), cells) for at, old in enumerate(cells))

    def _check_world(self, asked: _Asked, cells: Cells, noted: Collection[str] | None) -> None:
        plain = asked.ask(cells)
        if bool(evaluate(asked.value, cells)) != plain:
            raise self._complain(asked.name, cells, plain=plain, engine=not plain)
        is_news = plain if asked.kind is Kind.SOMETIMES else not plain
        is_told = asked.kind in {Kind.ALWAYS, Kind.SOMETIMES}
        if noted is not None and is_told and is_news and asked.name not in noted:
            raise self._complain(asked.name, cells, plain=plain, engine=not plain)

    def _check_way(
        self, rule: Rule, arguments: tuple[Argument, ...], cells: Cells, leads: Leads
    ) -> Cells | None:
        """Compare where an instance leads; gives the world after it."""
        bounded = self._bounded
        known = bounded.find_instance(rule, arguments)
        if known is not None and bounded.traced[known.number].failure is not None:
            return None  # as for what leaves a domain
        try:
            plain = bounded.step(cells, known or Instance(-1, rule, arguments))
        except DomainError:
            return None  # the search says so itself, with the way there
        engine = None if known is None else leads(known.number)
        if plain != engine:
            raise self._complain_of_rule(rule, arguments, cells, plain=plain, engine=engine)
        return plain

    def _check_step(
        self, step: Instance, cells: Cells, after: Cells, noted: Collection[str] | None, turn: int
    ) -> None:
        bounded = self._bounded
        for prop in _take(self._steps, turn, _STEP_QUESTIONS):
            holds = bounded.holds_step(prop, cells, step, after)
            said = bool(evaluate(bounded.trace_step(prop, step.number), cells))
            if said != holds or (noted is not None and not holds and prop.name not in noted):
                raise self._complain(prop.name, cells, plain=holds, engine=not holds)

    def _complain(self, name: str, cells: Cells, *, plain: bool, engine: bool) -> ImpossibleError:
        return ImpossibleError(
            f"{name} {_say_holds(holds=plain)} when its text runs on plain values, and "
            f"{_say_holds(holds=engine)} for the engine, in the world {self._describe(cells)}: "
            "no verdict can be trusted before they agree."
        )

    def _complain_of_rule(
        self,
        rule: Rule,
        arguments: tuple[Argument, ...],
        cells: Cells,
        *,
        plain: Cells | None,
        engine: Cells | None,
    ) -> ImpossibleError:
        labels = self._bounded.label_arguments(Instance(-1, rule, arguments))
        who = f"{rule.name}({', '.join(map(str, labels.values()))})"
        return ImpossibleError(
            f"The rule {who} {self._say_leads(cells, plain)} when its text runs on plain values, and "
            f"{self._say_leads(cells, engine)} for the engine, in the world {self._describe(cells)}: "
            "no verdict can be trusted before they agree."
        )

    def _say_leads(self, cells: Cells, after: Cells | None) -> str:
        if after is None:
            return "cannot happen"
        return f"happens ({self._name_changes(cells, after) or 'and changes nothing'})"

    def _describe(self, cells: Cells) -> str:
        first = self._bounded.initial[0]
        changes = self._name_changes(first, cells)
        return f"where {changes}" if changes else "in which all begins"

    def _name_changes(self, before: Cells, after: Cells) -> str:
        old, new = self._bounded.describe(before), self._bounded.describe(after)
        changed = [f"{name} = {str(value).lower()}" for name, value in new.items() if old[name] != value]
        more = [f"and {len(changed) - _MOST_NAMED} more"] if len(changed) > _MOST_NAMED else []
        return ", ".join([*changed[:_MOST_NAMED], *more])


def _list_questions(bounded: BoundedModel, properties: Sequence[Property]) -> Iterable[_Asked]:
    """List what is asked of worlds: each property in each case, its premise and what holds until it, rest."""
    world = bounded.world(bounded.cell_terms)
    for prop in properties:
        for case in islice(bounded.list_cases(prop), _INSTANCES) if prop.kind is not Kind.STEP else ():
            yield _Asked(
                prop.name,
                prop.kind,
                prop(world, *case),
                partial(_ask, bounded.holds, prop, case),
            )
            if prop.given is not None:
                yield _Asked(
                    f"the premise of {prop.name}",
                    None,
                    prop.given(world, *case),
                    partial(_ask, bounded.is_given, prop, case),
                )
            if prop.keeps is not None:
                yield _Asked(
                    f"what holds until {prop.name}",
                    None,
                    prop.keeps(world, *case),
                    partial(_ask, bounded.is_kept, prop, case),
                )
    if bounded.model.is_at_rest is not None:
        yield _Asked("is_at_rest", None, bounded.model.is_at_rest(world), bounded.is_at_rest)


def _ask(answer: Callable[..., bool], prop: Property, case: tuple[Argument, ...], cells: Cells) -> bool:
    return answer(prop, cells, *case)


def _take(things: Sequence[_Thing], turn: int, most: int) -> Sequence[_Thing]:
    """Take some things, others at each turn."""
    if len(things) <= most:
        return things
    return [things[place % len(things)] for place in range(turn * most, (turn + 1) * most)]


def _make_up(bounded: BoundedModel) -> Iterable[Cells]:
    """Make worlds up whose cells hold any value of their domains, and whose queues are in order."""
    chance = Random(bounded.frame.cell_count)  # noqa: S311 -- nothing secret
    for _ in range(_RANDOM_WORLDS):
        cells: list[int] = [interval.pick(chance.getrandbits(64)) for interval in bounded.frame.intervals]
        for queue in bounded.frame.schema.queues:
            placed = bounded.frame.placed[queue.name]
            waiting = chance.randint(0, placed.span)
            ranks = [*range(1, waiting + 1), *[0] * (placed.span - waiting)]
            chance.shuffle(ranks)
            cells[placed.base : placed.base + placed.span] = ranks
        yield tuple(cells)


def _say_holds(*, holds: bool) -> str:
    return "holds" if holds else "does not hold"
