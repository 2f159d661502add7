"""The solver's example for a claim as plain values, on which the claim is tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import z3

from nomadspec.checkers.smt.decode import read_value
from nomadspec.checkers.smt.symbols import Role, new_number
from nomadspec.checkers.verdict import Example
from nomadspec.invariants.cluster.resources.draw import WINDOW, GivenValues
from nomadspec.model.cluster.codec.codec import write
from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from nomadspec.checkers.smt.resources.paths import PathSearch, Way
    from nomadspec.invariants.cluster.resources.claim import Claim, Part
    from nomadspec.model.language.logic import Value
    from nomadspec.model.specification.profiles import Profile


def decode_example(search: PathSearch, way: Way, denied: Value) -> GivenValues | None:
    """Read an example for a way off the solver, with sets that can be shown; None where there is none."""
    solver = search.solver
    solver.push()
    solver.add(denied, *[_is_small(search, function) for function in search.unknowns.sets.values()])
    found = read_values(search, solver.model()) if solver.check() == z3.sat else None
    solver.pop()
    return None if found is None else GivenValues({**found, **way.picked})


def read_values(search: PathSearch, model: Value) -> dict[str, int | bool | frozenset[int]]:
    """Read what every unknown is in the solver's example."""
    found: dict[str, int | bool | frozenset[int]] = {
        name: read_value(model, term) for name, term in search.unknowns.scalars.items()
    }
    for name, function in search.unknowns.sets.items():
        numbers = {number: z3.IntVal(number, search.context) for number in WINDOW}
        found[name] = frozenset(
            number for number, term in numbers.items() if read_value(model, function(term))
        )
    return found


def replay(claim: Claim, part: Part, profile: Profile, given: GivenValues) -> Example:
    """Try the claim on plain values, for which it must not hold either."""
    if part.state(given, profile):
        raise ImpossibleError(
            f"The solver says that {claim.name} does not hold for {dict(given.given)}; but it does."
        )
    values = {
        name: ", ".join(map(str, sorted(value))) or "none" if isinstance(value, frozenset) else value
        for name, value in sorted(given.given.items())
    }
    objects = {name: write(one) for name, one in given.shown.items() if isinstance(one, msgspec.Struct)}
    return Example(part.name, values, objects)


def _is_small(search: PathSearch, function: Value) -> Value:
    anyone = new_number(Role.ANYONE, context=search.context)
    is_inside = z3.And(anyone >= WINDOW.start, anyone < WINDOW.stop)
    return z3.ForAll([anyone], z3.Implies(function(anyone), is_inside))
