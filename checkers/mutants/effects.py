"""Mistakes in effects: one is left out, two exchange their values, a choice takes the other branch.

An effect is an assignment to the world after, or a call that is made for what it does to that world. The
world after is called ``t``; what ``t.when(...)`` gives is the world after as well, whatever its name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from nomadspec.checkers.mutants.places import Change, Node, Place
from nomadspec.model.language.comparison_checks import is_part_of

LEFT_OUT: Final = "effect left out"
"""The mistake that a rule does not do one of the things that it does."""

_AFTER: Final = "t"
_CHOICE: Final = "ite"
_BRANCHES: Final = 3


def leave_out_effects(definition: ast.FunctionDef) -> Iterator[Place]:
    """Leave out each effect."""
    afters = find_afters(definition)
    for at, field, number, statement in _list_statements(definition):
        if _is_effect(statement, afters):
            yield Place(LEFT_OUT, at, _leaver(field, number))


def exchange_effects(definition: ast.FunctionDef) -> Iterator[Place]:
    """Exchange the values of neighbouring effects of the same form, and the branches of choices."""
    afters = find_afters(definition)
    for (at, field, number, one), (_, _, _, other) in pairwise(_list_statements(definition)):
        if _is_alike(one, other, afters) and number + 1 < len(_statements_of(definition, at, field)):
            yield Place("effects swapped", at, _exchanger(field, number))
    for at, node in enumerate(ast.walk(definition)):
        is_choice = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _CHOICE
        if is_choice and isinstance(node, ast.Call) and len(node.args) == _BRANCHES:
            yield Place("branches swapped", at, _exchange_branches)


def find_afters(definition: ast.FunctionDef) -> frozenset[str]:
    """Find the names of the world after: ``t``, and what is a part of it or was made of it by ``when``."""
    names = {_AFTER}
    for node in ast.walk(definition):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and (_is_narrowed(node.value) or is_part_of(node.value, names))
        ):
            names.add(node.targets[0].id)
    return frozenset(names)


def _is_narrowed(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "when"


def _list_statements(definition: ast.FunctionDef) -> Iterator[tuple[int, str, int, ast.stmt]]:
    """List the statements with the number of the node that holds them, its field, and their place in it."""
    for at, node in enumerate(ast.walk(definition)):
        for field in ("body", "orelse"):
            found = getattr(node, field, None)
            if isinstance(found, list):  # the body of a lambda is none
                yield from ((at, field, number, statement) for number, statement in enumerate(found))


def _statements_of(definition: ast.FunctionDef, at: int, field: str) -> list[ast.stmt]:
    found: list[ast.stmt] = getattr(list(ast.walk(definition))[at], field)
    return found


def _is_effect(statement: ast.stmt, afters: frozenset[str]) -> bool:
    if isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return any(_touches(part, afters) for target in targets for part in _parts(target))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        is_guard = isinstance(call.func, ast.Attribute) and call.func.attr == "require"
        return not is_guard and any(_is_after(node, afters) for node in ast.walk(call))
    return False


def _parts(target: ast.expr) -> list[ast.expr]:
    return list(target.elts) if isinstance(target, ast.Tuple) else [target]


def _touches(target: ast.expr, afters: frozenset[str]) -> bool:
    """True if a target is part of the world after: plain names are not."""
    return not isinstance(target, ast.Name) and any(_is_after(node, afters) for node in ast.walk(target))


def _is_after(node: ast.AST, afters: frozenset[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in afters


def _is_alike(one: ast.stmt, other: ast.stmt, afters: frozenset[str]) -> bool:
    """True if two effects assign values of the same form that differ."""
    if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign):
        return False
    if not _is_effect(one, afters) or not _is_effect(other, afters):
        return False
    is_same_form = type(one.value) is type(other.value)
    return is_same_form and ast.unparse(one.value) != ast.unparse(other.value)


def _leaver(field: str, number: int) -> Change:
    def leave_out(node: Node) -> tuple[str, str, ast.stmt]:
        body = getattr(node, field)
        left_out = body[number]
        body[number] = ast.copy_location(ast.Pass(), left_out)
        return ast.unparse(left_out), "pass", left_out

    return leave_out


def _exchanger(field: str, number: int) -> Change:
    def exchange(node: Node) -> tuple[str, str, ast.stmt]:
        one, other = getattr(node, field)[number : number + 2]
        before = _write_both(one, other)
        one.value, other.value = other.value, one.value
        return before, _write_both(one, other), one

    return exchange


def _write_both(one: ast.stmt, other: ast.stmt) -> str:
    return f"{ast.unparse(one)}; {ast.unparse(other)}"


def _exchange_branches(node: Node) -> tuple[str, str, ast.expr]:
    before = ast.unparse(node)
    node.args[1], node.args[2] = node.args[2], node.args[1]
    return before, ast.unparse(node), node
