"""What the solver is told in which attempt at a question: little first, since most questions need little.

A lemma that is missing costs the solver seconds, and so may many that are not wanted. So it is asked with
several choices of lemmas, for a moment each, and first without looking for examples. Facts about counts make
a question longer, and those about totals most of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.smt.counts import (
    are_alike,
    list_bounds,
    list_comparisons,
    list_count_facts,
    list_goal_comparisons,
    list_goal_facts,
    list_near_comparisons,
    list_pairings,
    list_strict_comparisons,
)

if TYPE_CHECKING:
    from nomadspec.checkers.smt.counts import Named
    from nomadspec.checkers.smt.induction import Names
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.language.logic import Value

_MOMENTS: Final = (1 / 64, 1 / 16)
"""For such shares everything is tried before anything is tried for longer."""
_SMALL_SHARE: Final = 0.25
"""What is found soon is found here, if it is found at all."""
_RECALL_SHARE: Final = 0.4
_LARGE_SHARE: Final = 0.75
"""What is known of many counts makes a question long."""
_ALL_SHARE: Final = 0.5
_TURNS: Final = 3


@dataclass(frozen=True, slots=True)
class Attempt:
    """What to tell the solver beside the step and the goal, what to assume, and how long it may think."""

    told: tuple[Value, ...]
    assumed: Names
    share: float
    recalls_only: bool = False
    """Whether the solver looks for no examples, but for what it was told alone."""
    recalls_by_two: bool = False
    """Whether two terms together may remind it of what it was told, where no single one does."""
    knows_names: bool = True
    """Whether it is told what the flags say that have names."""
    turn: int = 0
    """How often it was asked before; each time the solver's random choices begin with something else."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """The lemmas that may help, in several choices."""

    near: Names
    """What speaks of nothing but what step and goal speak of."""
    about: Names
    """What speaks of anything that the goal speaks of, as well."""
    written: Names
    """What people have written: all but the domains of fields."""
    speaking: Names
    """What is near, and what speaks of the counts in step and goal."""
    all: Names
    named: Names = ()
    """What the author of the goal says that it rests on, and the goal itself."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of which a goal, a step and lemmas speak."""

    goal: Sequence[Sum] = ()
    step: Sequence[Sum] = ()
    lent: Sequence[Sum] = ()
    reasons: Sequence[Sum] = ()
    """Those of which the lemmas speak that the goal is said to rest on."""
    named: Named = field(default_factory=dict)
    """For some sets the members that the rule is about."""

    @property
    def own(self) -> tuple[Sum, ...]:
        """List the counts of goal and step."""
        return tuple({one.name: one for one in (*self.step, *self.goal)}.values())


def list_rounds(attempts: Iterable[Attempt]) -> Iterator[Attempt]:
    """List attempts for a moment each, then for a longer one, and then for as long as each may think.

    An attempt that comes to an end mostly does so at once, and one that does not uses up all that it may. So
    what is found soon need not wait for what is not found.
    """
    met = []
    for one in attempts:
        met.append(one)
        if not one.turn:
            yield replace(one, share=_MOMENTS[0])
    for moment in _MOMENTS[1:]:
        yield from (replace(one, share=moment) for one in met if not one.turn)
    yield from met


def list_brief(lemmas: Assumed, lent: Iterable[Sum] = ()) -> Iterator[Attempt]:
    """List what to tell the solver of a domain: it follows soon, or from what lemmas near by count."""
    choices = tuple(dict.fromkeys((lemmas.near, lemmas.all)))
    both = (True, False)
    yield from _list_turns([Attempt((), names, _SMALL_SHARE, only) for only in both for names in choices])
    facts = tuple(list_bounds(lent))
    if facts:
        yield Attempt(facts, lemmas.near, _SMALL_SHARE, recalls_only=True)


def list_nameless(counted: Counted, lemmas: Assumed) -> Iterator[Attempt]:
    """List attempts at what follows whatever the flags say that have names."""
    yield from (replace(one, knows_names=False) for one in _list_named(counted, lemmas))
    for names in dict.fromkeys((lemmas.near, lemmas.about)):
        yield Attempt((), names, _SMALL_SHARE, recalls_only=True, knows_names=False)
        for facts in filter(None, [tuple(list_goal_facts(counted.goal))]):
            yield Attempt(facts, names, _RECALL_SHARE, recalls_only=True, knows_names=False)
    facts = tuple(list_bounds(counted.step))
    yield Attempt(facts, lemmas.all, _RECALL_SHARE, recalls_only=True, knows_names=False)


def list_attempts(counted: Counted, lemmas: Assumed) -> Iterator[Attempt]:
    """List what to tell the solver: of the counts in step and goal, and of those that lemmas speak of.

    What is over soon comes first. Which of the attempts comes to an end is a matter of luck, so those that
    are short have several turns.
    """
    yield from _list_turns(_list_once(counted, lemmas))


