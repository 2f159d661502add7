"""What the two sides of a constraint stand for on a node."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from nomadspec.model.cluster.constraints.operands import is_met
from nomadspec.model.cluster.entities.constraint import Constraint
from nomadspec.model.cluster.entities.node import Node

TARGET_BEGIN: Final = "${"
"""How everything begins that is not a literal."""

_FIELDS: Final[Mapping[str, Callable[[Node], str]]] = {
    "${node.unique.id}": lambda node: node.id,
    "${node.unique.name}": lambda node: node.name,
    "${node.datacenter}": lambda node: node.datacenter,
    "${node.class}": lambda node: node.node_class,
    "${node.pool}": lambda node: node.node_pool,
}
_MAPS: Final[Mapping[str, Callable[[Node], Mapping[str, str]]]] = {
    "${attr.": lambda node: node.attributes,
    "${meta.": lambda node: node.meta,
}


def resolve(target: str, node: Node) -> str | None:
    """Find what a target stands for on a node; None is not found, and counts as the empty string.

    Spec: FEAS-29, FEAS-30.
    """
    if not target.startswith(TARGET_BEGIN):
        return target
    if target in _FIELDS:
        return _FIELDS[target](node)
    for prefix, values in _MAPS.items():
        if target.startswith(prefix):
            key = target.removeprefix(prefix).removesuffix("}")
            return values(node).get(key)
    return None


def is_met_by(constraint: Constraint, node: Node) -> bool:
    """True if a node meets a constraint.

    Spec: FEAS-30, FEAS-31.
    """
    left, right = resolve(constraint.ltarget, node), resolve(constraint.rtarget, node)
    return is_met(constraint.operand, left, right)


def find_unmet(constraints: Iterable[Constraint], node: Node) -> Constraint | None:
    """Find the first constraint that a node does not meet.

    Spec: FEAS-33.
    """
    return next((constraint for constraint in constraints if not is_met_by(constraint, node)), None)


def describe(constraint: Constraint) -> str:
    """Give the text under which a constraint that is not met is recorded.

    Spec: FEAS-33.
    """
    return f"{constraint.ltarget} {constraint.operand} {constraint.rtarget}"
