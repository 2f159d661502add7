import pytest

from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Blocking, Unblocking, Untracking
from nomadspec.model.cluster.components.broker_clock import Alarm
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.cluster.components.leader_memory import (
    Memory,
    deliver,
    fire,
    give_back,
    process_next,
    set_enabled,
    take_in,
    unblock_failed,
)
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.store import handed_to_leader
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile, find_profile
from tests.model.cluster.components.evals import S, ev, list_behind, list_ready, take

EMPTY = State.of()
ON = set_enabled(Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0))), EMPTY, 0, is_enabled=True)


def test_followers_take_in_nothing() -> None:
    """FSM-01."""
    given = [
        handed_to_leader.Enqueue(ev("a")),
        handed_to_leader.Block(ev("b")),
        handed_to_leader.Unblock("c", 5),
    ]

    assert Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0))) == take_in(
        Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0))), given, 0
    )


def test_what_entries_hand_out_reaches_broker_and_blocked_evals_in_order() -> None:
    """FSM-02, FSM-03."""
    given = [
        handed_to_leader.Enqueue(ev("a")),
        handed_to_leader.Block(ev("b")),
        handed_to_leader.Untrack("default", "j"),
        handed_to_leader.Unblock("c", 5),
        handed_to_leader.UnblockClassAndQuota("c", "q", 6),
        handed_to_leader.UnblockNode("n", 7),
        handed_to_leader.UnblockQuota("r", 8),
        handed_to_leader.TrackPeriodic(Job()),
    ]
    memory = take_in(ON, given, 0)

    assert ["a"] == list_ready(memory.broker)
    kinds = [type(change) for change in memory.blocked_evals.changes]
    assert [Blocking, Untracking, Unblocking, Unblocking, Unblocking, Unblocking] == kinds
    assert {"c": 6, "q": 6, "r": 8} == {key: freed.index for key, freed in memory.blocked_evals.freed.items()}


def test_a_follow_up_that_was_called_off_is_dropped() -> None:
    """FSM-24."""
    follow_up = ev("a", wait_until_ns=9 * S)
    memory = take_in(ON, [handed_to_leader.Enqueue(follow_up), handed_to_leader.DropWaiting(follow_up)], 0)

    assert not memory.broker.known


def test_what_blocked_evals_free_goes_to_the_broker() -> None:
    """BLOCKED-41."""
    memory = take_in(
        ON, [handed_to_leader.Block(ev("a", snapshot_index=9)), handed_to_leader.Unblock("c", 5)], 0
    )

    assert [] == list_ready(process_next(memory, 0).broker)
    assert ["a"] == list_ready(process_next(process_next(memory, 0), 0).broker)


def test_once_a_minute_refused_plans_are_tried_again() -> None:
    """LEADER-50."""
    entry = ev("a", triggered_by="max-plan-attempts")
    memory = process_next(take_in(ON, [handed_to_leader.Block(entry)], 0), 0)

    assert ["a"] == list_ready(unblock_failed(memory, 0).broker)


@pytest.mark.parametrize(
    ("profile", "is_over"), [(NOMAD_2_0, False), (INTENDED, True)], ids=lambda value: str(value)[:9]
)
def test_as_intended_a_delivery_that_blocked_its_eval_again_is_over(profile: Profile, is_over: bool) -> None:
    """X-12: the release delivers it again when the ack is late."""
    off = Memory(broker=Broker(settings=BrokerSettings(profile=profile)))
    on = set_enabled(off, EMPTY, 0, is_enabled=True)
    entry = ev("a", status="pending")
    held = Memory(
        broker=take(take_in(on, [handed_to_leader.Enqueue(entry)], 0).broker), blocked_evals=on.blocked_evals
    )
    blocked = take_in(held, [handed_to_leader.Block(ev("a", status="blocked"))], 0)
    due_ns = held.broker.unack["a"].nack_at_ns or 0

    after = [fire(each, EMPTY, Alarm(due_ns, "a", "nack")) for each in (blocked, process_next(blocked, 0))]
    assert [is_over, is_over] == ["a" not in each.broker.waits for each in after]
    assert "a" in fire(held, EMPTY, Alarm(due_ns, "a", "nack")).broker.waits


