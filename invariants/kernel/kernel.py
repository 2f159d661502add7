"""The kernel with everything that must be true of it."""

from nomadspec.invariants.kernel import (
    allocations,
    applier,
    blocked,
    bookkeeping,
    broker,
    collection,
    deliveries,
    deployments,
    drafts,
    evaluations,
    events,
    jobs,
    lifecycles,
    nodes,
    plans,
    workers,
)
from nomadspec.model.kernel.kernel import KERNEL as RULES
from nomadspec.model.property import properties_in

SUBJECTS = (
    evaluations,
    broker,
    blocked,
    workers,
    plans,
    applier,
    jobs,
    nodes,
    allocations,
    deployments,
    collection,
    lifecycles,
    deliveries,
    drafts,
    bookkeeping,
    events,
)

KERNEL = RULES.with_properties(prop for subject in SUBJECTS for prop in properties_in(subject))
