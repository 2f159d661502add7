"""Checks of what a job asks of nodes: constraints, affinities and spreads."""

import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import Complaint, collect, complain, complain_freely
from nomadspec.model.cluster.constraints.literals import parse_digits
from nomadspec.model.cluster.constraints.regex_syntax import compile_regex
from nomadspec.model.cluster.constraints.versions import parse_requirements
from nomadspec.model.cluster.entities import Affinity, Constraint, Operand, Spread

_WHOLE_SET: Final = frozenset(
    {Operand.SET_CONTAINS, Operand.SET_CONTAINS_ALL, Operand.SET_CONTAINS_ANY},
)
_PRESENCE: Final = frozenset({Operand.IS_SET, Operand.IS_NOT_SET})
_COMPARISONS: Final = frozenset(
    {
        Operand.EQUAL,
        Operand.EQUAL_TWICE,
        Operand.IS,
        Operand.UNEQUAL,
        Operand.NOT,
        Operand.LESS,
        Operand.LESS_OR_EQUAL,
        Operand.GREATER,
        Operand.GREATER_OR_EQUAL,
    }
)
_KNOWN: Final = frozenset(Operand)
_NOT_FOR_AFFINITIES: Final = _PRESENCE | {Operand.DISTINCT_HOSTS, Operand.DISTINCT_PROPERTY}
_ATTRIBUTES: Final = frozenset(
    {
        "${node.unique.id}",
        "${node.unique.name}",
        "${node.datacenter}",
        "${node.class}",
        "${node.pool}",
    }
)
_ATTRIBUTE_KINDS: Final = ("${attr.", "${meta.", "${device.")
_WEIGHT_LIMIT: Final = 100
_UINT64_DIGITS: Final = 20
_UINT64_MAX: Final = 2**64 - 1
_PERCENT_LIMIT: Final = 100
_REGEX_TROUBLES: Final = (
    ("unterminated character set", "missing closing ]: `{rest}`"),
    ("missing ), unterminated subpattern", "missing closing ): `{whole}`"),
    ("unbalanced parenthesis", "unexpected ): `{whole}`"),
)


def check_constraints(constraints: Iterable[Constraint]) -> Iterator[Complaint]:
    """Check the constraints of a job or a group.

    Spec: OBJ-130, OBJ-131, OBJ-132, FEAS-41.
    """
    for number, constraint in enumerate(constraints, 1):
        yield from collect(f"Constraint {number} validation failed: ", check_constraint(constraint))


def check_constraint(constraint: Constraint) -> Iterator[Complaint]:
    """Check one constraint.

    Spec: OBJ-131.
    """
    operand = constraint.operand
    if not operand:
        yield complain("Missing constraint operand")
    yield from _check_right(operand, constraint.rtarget, "constraint type")
    if operand != Operand.DISTINCT_HOSTS and not constraint.ltarget:
        yield complain("no attribute provided but is required by operator")
    elif not _is_attribute(constraint.ltarget):
        yield complain_freely(f"attribute {constraint.ltarget!r} is not one that nodes have")


def check_affinities(affinities: Iterable[Affinity]) -> Iterator[Complaint]:
    """Check the affinities of a job, a group or a task.

    Spec: OBJ-133, RANK-56.
    """
    for number, affinity in enumerate(affinities, 1):
        yield from collect(f"Affinity {number} validation failed: ", _check_affinity(affinity))


def check_spreads(spreads: Iterable[Spread]) -> Iterator[Complaint]:
    """Check the spreads of a job or a group.

    Spec: OBJ-134.
    """
    for number, spread in enumerate(spreads, 1):
        yield from collect(f"Spread {number} validation failed: ", _check_spread(spread))


def _is_attribute(target: str) -> bool:
    if not target.startswith("$") or target in _ATTRIBUTES:
        return True
    return target.startswith(_ATTRIBUTE_KINDS) and target.endswith("}")


