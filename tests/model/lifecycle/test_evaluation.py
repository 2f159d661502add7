"""The five statuses of an evaluation."""

import pytest

from nomadspec.model.lifecycle.evaluation import EVALUATION, EvalStatus
from nomadspec.model.lifecycle.table import ABSENT, ArrowKind, is_legal, list_arrows, list_legal_pairs
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile

S = EvalStatus


def test_as_intended_every_eval_ends_once() -> None:
    assert set(list_legal_pairs(EVALUATION, INTENDED)) == {
        (source, target) for source in (S.PENDING, S.BLOCKED) for target in (S.COMPLETE, S.FAILED, S.CANCELED)
    }


def test_in_the_release_evals_leave_their_end() -> None:
    extra = set(list_legal_pairs(EVALUATION, NOMAD_2_0)) - set(list_legal_pairs(EVALUATION, INTENDED))

    assert extra == {
        (S.COMPLETE, S.CANCELED),
        (S.COMPLETE, S.FAILED),
        (S.FAILED, S.COMPLETE),
        (S.FAILED, S.CANCELED),
        (S.CANCELED, S.COMPLETE),
        (S.CANCELED, S.FAILED),
    }


@pytest.mark.parametrize("quirk", ["02/S5", "BUG-013", "X-09", "X-07"])
def test_each_race_alone_completes_a_canceled_eval(quirk: str) -> None:
    assert is_legal(EVALUATION, S.CANCELED, S.COMPLETE, find_profile(quirk))


def test_nothing_is_blocked_again_once_it_has_ended() -> None:
    ended = (S.COMPLETE, S.FAILED, S.CANCELED)

    assert not any(is_legal(EVALUATION, status, S.BLOCKED, NOMAD_2_0) for status in ended)


def test_an_eval_begins_pending_or_blocked_but_for_cancelable_core_evals() -> None:
    begins = {status for status in S if is_legal(EVALUATION, ABSENT, status, INTENDED)}

    assert begins == {S.PENDING, S.BLOCKED}
    assert is_legal(EVALUATION, ABSENT, S.CANCELED, find_profile("02/S13"))


def test_every_trigger_that_is_ever_produced_is_in_the_table() -> None:
    triggers = {trigger for arrow in EVALUATION.arrows for trigger in arrow.triggers}

    assert triggers == {
        "alloc-failure",
        "alloc-reschedule",
        "alloc-stop",
        "deployment-watcher",
        "failed-follow-up",
        "job-deregister",
        "job-register",
        "job-scaling",
        "max-disconnect-timeout",
        "max-plan-attempts",
        "node-drain",
        "node-update",
        "periodic-job",
        "preemption",
        "queued-allocs",
        "reconnect",
        "scheduled",
    }


def test_every_creation_says_what_triggers_the_new_eval() -> None:
    creations = [a for a in list_arrows(EVALUATION, NOMAD_2_0) if a.kind is ArrowKind.CREATION]

    assert [arrow for arrow in creations if not arrow.triggers] == []
