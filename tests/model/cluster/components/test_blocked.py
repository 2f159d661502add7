from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.components import blocked as actions
from nomadspec.model.cluster.components.blocked_state import BlockedEvals
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.components.evals import S, ev

MINUTE_NS = 60 * S


def settle(
    blocked_evals: BlockedEvals, profile: Profile = NOMAD_2_0
) -> tuple[BlockedEvals, list[tuple[str, str]]]:
    """Do all that waits, and list the evals that go to the broker with their tokens."""
    handed: list[tuple[str, str]] = []
    while blocked_evals.changes:
        blocked_evals, more = actions.process_next(blocked_evals, 0, profile=profile)
        handed += [(held.eval.id, held.token) for held in more]
    return blocked_evals, handed


def track(*entries: Evaluation) -> BlockedEvals:
    blocked_evals = actions.enable(BlockedEvals(), 0)
    for entry in entries:
        blocked_evals, _ = settle(actions.block(blocked_evals, entry))
    return blocked_evals


def list_tracked(blocked_evals: BlockedEvals) -> list[str]:
    return sorted([*blocked_evals.captured.keys(), *blocked_evals.escaped.keys()])


def test_disabled_blocked_evals_do_nothing() -> None:
    """BLOCKED-01."""
    blocked_evals = actions.unblock(actions.block(BlockedEvals(), ev("a")), "c", 5, 0)

    assert (
        BlockedEvals()
        == blocked_evals
        == actions.unblock_node(actions.untrack(blocked_evals, ("n", "j")), "n")
    )


def test_what_became_free_is_noted_before_its_turn() -> None:
    """BLOCKED-02: an eval that was asked to be tracked earlier already misses it."""
    blocked_evals = actions.unblock(actions.block(track(), ev("a", snapshot_index=3)), "c", 5, 0)
    after, handed = settle(blocked_evals)

    assert 5 == blocked_evals.freed["c"].index
    assert [("a", "")] == handed
    assert [] == list_tracked(after)


def test_a_missed_unblock_hands_over_the_token() -> None:
    """BLOCKED-10, WORKER-32."""
    blocked_evals, _ = settle(actions.unblock(track(), "c", 5, 0))

    assert [("a", "T1")] == settle(actions.block(blocked_evals, ev("a", snapshot_index=3), "T1"))[1]


def test_of_two_evals_of_a_job_the_one_that_saw_more_is_kept() -> None:
    """BLOCKED-20: ties keep the new one."""
    old, new = ev("old", create_index=4, snapshot_index=2), ev("new", create_index=3, snapshot_index=4)

    for first, second, kept in [(old, new, "new"), (new, old, "old")]:
        blocked_evals = track(first, second)
        assert [kept] == list_tracked(blocked_evals)
        assert [first.id] == [entry.id for entry in blocked_evals.duplicates]
    older = track(new, ev("older", create_index=1))
    assert ["new"] == list_tracked(older)
    assert ["older"] == [entry.id for entry in older.duplicates]


def test_an_eval_is_its_own_duplicate() -> None:
    """BLOCKED-22, BLOCKED-12: of a system job it then is known for its node no more."""
    blocked_evals = track(*[ev("a", type="system", node_id="n")] * 2)

    assert ["a"] == [entry.id for entry in blocked_evals.duplicates]
    assert ["a"] == list_tracked(blocked_evals)
    assert not blocked_evals.system


def test_a_stale_job_entry_is_dropped() -> None:
    """BLOCKED-20: the job is left with the name of an eval that is tracked no longer."""
    blocked_evals = track(ev("a", type="system", node_id="n"))
    blocked_evals, _ = settle(actions.block(BlockedEvals(is_enabled=True, jobs=blocked_evals.jobs), ev("b")))

    assert ["b"] == list(blocked_evals.jobs.values())


def test_the_newest_eval_of_a_system_job_counts_for_its_node() -> None:
    """BLOCKED-12, BLOCKED-21: one that gave way on another node stays."""
    places = [("a", "n1", 1), ("b", "n2", 2), ("c", "n1", 3)]
    blocked_evals = track(
        *[ev(name, type="system", node_id=at, create_index=age) for name, at, age in places]
    )

    assert ["b", "c"] == sorted(blocked_evals.system.keys())
    assert ["c"] == list_tracked(blocked_evals)


