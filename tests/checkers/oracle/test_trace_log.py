"""Reading the log of a recorded cluster."""

from pathlib import Path

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_log import LoggedEntry, read_entry, read_log
from nomadspec.model.cluster.store.requests import (
    JobBatchDeregister,
    JobToDeregister,
    NodeDeregister,
    Outside,
)
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.traced import make_trace, write_trace


def read(name: str, body: dict[str, object] | None = None, kind: str = "LogCommand") -> object:
    logged = LoggedEntry(kind, 4, command_type=f"{name}RequestType", body=body)
    return read_entry(logged, "log[4]", Context(NOMAD_2_0)).entry.request


def test_every_entry_is_read_in_order(tmp_path: Path) -> None:
    typed = list(read_log(write_trace(tmp_path, make_trace()), Context(NOMAD_2_0)))

    assert [1, 2, 3, 4, 5] == [each.entry.index for each in typed]
    assert ["LogNoop", "SchedulerConfig", "NodeRegister"] == [each.type for each in typed[:3]]


def test_a_log_is_known_up_to_the_first_gap(tmp_path: Path) -> None:
    trace, context = make_trace(), Context(NOMAD_2_0)
    del trace["raft-log.ndjson"][1]

    assert [1] == [each.entry.index for each in read_log(write_trace(tmp_path, trace), context)]
    assert ["the log from entry 2 on: those up to 2 are missing"] == context.unseen


def test_an_entry_that_comes_twice_is_told_with_its_line(tmp_path: Path) -> None:
    trace = make_trace()
    trace["raft-log.ndjson"].insert(1, trace["raft-log.ndjson"][0])

    with pytest.raises(InputError, match="index 1 stands where 2 is due") as caught:
        list(read_log(write_trace(tmp_path, trace), Context(NOMAD_2_0)))

    assert "line 2" == caught.value.at


def test_a_place_that_is_no_recording_leads_to_one(tmp_path: Path) -> None:
    log = tmp_path / "web" / "raft-log.ndjson"
    log.parent.mkdir()
    log.touch()

    with pytest.raises(InputError, match=r"give a folder in it, such as .*web"):
        list(read_log(tmp_path, Context(NOMAD_2_0)))
    with pytest.raises(InputError, match=r"this is a file; give its folder, .*web"):
        list(read_log(log, Context(NOMAD_2_0)))


def test_a_folder_without_a_log(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no raft-log"):
        list(read_log(tmp_path, Context(NOMAD_2_0)))
    with pytest.raises(InputError, match="there is no such folder"):
        list(read_log(tmp_path / "nowhere", Context(NOMAD_2_0)))


def test_a_broken_line_is_told_with_its_member(tmp_path: Path) -> None:
    trace = make_trace()
    trace["raft-log.ndjson"][0]["Index"] = "one"

    with pytest.raises(InputError) as caught:
        list(read_log(write_trace(tmp_path, trace), Context(NOMAD_2_0)))

    assert "line 1, Index" == caught.value.at


def test_jobs_of_a_batch_are_keyed_by_namespace_and_id() -> None:
    """WIRE-102."""
    request = read("JobBatchDeregister", {"Jobs": {"crew.a.b": {"Purge": True}, "crew.c": None}})

    assert isinstance(request, JobBatchDeregister)
    assert (
        JobToDeregister(namespace="crew", id="a.b", purge=True),
        JobToDeregister(namespace="crew", id="c"),
    ) == request.jobs


def test_what_the_model_leaves_out_moves_indexes_only() -> None:
    assert Outside(tables=("root_keys",)) == read("WrappedRootKeysUpsert", {})
    assert Outside() == read("", kind="LogBarrier")
    assert NodeDeregister(node_id="n") == read("NodeDeregister", {"NodeID": "n"})


def test_other_types_are_left_out_and_said_once() -> None:
    context = Context(NOMAD_2_0)

    for index in (4, 5):
        logged = LoggedEntry("LogCommand", index, command_type="OddRequestType", body={"Any": "thing"})
        assert Outside() == read_entry(logged, f"log[{index}]", context).entry.request

    assert ["log entries of type OddRequestType"] == context.gaps


def test_deletions_by_an_expression_are_left_out() -> None:
    """EVAL-47."""
    context = Context(NOMAD_2_0)
    logged = LoggedEntry("LogCommand", 4, command_type="EvalDeleteRequestType", body={"Filter": "x == 1"})

    read_entry(logged, "log[4]", context)

    assert ["log[4]: the model does not select evaluations by a filter expression"] == context.gaps


def test_other_kinds_of_lines_are_none() -> None:
    with pytest.raises(InputError, match="LogOdd"):
        read("", kind="LogOdd")


def test_unknown_members_are_noted() -> None:
    context = Context(NOMAD_2_0)
    logged = LoggedEntry("LogCommand", 4, command_type="NodeDeregisterRequestType", body={"Odd": 1})
    read_entry(logged, "log[4]", context)

    assert ["log[4].Body.Odd is not known"] == context.notes


def test_a_file_that_belongs_to_no_recording_may_be_a_log_of_another_system(tmp_path: Path) -> None:
    (tmp_path / "moves.ndjson").touch()

    with pytest.raises(InputError, match="beside it; `nomadspec story` replays stories, and"):
        list(read_log(tmp_path / "moves.ndjson", Context(NOMAD_2_0)))
