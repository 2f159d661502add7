from dataclasses import replace
from typing import Any

import pytest

from nomadspec.invariants.kernel.broker import (
    place_follows_its_table,
    terminal_eval_keeps_its_status,
)
from nomadspec.invariants.kernel.clients import terminal_alloc_stays_terminal
from nomadspec.invariants.kernel.deployments import begins, ended_deployments_stay_ended
from nomadspec.invariants.kernel.lifecycles import list_numbered_pairs, list_phase_pairs
from nomadspec.invariants.kernel.phases import place_of, status_of
from nomadspec.model.kernel.clients import report_end
from nomadspec.model.kernel.jobs import stop_job, update_job
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.statuses import AllocPhase, DeploymentPhase, EvalRecord, InBroker
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import all_of, any_of, exists, for_all
from nomadspec.model.language.property import step
from nomadspec.model.lifecycle.deployment import DEPLOYMENT, DeploymentStatus
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE
from nomadspec.model.lifecycle.table import number_of
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    find_any_story,
    find_story_under,
)
from tests.invariants.kernel.sharing import bind_variant


def wait_again(s: Any, t: Any, job: Id) -> None:
    t.when(s.eval_record[job, 0] == EvalRecord.COMPLETE).eval_record[job, 0] = EvalRecord.PENDING


STOPPED = {**ALONE, "evals": 2, "stops": 1}


def give_up_at_once(_s: Any, t: Any, job: Id) -> None:
    t.in_broker[job, 0] = InBroker.FAILED


def live_again(_s: Any, t: Any, job: Id, alloc: Id) -> None:
    t.alloc_phase[job, alloc] = AllocPhase.RUNNING


def roll_again(s: Any, t: Any, job: Id) -> None:
    t.when(s.deployment[job] == DeploymentPhase.FAILED).deployment[job] = DeploymentPhase.PAUSED


MATRIX = Matrix(
    {
        "an evaluation that has ended waits again": Deviation(
            (terminal_eval_keeps_its_status,),
            changed=also(update_job, wait_again),
            sizes={**ALONE, "updates": 1},
        ),
        "an evaluation is given up before it was delivered": Deviation(
            (place_follows_its_table,),
            changed=also(stop_job, give_up_at_once),
            sizes=STOPPED,
        ),
        "an allocation that was stopped runs again": Deviation(
            (terminal_alloc_stays_terminal,), changed=also(report_end, live_again), sizes=STOPPED
        ),
        "a deployment that has failed goes on": Deviation(
            (ended_deployments_stay_ended,),
            changed=also(stop_job, roll_again),
            sizes={**STOPPED, "evals": 3, "deployments": 1, "deployment_changes": 1},
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

    assert (AllocPhase.ABSENT, AllocPhase.RUNNING) in pairs
    assert [] == [pair for pair in pairs if pair[0] == AllocPhase.GONE]


def is_one_of(pairs: Any, before: Any, after: Any) -> Any:
    was_one = (all_of(before == source, after == target) for source, target in pairs)
    return any_of(before == after, exists(was_one))


@step("EVAL-01", "BROKER-01", "ALLOC-01", "DEP-08", why="pictures and explanations rely on the tables")
def tables_have_each_change(s: Any, n: Any) -> Any:
    """Every change of a status is an arrow of its lifecycle that the profile opens."""
    evals, places = (list_numbered_pairs(table, s.has) for table in (EVALUATION, EVALUATION_PLACE))
    phases, statuses = list_phase_pairs(s.has), list_numbered_pairs(DEPLOYMENT, s.has)

    def is_right(j: Id, e: Id) -> Any:
        was_deleted = all_of(e < s.made[j], s.eval_record[j, e] == EvalRecord.ABSENT)
        is_status = any_of(was_deleted, is_one_of(evals, status_of(s, j, e), status_of(n, j, e)))
        is_new = place_of(s, j, e) == NONE
        return all_of(is_status, any_of(is_new, is_one_of(places, place_of(s, j, e), place_of(n, j, e))))

    return all_of(
        for_all(is_right(j, e) for j in s.jobs for e in s.eval_numbers),
        for_all(
            is_one_of(phases, s.alloc_phase[j, i], n.alloc_phase[j, i]) for j in s.jobs for i in s.allocs
        ),
        for_all(
            any_of(begins(s, n, j), is_one_of(statuses, s.deployment[j] - 1, n.deployment[j] - 1))
            for j in s.jobs
        ),
    )


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    "sizes",
    [
        {"evals": 3, "timeouts": 1, "purges": 1, "elections": 1},
        {"evals": 3, "disconnects": 1, "reports": 1},
        {"evals": 3, "deployments": 1, "deployment_changes": 1, "stops": 1},
        {"evals": 4, "cap": 0, "requests": 2, "escapes": 1},
    ],
    ids="-".join,
)
def test_tables_have_each_change_that_there_is(profile: str, sizes: dict[str, int]) -> None:
    assert find_story_under(profile, tables_have_each_change, {**ALONE, **sizes}) is None


def test_a_change_that_no_table_has_is_found() -> None:
    changed = also(update_job, wait_again)
    rules = tuple(changed if rule.name == changed.name else rule for rule in KERNEL.rules)
    model = replace(KERNEL, rules=rules, properties=(tables_have_each_change,))
    bounded = bind_variant(model, {**ALONE, "updates": 1}, "nomad-2.0")

    assert find_any_story(bounded, tables_have_each_change) is not None
