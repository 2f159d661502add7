"""Statements about sets of any size, asked in one world: quantifiers written out, sums added up."""

import random
from collections.abc import Iterable, Iterator
from itertools import product

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.counts import list_count_facts, list_near_comparisons
from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
from nomadspec.checkers.smt.sums import Sum
from nomadspec.checkers.smt.symbols import Role, new_number
from nomadspec.model.errors import DomainError
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.logic import Value
from nomadspec.model.language.property import Kind
from tests.checkers.smt.agreement import fix_arguments, fix_world, is_same_world


def write_out(term: Value, window: range) -> Value:
    """Write quantifiers out over a window of numbers, which members of all sets lie in."""
    known: dict[int, tuple[Value, Value]] = {}

    def visit(node: Value) -> Value:
        if node.get_id() in known:
            return known[node.get_id()][1]
        if z3.is_quantifier(node):
            numbers = product([z3.IntVal(one) for one in window], repeat=node.num_vars())
            parts = [visit(z3.simplify(z3.substitute_vars(node.body(), *reversed(one)))) for one in numbers]
            made = z3.And(*parts) if node.is_forall() else z3.Or(*parts)
        elif z3.is_var(node) or not node.num_args():
            made = node
        else:
            made = node.decl()(*map(visit, node.children()))
        known[node.get_id()] = node, made  # the node is kept, so that its number is not given to another
        return made

    return visit(term)


def add_up(count: Sum, sizes: dict[str, int], lengths: dict[str, int]) -> Iterator[Value]:
    """Say for all members around how much a sum is: as many as its text holds for."""
    fixed = [(new_number(Role.SIZE, name), z3.IntVal(size)) for name, size in sizes.items()]
    ranges = [range(lengths[ids.name]) for ids, _ in count.sets]
    for around in product(*[range(lengths[name]) for name in count.around]):
        members = [z3.IntVal(one) for one in around]
        said = [
            z3.substitute(count.says([z3.IntVal(one) for one in own], members), *fixed)
            for own in product(*ranges)
        ]
        yield count.at(members) == z3.Sum([z3.If(one, 1, 0) for one in said])


class Grounded:
    """A model that is read over sets of any size, asked in single worlds of a scope."""

    def __init__(self, bounded: BoundedModel) -> None:
        self.bounded = bounded
        self.world = OpenWorld(bounded)
        self._window = range(-1, max(bounded.sizes.values()) + 1)
        self._written: dict[tuple[int, ...], tuple[list[Sum], list[Value]]] = {}
        self._lengths = {ids.name: bounded.frame.length(ids) for ids in bounded.frame.schema.sets}

        self._said = {prop.name: self._say(prop.name) for prop in bounded.model.list_properties(Kind.ALWAYS)}

    def _say(self, name: str) -> tuple[Value, list[Sum]]:
        self.world.frame.binder.take_counts()
        stated = as_term(self.world.state_candidate(name, self.world.before))
        return stated, list(self.world.frame.binder.take_counts().values())

    def is_possible(self, cells: Cells, terms: Iterable[Value], counts: Iterable[Sum]) -> bool:
        """Tell whether terms can be in a world, with all that the solver is told of counts."""
        told = [write_out(as_term(term), self._window) for term in terms]
        solver = z3.SolverFor("QF_UFLIA")
        solver.add(*self._list_known(list(counts)), *told, *fix_world(self.bounded, self.world, cells))
        answer = solver.check()
        assert answer != z3.unknown
        return bool(answer == z3.sat)

    def _list_known(self, counts: list[Sum]) -> list[Value]:
        """List what is told of counts in any world, and how much each of them is."""
        key = tuple(id(count) for count in counts)
        if key not in self._written:
            named = {name: [z3.IntVal(0), z3.IntVal(1)] for name in self._lengths}
            told = [*self.world.background, *list_count_facts(counts), *list_near_comparisons(counts, named)]
            told += [part for one in counts for part in add_up(one, self.bounded.sizes, self._lengths)]
            written = [write_out(as_term(term), self._window) for term in told]
            self._written[key] = counts, written  # the counts are kept, so that their ids stay theirs
        return self._written[key][1]

    def find_steps(self, cells: Cells) -> Iterator[tuple[OpenStep, list[Value]]]:
        """Find the steps that the interpreter takes from a world, as they are read here, and to where."""
        for instance in self.bounded.instances:
            try:
                after = self.bounded.step(cells, instance)
            except DomainError:  # as a world that nothing leads to may; there is no world behind such a step
                continue
            if after is None:
                continue
            for step in self.world.steps:
                is_same = step.by is not None and step.by.rule is instance.rule
                arguments = fix_arguments(step, instance) if is_same else None
                if arguments is not None:
                    yield step, [*arguments, is_same_world(self.bounded, step.after, after)]

    def list_faults(self, cells: Cells) -> list[str]:
        """List what is read otherwise in a world than the interpreter says."""
        faults = []
        for prop in self.bounded.model.list_properties(Kind.ALWAYS):
            stated, counts = self._said[prop.name]
            holds = self.bounded.holds(prop, cells)
            if not self.is_possible(cells, [stated == holds], counts):
                faults.append(f"{prop.name} cannot be {holds}")
            if self.is_possible(cells, [stated != holds], counts):
                faults.append(f"{prop.name} can be {not holds}")
        for step, arguments in self.find_steps(cells):
            assert step.by is not None
            if not self.is_possible(
                cells, [*arguments, *step.premises, *step.definitions], step.counts.values()
            ):
                faults.append(f"{step.by.rule.name} cannot happen")
        return faults


def list_random(bounded: BoundedModel, number: int, seed: int = 11) -> list[Cells]:
    """List worlds that perhaps nothing leads to: any values of their domains, with empty queues."""
    chance = random.Random(seed)
    lines = {queue.name for queue in bounded.frame.schema.queues}
    found = []
    for _ in range(number):
        cells: list[int] = []
        for placed in bounded.frame.placed.values():
            values = [0] if placed.field.name in lines else list(placed.interval.values())
            cells += [chance.choice(values) for _ in range(placed.span)]
        found.append(tuple(cells))
    return found