def _check_right(operand: str, right: str, noun: str) -> Iterator[Complaint]:
    if operand not in _KNOWN:
        yield complain(f'Unknown {noun} "{operand}"')
    elif operand in _WHOLE_SET and not right:
        yield complain("Set contains constraint requires an RTarget")
    elif operand in _COMPARISONS and not right:
        yield complain_freely(f'operator "{operand}" needs an RTarget')
    elif operand in _PRESENCE and right:
        yield complain_freely(f'operator "{operand}" takes no RTarget')
    elif operand == Operand.REGEXP:
        yield from _check_regex(right)
    elif operand == Operand.VERSION and parse_requirements(right) is None:
        yield complain(f"Version constraint is invalid: malformed constraint: {right}")
    elif operand == Operand.SEMVER and parse_requirements(right, strict=True) is None:
        yield complain_freely(f"Semver constraint is invalid: malformed constraint: {right}")
    elif operand == Operand.DISTINCT_PROPERTY and right:
        yield from _check_distinct_count(right)


def _check_regex(expression: str) -> Iterator[Complaint]:
    if compile_regex(expression) is not None:
        return
    beginning = "Regular expression failed to compile: error parsing regexp: "
    told = _find_regex_trouble(expression)
    yield complain(beginning + told) if told else complain_freely(f"{beginning}`{expression}`")


def _find_regex_trouble(expression: str) -> str:
    """Word what is wrong with an expression as the server does; empty where its words are not known."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python may read in another way one day
            re.compile(expression)
    except re.error as error:
        for message, text in _REGEX_TROUBLES:
            if error.msg == message:
                return text.format(rest=expression[error.pos :], whole=expression)
    except (OverflowError, RecursionError, ValueError):
        return ""  # Python has bounds of its own: counts, digits and groups in one another
    return ""


def _check_distinct_count(text: str) -> Iterator[Complaint]:
    if not (text.isascii() and text.isdigit()):
        trouble = f'strconv.ParseUint: parsing "{text}": invalid syntax'
        yield complain(f'Failed to convert RTarget "{text}" to uint64: {trouble}')
        return
    count = parse_digits(text, _UINT64_DIGITS)
    if count is None or count > _UINT64_MAX:
        trouble = f'strconv.ParseUint: parsing "{text}": value out of range'
        yield complain(f'Failed to convert RTarget "{text}" to uint64: {trouble}')
    elif count < 1:
        yield complain(f"Distinct Property must have an allowed count of 1 or greater: {count} < 1")


def _check_affinity(affinity: Affinity) -> Iterator[Complaint]:
    if not affinity.operand:
        yield complain("Missing affinity operand")
    if affinity.operand in _NOT_FOR_AFFINITIES:
        yield complain(f'Unknown affinity operator "{affinity.operand}"')
    else:
        yield from _check_right(affinity.operand, affinity.rtarget, "affinity operator")
    if not affinity.ltarget:
        yield complain_freely("an affinity needs an LTarget")
    if affinity.weight == 0:
        yield complain("Affinity weight cannot be zero")
    elif abs(affinity.weight) > _WEIGHT_LIMIT:
        yield complain_freely(f"an affinity's weight must lie between -100 and 100; got {affinity.weight}")


def _check_spread(spread: Spread) -> Iterator[Complaint]:
    if not spread.attribute:
        yield complain("Missing spread attribute")
    if not 0 < spread.weight <= _WEIGHT_LIMIT:
        yield complain("Spread block must have a positive weight from 0 to 100")
    seen: set[str] = set()
    for target in spread.spread_target:
        if target.value in seen:
            yield complain(f'Spread target value "{target.value}" already defined')
        seen.add(target.value)
        if target.percent > _PERCENT_LIMIT:
            yield complain(f'Spread target percentage for value "{target.value}" must be between 0 and 100')
    total = sum(target.percent for target in spread.spread_target)
    if total > _PERCENT_LIMIT:
        yield complain(f"Sum of spread target percentages must not be greater than 100%; got {total}%")
