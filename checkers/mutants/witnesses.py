"""Which mutants of rules a mutant of a property is shown: those that are about what the property is about.

A property says something of a few fields and sizes, and a mistake touches a few. A mistake in what the
property speaks of is the likeliest to be noticed by it, and so to show what its mutant overlooks.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.mutants.effects import LEFT_OUT
from nomadspec.checkers.mutants.parts import list_reached, list_texts, list_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.mutants.mutant import Mutant
    from nomadspec.model.language.declared_model import DeclaredModel

_WORD: Final = re.compile(r"[A-Za-z_]+")


def rank_witnesses(model: DeclaredModel, mutant: Mutant, others: Sequence[Mutant]) -> list[Mutant]:
    """List mutants of rules, those first that are about nothing but what a property speaks of.

    Of those that are as close, each function has its turn before any has another, and effects that are left
    out come first.
    """
    schema = model.world.schema
    fields = frozenset(one.name for one in (*schema.fields, *schema.sizes))
    texts = [text for name in mutant.part.properties for text in list_texts(model.find_property(name))]
    asked = frozenset[str]().union(*(_list_fields(text, fields) for text in texts))

    def compute_distance(other: Mutant) -> float:
        said = fields.intersection(_list_edited(other))
        touched = said or _list_called(other, fields)
        closeness = len(touched & asked) / max(len(touched), 1)
        return 1 - (closeness if said else closeness / 2)

    ranked = sorted(others, key=lambda other: (compute_distance(other), other.edit.kind != LEFT_OUT))
    met: Counter[tuple[float, FunctionType]] = Counter()
    turns: dict[str, tuple[float, int]] = {}
    for other in ranked:
        distance = compute_distance(other)
        turns[other.name] = distance, met[distance, other.part.function]
        met[distance, other.part.function] += 1
    return sorted(ranked, key=lambda other: turns[other.name])


def _list_edited(mutant: Mutant) -> list[str]:
    """List the words of the text that a mistake is made in."""
    return _WORD.findall(f"{mutant.edit.before} {mutant.edit.after}")


def _list_called(mutant: Mutant, fields: frozenset[str]) -> frozenset[str]:
    """List the fields in the functions that the text calls in which a mistake is made."""
    called = [mutant.part.function.__globals__.get(word) for word in _list_edited(mutant)]
    reached = [_list_fields(one, fields) for one in called if isinstance(one, FunctionType)]
    return frozenset[str]().union(*reached)


@cache
def _list_fields(function: FunctionType, fields: frozenset[str]) -> frozenset[str]:
    return fields.intersection(word for one in list_reached(function) for word in list_words(one))
