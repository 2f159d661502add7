"""The nodes that no search looks at: the same as for the scheduler, each with its reason."""

import json
from typing import Any

import pytest

from nomadspec.checkers.oracle.reading import read_lines
from nomadspec.checkers.report.candidates import Survey, summarise_searches, survey
from nomadspec.checkers.scheduling.case import read_case
from nomadspec.model.cluster.entities import DrainStrategy
from nomadspec.model.cluster.scheduler.feasibility.candidates import find_candidates
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Scored, Selection
from tests.model.cluster.scheduler.made import make_eval, make_job, make_node, make_snapshot
from tests.recorded import FOLDER

RECORDED = FOLDER / "scheduler" / "service-00.ndjson.xz"


@pytest.mark.parametrize(
    ("fields", "reason", "rule"),
    [
        ({"status": "down"}, "down", "FEAS-06"),
        ({"status": "disconnected"}, "disconnected", "FEAS-06"),
        ({"drain_strategy": DrainStrategy(), "scheduling_eligibility": "ineligible"}, "draining", "FEAS-06"),
        ({"scheduling_eligibility": "ineligible"}, "ineligible", "FEAS-06"),
        ({"node_pool": "gpu", "datacenter": "dc2"}, "in another pool", "FEAS-07"),
        ({"datacenter": "dc2"}, "in another datacenter", "FEAS-08"),
    ],
)
def test_a_node_is_left_out_for_what_is_mended_first(fields: dict[str, Any], reason: str, rule: str) -> None:
    found = survey(make_snapshot(make_job(), make_node("n1"), make_node("n2", **fields)), make_eval())
    (one,) = found.left_out

    assert (2, "n2", reason, rule) == (found.nodes, one.node_id, one.reason, one.rule)


def test_both_sides_of_what_differs_are_named() -> None:
    found = survey(make_snapshot(make_job(), make_node("n1", datacenter="dc2")), make_eval())

    assert "it is in datacenter 'dc2', the job asks for 'dc1'" == found.left_out[0].why


def test_a_job_of_all_pools_leaves_out_none_for_its_pool() -> None:
    snapshot = make_snapshot(make_job(node_pool="all"), make_node("n1", node_pool="gpu"))

    assert Survey(1, []) == survey(snapshot, make_eval())


def test_without_a_job_there_is_nothing_to_leave_out() -> None:
    assert Survey(1, []) == survey(make_snapshot(make_node("n1", status="down")), make_eval())


def test_a_sentence_counts_the_reasons() -> None:
    nodes = [
        make_node("n1"),
        *(make_node(f"down{n}", status="down") for n in range(2)),
        make_node("x", datacenter="b"),
    ]
    found = survey(make_snapshot(make_job(), *nodes), make_eval())

    assert "1 of 4 nodes is a candidate; 2 down and 1 in another datacenter" == found.describe()


def test_recorded_schedulers_leave_out_the_same_nodes(tmp_path: Any) -> None:
    different = []
    for at, line in enumerate(read_lines(RECORDED)):
        path = tmp_path / f"{at}.json"
        path.write_text(json.dumps(line.document))
        case = read_case(path, None)
        job = case.snapshot.find_job(case.evaluation.namespace, case.evaluation.job_id)
        if job is not None:
            left = {one.node_id for one in survey(case.snapshot, case.evaluation).left_out}
            asked = {node.id for node in find_candidates(case.snapshot, job).nodes}
            different += [path.name] if {node.id for node in case.snapshot.nodes} - left != asked else []

    assert [] == different


@pytest.mark.parametrize("rule", ["FEAS-21", "FEAS-22"])
def test_a_summary_names_why_the_last_search_of_a_group_failed(rule: str) -> None:
    by_class = {"computed_class": "v1:1"}
    first = Filtered(node_id="n1", rule="FEAS-31", text="kernel = linux")
    again = Filtered(node_id="n1", rule=rule, text="computed class ineligible", operands=by_class)
    alike = Filtered(node_id="n2", rule=rule, text="computed class ineligible", operands=by_class)
    full = Exhausted(node_id="n3", rule="RANK-30", dimension="memory")
    taken = Scored(node_id="n3", scores={}, norm_score=0.5)
    searches = [
        Selection(group="web", alloc_name="j.web[0]", visits=(first, alike, taken), chosen="n3"),
        Selection(
            group="web",
            alloc_name="j.web[1]",
            visits=(again, alike, full, Dropped(node_id="n4", rule="FEAS-90")),
        ),
        Selection(group="web", alloc_name="j.web[2]", is_trial=True),
    ]

    ((group, told),) = summarise_searches(searches)

    assert "web" == group
    assert told == (
        "1 of 2 placements found a node; j.web[1]: 2 nodes filtered (kernel = linux), "
        "1 node exhausted (memory) and 1 node skipped (FEAS-90)"
    )


def test_a_search_without_nodes_says_so() -> None:
    searches = [Selection(group="web", alloc_name="j.web[0]")]

    assert [("web", "0 of 1 placement found a node; j.web[0]: no candidate node")] == list(
        summarise_searches(searches)
    )
