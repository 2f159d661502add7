"""Stops all of a group that nobody wants any more."""

from __future__ import annotations

from typing import Final

from nomadspec.model.cluster.entities import AllocClient, DesiredDescription
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.scheduler.reconcile.buckets import Bucket, sort_into_buckets
from nomadspec.model.cluster.scheduler.reconcile.group import list_visible
from nomadspec.model.cluster.scheduler.reconcile.group_run import Decisions
from nomadspec.model.cluster.scheduler.reconcile.inputs import AllocSet, ReconcileInput

_STOPPED: Final = (
    Bucket.UNTAINTED,
    Bucket.MIGRATE,
    Bucket.LOST,
    Bucket.DISCONNECTING,
    Bucket.RECONNECTING,
    Bucket.IGNORE,
    Bucket.EXPIRING,
)
_ONLY_UNKNOWN: Final = frozenset({Bucket.IGNORE, Bucket.EXPIRING})
"""Of these only what is unknown is stopped."""

_ENDED: Final = "it has ended, and its job is stopped or gone"


def end_job(call: ReconcileInput, allocs: AllocSet) -> Decisions:
    """Stop what still runs of a group whose job was stopped or purged.

    Spec: REC-12.
    """
    left = {alloc_id: alloc for alloc_id, alloc in allocs.items() if not is_terminal(alloc)}
    call.note((alloc for alloc in allocs.values() if alloc.id not in left), "not looked at", "REC-12", _ENDED)
    return _stop_all(call, left)


def end_group(call: ReconcileInput, allocs: AllocSet) -> Decisions:
    """Stop a group that its job does not have any more, or wants none of.

    Spec: REC-13, VERS-06.
    """
    return _stop_all(call, list_visible(call, allocs))


def _stop_all(call: ReconcileInput, allocs: AllocSet) -> Decisions:
    done = Decisions()
    done.counts["stop"] += len(allocs)
    buckets = sort_into_buckets(call, allocs)
    for bucket in _STOPPED:
        for alloc in call.visit(buckets[bucket]):
            if bucket is Bucket.LOST:
                done.stop(alloc, DesiredDescription.LOST, AllocClient.LOST)
            elif bucket not in _ONLY_UNKNOWN or alloc.client_status == AllocClient.UNKNOWN:
                done.stop(alloc, DesiredDescription.NOT_NEEDED)
    return done
