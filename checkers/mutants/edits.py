"""The small mistakes that one can make in the text of a rule, a property, or what they call.

An edit changes one place of the syntax tree: a condition is dropped, a comparison or quantifier turned, a
number off by one, an effect left out or mixed up with another, a property made true.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from nomadspec.checkers.mutants.effects import exchange_effects, leave_out_effects
from nomadspec.checkers.mutants.places import Change, Node, Place, copy_tree
from nomadspec.model.errors import ImpossibleError

_TURNED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_QUANTIFIERS: Final = {"for_all": "exists", "exists": "for_all"}
_GUARDS: Final = ("require", "when")

MADE_TRUE: Final = "property made true"
"""The mistake that a property says nothing any more."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One mistake: what it is, where it is made, and the definition that holds it."""

    kind: str
    line: int
    column: int
    before: str
    after: str
    source: ast.FunctionDef
    place: Place

    @property
    def definition(self) -> ast.FunctionDef:
        """Give a copy of the definition with the mistake in it."""
        mutated = copy_tree(self.source)
        self.place.change(list(ast.walk(mutated))[self.place.at])
        return mutated


def list_edits(file: str, line: int, names: Mapping[str, Any], *, is_property: bool) -> list[Edit]:
    """List the mistakes that can be made in the function whose definition holds a line.

    ``names`` are those that the function can see, in which the members of enumerations are looked up.
    """
    definition = find_definition(file, line)
    places = [*_turn_comparisons(definition), *_turn_quantifiers(definition), *_miscount(definition)]
    if is_property:
        return [*_edits(definition, places), *_edits(definition, [Place(MADE_TRUE, 0, _make_true)])]
    places = [
        *_drop_conditions(definition),
        *places,
        *_confuse_members(definition, names),
        *leave_out_effects(definition),
        *exchange_effects(definition),
    ]
    return list(_edits(definition, places))


def find_definition(file: str, line: int) -> ast.FunctionDef:
    """Find the definition that a function of that line was made from."""
    for node in ast.walk(_parse(file)):
        if isinstance(node, ast.FunctionDef) and _first_line(node) <= line <= node.lineno:
            return node
    raise ImpossibleError(f"No function is defined in line {line} of {file}.")


@cache
def _parse(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _edits(definition: ast.FunctionDef, places: list[Place]) -> Iterator[Edit]:
    """Make each change in a copy of its node, in the order of the text."""
    nodes = list(ast.walk(definition))
    found = []
    for place in places:
        before, after, where = place.change(copy_tree(nodes[place.at]))
        found.append(Edit(place.kind, where.lineno, where.col_offset, before, after, definition, place))
    yield from sorted(found, key=lambda edit: (edit.line, edit.column, edit.kind, edit.before))


def _list_nodes(definition: ast.FunctionDef) -> Iterator[tuple[int, ast.AST]]:
    """List the nodes of the body by their number: decorators and annotations are no text of the rule."""
    own = [*definition.decorator_list, definition.args, *([definition.returns] if definition.returns else [])]
    left_out = {id(node) for part in own for node in ast.walk(part)}
    for at, node in enumerate(ast.walk(definition)):
        if id(node) not in left_out:
            yield at, node


def _drop_conditions(definition: ast.FunctionDef) -> Iterator[Place]:
    """Drop conditions of ``require``, and those of ``when``."""
    for at, node in _list_nodes(definition):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _GUARDS:
            yield from (Place("condition dropped", at, _dropper(number)) for number in range(len(node.args)))


def _dropper(number: int) -> Change:
    def drop(node: Node) -> tuple[str, str, ast.expr]:
        dropped = node.args[number]
        node.args[number] = ast.Constant(value=True)
        return ast.unparse(dropped), "True", dropped

    return drop


def _turn_comparisons(definition: ast.FunctionDef) -> Iterator[Place]:
    for at, node in _list_nodes(definition):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _TURNED:
            yield Place("comparison turned", at, _changing(_turn))


def _turn(node: Node) -> None:
    node.ops[0] = _TURNED[type(node.ops[0])]()


def _turn_quantifiers(definition: ast.FunctionDef) -> Iterator[Place]:
    """Turn quantifiers that are called, and those that are chosen to be called later."""
    nodes = list(_list_nodes(definition))
    called = {id(node.func) for _, node in nodes if isinstance(node, ast.Call)}
    for at, node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _QUANTIFIERS:
            yield Place("quantifier turned", at, _changing(lambda call: _turn_quantifier(call.func)))
        elif isinstance(node, ast.Name) and node.id in _QUANTIFIERS and id(node) not in called:
            yield Place("quantifier turned", at, _changing(_turn_quantifier))


def _turn_quantifier(name: Node) -> None:
    name.id = _QUANTIFIERS[name.id]


def _miscount(definition: ast.FunctionDef) -> Iterator[Place]:
    """Let each number be larger by one."""
    for at, node in _list_nodes(definition):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield Place("off by one", at, _changing(_count_one_more))


def _count_one_more(node: Node) -> None:
    node.value += 1


def _confuse_members(definition: ast.FunctionDef, names: Mapping[str, Any]) -> Iterator[Place]:
    """Write the next member of an enumeration instead of one; comparisons with it are turned already."""
    compared = {
        id(part)
        for _, node in _list_nodes(definition)
        if isinstance(node, ast.Compare)
        for part in ast.walk(node)
    }
    for at, node in _list_nodes(definition):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and id(node) not in compared:
            members = names.get(node.value.id)
            if isinstance(members, type) and issubclass(members, IntEnum):
                yield Place("value mixed up", at, _changing(_next_of([one.name for one in members])))


def _next_of(members: list[str]) -> Callable[[Node], None]:
    def change(node: Node) -> None:
        node.attr = members[(members.index(node.attr) + 1) % len(members)]

    return change


def _changing(change: Callable[[Node], None]) -> Change:
    """Tell a change from the text of the node before and after it."""

    def apply(node: Node) -> tuple[str, str, ast.expr]:
        before = ast.unparse(node)
        change(node)
        return before, ast.unparse(node), node

    return apply


def _make_true(node: Node) -> tuple[str, str, ast.stmt]:
    node.body = [ast.Return(value=ast.Constant(value=True))]
    definition: ast.FunctionDef = node
    return definition.name, "True", definition
