"""Recorded log entries against the kernel."""

import pytest

from nomadspec.checkers.oracle.refinement.report import Refinement
from tests.checkers.oracle.refinement.following import follow


def check(told: Refinement) -> None:
    assert not told.disagreed, "\n".join(told.disagreed)
    assert not told.gaps
    assert told.agreed.total() > 3 * told.outside.total()


def test_some_entries_do_as_the_kernel_says() -> None:
    told = follow("state-store/sequences", every=14)

    check(told)
    assert {"JobRegister", "JobDeregister", "ApplyPlanResults", "EvalUpdate"} <= set(told.agreed)


@pytest.mark.deep
def test_all_entries_do_as_the_kernel_says() -> None:
    told = follow("state-store/sequences")

    check(told)
    assert "NodeUpdateStatus: a node that goes from ready to initializing" in told.outside
