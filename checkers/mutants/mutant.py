"""Mutants of a model, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from xxhash import xxh3_64_intdigest

from nomadspec.checkers.mutants.difference import Effect
from nomadspec.checkers.mutants.edits import list_edits
from nomadspec.checkers.mutants.parts import list_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from nomadspec.checkers.mutants.edits import Edit
    from nomadspec.checkers.mutants.parts import Part
    from nomadspec.model.language.model import Model


PROOFS: Final = "proofs"
"""How the titles of all proofs begin."""


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    UNDECIDED = "undecided"
    """The run ended before everything was tried."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One part of a model with one mistake."""

    name: str
    """The same in each run, as long as the text is the same."""
    part: Part
    edit: Edit


@dataclass(slots=True)
class Judged:
    """A mutant, its fate, and what decided it."""

    mutant: Mutant
    fate: Fate = Fate.UNDECIDED
    by: str = ""
    """The search, proof or mutant of a rule that noticed it."""
    noticed: tuple[str, ...] = ()
    """What was violated, missed or no longer found there; or the complaint of the engine."""
    effects: dict[str, str] = field(default_factory=dict)
    """What it does to each search and to the proofs that were tried."""

    @property
    def is_untouched(self) -> bool:
        """True if it is a mistake in a rule that changes no set of worlds, and none of the proofs."""
        is_other = any(
            effect == Effect.WORLDS or (effect == Effect.STEPS and title.startswith(PROOFS))
            for title, effect in self.effects.items()
        )
        return not is_other and not self.mutant.part.is_property


def list_mutants(model: Model, rules: Collection[str] = (), properties: Collection[str] = ()) -> list[Mutant]:
    """List every mutant of a model, or those of some rules and properties."""
    for name in rules:
        model.find_rule(name)
    for name in properties:
        model.find_property(name)
    return [
        mutant
        for part in list_parts(model)
        if _is_wanted(part, rules, properties)
        for mutant in _mutate(part)
    ]


def _is_wanted(part: Part, rules: Collection[str], properties: Collection[str]) -> bool:
    if not rules and not properties:
        return True
    names = properties if part.is_property else rules
    return bool(set(names) & {*part.rules, *(part.properties if part.is_property else ())})


def _mutate(part: Part) -> Iterator[Mutant]:
    edits = list_edits(part.file, part.line, part.function.__globals__, is_property=part.is_property)
    where = f"{Path(part.file).stem}.{part.function.__qualname__}"
    for number, edit in enumerate(edits, 1):
        yield Mutant(f"{where}#{number}", part, edit)


def sample_mutants(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Choose so many mutants; a larger sample with the same seed contains the smaller one."""
    chosen = {mutant.name for mutant in shuffle_mutants(mutants, seed)[:count]}
    return [mutant for mutant in mutants if mutant.name in chosen]


def shuffle_mutants(mutants: Iterable[Mutant], seed: int) -> list[Mutant]:
    """List mutants in an order that depends on nothing but their names and the seed."""
    return sorted(mutants, key=lambda mutant: xxh3_64_intdigest(mutant.name.encode(), seed=seed))
