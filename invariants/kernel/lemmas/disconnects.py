"""Lemmas about disconnected nodes."""

from nomadspec.model.kernel.disconnects import (
    NEWLY_DISCONNECTED,
)
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import (
    Value,
    any_of,
    for_all,
    not_,
)
from nomadspec.model.language.property import always


@always("NODEST-08", "DISC-02", why="who is out of reach was disconnected", lemma=True)
def no_node_disconnects_without_missed_heartbeats(s: Kernel) -> Value:
    """No node is disconnected in a scope without disconnects."""
    return any_of(s.disconnects > 0, for_all(not_(s.disconnected[node]) for node in s.nodes))


@always("NODEST-08", "DISC-02", why="a snapshot shows as out of reach what was disconnected", lemma=True)
def no_alloc_seems_disconnected_without_missed_heartbeats(s: Kernel) -> Value:
    """No snapshot shows an allocation on a disconnected node in a scope without disconnects."""
    seen = for_all(
        s.seen[worker].job.disconnect_phase[alloc] != NEWLY_DISCONNECTED
        for worker in s.workers
        for alloc in s.allocs
    )
    return any_of(s.disconnects > 0, seen)