@pytest.mark.parametrize(("profile", "woken"), [(NOMAD_2_0, ["a"]), (INTENDED, [])])
def test_a_node_wakes_what_gave_way_to_another_one_in_the_release_alone(
    profile: Profile, woken: list[str]
) -> None:
    """BLOCKED-21, X-09: also where the other one was there first."""
    older, newer = (ev("a", type="system", node_id="n"), ev("b", type="system", node_id="m", create_index=9))
    displaced, _ = settle(actions.block(track(older), newer), profile)
    again, _ = settle(actions.block(track(older, newer), older), profile)

    assert ["a"] == [entry.id for entry in displaced.duplicates]
    assert ["a", "a"] == [entry.id for entry in again.duplicates]
    for blocked_evals in (displaced, again):
        assert ["b"] == list_tracked(blocked_evals)
        after, handed = settle(actions.unblock_node(blocked_evals, "n"), profile)
        assert woken == [name for name, _ in handed]
        assert ["b"] == list(after.system.keys())


EVENTS: dict[str, Callable[[BlockedEvals], BlockedEvals]] = {
    "class": lambda blocked_evals: actions.unblock(blocked_evals, "c", 9, 0),
    "quota": lambda blocked_evals: actions.unblock_quota(blocked_evals, "q", 9, 0),
    "both": lambda blocked_evals: actions.unblock_class_and_quota(blocked_evals, "c", "q", 9, 0),
    "node": lambda blocked_evals: actions.unblock_node(blocked_evals, "n"),
    "resources": lambda blocked_evals: actions.unblock_resources(blocked_evals, ["v"], 9, 0),
}
FREED: dict[str, tuple[dict[str, Any], set[str]]] = {
    "plain": ({}, {"class", "quota", "both"}),
    "ineligible": ({"class_eligibility": {"c": False}}, {"quota"}),
    "same quota": ({"quota_limit_reached": "q"}, {"class", "quota", "both"}),
    "other quota": ({"quota_limit_reached": "r"}, {"class"}),
    "escaped": ({"escaped_computed_class": True}, {"class", "both"}),
    "volume": (
        {"escaped_computed_class": True, "missing_non_node_resources": ("v",)},
        {"class", "both", "resources"},
    ),
    "captured volume": ({"missing_non_node_resources": ("v",)}, {"class", "quota", "both"}),
    "system": ({"type": "system", "node_id": "n"}, {"class", "quota", "both", "node"}),
    "sysbatch": ({"type": "sysbatch", "node_id": "n"}, {"class", "quota", "both"}),
}


@pytest.mark.parametrize("name", FREED)
def test_whom_an_event_helps(name: str) -> None:
    """BLOCKED-40, BLOCKED-11."""
    fields, helped_by = FREED[name]
    blocked_evals = track(ev("a", snapshot_index=9, **fields))

    assert helped_by == {event for event, happen in EVENTS.items() if settle(happen(blocked_evals))[1]}


def test_a_node_frees_an_eval_that_stays_captured() -> None:
    """BLOCKED-41, 02/S10: it is counted out twice."""
    blocked_evals, first = settle(actions.unblock_node(track(ev("a", type="system", node_id="n")), "n"))
    after, second = settle(actions.unblock(blocked_evals, "c", 9, 0))

    assert [("a", "")] == first == second
    assert ["a"] == list_tracked(blocked_evals)
    assert (0, -1) == (blocked_evals.stats.blocked, after.stats.blocked)


@pytest.mark.parametrize(("profile", "woken"), [(NOMAD_2_0, [("a", "")]), (INTENDED, [])])
def test_a_node_wakes_what_its_class_has_woken_in_the_release_alone(
    profile: Profile, woken: list[tuple[str, str]]
) -> None:
    """BLOCKED-41, X-16: what the leader tries again leaves its node, too."""
    entry = ev("a", type="system", node_id="n", triggered_by="max-plan-attempts")
    tracked = track(entry)
    by_class, first = settle(actions.unblock(tracked, "c", 9, 0), profile)
    tried_again, _ = actions.unblock_failed(tracked, 0, profile=profile)

    assert [("a", "")] == first
    for blocked_evals in (by_class, tried_again):
        after, second = settle(actions.unblock_node(blocked_evals, "n"), profile)
        assert woken == second
        assert not after.system
        assert -len(woken) == after.stats.blocked


def test_counts_of_escaped_evals_drift() -> None:
    """02/S10."""
    escaped = ev("e", escaped_computed_class=True)
    replaced = track(escaped, ev("f"))
    freed, _ = settle(actions.unblock_quota(track(escaped, ev("a", "k")), "q", 9, 0))

    assert (2, 0) == (replaced.stats.blocked, replaced.stats.escaped)
    assert ["e"] == list_tracked(freed)
    assert (1, 0) == (freed.stats.blocked, freed.stats.escaped)


def test_the_last_index_counts() -> None:
    """BLOCKED-42, BLOCKED-43: and an empty quota is none."""
    blocked_evals = actions.unblock(actions.unblock(track(), "c", 9, 0), "c", 4, 0)

    assert 4 == blocked_evals.freed["c"].index
    assert blocked_evals == actions.unblock_quota(blocked_evals, "", 9, 0)
    assert ["c"] == list(actions.unblock_class_and_quota(track(), "c", "", 1, 0).freed.keys())


