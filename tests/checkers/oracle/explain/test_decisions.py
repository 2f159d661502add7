"""What belongs to one decision of a scheduler is found in the log."""

from nomadspec.checkers.oracle.explain.decisions import list_decisions
from tests.checkers.oracle.deciding import replay_recorded


def test_each_outcome_has_its_plans_and_what_was_made_for_it() -> None:
    decisions = list(list_decisions(replay_recorded("service_fail_followup")))

    assert len(decisions) == len({each.outcome.id for each in decisions})
    assert any(each.plans and each.made for each in decisions)
    for each in decisions:
        assert all(plan.request.eval_id == each.outcome.id for plan in each.plans)
        assert all(made.evaluation.previous_eval == each.outcome.id for made in each.made)
        assert each.path == f"raft-log[{max(each.list_entries())}]"


def test_what_leaders_write_themselves_is_no_outcome() -> None:
    decisions = list(list_decisions(replay_recorded("rapid_updates")))

    assert decisions
    assert all(each.outcome.snapshot_index for each in decisions)
