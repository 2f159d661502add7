"""Made-up histories."""

from hypothesis import given, settings

from nomadspec.checkers.stateful.clusters.histories import WITHOUT_PREEMPTION, History, Register, histories
from nomadspec.model.cluster.entities import JobType


@settings(max_examples=20)
@given(history=histories((JobType.BATCH,), most_steps=3, configurations=(WITHOUT_PREEMPTION,)))
def test_histories_are_as_asked_for(history: History) -> None:
    first, *rest = history.steps
    registered = [step.job.type for step in history.steps if isinstance(step, Register)]

    assert isinstance(first, Register)
    assert len(rest) <= 3
    assert {JobType.BATCH} == set(registered)
    assert WITHOUT_PREEMPTION is history.configuration
    assert all(node.drivers["exec"] for node in history.nodes)
