from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.checkers.oracle.trace_replay import read_run_clock, replay_log
from nomadspec.model.cluster.components.drainer import (
    Drainer,
    Tracked,
    disable,
    enable,
    find_next_due,
    react,
    track,
)
from nomadspec.model.cluster.entities import DrainStrategy
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    BatchNodeUpdateDrain,
    EvalUpdate,
    NodeUpdateDrain,
    Request,
)
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.components.draining import (
    NEVER,
    NOW,
    SOON,
    Play,
    S,
    make_alloc,
    make_job,
    make_node,
    make_state,
)
from tests.recorded import list_traces

WEB = make_job(count=2)
AGENT = make_job("agent", "system")
CRUNCH = make_job("crunch", "batch")
DRAINS = [folder for folder in list_traces() if folder.name.startswith("drain")]


def test_a_drainer_that_is_not_enabled_does_nothing_and_remembers_nothing() -> None:
    """DRAIN-16."""
    state = make_state([make_node()], [make_alloc("a", WEB)])
    reaction = react(disable(), state, 0, str, profile=NOMAD_2_0)

    assert (True, Drainer()) == (reaction.is_settled, reaction.drainer)
    busy = Play(state).drainer
    assert busy is enable(busy)
    assert Drainer(is_enabled=True) == enable(disable())


def test_how_a_node_is_emptied_is_read_from_its_strategy_whatever_its_status() -> None:
    """DRAIN-01, DRAIN-02."""
    assert track(make_node(drain=None)) is None
    assert Tracked(None, ignores_system=False) == track(make_node(drain=NEVER))
    assert Tracked(0, ignores_system=False) == track(make_node(drain=NOW))
    down = replace(make_node(drain=replace(SOON, ignore_system_jobs=True)), status="down")
    assert Tracked(60 * S, ignores_system=True) == track(down)


def test_one_after_the_other_moves_and_then_the_drain_ends() -> None:
    """DRAIN-03, DRAIN-06, DRAIN-10, DRAIN-12: marks are written after a second, ends at once."""
    nodes = [make_node(), make_node("n2", None)]
    play = Play(make_state(nodes, [make_alloc(name, WEB) for name in "ab"])).wait(30)
    assert [(1, "a")] == play.told

    play.replace_with(make_alloc("c", WEB, "n2")).wait(5)
    assert [(1, "a"), (31, "b")] == play.told
    play.report("a", "complete").replace_with(make_alloc("d", WEB, "n2")).report("b", "complete")

    (at, request) = play.written[-1]
    assert (35, BatchNodeUpdateDrain) == (at, type(request))
    assert play.state.nodes["n1"].drain_strategy is None
    assert "ineligible" == play.state.nodes["n1"].scheduling_eligibility
    assert not play.drainer.nodes
    assert not play.drainer.jobs


def test_system_jobs_leave_when_all_else_is_gone() -> None:
    """DRAIN-12."""
    play = Play(make_state([make_node()], [make_alloc("a", CRUNCH), make_alloc("s", AGENT)])).wait(30)
    assert [] == play.told

    play.report("a", "complete")
    assert [(30, "s")] == play.told
    assert BatchNodeUpdateDrain is type(play.written[-1][1])


def test_an_empty_node_is_done_at_once() -> None:
    """DRAIN-03."""
    play = Play(make_state([make_node()], []))

    assert [BatchNodeUpdateDrain] == [type(request) for _, request in play.written]


@pytest.mark.parametrize(("drain", "at"), [(SOON, 61), (NOW, 1)])
def test_when_time_is_up_all_has_to_go_and_nobody_is_waited_for(drain: DrainStrategy, at: float) -> None:
    """DRAIN-13."""
    allocs = [make_alloc("a", CRUNCH), make_alloc("s", AGENT)]
    play = Play(make_state([make_node(drain=drain)], allocs)).wait(90)

    assert [(at, "a"), (at, "s")] == play.told
    assert [at, at] == [when for when, _ in play.written]
    assert play.state.nodes["n1"].drain_strategy is None
    assert "deadline_reached" in play.state.nodes["n1"].events[-1].details


def test_deadlines_wait_for_those_that_follow_within_five_seconds() -> None:
    """DRAIN-14."""
    late, later = (replace(SOON, force_deadline_ns=seconds * S) for seconds in (64, 70))
    nodes = [make_node("n1", SOON), make_node("n2", late), make_node("n3", later)]
    allocs = [make_alloc(node.id, CRUNCH, node.id) for node in nodes]
    play = Play(make_state(nodes, allocs))

    assert 64 * S == find_next_due(play.drainer)
    assert [(65, "n1"), (65, "n2"), (71, "n3")] == play.wait(90).told


def test_a_drain_that_was_called_off_is_forgotten() -> None:
    """DRAIN-01."""
    play = Play(make_state([make_node(drain=SOON)], [make_alloc("a", CRUNCH)]))
    play.write(NodeUpdateDrain(node_id="n1", mark_eligible=True))

    assert [] == play.settle().wait(90).told
    assert not play.drainer.nodes


