import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.spec_change import is_spec_changed
from nomadspec.model.cluster.entities import Constraint, Job, Task, TaskGroup, VersionTag

A, B = Constraint(ltarget="a"), Constraint(ltarget="b")
JOB = Job(id="web", meta={"a": "1", "b": "2"}, constraints=(A, B))


@pytest.mark.parametrize(
    "change",
    [
        {"status": "dead"},
        {"status_description": "x"},
        {"stable": True},
        {"version": 9},
        {"create_index": 1, "modify_index": 2, "job_modify_index": 3},
        {"submit_time_ns": 1},
        {"meta": {"b": "2", "a": "1"}},
    ],
)
def test_what_does_not_count(change: dict[str, object]) -> None:
    """OBJ-042."""
    assert not is_spec_changed(JOB, replace(JOB, **change))


@pytest.mark.parametrize(
    "change",
    [
        {"stop": True},
        {"nomad_token_id": "t"},
        {"version_tag": VersionTag(name="v")},
        {"meta": {"a": "1"}},
        {"constraints": (B, A)},
        {"payload": b"x"},
    ],
)
def test_what_counts(change: dict[str, object]) -> None:
    """OBJ-042, JOB-06."""
    assert is_spec_changed(JOB, replace(JOB, **change))


def test_a_job_that_is_not_stored_is_a_change() -> None:
    """JOB-06."""
    assert is_spec_changed(None, JOB)


def test_true_is_not_one() -> None:
    """OBJ-042: a driver may tell them apart."""
    stored, submitted = (
        Job(task_groups=(TaskGroup(tasks=(Task(config={"x": value}),)),)) for value in (1, True)
    )

    assert is_spec_changed(stored, submitted)
