"""How a check says no."""

from __future__ import annotations

from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.scheduler.reasons import Filtered


def refuse(node: Node, rule: str, text: str, **operands: object) -> Filtered:
    """Refuse a node: by which rule, in the words of the metrics, and what was compared."""
    return Filtered(node_id=node.id, rule=rule, text=text, operands=operands)
