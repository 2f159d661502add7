"""Blocked evals as the kernel sees it."""

import pytest

from nomadspec.checkers.oracle.refinement.blocked_sight import (
    Sighting,
    assign,
    list_entries,
    look,
    put_on_stage,
)
from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.model.cluster.components.blocked import block, enable, process_next
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Held
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.kernel.statuses import BlockedIn
from nomadspec.model.specification.profiles import NOMAD_2_0

PLAIN = Evaluation(id="e1", job_id="j", type="service", create_index=1)
NEWER = Evaluation(id="e2", job_id="j", type="service", create_index=2)
ESCAPED = Evaluation(id="e3", job_id="k", type="service", escaped_computed_class=True)
SYSTEM = Evaluation(id="e4", job_id="s", type="system", node_id="n")


def blocked_evals_with(*entries: Evaluation) -> BlockedEvals:
    blocked_evals = enable(BlockedEvals(), 0)
    for entry in entries:
        blocked_evals, _ = process_next(block(blocked_evals, entry), 0, profile=NOMAD_2_0)
    return blocked_evals


def test_each_evaluation_is_seen_where_it_is() -> None:
    assert {
        "e1": Sighting(is_duplicate=True),
        "e2": Sighting(tracking=BlockedIn.CAPTURED),
        "e3": Sighting(tracking=BlockedIn.ESCAPED),
        "e4": Sighting(tracking=BlockedIn.CAPTURED, is_by_node=True),
        "e5": Sighting(is_handed_back=True),
    } == look(blocked_evals_with(PLAIN, NEWER, ESCAPED, SYSTEM), [Held(Evaluation(id="e5"))])


def test_blocked_evals_on_stage_are_seen_as_they_are() -> None:
    blocked_evals = blocked_evals_with(PLAIN, NEWER, ESCAPED, SYSTEM)

    assert (
        look(blocked_evals)
        == put_on_stage(blocked_evals, assign(list_entries(blocked_evals)), NOMAD_2_0).see()
    )


def test_jobs_and_nodes_are_numbered() -> None:
    cast = assign([SYSTEM, PLAIN, NEWER])

    assert [(0, 0), (0, 1), (1, 0)] == [cast.at(name) for name in ("e1", "e2", "e4")]
    assert [0, 1] == [cast.node(name) for name in ("n", "elsewhere")]
    with pytest.raises(Outside, match="two jobs"):
        assign([PLAIN, Evaluation(id="e1", job_id="other")])
