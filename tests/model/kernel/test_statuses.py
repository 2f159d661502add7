"""The sets of statuses that the kernel asks by: each is what the lifecycle tables say."""

from nomadspec.model.cluster.entities.evaluation import Trigger
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ACTIVE_DEPLOYMENT,
    ALLOC_STATUSES,
    CLIENT_TERMINAL_ALLOC,
    ENDED_BY_ITSELF,
    LIVE_ALLOC,
    OPEN_EVAL,
    RECORD_OF,
    SERVER_TERMINAL_ALLOC,
    TERMINAL_ALLOC,
    TERMINAL_DEPLOYMENT,
    TERMINAL_EVAL,
    UNSTORED_ALLOC,
    WITH_APPLIER,
    AllocPhase,
    DeploymentPhase,
    EvalRecord,
    Stage,
    TriggeredBy,
)
from nomadspec.model.lifecycle.allocation import AllocClient, AllocDesired
from nomadspec.model.lifecycle.allocation_pairs import ALLOCATION, AllocPair
from nomadspec.model.lifecycle.deployment import DEPLOYMENT, DeploymentStatus
from nomadspec.model.lifecycle.evaluation import EvalStatus
from nomadspec.model.lifecycle.table import has_ended


def test_an_evaluation_is_open_or_terminal() -> None:
    assert OPEN_EVAL == (EvalRecord.PENDING, EvalRecord.BLOCKED)
    assert TERMINAL_EVAL == (EvalRecord.COMPLETE, EvalRecord.FAILED, EvalRecord.CANCELED)
    assert {str(status.value) for status in EvalStatus} == RECORD_OF.keys()
    assert set(RECORD_OF.values()) == {*OPEN_EVAL, *TERMINAL_EVAL}


def test_a_deployment_is_active_or_terminal() -> None:
    assert ACTIVE_DEPLOYMENT == (DeploymentPhase.RUNNING, DeploymentPhase.PAUSED)
    known = {DeploymentStatus[phase.name] for phase in (*ACTIVE_DEPLOYMENT, *TERMINAL_DEPLOYMENT)}
    assert known == set(DEPLOYMENT.list_statuses())


def test_an_alloc_is_unstored_live_or_terminal() -> None:
    assert UNSTORED_ALLOC == (AllocPhase.ABSENT, AllocPhase.GONE)
    assert LIVE_ALLOC == (AllocPhase.RUNNING, AllocPhase.UNKNOWN)
    assert sorted((*UNSTORED_ALLOC, *LIVE_ALLOC, *TERMINAL_ALLOC)) == list(AllocPhase)


def test_an_alloc_is_terminal_for_the_servers_or_for_its_client() -> None:
    assert SERVER_TERMINAL_ALLOC == (AllocPhase.STOPPED, AllocPhase.LOST)
    assert CLIENT_TERMINAL_ALLOC == (AllocPhase.FAILED, AllocPhase.LOST, AllocPhase.COMPLETE)
    assert ENDED_BY_ITSELF == (AllocPhase.FAILED, AllocPhase.COMPLETE)


def test_the_table_of_pairs_tells_the_same_allocs_from_others() -> None:
    for phase, (desired, client) in ALLOC_STATUSES.items():
        if isinstance(desired, AllocDesired) and isinstance(client, AllocClient):
            pair = AllocPair[f"{desired.name}_{client.name}"]
            is_wanted = desired is AllocDesired.RUN
            is_live = is_wanted and not has_ended(ALLOCATION, pair) and client is not AllocClient.FAILED
            assert (phase in LIVE_ALLOC) == is_live, pair


def test_a_plan_is_with_the_applier_from_its_submission_to_its_answer() -> None:
    assert WITH_APPLIER == (Stage.SUBMITTED, Stage.JUDGED, Stage.IN_FLIGHT)


def test_triggers_are_spelled_as_in_the_api() -> None:
    ours = {TriggeredBy.EVENT, TriggeredBy.UNHANDLED_TRIGGER}
    labels = Kernel.triggered_by.domain.labels

    assert {labels[cause] for cause in TriggeredBy if cause not in ours} < set(map(str, Trigger))
    assert ["other_trigger", "unhandled_trigger"] == [labels[cause] for cause in sorted(ours)]
