"""What a scheduler says that its plan would do."""

from collections.abc import Mapping

from msgspec import Struct

from nomadspec.model.cluster.entities.allocation import AllocationStub
from nomadspec.model.cluster.entities.scalar import Uint64


class DesiredUpdates(Struct, frozen=True, kw_only=True):
    """How many allocations of a group the reconciler wants to touch, and how."""

    ignore: Uint64 = 0
    place: Uint64 = 0
    migrate: Uint64 = 0
    stop: Uint64 = 0
    in_place_update: Uint64 = 0
    destructive_update: Uint64 = 0
    canary: Uint64 = 0
    preemptions: Uint64 = 0
    disconnect: Uint64 = 0
    reconnect: Uint64 = 0
    reschedule_now: Uint64 = 0
    reschedule_later: Uint64 = 0


class PlanAnnotations(Struct, frozen=True, kw_only=True):
    """What a plan would do, by group, and whom it would evict."""

    desired_tg_updates: Mapping[str, DesiredUpdates] = {}
    preempted_allocs: tuple[AllocationStub, ...] = ()
