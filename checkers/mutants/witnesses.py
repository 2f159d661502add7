"""Which mutants of rules a mutant of a property is shown: those that are about what the property is about.

A property says something of a few fields, and a mistake touches a few. A mistake in what the property
speaks of is the likeliest to be noticed by it, and so to show what its mutant overlooks.
"""

from __future__ import annotations

import re
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.mutants.effects import LEFT_OUT
from nomadspec.checkers.mutants.parts import list_reached, list_texts, list_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.mutants.mutant import Mutant
    from nomadspec.model.model import Model

_WORD: Final = re.compile(r"[A-Za-z_]+")


def rank_witnesses(model: Model, mutant: Mutant, others: Sequence[Mutant]) -> list[Mutant]:
    """List mutants of rules, those first that are about nothing but what a property speaks of.

    Of those, effects that are left out come before others.
    """
    fields = frozenset(field.name for field in model.world.schema.fields)
    texts = [text for name in mutant.part.properties for text in list_texts(model.find_property(name))]
    asked = frozenset[str]().union(*(_list_fields(text, fields) for text in texts))

    def find_rank(other: Mutant) -> tuple[float, bool, int]:
        touched = _list_touched(other, fields)
        shared = len(touched & asked)
        return -shared / max(len(touched), 1), other.edit.kind != LEFT_OUT, -shared

    return sorted(others, key=find_rank)


def _list_touched(mutant: Mutant, fields: frozenset[str]) -> frozenset[str]:
    """List the fields in the text that a mistake is made in, and in the functions that it calls."""
    words = _WORD.findall(f"{mutant.edit.before} {mutant.edit.after}")
    called = [mutant.part.function.__globals__.get(word) for word in words]
    reached = [_list_fields(one, fields) for one in called if isinstance(one, FunctionType)]
    return fields.intersection(words).union(*reached)


@cache
def _list_fields(function: FunctionType, fields: frozenset[str]) -> frozenset[str]:
    return fields.intersection(word for one in list_reached(function) for word in list_words(one))