def test_jobs_that_are_gone_are_forgotten() -> None:
    """DRAIN-06."""
    play = Play(make_state([make_node()], [make_alloc("a", CRUNCH)]))
    assert [("default", "crunch")] == list(play.drainer.jobs)

    state = play.state
    play.state = replace(
        state, jobs=state.jobs.remove(("default", "crunch")), indexes=state.indexes.insert("allocs", 99)
    )
    assert not play.settle().drainer.jobs


@pytest.mark.parametrize("folder", DRAINS, ids=lambda folder: folder.name)
def test_the_drainer_writes_what_the_recorded_one_wrote(folder: Path) -> None:
    """DRAIN-01 to DRAIN-16: told the same at the same times, the same requests come in the same order."""
    recorded, model = zip(*_replay(folder), strict=True)

    assert recorded
    assert list(recorded) == list(model)


def _replay(folder: Path) -> Iterator[tuple[object, object]]:
    """Let a drainer work beside a recorded log; give each request of it and what ours wanted instead."""
    drainer, state, clock_ns, ids = enable(Drainer()), make_initial_state(), 0, count()
    wanted: list[Request] = []
    for step in replay_log(tuple(read_log(folder, Context(NOMAD_2_0))), NOMAD_2_0, read_run_clock).steps:
        request = step.typed.entry.request
        now_ns = max(clock_ns, *_list_times(request), 0)
        while not wanted:
            reaction = react(drainer, state, clock_ns, lambda: f"e{next(ids)}", profile=NOMAD_2_0)
            drainer, wanted = reaction.drainer, [*reaction.requests]
            if reaction.is_settled:
                due_ns = find_next_due(drainer)
                if clock_ns == now_ns:
                    break
                clock_ns = due_ns if due_ns is not None and clock_ns < due_ns < now_ns else now_ns
        clock_ns = now_ns
        if shown := _show(request):
            yield shown, _show(wanted.pop(0)) if wanted else None
        state = step.applied.state


def _list_times(request: object) -> Iterator[int]:
    match request:
        case BatchNodeUpdateDrain():
            yield from (event.timestamp_ns for event in request.node_events.values() if event)
        case EvalUpdate() | AllocUpdateDesiredTransition():
            yield from (each.modify_time_ns for each in request.evals)
        case AllocClientUpdate():
            yield from (alloc.modify_time_ns for alloc in request.alloc)
        case NodeUpdateDrain(drain_strategy=DrainStrategy(started_at_ns=at_ns)):
            yield at_ns


def _show(request: object) -> object:
    match request:
        case AllocUpdateDesiredTransition() if any(
            each.triggered_by == "node-drain" for each in request.evals
        ):
            evals = [replace(each, id="", create_time_ns=0, modify_time_ns=0) for each in request.evals]
            return request.allocs, sorted(evals, key=lambda each: each.job_id)
        case BatchNodeUpdateDrain():
            events = {
                name: replace(event, timestamp_ns=0) for name, event in request.node_events.items() if event
            }
            return request.updates, events
    return None


@pytest.mark.parametrize(("profile", "ends"), [(NOMAD_2_0, 1), (INTENDED, 0)], ids=["nomad-2.0", "intended"])
def test_a_drain_ends_at_its_deadline_with_marks_that_were_lost_only_in_the_release(
    profile: Profile, ends: int
) -> None:
    """DRAIN-13, X-67."""
    strategy = DrainStrategy(deadline_ns=S, force_deadline_ns=S)
    play = Play(make_state([make_node(drain=strategy)], [make_alloc("a", CRUNCH)]), profile).settle()
    play.now_ns = S
    play.settle()
    play.now_ns = 2 * S
    unwritten = play.state
    lost = react(play.drainer, play.state, play.now_ns, lambda: "e", profile=profile)
    after = react(lost.drainer, unwritten, play.now_ns, lambda: "e", profile=profile)

    assert [AllocUpdateDesiredTransition] == [type(request) for request in lost.requests]
    assert ends == sum(isinstance(request, BatchNodeUpdateDrain) for request in after.requests)


@pytest.mark.parametrize(("profile", "ends"), [(NOMAD_2_0, 0), (INTENDED, 1)], ids=["nomad-2.0", "intended"])
def test_a_drain_ends_with_what_was_stopped_before_it_only_as_intended(profile: Profile, ends: int) -> None:
    """DRAIN-03, DRAIN-12, X-65: no job is followed whose last allocation there was to stop already."""
    stopping = make_alloc("a", WEB, desired_status="stop")
    play = Play(make_state([make_node()], [stopping]), profile).settle()
    play.replace_with(make_alloc("a", WEB, client="complete", desired_status="stop", modify_index=11)).wait(5)

    assert ends == sum(isinstance(request, BatchNodeUpdateDrain) for _, request in play.written)