def test_refused_plans_are_tried_again_at_once() -> None:
    """BLOCKED-44."""
    tried = ev("a", triggered_by="max-plan-attempts", escaped_computed_class=True)
    blocked_evals, freed = actions.unblock_failed(track(tried, ev("b", "k")), 0, profile=NOMAD_2_0)

    assert ["a"] == [held.eval.id for held in freed]
    assert ["b"] == list_tracked(blocked_evals)
    assert (1, 0) == (blocked_evals.stats.blocked, blocked_evals.stats.escaped)


def test_a_job_is_untracked() -> None:
    """BLOCKED-45."""
    job = ("default", "j")
    for entry in (ev("a"), ev("a", escaped_computed_class=True)):
        blocked_evals, handed = settle(actions.untrack(track(entry), job))
        assert ([], [], 0) == (handed, list_tracked(blocked_evals), blocked_evals.stats.blocked)
        assert not blocked_evals.jobs


def test_a_system_job_is_untracked_by_node_only_for_ever() -> None:
    """BLOCKED-45: even later, when nothing is known by node."""
    job = ("default", "j")
    blocked_evals, _ = settle(actions.untrack(track(ev("a", type="system", node_id="n")), job))
    again, _ = settle(actions.untrack(blocked_evals, job))

    assert not blocked_evals.system
    assert ["a"] == list_tracked(blocked_evals) == list_tracked(again)


def test_as_intended_a_system_job_is_untracked_like_any_other() -> None:
    """BLOCKED-45, X-14: also what gave way to another one, and each is counted once."""
    places = [("a", "n1", 1), ("b", "n2", 2)]
    tracked = track(*[ev(name, type="system", node_id=at, create_index=age) for name, at, age in places])
    blocked_evals, _ = settle(actions.untrack(tracked, ("default", "j")), INTENDED)

    assert ["a", "b"] == sorted(tracked.system.keys())
    assert [] == [*blocked_evals.system, *blocked_evals.captured, *blocked_evals.jobs]
    assert 0 == blocked_evals.stats.blocked


def test_switching_off_forgets_everything() -> None:
    """BLOCKED-46; switching on twice changes nothing."""
    blocked_evals = actions.block(track(), ev("a"))

    assert BlockedEvals() == actions.disable()
    assert blocked_evals == actions.enable(blocked_evals, 5)


def test_duplicates_are_handed_out_once() -> None:
    """BLOCKED-23."""
    blocked_evals, taken = actions.take_duplicates(track(ev("a"), ev("b")))

    assert ["a"] == [entry.id for entry in taken]
    assert () == blocked_evals.duplicates


def test_what_became_free_long_ago_is_forgotten() -> None:
    """BLOCKED-32: after fifteen minutes, which is looked at every five."""
    blocked_evals = actions.unblock(track(), "c", 9, 1 * MINUTE_NS)

    assert ["c"] == list(actions.elapse(blocked_evals, 19 * MINUTE_NS).freed.keys())
    assert [] == list(actions.elapse(blocked_evals, 20 * MINUTE_NS).freed.keys())


def test_an_age_that_passes_at_once_takes_no_time_and_keeps_the_rhythm_of_five_minutes() -> None:
    """BLOCKED-32."""
    after = actions.elapse(actions.unblock(track(), "c", 9, 0), 2**63 - 1)

    assert not after.freed
    assert 0 == after.prune_at_ns % (5 * MINUTE_NS)
    assert 2**63 - 1 < after.prune_at_ns <= 2**63 - 1 + 5 * MINUTE_NS


evals = st.builds(
    lambda number, job, age, escaped: ev(
        f"e{number}", job, create_index=age, snapshot_index=age, escaped_computed_class=escaped
    ),
    st.integers(0, 8),
    st.sampled_from("jkl"),
    st.integers(0, 20),
    st.booleans(),
)


@given(st.lists(evals, max_size=12), st.integers(0, 20))
def test_what_is_not_tracked_is_covered(entries: list[Evaluation], index: int) -> None:
    """Invariants 5, 7 and 8: one of a job at most; whatever is dropped was handed over or is a duplicate."""
    blocked_evals = actions.unblock(actions.enable(BlockedEvals(), 0), "c", index, 0)
    for entry in entries:
        blocked_evals = actions.block(blocked_evals, entry)
    blocked_evals, handed = settle(blocked_evals)

    tracked = list_tracked(blocked_evals)
    covered = {*tracked, *(name for name, _ in handed), *(entry.id for entry in blocked_evals.duplicates)}
    assert {entry.id for entry in entries} == covered
    held = [*blocked_evals.captured.values(), *blocked_evals.escaped.values()]
    assert len({one.eval.job_id for one in held}) == len(held)
    assert all(index <= one.eval.snapshot_index for one in held)
