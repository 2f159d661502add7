"""What the solver is told in which attempt at a question: little first, since most questions need little.

A lemma that is missing costs the solver seconds, and so may many that are not wanted. So it is asked with
several choices of lemmas, for a moment each, and first without looking for examples. Facts about counts make
a question longer, and those about totals most of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.smt.counts import are_alike, list_comparisons, list_count_facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.smt.induction import Names
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.logic import Value

_SHORT_SHARE: Final = 0.2
"""What the right lemmas decide they decide soon."""
_COUNTS_SHARE: Final = 0.5
"""What is known of counts helps few questions, and makes the others longer."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What to tell the solver beside the step and the goal, what to assume, and how long it may think."""

    told: tuple[Value, ...]
    assumed: Names
    share: float
    recalls_only: bool = False
    """Whether the solver looks for no examples, but for what it was told alone."""


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


def list_brief(lemmas: Assumed) -> Iterator[Attempt]:
    """List what to tell the solver of a domain: it follows soon, or is not worth the time."""
    yield from _list_short((lemmas.near, lemmas.all))


def list_attempts(counts: Sequence[Sum], lent: Iterable[Sum], lemmas: Assumed) -> Iterator[Attempt]:
    """List what to tell the solver: of the counts in step and goal, and of those that lemmas speak of."""
    yield from _list_short((lemmas.near, lemmas.about, lemmas.written))
    levels = list_levels(counts, lent)
    told = [tuple(list_comparisons(level)) for level in levels]
    told += [tuple(list_count_facts(level)) for level in levels[-2:]]
    for facts in told:
        yield Attempt(facts, lemmas.speaking, _COUNTS_SHARE, recalls_only=True)
    own = tuple(list_count_facts(levels[0])) if levels else ()
    if own:
        yield Attempt(own, lemmas.near, _COUNTS_SHARE)
    yield Attempt((), lemmas.all, _COUNTS_SHARE if own else 1.0)
    if own:
        yield Attempt(own, lemmas.all, 1.0)


def _list_short(choices: Sequence[Names]) -> Iterator[Attempt]:
    """List what is over soon, each choice of lemmas once; without examples first, which is over at once."""
    for recalls_only in (True, False):
        for names in dict.fromkeys(choices):
            yield Attempt((), names, _SHORT_SHARE, recalls_only)


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
