from typing import Any

import pytest

from nomadspec.model.cluster.components.blocked import block, enable, process_next, unblock_node
from nomadspec.model.cluster.components.blocked_state import (
    CAPACITY,
    BlockedEvals,
    Freed,
    Held,
    find_held,
    is_full,
    list_system_of_node,
)
from nomadspec.model.cluster.components.blocked_state import list_missed_answers as answer
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.components.evals import ev


def track(**freed: int) -> BlockedEvals:
    blocked_evals = BlockedEvals(is_enabled=True)
    known = blocked_evals.freed.update({key: Freed(index, 0) for key, index in freed.items()})
    return BlockedEvals(is_enabled=True, freed=known)


@pytest.mark.parametrize(
    ("freed", "fields", "missed"),
    [
        pytest.param({}, {"escaped_computed_class": True}, False, id="nothing-is-free"),
        pytest.param({"c": 9}, {}, True, id="unseen-class"),
        pytest.param({"c": 5}, {}, False, id="seen-at-the-same-index"),
        pytest.param({"c": 9}, {"class_eligibility": {"c": True}}, True, id="eligible-class"),
        pytest.param({"c": 9}, {"class_eligibility": {"c": False}}, False, id="ineligible-class"),
        pytest.param({"q": 9}, {"quota_limit_reached": "q"}, True, id="own-quota"),
        pytest.param({"q": 5, "c": 9}, {"quota_limit_reached": "q"}, False, id="own-quota-is-final"),
        pytest.param({"c": 9}, {"quota_limit_reached": "q"}, False, id="quota-not-known"),
        pytest.param({"q": 9}, {}, True, id="a-quota-counts-as-an-unseen-class"),
        pytest.param({"v": 9}, {"missing_non_node_resources": ("v",)}, True, id="missing-resource-came"),
        pytest.param({"v": 5}, {"missing_non_node_resources": ("v",)}, False, id="missing-resource-was-seen"),
        pytest.param(
            {"c": 9},
            {"escaped_computed_class": True, "class_eligibility": {"c": False}},
            True,
            id="escaped-after-a-reblock",
        ),
        pytest.param(
            {"c": 9},
            {"escaped_computed_class": True, "quota_limit_reached": "q"},
            True,
            id="escaped-with-a-quota",
        ),
    ],
)
def test_what_was_missed(freed: dict[str, int], fields: dict[str, Any], missed: bool) -> None:
    """BLOCKED-30, BLOCKED-31."""
    assert {missed} == answer(track(**freed), ev("a", snapshot_index=5, **fields))


def test_the_order_of_the_map_may_decide() -> None:
    """BLOCKED-30: both answers are allowed."""
    entry = ev("a", snapshot_index=5, missing_non_node_resources=("v",))

    assert {True, False} == answer(track(v=5, c=9), entry)
    for missed in (True, False):
        blocked_evals, handed = process_next(
            block(track(v=5, c=9), entry), 0, profile=NOMAD_2_0, is_missed_in_doubt=missed
        )
        assert missed == bool(handed)
        assert missed != ("a" in blocked_evals.captured)


def test_who_brings_too_many_changes_waits() -> None:
    """BLOCKED-03."""
    blocked_evals = enable(BlockedEvals(), 0)

    assert not is_full(blocked_evals)
    assert is_full(BlockedEvals(changes=unblock_node(blocked_evals, "n").changes * CAPACITY))


def test_evals_are_found_by_id_and_by_node() -> None:
    blocked_evals = enable(BlockedEvals(), 0)
    for entry in (ev("s", type="system", node_id="n"), ev("e", "k", escaped_computed_class=True)):
        blocked_evals, _ = process_next(block(blocked_evals, entry), 0, profile=NOMAD_2_0)

    assert ["s"] == [held.eval.id for held in list_system_of_node(blocked_evals, "n")]
    assert isinstance(find_held(blocked_evals, "e"), Held)
    assert None is find_held(blocked_evals, "x")
