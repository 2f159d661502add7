"""The kernel with everything that must be true of it."""

from nomadspec.invariants.kernel import (
    applier,
    blocked,
    broker,
    clients,
    collection,
    deployments,
    disconnects,
    harm,
    jobs,
    leader,
    nodes,
    pipeline,
    plan_queue,
    preemption,
    scheduler,
    stale_servers,
    worker,
)
from nomadspec.model.kernel.kernel import KERNEL as RULES
from nomadspec.model.language.property import properties_in

SUBJECTS = (
    applier,
    blocked,
    broker,
    clients,
    collection,
    deployments,
    disconnects,
    stale_servers,
    harm,
    jobs,
    leader,
    nodes,
    pipeline,
    plan_queue,
    preemption,
    scheduler,
    worker,
)

_ALL = [prop for subject in SUBJECTS for prop in properties_in(subject)]

KERNEL = RULES.with_properties(sorted(_ALL, key=lambda prop: prop.is_lemma))
