"""A field, a bound, a word or a step that is wrong is found out, and its entry named."""

from collections.abc import Mapping

import pytest

from tests.checkers.oracle.lying.counting import is_found_out
from tests.checkers.oracle.lying.slight import SLIGHT
from tests.checkers.oracle.lying.telling import is_found_out_by_acts

TOLD: Mapping[str, str] = {
    "slight: placed where it failed": "replace_false_node_down",
    "slight: the other one is kept": "disconnect_restart",
    "slight: updated in place": "progress_deadline",
    "slight: planned for an older version": "progress_deadline",
    "slight: a node is closed": "blocked_eligibility",
    "slight: an eviction wakes with another priority": "preemption_system",
    "slight: an eviction wakes another type": "preemption_system",
    "slight: an eviction names its cause": "preemption_system",
    "slight: a node wakes in the name of another": "replace_false_node_down",
    "slight: a node names another entry": "replace_false_node_down",
    "slight: a node names the version of a job": "replace_false_node_down",
    "slight: a node wakes for a deployment": "replace_false_node_down",
    "slight: scaled and nobody woken": "node_max_allocs",
    "slight: scaled in another entry": "node_max_allocs",
    "slight: registered again with another type": "batch_complete",
    "slight: woken for a failure that nobody told": "blocked_eligibility",
    "slight: woken for a rolling update": "blocked_eligibility",
    "slight: woken by a watcher alone": "blocked_eligibility",
    "slight: healthy at once": "alloc_signal_restart",
    "slight: unhealthy before the deadline": "alloc_signal_restart",
    "slight: a batch job is healthy": "max_run_duration",
    "slight: a report wakes for a deployment": "first_version_fails",
    "slight: a report names the version of a job": "first_version_fails",
    "slight: a report wakes later": "first_version_fails",
    "slight: a report makes a blocked one": "first_version_fails",
    "slight: a deadline that is far": "first_version_fails",
    "slight: a watcher names the version of a job": "alloc_signal_restart",
    "slight: a watcher asks for a migration": "first_version_fails",
    "slight: stopped with another priority": "alloc_stop_system",
    "slight: stopped without the version of its job": "alloc_stop_system",
    "slight: stopped without a mark": "alloc_stop_system",
    "slight: stopped by force": "alloc_stop_system",
    "slight: an evaluation of a job forces one more": "alloc_stop_system",
    "slight: an evaluation of a job names no version": "alloc_stop_system",
    "slight: a drain takes an hour longer": "drain_cancel",
    "slight: a drain has begun before": "drain_cancel",
    "slight: a drain without end has one": "drain_force_and_deadline",
    "slight: a drain ends in other words": "drain_batch",
    "slight: a drain says more than that it ended": "drain_batch",
    "slight: marked for the drain of a batch job": "drain_cancel",
    "slight: a drain names the version of a job": "drain_cancel",
    "slight: registered as ready": "disconnect_restart",
    "slight: an event of another count": "node_max_allocs",
    "slight: an event of another count before": "node_max_allocs",
    "slight: an event of another evaluation": "node_max_allocs",
    "slight: an evaluation goes before its allocs": "gc_automatic",
}
"""By kind, a small recording that has such an entry."""
DECIDED: Mapping[str, str] = {
    "slight: placed with a word": "blocked_eligibility",
    "slight: scored a thousandth more": "blocked_eligibility",
    "slight: an outcome of a later state": "blocked_eligibility",
    "slight: another group is queued": "blocked_eligibility",
}
"""Of those that are found out by making a decision again."""


@pytest.mark.parametrize("how", TOLD)
def test_a_slight_lie_is_found_out_without_making_a_decision_again(how: str) -> None:
    """ALLOC-04, GC-21, HEALTH-05, HEALTH-19, JOB-20, NODEST-02, NODEST-16, TRIG-02, TRIG-09, TRIG-12.

    Also TRIG-22.
    """
    assert is_found_out_by_acts(TOLD[how], SLIGHT[how])


@pytest.mark.parametrize("how", DECIDED)
def test_a_slight_lie_about_a_decision_is_found_out(how: str) -> None:
    """GENERIC-43, RANK-74, WORKER-06."""
    assert is_found_out(how, DECIDED[how])
