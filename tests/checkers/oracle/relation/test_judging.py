"""Recorded calls are accepted without their choices, and changed ones are not."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.oracle.reading import Line, read_lines
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.relation.chosen import OneWayChoices, choose_otherwise
from tests.recorded import FOLDER, assert_accepted, list_lines

KIND = read_kind("scheduler")
FILES = sorted((FOLDER / "scheduler").glob("*.ndjson.xz"))
SMALL = [path for path in FILES if not path.name.startswith(("large", "more"))]


def judge(document: Document) -> Judgement:
    bare = {**document, "choices": {}}
    return judge_line(KIND, Line("x", 1, bare), Context(NOMAD_2_0, ignores_choices=True))


@pytest.mark.parametrize("path", SMALL[::6], ids=lambda path: path.name)
def test_recordings_are_accepted_without_their_choices(path: Path) -> None:
    assert_accepted(judge(line.document) for line in list_lines(path)[::10])


def test_recordings_of_many_nodes_are_accepted_without_their_choices() -> None:
    """RANK-07: searches among a hundred nodes share some, and most of those visited are named by nobody."""
    path = next(path for path in FILES if path.name.startswith("large"))
    assert_accepted(judge(line.document) for line in list_lines(path)[18:20])


@pytest.mark.deep
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_all_recordings_are_accepted_without_their_choices(path: Path) -> None:
    assert_accepted(judge(line.document) for line in read_lines(path))


@pytest.fixture(scope="module")
def placed() -> Document:
    path = next(path for path in FILES if path.name.startswith("service-00"))
    wanted = {"out:place", "out:deployment-create"}
    lines = [line.document for line in read_lines(path) if "out:place" in line.document["tags"]]
    return next((each for each in lines if wanted <= set(each["tags"])), lines[0])


def first_placed(document: dict[str, Any]) -> dict[str, Any]:
    by_node = document["outcome"]["plans"][0]["plan"]["NodeAllocation"]
    first: dict[str, Any] = next(iter(by_node.values()))[0]
    return first


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "name": lambda document: first_placed(document).update(Name="j.x[9]"),
    "predecessor": lambda document: first_placed(document).update(PreviousAllocation="x"),
    "node": lambda document: first_placed(document).update(NodeID="x"),
    "metrics": lambda document: first_placed(document)["Metrics"].update(NodesEvaluated=77),
    "resources": lambda document: first_placed(document)["AllocatedResources"]["Shared"].update(DiskMB=77),
    "status": lambda document: document["outcome"]["updated_evals"][0].update(Status="failed"),
    "priority": lambda document: document["outcome"]["plans"][0]["plan"].update(Priority=99),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_no_choice_leads_to_is_rejected(placed: Document, change: str) -> None:
    changed = deepcopy(dict(placed))
    CHANGES[change](changed)

    judgement = judge(changed)

    assert judgement.ruling is Ruling.REJECTED
    assert judgement.difference is not None


def test_another_order_of_the_lists_is_accepted(placed: Document) -> None:
    changed = deepcopy(dict(placed))
    plan = changed["outcome"]["plans"][0]["plan"]
    plan["NodeAllocation"] = {node: allocs[::-1] for node, allocs in plan["NodeAllocation"].items()}

    assert judge(changed).ruling is Ruling.ACCEPTED


def list_true_outcomes(path: Path, *, every: int, seeds: range) -> Iterator[Judgement]:
    """Judge what the model does in recorded calls under other choices, with plans taken or refused."""
    for line in list_lines(path)[::every]:
        for seed in seeds:
            for refusals in (0, 1):
                yield judge(choose_otherwise(line.document, FreeChoices(seed), refusals=refusals))
                yield judge(choose_otherwise(line.document, OneWayChoices(seed), refusals=refusals))


@pytest.mark.parametrize("path", SMALL[::8], ids=lambda path: path.name)
def test_what_other_choices_lead_to_is_accepted(path: Path) -> None:
    """RANK-08, REC-95: other orders of nodes and maps, other ports, other names."""
    assert_accepted(list_true_outcomes(path, every=25, seeds=range(1, 2)))


@pytest.mark.deep
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_that_some_choice_leads_to_is_rejected(path: Path) -> None:
    """RANK-08, REC-95: thousands of true outcomes; a few have maps of so many keys that nobody can tell."""
    told = list(list_true_outcomes(path, every=4, seeds=range(2, 6)))
    refused = [one for one in told if one.ruling is Ruling.REJECTED]
    accepted = sum(one.ruling is Ruling.ACCEPTED for one in told)

    assert not refused, [(one.id, one.difference) for one in refused[:5]]
    assert accepted >= len(told) * 0.97
