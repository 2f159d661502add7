"""A recorded call of which the rules tell nothing is left undecided, and never refused."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.oracle.reading import Line, read_lines
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import FOLDER

KIND = read_kind("scheduler")


@pytest.fixture(scope="module")
def placed() -> Document:
    """Give a call that places something while others are there."""
    path = min((FOLDER / "scheduler").glob("service-00.ndjson*"))
    lines = (line.document for line in read_lines(path))
    return next(
        each for each in lines if "out:place" in each["tags"] and len(each["state"]["allocs"] or ()) > 1
    )


def _forget_resources(document: Any) -> None:
    for job in document["jobs"]:
        for group in job["TaskGroups"]:
            for task in group["Tasks"]:
                task["Resources"] = None


def _forget_disks(document: Any) -> None:
    for job in document["jobs"]:
        for group in job["TaskGroups"]:
            group["EphemeralDisk"] = None


def _forget_jobs(document: Any) -> None:
    for alloc in document["state"]["allocs"]:
        del alloc["JobRef"]


def _weigh_nothing(document: Any) -> None:
    for job in document["jobs"]:
        job["Affinities"] = [{"LTarget": "${node.datacenter}", "RTarget": "dc1", "Operand": "=", "Weight": 0}]


def _spread_nothing(document: Any) -> None:
    for job in document["jobs"]:
        job["Spreads"] = [{"Attribute": "${node.datacenter}", "Weight": 0}]


@pytest.mark.parametrize(
    "change", [_forget_resources, _forget_disks, _forget_jobs, _weigh_nothing, _spread_nothing]
)
@pytest.mark.parametrize("ignores_choices", [False, True])
def test_what_the_rules_do_not_tell_is_left_undecided(
    placed: Document, change: Callable[[Any], None], *, ignores_choices: bool
) -> None:
    """OBJ-120, RANK-55, RANK-61."""
    changed = deepcopy(dict(placed))
    change(changed)
    by_node = changed["outcome"]["plans"][0]["plan"]["NodeAllocation"]
    next(iter(by_node.values()))[0]["Name"] += "x"
    judgement = judge_line(KIND, Line("x", 1, changed), Context(NOMAD_2_0, ignores_choices=ignores_choices))

    assert judgement.ruling is Ruling.UNDECIDED
    assert "the rules do not tell" in judgement.reason


def test_a_plan_that_stops_twice_is_left_undecided(placed: Document) -> None:
    """GENERIC-37."""
    changed = deepcopy(dict(placed))
    stopped = {"ID": "a", "NodeID": "n", "DesiredStatus": "stop"}
    changed["outcome"]["plans"][0]["plan"]["NodeUpdate"] = {"n": [stopped, stopped]}

    assert judge_line(KIND, Line("x", 1, changed), Context(NOMAD_2_0)).ruling is Ruling.UNDECIDED
