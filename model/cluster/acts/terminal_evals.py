"""What has ended stays so: the evaluations that a leader does not let a worker write again."""

from __future__ import annotations

from collections.abc import Iterable

from nomadspec.model.cluster.components.leader_memory import has_ended
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.quirks import OVERWRITTEN_END


def is_ended_write(world: World, entry: Evaluation) -> bool:
    """True if a worker would write an evaluation that has ended meanwhile; the release writes it.

    Spec: EVAL-32, EVAL-45.
    """
    return has_ended(world.state, entry.id) and not world.settings.profile.has(OVERWRITTEN_END)


def list_unended(world: World, written: Iterable[Evaluation]) -> tuple[Evaluation, ...]:
    """List the evaluations that may still be written, since they have not ended otherwise meanwhile."""
    return tuple(entry for entry in written if not is_ended_write(world, entry))
