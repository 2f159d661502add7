"""Lies about the eval broker, blocked evaluations and the reapers of the leader are found out."""

from collections.abc import Mapping

import pytest

from tests.checkers.oracle.lying.counting import is_found_out
from tests.checkers.oracle.lying.queues import QUEUES
from tests.checkers.oracle.lying.telling import is_found_out_by_acts

TOLD: Mapping[str, str] = {
    "made: no class is known": "drain_cancel",
    "made: any class may help": "blocked_eligibility",
    "made: waits for a quota": "blocked_eligibility",
    "made: of another state": "blocked_eligibility",
    "made: of no state": "blocked_eligibility",
    "made: other nodes were looked at": "blocked_eligibility",
    "made: counts what is queued": "blocked_eligibility",
    "made: of a deployment": "blocked_eligibility",
    "made: a day before": "blocked_eligibility",
    "made: a day later": "blocked_eligibility",
    "made: leads on": "blocked_eligibility",
    "made: leads to another that is blocked": "blocked_eligibility",
    "made: waits a moment beside its time": "replace_false_node_down",
    "made: blocked and due later": "blocked_eligibility",
    "ended: a day before it was made": "blocked_eligibility",
    "ended: a day later": "blocked_eligibility",
    "ended: given back so often that nobody waits so long": "blocked_eligibility",
    "ended: knows classes that it did not": "blocked_eligibility",
    "ended: waits for a quota": "blocked_eligibility",
    "ended: as if only asked what would be": "blocked_eligibility",
    "ended: tells its secret": "blocked_eligibility",
    "ended: names its relatives": "blocked_eligibility",
    "leader: fails at once": "blocked_eligibility",
    "leader: calls off what was worked on": "blocked_eligibility",
    "leader: calls off a duplicate that is none": "blocked_eligibility",
    "leader: calls off the newer one": "disconnect_batch",
    "leader: calls off the newer one that is blocked": "multigroup_blocked",
    "leader: calls off and waits": "drain_force_and_deadline",
    "leader: calls off a day before": "drain_force_and_deadline",
    "leader: calls off with counts": "drain_force_and_deadline",
    "leader: calls off for a deployment": "drain_force_and_deadline",
    "leader: calls off and leads on": "drain_force_and_deadline",
    "leader: keeps work of its own": "blocked_eligibility",
    "leader: has done work of its own": "blocked_eligibility",
    "leader: calls off work of its own for fun": "blocked_eligibility",
    "created: by an eviction of a state": "preemption_system",
    "created: by a stop a day before": "system_constraint",
    "created: by a watcher a day later": "progress_deadline",
    "created: by marks and changed since": "alloc_signal_restart",
}
"""By kind, a small recording that has such an entry."""
DECIDED: Mapping[str, str] = {
    "made: another class is eligible": "drain_cancel",
    "made: waits for a volume": "blocked_eligibility",
    "made: of a node": "blocked_eligibility",
    "ended: a system job has one that is blocked": "scale_system_forwarded",
    "ended: another update was asked for": "blocked_eligibility",
    "made: after its plan": "replace_false_node_down",
    "ended: begun before the one before it ended": "blocked_eligibility",
}
"""Of those for which decisions are made again, or more than one entry is changed."""


@pytest.mark.parametrize("how", TOLD)
def test_a_lie_about_queues_is_found_out_without_making_a_decision_again(how: str) -> None:
    """EVAL-10, EVAL-12, EVAL-13, EVAL-20, EVAL-32, EVAL-45, BROKER-16, BROKER-41, BLOCKED-20, LEADER-21.

    Also LEADER-24, LEADER-30, LEADER-40, 02/S7, 02/S13.
    """
    assert is_found_out_by_acts(TOLD[how], QUEUES[how])


@pytest.mark.parametrize("how", DECIDED)
def test_a_lie_about_the_work_on_an_evaluation_is_found_out(how: str) -> None:
    """EVAL-12, EVAL-15, EVAL-20, EVAL-25, BROKER-07, WORKER-05."""
    assert is_found_out(how, DECIDED[how])
