"""The tables of a dump."""

from typing import Any

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_allowed import Clock
from nomadspec.checkers.oracle.trace_tables import compare_tables, list_rows
from nomadspec.model.cluster.entities import Allocation, Job
from nomadspec.model.cluster.store import State
from nomadspec.model.specification.profiles import NOMAD_2_0

NEVER = Clock(frozenset())


def list_paths(dump: dict[str, Any], state: State) -> list[str]:
    return [each.path for each in compare_tables(dump, state, NEVER, Context(NOMAD_2_0), "dump")]


def test_absent_null_and_empty_tables_are_one() -> None:
    assert [] == list_paths({"Jobs": None, "Evals": []}, State())


def test_rows_are_compared_by_their_keys_in_any_order() -> None:
    state = State.of(jobs=[Job(id="a", namespace="x"), Job(id="b", namespace="x")], index=0)
    rows = [{"ID": "b", "Namespace": "x"}, {"ID": "a", "Namespace": "x"}]
    indexes = [{"Key": table, "Value": 0} for table in state.indexes]

    assert [] == list_paths({"Jobs": rows, "JobVersions": rows, "Indexes": indexes}, state)
    assert ["dump.Jobs[0].Priority"] == list_paths(
        {"Jobs": [{**rows[0], "Priority": 1}, rows[1]], "JobVersions": rows, "Indexes": indexes}, state
    )


def test_a_row_that_is_there_twice_is_one_too_many() -> None:
    state = State.of(jobs=[Job(id="a", namespace="x")], indexes={})
    row = {"ID": "a", "Namespace": "x"}
    indexes = [{"Key": table, "Value": 0} for table in state.indexes]
    dump = {"Jobs": [row, row], "JobVersions": [row], "Indexes": indexes}

    assert ["dump.Jobs[1]"] == list_paths(dump, state)


def test_tables_that_the_model_leaves_out_may_hold_anything() -> None:
    assert [] == list_paths({"RootKeys": [5]}, State())


def test_signed_identities_are_not_dumped() -> None:
    state = State.of(allocs=[Allocation(id="a", signed_identities={"t": "x"})])

    assert [Allocation(id="a")] == list(list_rows(state, "allocs"))
