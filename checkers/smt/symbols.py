"""The solver's unknowns: the one place where they are made, so that no two that differ share a name.

To the solver an unknown is its name and its sort. Were a field called as a member that a quantifier binds,
the quantifier would bind the field as well, and another question be asked than was meant. So each name says
first what role the unknown plays, and what comes from a model follows a point, which no role contains. Two
unknowns of one role differ in their parts, which are written so that they can be read back. No word that the
solver or the standard keeps for itself has a point after a role. Names need no quotes, since z3 writes those
of variables that it renames wrongly in quotes; only the names of cells, which nothing binds, have them.
"""

from __future__ import annotations

import re
from enum import Enum, unique
from typing import TYPE_CHECKING, Final

import z3

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.model.language.logic import Value

_STRANGE: Final = re.compile(r"[^A-Za-z0-9_]")
_STRANGE_IN_CELLS: Final = re.compile(r"[^A-Za-z0-9_\[\], ]")
_BETWEEN: Final = "."


@unique
class Role(Enum):
    """What an unknown stands for."""

    SIZE = "size"
    FIELD = "field"
    TOTAL = "total"
    CELL = "cell"
    ARGUMENT = "argument"
    MEMBER = "member"
    """A member of a set, while a text is read."""
    EACH = "each"
    """A member that a quantifier of a text binds."""
    LOST = "lost"
    """A field or total of which a step says nothing any more."""
    NEW = "new"
    """A number that a step brings in."""
    SUM = "sum"
    PLACE = "place"
    """A member in the text of a sum."""
    ASKED = "asked"
    """A member in the text of a question about order."""
    OWN = "own"
    """A member that a fact about sums binds: one that is counted."""
    AROUND = "around"
    """A member that a fact about sums binds: one of those that a sum is about."""
    SOME = "some"
    """A member that a count counts."""
    ONLY = "only"
    """A member that one count counts and another one does not."""
    NAMED = "named"
    """A flag that a text asks again and again."""
    ANSWER = "answer"
    """Whether some number has what a text asks."""
    FIRST = "first"
    LAST = "last"
    ASSUME = "assume"
    PICK = "pick"
    """Which instance happens in a step."""
    DRAWN = "drawn"
    """A value that a claim about functions draws."""
    STRAY = "stray"
    """What is read where a table may have nothing."""
    BOUND = "bound"
    """A number that a quantifier binds, where it is asked whether a text is known for each."""
    QUANTIFIED = "quantified"
    """Whatever a quantifier says, where nobody asks for more."""
    ANYONE = "anyone"
    """A number that a statement about a set binds."""


def name_symbol(role: Role, *parts: object) -> str:
    """Write the name of an unknown: what other roles, or the same with other parts, never have."""
    strange = _STRANGE_IN_CELLS if role is Role.CELL else _STRANGE
    return _BETWEEN.join([role.value, *[strange.sub(_escape, str(part)) for part in parts]])


def is_of(role: Role, term: Value) -> bool:
    """True if a term is an unknown of a role, or one that is applied to members."""
    return bool(z3.is_app_of(term, z3.Z3_OP_UNINTERPRETED)) and _has_role(role, term.decl().name())


def new_number(role: Role, *parts: object, context: Value = None) -> Value:
    """Make an unknown number."""
    return z3.Int(name_symbol(role, *parts), context)


def new_flag(role: Role, *parts: object, context: Value = None) -> Value:
    """Make an unknown flag."""
    return z3.Bool(name_symbol(role, *parts), context)


def new_unknown(role: Role, *parts: object, is_flag: bool, context: Value = None) -> Value:
    """Make an unknown flag or number."""
    return (new_flag if is_flag else new_number)(role, *parts, context=context)


def new_function(
    role: Role, *parts: object, arity: int, is_flag: bool = False, context: Value = None
) -> Value:
    """Make an unknown function of so many numbers, at least one, to numbers or flags."""
    numbers = [z3.IntSort(context)] * arity
    sort = (z3.BoolSort if is_flag else z3.IntSort)(context)
    return z3.Function(name_symbol(role, *parts), *numbers, sort)


def new_value_for(
    role: Role, *parts: object, around: Sequence[Value], is_flag: bool = False, context: Value = None
) -> Value:
    """Make an unknown that depends on some members, as it is for these."""
    if not around:
        return new_unknown(role, *parts, is_flag=is_flag, context=context)
    return new_function(role, *parts, arity=len(around), is_flag=is_flag, context=context)(*around)


def _has_role(role: Role, name: str) -> bool:
    return name.partition(_BETWEEN)[0] == role.value


def _escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found.group().encode())
