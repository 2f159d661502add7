import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.job_update import find_enforcement_refusal, find_update_refusal
from nomadspec.model.cluster.entities import Job, ParameterizedJobConfig, PeriodicConfig

JOB = Job(type="batch", job_modify_index=5)
PERIODIC = replace(JOB, periodic=PeriodicConfig())
PARAMETERIZED = replace(JOB, parameterized_job=ParameterizedJobConfig())
DISPATCHED = replace(PARAMETERIZED, dispatched=True)


@pytest.mark.parametrize(
    ("stored", "submitted", "refusal"),
    [
        (None, JOB, None),
        (JOB, replace(JOB, priority=3), None),
        (None, DISPATCHED, "job can't be submitted with 'Dispatched' set"),
        (JOB, replace(PERIODIC, type="service"), 'cannot update job from type "batch" to "service"'),
        (JOB, PERIODIC, "cannot update non-periodic job to being periodic"),
        (PERIODIC, PARAMETERIZED, "cannot update periodic job to being non-periodic"),
        (JOB, PARAMETERIZED, "cannot update non-parameterized job to being parameterized"),
        (PARAMETERIZED, DISPATCHED, "cannot update parameterized job to being non-parameterized"),
        (replace(JOB, dispatched=True), JOB, "field 'Dispatched' is read-only"),
        (replace(JOB, stop=True), PERIODIC, "cannot update non-periodic job to being periodic"),
    ],
)
def test_what_a_registration_may_not_change(stored: Job | None, submitted: Job, refusal: str | None) -> None:
    """OBJ-036, JOB-03."""
    assert refusal == find_update_refusal(stored, submitted, None)


@pytest.mark.parametrize(
    ("stored", "index", "refusal"),
    [
        (None, 0, None),
        (JOB, 5, None),
        (None, 5, "Enforcing job modify index 5: job does not exist"),
        (JOB, 0, "Enforcing job modify index 0: job already exists"),
        (JOB, 4, "Enforcing job modify index 4: job exists with conflicting job modify index: 5"),
    ],
)
def test_a_registration_may_name_what_it_builds_upon(
    stored: Job | None, index: int, refusal: str | None
) -> None:
    """OBJ-044, JOB-04."""
    assert refusal == find_enforcement_refusal(stored, index)


def test_the_index_is_looked_at_first() -> None:
    """JOB-04."""
    refusal = find_update_refusal(JOB, PERIODIC, 4)

    assert refusal is not None
    assert refusal.startswith("Enforcing")
