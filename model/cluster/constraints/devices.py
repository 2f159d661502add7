"""Constraints on devices: targets of a device group, typed operands, and the filter of instances."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from nomadspec.model.cluster.constraints.attributes import compare_attributes, is_comparable, parse_attribute
from nomadspec.model.cluster.constraints.operands import (
    EQUALITIES,
    HANDLED_ELSEWHERE,
    INEQUALITIES,
    TEXT_CHECKS,
    VERSION_CHECKS,
)
from nomadspec.model.cluster.constraints.targets import TARGET_BEGIN
from nomadspec.model.cluster.entities.constraint import Constraint, Operand
from nomadspec.model.cluster.entities.hardware import DeviceAttribute, NodeDeviceResource
from nomadspec.model.cluster.entities.resources import RequestedDevice

DEVICE_IDS: Final = "${device.ids}"

_ATTRIBUTE_BEGIN: Final = "${device.attr."
_TEXTS: Final[Mapping[str, Callable[[NodeDeviceResource], str]]] = {
    DEVICE_IDS: lambda group: ",".join(instance.id for instance in group.instances),
    "${device.model}": lambda group: group.name,
    "${device.vendor}": lambda group: group.vendor,
    "${device.type}": lambda group: group.type,
}
_ORDERS: Final[Mapping[str, frozenset[int]]] = {
    **dict.fromkeys(EQUALITIES, frozenset({0})),
    Operand.LESS: frozenset({-1}),
    Operand.LESS_OR_EQUAL: frozenset({-1, 0}),
    Operand.GREATER: frozenset({1}),
    Operand.GREATER_OR_EQUAL: frozenset({0, 1}),
}
"""Which outcomes of a comparison satisfy an operand."""
_NAME_PARTS: Final = 3


def is_named(request: str, group: NodeDeviceResource) -> bool:
    """True if a device group goes by the name that is asked for: type, vendor/type or vendor/type/model.

    Spec: FEAS-51.
    """
    parts = request.split("/", _NAME_PARTS - 1)
    known = (group.type,) if len(parts) == 1 else (group.vendor, group.type, group.name)[: len(parts)]
    return tuple(parts) == known


def resolve_on_device(target: str, group: NodeDeviceResource) -> DeviceAttribute | None:
    """Find what a target stands for on a device group; None is not found.

    Spec: FEAS-54.
    """
    if not target.startswith(TARGET_BEGIN):
        return parse_attribute(target)
    if target in _TEXTS:
        return DeviceAttribute(string_value=_TEXTS[target](group))
    if target.startswith(_ATTRIBUTE_BEGIN):
        return group.attributes.get(target.removeprefix(_ATTRIBUTE_BEGIN).removesuffix("}"))
    return None


def is_met_on_device(operand: str, left: DeviceAttribute | None, right: DeviceAttribute | None) -> bool:
    """True if the operand is satisfied by typed sides; None is a side that was not found.

    Spec: FEAS-58, 06/S-03, 06/S-16.
    """
    if operand in HANDLED_ELSEWHERE:
        return True
    if operand == Operand.IS_SET:
        return left is not None
    if operand == Operand.IS_NOT_SET:
        return left is None
    if left is None or right is None:
        return operand in INEQUALITIES and left is not right
    return _is_met_by_both(operand, left, right)


def _is_met_by_both(operand: str, left: DeviceAttribute, right: DeviceAttribute) -> bool:
    if operand in INEQUALITIES:
        return is_comparable(left, right) and compare_attributes(left, right) != 0
    if operand in _ORDERS:
        return is_comparable(left, right) and compare_attributes(left, right) in _ORDERS[operand]
    if right.string_value is None:
        return False
    if operand in VERSION_CHECKS:
        version = left.string_value if left.int_value is None else str(left.int_value)
        return version is not None and VERSION_CHECKS[operand](version, right.string_value)
    check = TEXT_CHECKS.get(operand)
    return (
        check is not None and left.string_value is not None and check(left.string_value, right.string_value)
    )


def is_met_by_group(constraint: Constraint, group: NodeDeviceResource) -> bool:
    """True if a device group meets a constraint.

    Spec: FEAS-54, FEAS-58.
    """
    left = resolve_on_device(constraint.ltarget, group)
    return is_met_on_device(constraint.operand, left, resolve_on_device(constraint.rtarget, group))


def is_wanted(request: RequestedDevice, group: NodeDeviceResource) -> bool:
    """True if a device group may serve a request: its name fits and all constraints hold.

    Spec: FEAS-53.
    """
    if not is_named(request.name, group):
        return False
    return all(is_met_by_group(constraint, group) for constraint in request.constraints)


def is_instance_wanted(
    constraints: Iterable[Constraint], group: NodeDeviceResource, instance_id: str
) -> bool:
    """True if constraints on the IDs of devices allow one instance; its ID stands on the right.

    Where the other side is not found no operand holds, not even one that asks for a difference.

    Spec: FEAS-59, 06/S-18.
    """
    instance = DeviceAttribute(string_value=instance_id)
    for constraint in constraints:
        targets = [constraint.ltarget, constraint.rtarget]
        if DEVICE_IDS not in targets:
            continue
        targets.remove(DEVICE_IDS)
        other = resolve_on_device(targets[0], group)
        if other is None or not is_met_on_device(constraint.operand, other, instance):
            return False
    return True
