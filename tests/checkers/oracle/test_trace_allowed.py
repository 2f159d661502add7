"""What may differ between a recorded cluster and the model, and how narrowly."""

from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_allowed import Clock, allow_clock, allow_lost_bytes, allow_memory
from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentState,
    Evaluation,
    Job,
    Namespace,
    Node,
    NodeEvent,
    NodePool,
    PeriodicLaunch,
)
from nomadspec.model.cluster.store import State
from nomadspec.model.specification.profiles import NOMAD_2_0

OWN = 77
CLOCK = Clock(frozenset({OWN}))


def make_deployment(time_ns: int) -> Deployment:
    return Deployment(task_groups={"g": DeploymentState(require_progress_by_ns=time_ns), "none": None})


def test_a_time_of_the_servers_own_clock_may_be_any() -> None:
    context = Context(NOMAD_2_0)

    assert make_deployment(OWN) == allow_clock(make_deployment(5), make_deployment(OWN), CLOCK, context)
    own = PeriodicLaunch(launch_ns=OWN)
    assert own == allow_clock(PeriodicLaunch(launch_ns=5), own, CLOCK, context)
    node = Node(events=(NodeEvent(timestamp_ns=OWN), NodeEvent(timestamp_ns=3)))
    told = Node(events=(NodeEvent(timestamp_ns=5), NodeEvent(timestamp_ns=4)))
    assert (OWN, 4) == tuple(event.timestamp_ns for event in allow_clock(told, node, CLOCK, context).events)
    assert {"wall-clock": 3} == context.forgiven


def test_but_it_must_be_there_and_other_times_are_exact() -> None:
    context = Context(NOMAD_2_0)
    for recorded, model in [
        (make_deployment(0), make_deployment(OWN)),
        (make_deployment(5), make_deployment(6)),
        (PeriodicLaunch(), PeriodicLaunch(launch_ns=OWN)),
        (PeriodicLaunch(launch_ns=5), PeriodicLaunch(launch_ns=6)),
        (Node(events=(NodeEvent(),)), Node(events=(NodeEvent(timestamp_ns=OWN),))),
        (Node(events=(NodeEvent(timestamp_ns=5),)), Node()),
    ]:
        assert recorded == allow_clock(recorded, model, CLOCK, context)

    assert {} == context.forgiven


def test_a_follow_up_shows_early_if_it_was_made_for_the_evaluation() -> None:
    """02/S7, WIRE-084."""
    context = Context(NOMAD_2_0)
    state = State.of(evals=[Evaluation(id="f", previous_eval="e"), Evaluation(id="g", previous_eval="x")])
    model = Evaluation(id="e")

    assert model == allow_memory(Evaluation(id="e", next_eval="f"), model, state.find_eval, context)
    assert {"leader-memory": 1} == context.forgiven
    for name in ("g", "gone"):
        stranger = Evaluation(id="e", next_eval=name)
        assert stranger == allow_memory(stranger, model, state.find_eval, context)


def test_a_delay_that_follows_a_nack_shows_early() -> None:
    """WIRE-084, BROKER-40: one second after the first, twenty after the second, and no other."""
    context = Context(NOMAD_2_0)
    model = Evaluation(wait_ns=3)

    for shown_ns in (1_000_000_000, 20_000_000_000):
        assert model == allow_memory(Evaluation(wait_ns=shown_ns), model, State().find_eval, context)
    assert {"leader-memory": 2} == context.forgiven
    for shown_ns in (0, 9, 40_000_000_000):
        shown = Evaluation(wait_ns=shown_ns)
        assert shown == allow_memory(shown, model, State().find_eval, context)


def test_bytes_that_are_no_text_are_lost_in_the_log_and_only_those() -> None:
    """WIRE-102."""
    context = Context(NOMAD_2_0)
    shown = b"a\xff\xfeb".decode(errors="replace").encode()

    assert Namespace(hash=shown) == allow_lost_bytes(
        Namespace(hash=b"a\xff\xfeb"), Namespace(hash=shown), context
    )
    assert Job(payload=shown) == allow_lost_bytes(Job(payload=b"a\xffb"), Job(payload=shown), context)
    assert {"lost-bytes": 2} == context.forgiven
    for recorded in (b"x\xffb", b"ab", b""):
        row = Job(payload=recorded)
        assert row == allow_lost_bytes(row, Job(payload=shown), context)
    known = Namespace(hash=b"a\xffb")
    assert Namespace(hash=b"a\xfeb") == allow_lost_bytes(Namespace(hash=b"a\xfeb"), known, context)
    assert Node() == allow_lost_bytes(Node(), Node(), context)


def test_a_promotion_that_is_applied_again_takes_a_later_time() -> None:
    """01/S14."""
    context = Context(NOMAD_2_0)
    again = Clock(frozenset(), applied_again=frozenset({"d"}))
    early, late = (replace(make_deployment(time), id="d") for time in (5, 9))
    other = replace(late, id="e")

    assert early == allow_clock(late, early, again, context)
    assert early == allow_clock(early, late, again, context)
    assert other == allow_clock(other, replace(early, id="e"), again, context)
    assert {"wall-clock": 1} == context.forgiven


def test_the_hash_of_a_pool_may_have_lost_its_bytes() -> None:
    """WIRE-102."""
    context = Context(NOMAD_2_0)
    whole = NodePool(name="p", hash=b"a\x88\xfeb")
    logged = NodePool(name="p", hash=whole.hash.decode(errors="replace").encode())
    other = NodePool(name="p", hash=b"c\x88\xfeb")

    assert logged == allow_lost_bytes(whole, logged, context)
    assert other == allow_lost_bytes(other, logged, context)
    assert {"lost-bytes": 1} == context.forgiven
