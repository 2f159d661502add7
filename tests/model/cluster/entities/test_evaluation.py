"""Tests of `model/cluster/entities/evaluation.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.evaluation import Evaluation, EvaluationStub, is_terminal, list_related
from nomadspec.model.lifecycle.evaluation import EvalStatus
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            EvaluationStub,
            (
                "ID Namespace Priority Type TriggeredBy JobID NodeID DeploymentID Status StatusDescription "
                "WaitUntil NextEval PreviousEval BlockedEval CreateIndex ModifyIndex CreateTime ModifyTime"
            ),
        ),
        (
            Evaluation,
            (
                "ID Namespace Priority Type TriggeredBy JobID JobModifyIndex NodeID NodeModifyIndex "
                "DeploymentID Status StatusDescription Wait WaitUntil NextEval PreviousEval BlockedEval "
                "RelatedEvals FailedTGAllocs ClassEligibility QuotaLimitReached EscapedComputedClass "
                "MissingNonNodeResources AnnotatePlan PlanAnnotations QueuedAllocations LeaderACL "
                "SnapshotIndex CreateIndex ModifyIndex CreateTime ModifyTime"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


def test_what_is_complete_failed_or_canceled_is_terminal() -> None:
    """OBJ-182."""
    terminal = {status for status in EvalStatus if is_terminal(Evaluation(status=status))}

    assert {"complete", "failed", "canceled"} == terminal


def test_related_evaluations_come_nearest_first() -> None:
    """OBJ-184."""
    table = {
        "a": Evaluation(id="a", next_eval="c", previous_eval="b", blocked_eval="gone"),
        "b": Evaluation(id="b", next_eval="a", blocked_eval="e"),
        "c": Evaluation(id="c", previous_eval="a", blocked_eval="d"),
        "d": Evaluation(id="d"),
        "e": Evaluation(id="e", previous_eval="b"),
    }

    assert ["c", "b", "d", "e"] == [found.id for found in list_related(table["a"], table.get)]
