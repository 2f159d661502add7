"""Recorded blocked evals against the kernel."""

import pytest

from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.model.cluster.components import blocked as actions
from tests.checkers.oracle.refinement.following import follow

GAPS = {
    "block: the same evaluation once more takes itself out from under its node",
}
NO_WORDS = {
    "unblock-quota: what becomes free is no node",
    "unblock-class-and-quota: what becomes free is no node",
    "unblock-resources: what becomes free is no node",
    "unblock: a quota",
    "block: an evaluation that is older than the one that is tracked",
}


def check(told: Refinement) -> None:
    assert not told.disagreed, "\n".join(told.disagreed)
    assert set(told.gaps) <= GAPS
    assert set(told.outside) <= NO_WORDS


def test_some_recorded_blocked_evals_do_as_the_kernel_says() -> None:
    told = follow("blocked/sequences", every=14)

    check(told)
    assert {"block", "reblock", "unblock", "unblock-node", "unblock-failed", "untrack"} <= set(told.agreed)


@pytest.mark.deep
def test_all_recorded_blocked_evals_do_as_the_kernel_says() -> None:
    told = follow("blocked/sequences")

    check(told)
    assert set(told.gaps) == GAPS


def test_blocked_evals_that_keep_what_they_hand_back_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "_drop", lambda blocked_evals, _held, _now_ns: blocked_evals)

    assert follow("blocked/sequences", every=40).disagreed
