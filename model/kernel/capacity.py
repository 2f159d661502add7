"""How plans change capacity: in the store, and before that in the applier's snapshot of it."""

from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId
from nomadspec.model.kernel.records import AppliedState, Plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import ite


def free_capacity(view: Kernel | AppliedState, job: JobId, i: AllocNumber) -> None:
    """Let an allocation give its capacity back."""
    view.occupies[job, i] = NONE
    view.extra_at[job, i] = NONE


def take_capacity(
    s: Kernel, view: Kernel | AppliedState, job: JobId, i: AllocNumber, node: NodeId, plan: Plan
) -> None:
    """Let an allocation take the capacity of a node that its plan gives it."""
    view.occupies[job, i] = node
    take_extras(s, view, job, i, node, plan)


def take_extras(
    s: Kernel, view: Kernel | AppliedState, job: JobId, i: AllocNumber, node: NodeId, plan: Plan
) -> None:
    """Let an allocation take the units beside the first that its plan gives it."""
    for x in s.extras:
        view.extra_at[job, i, x] = ite(x < plan.ask, node, NONE)
