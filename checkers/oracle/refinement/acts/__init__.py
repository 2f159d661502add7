"""Holds the acts of whole clusters against the kernel: each is the kernel's steps that it declares."""

from nomadspec.checkers.oracle.refinement.acts.deployment_holding import (
    hold_deployments,
    list_deployment_texts,
)
from nomadspec.checkers.oracle.refinement.acts.holding import Held, hold, list_kernel_texts
from nomadspec.checkers.oracle.refinement.acts.node_holding import hold_nodes, list_node_texts
from nomadspec.checkers.oracle.refinement.acts.plan_holding import hold_plans, list_plan_texts
from nomadspec.checkers.oracle.refinement.acts.unheld import UNHELD

__all__ = [
    "UNHELD",
    "Held",
    "hold",
    "hold_deployments",
    "hold_nodes",
    "hold_plans",
    "list_deployment_texts",
    "list_kernel_texts",
    "list_node_texts",
    "list_plan_texts",
]