def _list_turns(attempts: Iterable[Attempt]) -> Iterator[Attempt]:
    """List attempts, and then those that are short again."""
    once = []
    for attempt in attempts:
        once.append(attempt)
        yield attempt
    short = [one for one in once if one.share <= _RECALL_SHARE]
    yield from (replace(one, turn=turn) for turn in range(1, _TURNS) for one in short)


def _list_once(counted: Counted, lemmas: Assumed) -> Iterator[Attempt]:
    yield from _list_short(counted, lemmas)
    levels = list_levels(counted.own, counted.lent)
    for level in [level for level in levels if not any(one.is_total for one in level)][-1:]:
        facts = (*list_bounds(level), *list_near_comparisons(level, counted.named))
        yield Attempt(facts, lemmas.near, _LARGE_SHARE, recalls_only=True)
    for facts in _list_near(counted, levels):
        yield Attempt(facts, lemmas.near, _SMALL_SHARE, recalls_only=True)
    for level in levels[-1:]:
        facts = tuple(list_count_facts(level))
        yield Attempt(facts, lemmas.speaking, _SMALL_SHARE, recalls_only=True, recalls_by_two=True)
    yield Attempt((), lemmas.about, _SMALL_SHARE)
    for further, names in ((levels[1:2], lemmas.near), (levels[-1:], lemmas.speaking)):
        for facts in filter(None, [tuple(list_comparisons(level)) for level in further]):
            yield Attempt(facts, names, _LARGE_SHARE, recalls_only=True)
    yield Attempt((), lemmas.all, _ALL_SHARE, recalls_only=True)
    for names in dict.fromkeys((lemmas.near, lemmas.written)):
        if names != lemmas.about:
            yield Attempt((), names, _SMALL_SHARE)
    yield Attempt((), lemmas.all, _ALL_SHARE)


def _list_short(counted: Counted, lemmas: Assumed) -> Iterator[Attempt]:
    """List attempts that mostly are over in a moment, and of many questions the only ones."""
    yield from _list_named(counted, lemmas)
    for names in dict.fromkeys((lemmas.near, lemmas.about, lemmas.written)):
        yield Attempt((), names, _RECALL_SHARE, recalls_only=True)
    yield from _list_goal_attempts(counted, lemmas)
    for facts in filter(None, [tuple(list_bounds(counted.own))]):
        for recalls_only in (True, False):
            yield Attempt(facts, lemmas.written, _SMALL_SHARE, recalls_only)


def _list_named(counted: Counted, lemmas: Assumed) -> Iterator[Attempt]:
    """List an attempt with what the author of a lemma says that it rests on, if that was said."""
    if lemmas.named:
        facts = tuple(list_goal_comparisons(counted.goal, counted.reasons))
        yield Attempt(facts, lemmas.named, _RECALL_SHARE, recalls_only=True)


def _list_goal_attempts(counted: Counted, lemmas: Assumed) -> Iterator[Attempt]:
    """List attempts with much about the few counts of the goal."""
    for facts in filter(None, [tuple(list_goal_facts(counted.goal))]):
        yield Attempt(facts, lemmas.near, _SMALL_SHARE, recalls_only=True)
    for facts in filter(None, [tuple(list_strict_comparisons(counted.goal, counted.step))]):
        yield Attempt(facts, (), _SMALL_SHARE, recalls_only=True)


def _list_near(counted: Counted, levels: Sequence[list[Sum]]) -> Iterator[tuple[Value, ...]]:
    """List what is known of the counts in step and goal, the little that mostly is enough first."""
    if levels:
        pairings = tuple(list_pairings(counted.goal, counted.step))
        near = (pairings, (*pairings, *list_bounds(counted.own)))
        all_own = (tuple(list_comparisons(levels[0])), tuple(list_count_facts(levels[0])))
        told = {frozenset(fact.get_id() for fact in facts): facts for facts in (*near, *all_own)}
        yield from filter(None, told.values())


def list_levels(counts: Sequence[Sum], lent: Iterable[Sum]) -> list[list[Sum]]:
    """List the counts to speak of: those of step and goal, those of lemmas as well, and totals at last."""
    alike = [one for one in lent if any(are_alike(one, other) for other in counts)]
    whole = list({one.name: one for one in (*counts, *alike)}.values())
    own = {one.name for one in counts}
    levels: list[list[Sum]] = []
    for level in (
        [one for one in whole if one.name in own and not one.is_total],
        [one for one in whole if not one.is_total],
        whole,
    ):
        if len(level) > (len(levels[-1]) if levels else 0):
            levels.append(level)
    return levels
