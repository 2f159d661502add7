"""Rows in the form of recordings."""

import pytest

from nomadspec.checkers.oracle.judgement import Unsupported
from nomadspec.checkers.oracle.store_rows import (
    demand_covered,
    find_row,
    find_table,
    name_row,
    read_rows,
    spell_key,
    write_row,
)
from nomadspec.model.cluster.entities import Allocation, Job, SchedulerConfiguration
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import EvalDelete
from nomadspec.model.cluster.store.tables import TABLES
from nomadspec.model.errors import InputError


def test_rows_are_read_by_table() -> None:
    rows = read_rows(
        {"job_version": [{"ID": "j", "Version": 2}], "scheduler_config": [{"CreateIndex": 4}]}, "here"
    )

    assert [Job(id="j", version=2)] == rows["job_versions"]
    assert SchedulerConfiguration(create_index=4) == rows["configuration"]


def test_an_unknown_table_is_told_with_its_place() -> None:
    with pytest.raises(InputError, match=r"here: there is no table 'odd'"):
        find_table("odd", "here")


@pytest.mark.parametrize(
    ("key", "spelled"), [("n", "n"), (("x", "j"), "x/j"), (("x", "j", 3), "x/j@3"), (("x", "j", 0), "x/j@0")]
)
def test_keys_are_spelled(key: str | tuple[str, str] | tuple[str, str, int], spelled: str) -> None:
    assert spelled == spell_key(key)


def test_rows_are_named_by_their_members() -> None:
    assert "x/j@0" == name_row("job_version", {"Namespace": "x", "ID": "j"})
    assert "x/j" == name_row("job_summary", {"Namespace": "x", "JobID": "j"})
    assert "config" == name_row("scheduler_config", {})


def test_the_job_of_an_alloc_is_written_short() -> None:
    alloc = Allocation(id="a", job=Job(id="j", namespace="x", name="long", version=2))
    written = write_row(State.of(allocs=[alloc]), "allocs", "a")

    assert {"ID": "a", "Job": {"Namespace": "x", "ID": "j", "Version": 2}} == written


def test_a_filter_lies_outside_the_model() -> None:
    demand_covered(EvalDelete(evals=("e",)))

    with pytest.raises(Unsupported, match="filter"):
        demand_covered(EvalDelete(filter='Status == "failed"'))


def test_every_table_finds_its_rows() -> None:
    assert all(find_row(State(), table, "none") is None for table in TABLES if table != "job_version")
    job = Job(id="j", namespace="x", version=2)
    assert job == find_row(State.of(jobs=[job]), "job_version", ("x", "j", 2))
    assert write_row(State(), "jobs", ("x", "j")) is None
