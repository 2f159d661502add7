"""Lemmas about capacity."""

from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.language.logic import Value, any_of, for_all
from nomadspec.model.language.property import always


@always(
    "PLAN-43",
    "PLAN-53",
    "PLAN-54",
    why="an applier that judges by the store itself knows what room there is",
    lemma=True,
)
def no_node_is_oversubscribed_without_a_pipeline(s: Kernel) -> Value:
    """Where plans are judged and committed in one step, no node holds more than it has room for."""
    return any_of(s.depth > 0, for_all(count_taken(s, m) <= s.cap for m in s.nodes))
