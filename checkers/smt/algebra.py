"""How the operators of model/language/logic.py act on the solver's terms.

Constants stay Python values for as long as they can: what folds before the solver sees it costs nothing
there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Never

import z3

from nomadspec.model.errors import StyleError
from nomadspec.model.language.logic import Value, register_algebra


class SolverAlgebra:
    """The operators on solver terms."""

    def all_of(self, flags: Sequence[Value]) -> Value:
        """Combine flags, at least one of them symbolic and none of them a bool."""
        return z3.And(*map(_flag, flags)) if len(flags) > 1 else _flag(flags[0])

    def any_of(self, flags: Sequence[Value]) -> Value:
        """Combine flags, at least one of them symbolic and none of them a bool."""
        return z3.Or(*map(_flag, flags)) if len(flags) > 1 else _flag(flags[0])

    def not_(self, flag: Value) -> Value:
        """Negate a symbolic flag, unless it is negated already."""
        return flag.arg(0) if z3.is_not(flag) else z3.Not(_flag(flag))

    def ite(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """Choose by a condition; equal branches fold away."""
        return then if is_same(then, otherwise) else z3.If(_flag(condition), then, otherwise)

    def as_number(self, value: Value) -> Value:
        """Read a symbolic flag as 0 or 1, and leave a symbolic number as it is."""
        return z3.If(value, 1, 0) if z3.is_bool(value) else value


@contextmanager
def refusing_branches() -> Iterator[None]:
    """Refuse Python's ``if`` and look-ups on symbolic values for a while.

    On its own the solver's ``==`` is true where both texts are the same and false elsewhere. So a branch on
    a size, which works while sizes are plain numbers, would be taken wrongly here without a word.
    """
    usual = z3.BoolRef.__bool__, z3.ExprRef.__hash__
    z3.BoolRef.__bool__ = z3.ExprRef.__hash__ = _refuse_branch
    try:
        yield
    finally:
        z3.BoolRef.__bool__, z3.ExprRef.__hash__ = usual


def is_same(left: Value, right: Value) -> bool:
    """True if two values, plain or symbolic, are the same text."""
    if z3.is_expr(left) or z3.is_expr(right):
        return z3.is_expr(left) and z3.is_expr(right) and bool(left.eq(right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def mentions(value: Value, symbol: Value) -> bool:
    """True if an unknown occurs in a value; in what is no value, such as a row, it might."""
    if z3.is_expr(value):
        return not z3.substitute(value, (symbol, symbol + 1)).eq(value)
    return not isinstance(value, int)


def list_conjuncts(flag: Value) -> list[Value]:
    """List what has to hold together for a flag to hold."""
    if not z3.is_and(flag):
        return [flag]
    return [part for one in flag.children() for part in list_conjuncts(one)]


def list_parts(terms: Iterable[Value]) -> Iterator[Value]:
    """List all parts of some terms, each once."""
    seen: set[int] = set()
    pending = [*terms][::-1]
    while pending:
        term = pending.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        yield term
        pending.extend([term.body()] if z3.is_quantifier(term) else reversed(term.children()))


def list_unknowns(terms: Iterable[Value]) -> Iterator[Value]:
    """List the unknowns in some terms, with what they are applied to, each once, in the order of texts."""
    seen: set[int] = set()
    for term in terms:
        context = term.ctx.ref()
        for number, part in walk(term, seen):
            seen.add(number)
            if _is_unknown(context, part):
                sort = z3.Z3_get_sort_kind(context, z3.Z3_get_sort(context, part))
                yield (z3.BoolRef if sort == z3.Z3_BOOL_SORT else z3.ArithRef)(part, term.ctx)


def walk(term: Value, seen: Container[int]) -> Iterator[tuple[int, Value]]:
    """Go through the parts of a term that are not seen, with their numbers; who sees them notes that.

    Texts are gone through again and again, and to make an object of each part takes most of that time. So
    what is given is no object but what the solver's library calls the part.
    """
    context, pending = term.ctx.ref(), [term.as_ast()]
    while pending:
        part = pending.pop()
        number = z3.Z3_get_ast_id(context, part)
        if number in seen:
            continue
        yield number, part
        kind = z3.Z3_get_ast_kind(context, part)
        if kind == z3.Z3_APP_AST:
            count = z3.Z3_get_app_num_args(context, part)
            pending += [z3.Z3_get_app_arg(context, part, place) for place in reversed(range(count))]
        elif kind == z3.Z3_QUANTIFIER_AST:
            pending.append(z3.Z3_get_quantifier_body(context, part))


def _is_unknown(context: Value, part: Value) -> bool:
    if z3.Z3_get_ast_kind(context, part) != z3.Z3_APP_AST:
        return False
    kind = z3.Z3_get_decl_kind(context, z3.Z3_get_app_decl(context, part))
    return bool(kind == z3.Z3_OP_UNINTERPRETED)


def read_number(value: Value) -> int | None:
    """Give the number that a value is, if only as the solver's constant; None of an unknown."""
    if not z3.is_expr(value):
        return int(value)
    return int(value.as_long()) if z3.is_int_value(value) else None


def list_leaves(value: Value) -> Iterator[Value]:
    """List what a value may be: what it chooses from, where it is a choice."""
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if not z3.is_expr(part) or not z3.is_app_of(part, z3.Z3_OP_ITE):
            yield part
        elif part.get_id() not in seen:
            seen.add(part.get_id())
            waiting += part.children()[1:]


def equals(left: Value, right: Value) -> Value:
    """True while two values are equal, as a bool where the text alone decides it."""
    if not z3.is_expr(left) and not z3.is_expr(right):
        return bool(left == right)
    return True if is_same(left, right) else left == right


def as_term(value: Value, context: Value = None) -> Value:
    """Turn a plain value into the solver's constant."""
    if isinstance(value, bool):
        return z3.BoolVal(value, context)
    return z3.IntVal(int(value), context) if isinstance(value, int) else value


def _refuse_branch(value: Value) -> Never:
    raise StyleError(
        f"a text may not branch on {value}, or look it up, where sizes are any number: "
        "write ite, all_of, any_of or one_of instead"
    )


def _flag(value: Value) -> Value:
    if not z3.is_bool(value):
        raise StyleError(
            f"A flag was expected where a rule or property gives {value}: compare it with something."
        )
    return value


register_algebra(z3.ExprRef, SolverAlgebra())
