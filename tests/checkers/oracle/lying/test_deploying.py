"""Wrong fields of deployments, reports and events of nodes are found out, some of each kind quickly."""

from collections.abc import Mapping

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.lying.counting import is_found_out
from tests.checkers.oracle.lying.deploying import DEPLOYING
from tests.checkers.oracle.lying.reporting import REPORTING
from tests.checkers.oracle.lying.telling import is_named, tell_lies

TOLD: Mapping[str, str] = {
    "deploying: goes back to a job with another count": "update_auto_revert",
    "deploying: goes back to a job that is not stable": "update_auto_revert",
    "deploying: ended an hour later": "update_auto_revert",
    "deploying: paused with an evaluation": "canary_pause",
    "deploying: the watcher waits": "service_register",
    "deploying: made a day before": "service_register",
    "reporting: an hour later": "service_register",
    "reporting: in other words": "service_register",
    "reporting: wants to stop": "service_register",
    "reporting: a task that is not there": "service_register",
    "reporting: a task is missing": "lifecycle",
    "reporting: a task ended at no time": "batch_complete",
    "reporting: a task that runs has ended": "service_register",
    "reporting: a status in other words": "node_down_during_update",
    "reporting: a status without an event": "node_down_during_update",
    "reporting: a drain in other words": "drain_cancel",
    "reporting: a drain of another part": "drain_cancel",
    "reporting: eligibility with a detail": "blocked_eligibility",
    "reporting: an end of a drain of an hour later": "drain_force",
}
"""By kind, a small recording that has such an entry."""
DECIDED: Mapping[str, str] = {
    "deploying: a group has a deadline at once": "service_register",
    "deploying: a canary that is none": "system_canary",
    "deploying: made and changed since": "service_register",
    "deploying: ended by a plan an hour later": "canary_pause",
}
"""Of those that are found out by making a decision again."""


@pytest.mark.parametrize("how", TOLD)
def test_a_wrong_field_is_found_out_by_what_may_be_done(how: str) -> None:
    """CLIENT-06, CLIENT-08, DEP-04, DEP-20, DEP-40, DEP-48, DEP-61, OBJ-165, OBJ-218, ALLOC-09."""
    (lie,) = tell_lies(TOLD[how], {**DEPLOYING, **REPORTING}[how], 1)

    assert is_named(lie, list(compare_acts(lie.replay, Context(NOMAD_2_0))))


@pytest.mark.parametrize("how", DECIDED)
def test_a_wrong_field_of_a_plan_is_found_out(how: str) -> None:
    """DEP-04, DEP-05, DEP-23."""
    assert is_found_out(how, DECIDED[how])
