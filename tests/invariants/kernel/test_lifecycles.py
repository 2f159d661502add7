from typing import Any

import pytest

from nomadspec.invariants.kernel.broker import eval_that_reached_the_delivery_limit_has_a_follow_up
from nomadspec.invariants.kernel.lifecycles import (
    a_deployment_fails,
    allocation_follows_its_tables,
    an_evaluation_is_canceled,
    deployment_follows_its_table,
    evaluation_follows_its_table,
    list_numbered_pairs,
    list_phase_pairs,
    place_follows_its_table,
)
from nomadspec.model.kernel.clients import report_end
from nomadspec.model.kernel.jobs import stop_job, update_job
from nomadspec.model.kernel.statuses import AllocPhase, DeploymentPhase, EvalRecord, InBroker
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.lifecycle.deployment import DEPLOYMENT, DeploymentStatus
from nomadspec.model.lifecycle.table import number_of
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness


def wait_again(s: Any, t: Any, job: Id) -> None:
    t.when(s.eval_record[job, 0] == EvalRecord.COMPLETE).eval_record[job, 0] = EvalRecord.PENDING


STOPPED = {**ALONE, "evals": 2, "stops": 1}


def give_up_at_once(_s: Any, t: Any, job: Id) -> None:
    t.in_broker[job, 0] = InBroker.FAILED


def live_again(_s: Any, t: Any, job: Id, alloc: Id) -> None:
    t.alloc_phase[job, alloc] = AllocPhase.LIVE


def roll_again(s: Any, t: Any, job: Id) -> None:
    t.when(s.deployment[job] == DeploymentPhase.FAILED).deployment[job] = DeploymentPhase.PAUSED


MATRIX = Matrix(
    {
        "an evaluation that has ended waits again": Deviation(
            (evaluation_follows_its_table,),
            changed=also(update_job, wait_again),
            sizes={**ALONE, "updates": 1},
        ),
        "an evaluation is given up before it was delivered": Deviation(
            (place_follows_its_table, eval_that_reached_the_delivery_limit_has_a_follow_up),
            changed=also(stop_job, give_up_at_once),
            sizes=STOPPED,
        ),
        "an allocation that was stopped runs again": Deviation(
            (allocation_follows_its_tables,), changed=also(report_end, live_again), sizes=STOPPED
        ),
        "a deployment that has failed goes on": Deviation(
            (deployment_follows_its_table,),
            changed=also(stop_job, roll_again),
            sizes={**STOPPED, "evals": 3, "deployments": 2, "deployment_changes": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


def test_what_only_a_quirk_admits_is_a_change_only_with_it() -> None:
    revived = (number_of(DeploymentStatus.FAILED), number_of(DeploymentStatus.RUNNING))
    made = (NONE, number_of(DeploymentStatus.RUNNING))

    assert {made} == {made, revived} & set(list_numbered_pairs(DEPLOYMENT, lambda _: False))
    assert {made, revived} == {made, revived} & set(list_numbered_pairs(DEPLOYMENT, lambda _: True))


def test_an_allocation_that_was_deleted_changes_no_more() -> None:
    pairs = list_phase_pairs(lambda _: True)

    assert (AllocPhase.ABSENT, AllocPhase.LIVE) in pairs
    assert [] == [pair for pair in pairs if pair[0] == AllocPhase.GONE]


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (an_evaluation_is_canceled, {"evals": 3, "external_triggers": 2}),
        (a_deployment_fails, {"deployments": 1, "deployment_changes": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
