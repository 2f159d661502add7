"""The derived status of a job: OBJ-051."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import ParameterizedJobConfig, PeriodicConfig
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.job_status import compute_job_status, refresh_job_status
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.store.made import (
    KEY,
    make_alloc,
    make_deployment,
    make_eval,
    make_job,
    need,
    register,
    with_rows,
)


def compute(rows: dict[str, Any] | None = None, *, eval_deleted: bool = False, **fields: object) -> str:
    state = with_rows(register(), **(rows or {}))
    return compute_job_status(
        Draft.of(state, 5, profile=NOMAD_2_0), make_job(**fields), eval_deleted=eval_deleted
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "system"},
        {"periodic": PeriodicConfig()},
        {"parameterized_job": ParameterizedJobConfig()},
    ],
)
def test_what_waits_for_work_is_running_until_it_is_stopped(fields: dict[str, Any]) -> None:
    assert "running" == compute(**fields)
    assert "dead" == compute(stop=True, **fields)


def test_a_dispatched_child_is_an_ordinary_job() -> None:
    assert "pending" == compute(parameterized_job=ParameterizedJobConfig(), dispatched=True)


def test_an_active_deployment_or_a_live_alloc_keeps_it_running() -> None:
    assert "running" == compute({"deployments": (make_deployment(status="paused"),)})
    assert "running" == compute({"allocs": (make_alloc(client_status="unknown"),)}, stop=True)
    assert "pending" == compute({"allocs": (make_alloc(client_status="lost"),)})


def test_an_open_evaluation_makes_it_pending_and_an_ended_one_dead() -> None:
    assert "pending" == compute({"evals": (make_eval(status="blocked"),)})
    assert "dead" == compute({"evals": (make_eval(status="complete"),)})


def test_without_anything_it_is_pending_unless_an_evaluation_was_deleted() -> None:
    """GC-91."""
    assert "pending" == compute()
    assert "dead" == compute(eval_deleted=True)


def test_a_new_status_moves_the_job_and_its_version_and_the_same_one_moves_nothing() -> None:
    """OBJ-054."""
    state = register()
    draft = Draft.of(state, 5, profile=NOMAD_2_0)
    refresh_job_status(draft, KEY)

    assert {} == draft.written

    refresh_job_status(draft, KEY, "running")
    job = need(draft.finish().find_job(*KEY))

    assert ("running", 5, 2) == (job.status, job.modify_index, job.job_modify_index)
    assert (job,) == draft.finish().list_job_versions(*KEY)
