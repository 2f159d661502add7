"""Judges the recordings of operands, on nodes and on devices, and of targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judge, Undecided
from nomadspec.checkers.oracle.shape import read_entity, read_shape
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.constraints.attributes import NotANumberError, parse_attribute
from nomadspec.model.cluster.constraints.devices import is_met_on_device
from nomadspec.model.cluster.constraints.operands import ORDERS, is_met
from nomadspec.model.cluster.constraints.targets import resolve
from nomadspec.model.cluster.entities import DeviceAttribute, Node, Operand

_RULES_BY_OPERAND: Final[Mapping[str, str]] = {
    Operand.VERSION: "FEAS-37",
    Operand.SEMVER: "FEAS-39",
    **dict.fromkeys(ORDERS, "FEAS-35"),
}
_DEVICE_RULES: Final[Rules] = (
    ("left_parsed", "FEAS-55"),
    ("right_parsed", "FEAS-55"),
    ("result", "FEAS-58"),
)
_TARGET_RULES: Final[Rules] = (("", "FEAS-29"),)


class OperandVector(msgspec.Struct, frozen=True):
    """An operand and its sides; null was not found."""

    operand: str
    left: str | None
    right: str | None


class TargetVector(msgspec.Struct, frozen=True):
    """A target and the node that it is resolved on."""

    id: str
    target: str
    node: dict[str, Any]


def judge_operand(vector: Mapping[str, Any], _: Context) -> Iterator[Difference]:
    """Ask whether an operand is satisfied by two texts."""
    shape = read_shape(OperandVector, vector)
    rule = _RULES_BY_OPERAND.get(shape.operand, "FEAS-31")
    met = is_met(shape.operand, shape.left, shape.right)
    yield from compare(vector.get("result", ABSENT), met, "result", (("", rule),))


def judge_device_operand(vector: Mapping[str, Any], _: Context) -> Iterator[Difference]:
    """Read two texts as typed values, and ask whether an operand is satisfied by them."""
    shape = read_shape(OperandVector, vector)
    left, right = _parse(shape.left), _parse(shape.right)
    try:
        met = is_met_on_device(shape.operand, left, right)
    except NotANumberError:
        raise Undecided("the server gives no answer where a value that is no number is compared") from None
    for name, value in (("left_parsed", left), ("right_parsed", right)):
        model = write(value) if value else ABSENT
        yield from compare(vector.get(name, ABSENT), model, name, _DEVICE_RULES)
    yield from compare(vector.get("result", ABSENT), met, "result", _DEVICE_RULES)


def _parse(text: str | None) -> DeviceAttribute | None:
    return None if text is None else parse_attribute(text)


def judge_target(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Resolve a target on a node."""
    shape = read_shape(TargetVector, vector)
    value = resolve(shape.target, read_entity(Node, shape.node, context, shape.id))
    yield from compare(vector.get("value", ABSENT), value or "", "value", _TARGET_RULES)
    yield from compare(vector.get("found", ABSENT), value is not None, "found", _TARGET_RULES)


JUDGES: Final[Mapping[str, Judge]] = {
    "operands": judge_operand,
    "device-operands": judge_device_operand,
    "targets": judge_target,
}
