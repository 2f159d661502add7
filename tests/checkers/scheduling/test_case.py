"""What a file asks for becomes one call: a recorded one replayed, or one of a cluster with free choices."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.reading import read_lines
from nomadspec.checkers.scheduling.case import decide_as_recorded, read_case, take_whole
from nomadspec.invariants.cluster.scheduler import PROPERTIES
from nomadspec.invariants.cluster.scheduler.kernel_view import list_words
from nomadspec.model.cluster.entities import Plan
from nomadspec.model.errors import InputError, UnknownNameError, UsageError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.scheduler.made import make_alloc, make_snapshot
from tests.recorded import FOLDER, list_lines

RECORDED = FOLDER / "scheduler" / "service-00.ndjson.xz"

NODE = {
    "ID": "n",
    "HTTPAddr": "x",
    "Status": "ready",
    "SchedulingEligibility": "eligible",
    "Datacenter": "dc1",
    "NodePool": "default",
    "Attributes": {"driver.exec": "1"},
    "NodeResources": {
        "Cpu": {"CpuShares": 1000},
        "Processors": {"Topology": {"Cores": [{"ID": 0, "BaseSpeed": 1000}]}},
        "Memory": {"MemoryMB": 1000},
        "Disk": {"DiskMB": 1000},
        "Networks": [{"Mode": "host", "Device": "eth0", "IP": "10.0.0.1"}],
    },
}
JOB = {
    "ID": "j",
    "Name": "j",
    "Namespace": "default",
    "Type": "service",
    "Datacenters": ["dc1"],
    "NodePool": "default",
    "TaskGroups": [{"Name": "web", "Count": 1, "Tasks": [{"Name": "main", "Driver": "exec"}]}],
}
EVAL = {
    "ID": "e",
    "Namespace": "default",
    "JobID": "j",
    "Type": "service",
    "Status": "pending",
    "TriggeredBy": "job-register",
    "ModifyTime": 7,
}


def write(folder: Path, *documents: Any) -> Path:
    for number, document in enumerate(documents):
        (folder / f"{number}.json").write_text(json.dumps(document))
    return folder


def test_a_recorded_call_is_replayed() -> None:
    document = list_lines(RECORDED)[0].document

    outcome = read_case(RECORDED, document["id"]).run(with_reasons=False, profile=NOMAD_2_0)

    assert len(outcome.plans) == len(document["outcome"]["plans"])
    assert outcome.error == document["outcome"]["error"]


def test_one_of_several_recorded_calls_has_to_be_named() -> None:
    with pytest.raises(UsageError, match=r"--eval ID"):
        read_case(RECORDED, None)
    with pytest.raises(UnknownNameError):
        read_case(RECORDED, "none")


def test_recorded_calls_may_stand_in_a_list_or_a_folder(tmp_path: Path) -> None:
    first, second = [line.document for line in list_lines(RECORDED)[:2]]
    path = tmp_path / "calls.json"
    path.write_text(json.dumps([first, second]))

    assert read_case(path, second["id"]).evaluation.id == second["eval"]["ID"]
    assert read_case(tmp_path, first["id"]).evaluation.id == first["eval"]["ID"]


def test_a_recorded_call_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    document = next(line.document for line in read_lines(RECORDED) if line.document["outcome"]["plans"])
    path = tmp_path / "one.json"
    path.write_text(json.dumps({**document, "outcome": {**document["outcome"], "plans": []}}))

    with pytest.raises(InputError, match=r"one plan more"):
        read_case(path, None).run(with_reasons=False, profile=NOMAD_2_0)


def test_a_cluster_is_scheduled_with_free_choices(tmp_path: Path) -> None:
    case = read_case(write(tmp_path, [NODE], JOB, [EVAL]), None)

    outcome = case.run(with_reasons=True, profile=NOMAD_2_0)

    assert (case.scheduler, case.now_ns) == ("service", 7)
    assert [alloc.name for alloc in outcome.plans[0].node_allocation["n"]] == ["j.web[0]"]
    assert outcome.updated_evals[0].queued_allocations == {"web": 0}
    assert outcome.reasons is not None


def test_the_type_of_the_job_counts_where_the_evaluation_has_none(tmp_path: Path) -> None:
    case = read_case(write(tmp_path, [NODE], {**JOB, "Type": "batch"}, [{**EVAL, "Type": ""}]), "e")

    assert case.scheduler == "batch"


@pytest.mark.parametrize(
    ("evals", "eval_id", "error"),
    [
        ([], None, InputError),
        ([{**EVAL, "Status": "complete"}], None, UsageError),
        ([EVAL, {**EVAL, "ID": "f"}], None, UsageError),
        ([EVAL], "none", UnknownNameError),
        ([{**EVAL, "Type": "_core"}], None, InputError),
    ],
    ids=range(5),
)
def test_an_evaluation_that_is_not_clear_is_refused(
    tmp_path: Path, evals: list[Any], eval_id: str | None, error: type[Exception]
) -> None:
    with pytest.raises(error):
        read_case(write(tmp_path, [NODE], evals), eval_id)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file"):
        read_case(tmp_path / "none.json", None)


def test_a_plan_is_taken_whole() -> None:
    snapshot = make_snapshot(make_alloc("old"))
    plan = Plan(node_allocation={"n1": (make_alloc("old"), make_alloc("new", create_index=0))})

    old, new = take_whole(plan, snapshot).node_allocation["n1"]

    assert (old.create_index, old.modify_index) == (7, 101)
    assert (new.create_index, new.modify_index) == (101, 101)


@pytest.mark.deep
def test_recorded_decisions_keep_the_contract_of_the_kernel() -> None:
    """PLAN-92."""
    assert sum(map(hold, list_recorded("*-00.ndjson.xz", every=20))) > 1


def test_decisions_that_lacked_a_network_keep_the_contract_of_the_kernel() -> None:
    """FEAS-82: a group that asks for no network is not taken over in place where there is none."""
    assert sum(map(hold, list_recorded("fresh-00.ndjson.xz", every=1))) > 1


@pytest.mark.deep
def test_all_recorded_decisions_keep_the_contract_of_the_kernel() -> None:
    """PLAN-92."""
    assert sum(map(hold, list_recorded("*.ndjson.xz", every=1))) > 100


def list_recorded(pattern: str, every: int) -> Iterator[object]:
    """List some recorded calls of each file."""
    for path in sorted((FOLDER / "scheduler").glob(pattern)):
        for line in list_lines(path)[::every]:
            yield line.document


def hold(document: object) -> int:
    """Hold a recorded call against the contract; gives how many groups the kernel has words for."""
    decision = decide_as_recorded(document, NOMAD_2_0)
    assert [] == list(PROPERTIES["the_kernels_contract_is_kept"](decision))
    return len(list(list_words(decision)))
