"""A recorded call can be made again under other choices."""

from nomadspec.model.cluster.entities import Allocation, Plan
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from tests.checkers.oracle.relation.made_calls import find_document, make_call


def test_a_call_made_with_its_choices_comes_out_as_recorded() -> None:
    call = make_call(find_document())
    choices = call.vector.choices.replay()

    outcome = call.run(choices, ReasonLog(is_on=False), lambda _turn, _plan: None)

    assert outcome is not None
    assert outcome == call.recorded
    assert call.list_facts(outcome) == call.facts


def test_a_call_made_with_other_choices_ends_all_the_same() -> None:
    call = make_call(find_document())

    outcome = call.run(FreeChoices(3), ReasonLog(is_on=False), lambda _turn, _plan: None)

    assert outcome is not None
    assert outcome["plans"]


def test_what_a_call_has_is_told() -> None:
    call = make_call(find_document())
    large = make_call(find_document(file="large-00"))

    assert (call.has_orders, call.is_large, large.is_large) == (True, False, True)
    assert not call.has_claims
    assert call.may_repeat == (len(call.plans) > 1)
    assert call.idle == frozenset() if call.may_evict else call.idle


def test_an_evaluation_of_an_earlier_attempt_keeps_its_name_in_a_later_one() -> None:
    """RESCHED-22: a newer state holds allocations that wait for it."""
    call = make_call(find_document())
    call.names = {"recorded": "<eval alloc-reschedule 2>"}
    later = Plan(node_update={"n": (Allocation(id="a", followup_eval_id="recorded"),)})

    (shown,) = call.show_plans([later])["plans"]

    assert "<eval alloc-reschedule 2>" == shown["plan"]["NodeUpdate"]["n"][0]["FollowupEvalID"]
