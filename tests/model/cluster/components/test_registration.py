import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.registration import (
    deregister_job,
    make_deregistration_eval,
    make_registration_eval,
    make_scaling_eval,
    never_runs,
    register_job,
)
from nomadspec.model.cluster.entities import Job, ParameterizedJobConfig, PeriodicConfig
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import EvalUpdate, JobDeregister, JobRegister
from tests.model.cluster.components.draining import make_job

WEB = make_job(priority=60)
PERIODIC = replace(WEB, periodic=PeriodicConfig())
PARAMETERIZED = replace(WEB, parameterized_job=ParameterizedJobConfig())
PARENTS = [PERIODIC, PARAMETERIZED]


@pytest.mark.parametrize("job", PARENTS, ids=["periodic", "parameterized"])
def test_jobs_whose_children_run_get_no_evals(job: Job) -> None:
    """JOB-24, TRIG-03, TRIG-06, TRIG-22."""
    assert never_runs(job)
    assert make_registration_eval(job, "e", 7) is None
    assert make_deregistration_eval(job, "e", 7) is None
    assert make_scaling_eval(job, 3, "e", 7) is None
    assert register_job(State.of(jobs=[job]), job, "e", 7) is None


def test_a_dispatched_child_gets_one() -> None:
    """TRIG-05a."""
    assert make_registration_eval(replace(PARAMETERIZED, dispatched=True), "e", 7) is not None


def test_another_priority_is_the_evals_alone() -> None:
    """JOB-05."""
    request = register_job(State(), WEB, "e", 7, eval_priority=90)

    assert isinstance(request, JobRegister)
    assert request.job == WEB
    assert request.eval is not None
    assert (90, "job-register", 0) == (
        request.eval.priority,
        request.eval.triggered_by,
        request.eval.job_modify_index,
    )
    assert 60 == getattr(make_registration_eval(WEB, "e", 7), "priority", None)


def test_where_nothing_is_new_the_eval_alone_is_written() -> None:
    """JOB-08, OBJ-043."""
    stored = State.of(jobs=[replace(WEB, version=3, status="running")])

    assert isinstance(register_job(stored, WEB, "e", 7), EvalUpdate)
    assert isinstance(register_job(stored, replace(WEB, stop=True), "e", 7), JobRegister)


def test_a_job_that_is_stopped_gets_an_eval_of_services_whatever_it_is() -> None:
    """TRIG-06, 09/S3."""
    asked = JobDeregister(namespace="default", job_id="web")
    request = deregister_job(State.of(jobs=[replace(WEB, type="batch", priority=0)]), asked, "e", 7)

    assert request is not None
    assert request.eval is not None
    assert ("service", 50, "job-deregister") == (
        request.eval.type,
        request.eval.priority,
        request.eval.triggered_by,
    )
    assert 7 == request.submit_time_ns
    urgent = deregister_job(State.of(jobs=[WEB]), replace(asked, eval_priority=90), "e", 7)
    assert urgent is not None
    assert 90 == getattr(urgent.eval, "priority", None)


def test_a_job_that_nobody_knows_is_stopped_without_a_word() -> None:
    """JOB-14."""
    assert deregister_job(State(), JobDeregister(namespace="default", job_id="web"), "e", 7) is None
    assert make_deregistration_eval(None, "e", 7) is None


def test_a_job_that_is_scaled_is_looked_at_as_its_entry_left_it() -> None:
    """TRIG-22."""
    made = make_scaling_eval(WEB, 3, "e", 7)

    assert made is not None
    assert ("job-scaling", 3, 60) == (made.triggered_by, made.job_modify_index, made.priority)