@pytest.mark.parametrize(
    ("profile", "is_over"), [(NOMAD_2_0, False), (INTENDED, True)], ids=lambda value: str(value)[:9]
)
def test_as_intended_a_delivery_whose_outcome_is_written_is_over(profile: Profile, is_over: bool) -> None:
    """X-08: the release delivers it again when the ack is late; what has not ended is tried again by both."""
    off = Memory(broker=Broker(settings=BrokerSettings(profile=profile)))
    on = set_enabled(off, EMPTY, 0, is_enabled=True)
    given = take_in(on, [handed_to_leader.Enqueue(ev("a"))], 0)
    held = Memory(broker=take(given.broker), blocked_evals=on.blocked_evals)
    token = held.broker.unack["a"].token

    for status, is_settled in [("complete", is_over), ("pending", False)]:
        after = give_back(held, State.of(evals=[ev("a", status=status)]), "a", token, 0)
        assert is_settled == ("a" not in after.broker.known)
        assert is_settled != ("a" in after.broker.waits)
    assert "a" in give_back(held, EMPTY, "a", token, 0).broker.waits


@pytest.mark.parametrize(
    ("profile", "is_dropped"), [(NOMAD_2_0, False), (INTENDED, True)], ids=["release", "mended"]
)
def test_as_intended_what_has_ended_is_dropped_instead_of_delivered(
    profile: Profile, is_dropped: bool
) -> None:
    """BUG-013, BROKER-36: the next eval of its job is ready then; what has not ended is delivered."""
    canceled = State.of(evals=[ev("a", status="canceled"), ev("b", status="pending")])
    off = Memory(broker=Broker(settings=BrokerSettings(profile=profile)))
    on = set_enabled(off, EMPTY, 0, is_enabled=True)
    given = take_in(on, [handed_to_leader.Enqueue(ev(name)) for name in "ab"], 0)
    after, entry = deliver(given, canceled, "service", "t", 0)
    other, kept = deliver(given, EMPTY, "service", "t", 0)

    assert is_dropped == (entry is None)
    assert (["b"] if is_dropped else []) == list_ready(after.broker)
    assert ([] if is_dropped else ["a"]) == list(after.broker.unack.keys())
    assert ev("a") == kept
    assert ["a"] == list(other.broker.unack.keys())


def test_a_delivery_is_not_over_because_its_eval_is_still_remembered_by_node() -> None:
    """X-12, BLOCKED-12: its node class has woken it since, and with X-16 that leaves it under its node."""
    off = Memory(broker=Broker(settings=BrokerSettings(profile=find_profile("intended +X-16"))))
    on = set_enabled(off, EMPTY, 0, is_enabled=True)
    entry = ev("a", type="system", status="blocked", node_id="n", class_eligibility={"c": True})
    tracked = process_next(take_in(on, [handed_to_leader.Block(entry)], 0), 0)
    freed = process_next(take_in(tracked, [handed_to_leader.Unblock("c", 9)], 0), 0)
    held = Memory(broker=take(freed.broker, queue="system"), blocked_evals=freed.blocked_evals)
    after = fire(held, EMPTY, Alarm(held.broker.unack["a"].nack_at_ns or 0, "a", "nack"))

    assert "a" in held.blocked_evals.system
    assert "a" in after.broker.waits


def test_a_new_leader_begins_with_the_oldest_eval_of_each_job() -> None:
    """LEADER-02, BROKER-09: and blocked ones are tracked."""
    evals = [
        ev("young", create_index=7, status="pending"),
        ev("old", create_index=3, status="pending"),
        ev("done", create_index=1, status="complete"),
        ev("stuck", "k", create_index=2, status="blocked"),
    ]
    memory = process_next(
        set_enabled(
            Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0))),
            State.of(evals=evals),
            0,
            is_enabled=True,
        ),
        0,
    )

    assert ["old"] == list_ready(memory.broker)
    assert ["young"] == list_behind(memory.broker)
    assert ["stuck"] == list(memory.blocked_evals.captured.keys())


def test_what_is_stored_reaches_a_server_only_as_it_leads() -> None:
    """FSM-29: a state alone fills neither broker nor blocked evals."""
    state = State.of(
        evals=[ev("a", create_index=1, status="pending"), ev("b", "k", create_index=2, status="blocked")]
    )
    empty = Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0)))
    following = set_enabled(empty, state, 0, is_enabled=False)
    leading = process_next(set_enabled(following, state, 0, is_enabled=True), 0)

    assert empty == following
    assert ["a"] == list_ready(leading.broker)
    assert ["b"] == list(leading.blocked_evals.captured.keys())


def test_pausing_flushes_both_and_only_news_restore() -> None:
    """LEADER-04, LEADER-08."""
    state = State.of(evals=[ev("a", status="pending")])
    memory = set_enabled(
        Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0))), state, 0, is_enabled=True
    )
    held = Memory(broker=take(memory.broker), blocked_evals=memory.blocked_evals)

    assert held == set_enabled(held, state, 0, is_enabled=True)
    paused = set_enabled(held, state, 0, is_enabled=False)
    assert (
        Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0)), blocked_evals=BlockedEvals())
        == paused
    )
    assert ["a"] == list_ready(set_enabled(paused, state, 0, is_enabled=True).broker)
