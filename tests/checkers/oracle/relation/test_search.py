"""A search finds choices that lead to what was recorded, and says why there are none."""

from copy import deepcopy
from typing import Any

import pytest

from nomadspec.checkers.oracle.families.scheduler import Recorded
from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, read_vector
from nomadspec.checkers.oracle.reading import read_lines
from nomadspec.checkers.oracle.relation.search import Search
from nomadspec.model.profile import NOMAD_2_0
from tests.recorded import FOLDER


def make_search(document: dict[str, Any]) -> Search:
    vector = read_vector(document)
    jobs = Jobs.of(vector)
    recorded = Recorded.of(vector, jobs)
    return Search(vector, jobs, recorded.plans, recorded.evals, NOMAD_2_0)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    lines = read_lines(FOLDER / "scheduler" / "service-00.ndjson.xz")
    return next(
        dict(line.document)
        for line in lines
        if len((line.document["choices"]["node_orders"] or [[]])[0]) > 2
        and {"out:place"} <= set(line.document["tags"])
    )


def test_choices_are_found(document: dict[str, Any]) -> None:
    search = make_search(document)

    assert search.run().is_found
    assert search.has_cluster_reconciler


def test_a_node_that_cannot_be_taken_is_explained(document: dict[str, Any]) -> None:
    changed = deepcopy(document)
    by_node = changed["outcome"]["plans"][0]["plan"]["NodeAllocation"]
    alloc = next(each for allocs in by_node.values() for each in allocs if not each.get("CreateIndex"))
    alloc["Metrics"]["NodesEvaluated"] += 1
    search = make_search(changed)

    found = search.run()

    assert (found.is_found, found.is_exhausted) == (False, True)
    assert [difference.rule for difference in search.explain()]


def test_free_runs_end_without_a_look_at_the_recording(document: dict[str, Any]) -> None:
    assert all(outcome["plans"] for outcome in make_search(document).run_freely())
