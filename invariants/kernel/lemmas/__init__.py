"""Lemmas of the kernel: what helps proofs and is proved itself, in files named as those of the rules."""

from nomadspec.invariants.kernel.lemmas import (
    blocked,
    broker,
    clients,
    deployments,
    disconnects,
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

SUBJECTS = (
    blocked,
    broker,
    clients,
    deployments,
    disconnects,
    stale_servers,
    jobs,
    leader,
    nodes,
    pipeline,
    plan_queue,
    preemption,
    scheduler,
    worker,
)
"""The files, each with lemmas."""
