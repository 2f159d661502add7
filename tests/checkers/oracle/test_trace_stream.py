"""The event stream of a recorded cluster: breaks, namespaces and what no line may lack."""

import json
from pathlib import Path
from typing import Any

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.checkers.oracle.trace_stream import (
    Arrivals,
    End,
    compare_stream,
    guess_subscriptions,
    list_batches,
    read_subscriptions,
)
from nomadspec.model.cluster.entities import Evaluation, Namespace
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.requests import ApplyPlanResults, EvalUpdate, NamespaceUpsert
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.traced import make_event, make_line

ALL = frozenset({"default", "late"})


def make_replay() -> Replay:
    first = EvalUpdate(evals=(Evaluation(id="e1", namespace="default", job_id="j", status="pending"),))
    late = NamespaceUpsert(namespaces=(Namespace(name="late"),))
    second = EvalUpdate(evals=(Evaluation(id="e2", namespace="late", job_id="j", status="pending"),))
    entries = [("EvalUpdate", first), ("NamespaceUpsert", late), ("EvalUpdate", second)]
    log = [TypedEntry(name, Entry(index, request)) for index, (name, request) in enumerate(entries, start=3)]
    return replay_log(log, NOMAD_2_0, read_run_clock)


def make_eval_line(index: int, name: str, namespace: str, **fields: Any) -> dict[str, Any]:
    row = {
        "ID": name,
        "Namespace": namespace,
        "JobID": "j",
        "Status": "pending",
        "CreateIndex": index,
        "ModifyIndex": index,
        **fields,
    }
    event = make_event(
        index, "Evaluation", name, "EvaluationUpdated", row, namespace=namespace, filter_keys=["j", ""]
    )
    return make_line(index, event)


FIRST, SECOND = make_eval_line(3, "e1", "default"), make_eval_line(5, "e2", "late")


def compare(
    folder: Path,
    *lines: dict[str, Any],
    breaks: dict[int, int] | None = None,
    namespaces: frozenset[str] = ALL,
    stop_index: int = 5,
    context: Context | None = None,
    is_told: bool = True,
) -> list[Difference]:
    path = folder / "events.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    replay = make_replay()
    subscriptions = read_subscriptions(path, breaks or {}, namespaces, replay)
    end = End(stop_index, 5, is_told=is_told)
    return list(compare_stream(subscriptions, replay, end, context or Context(NOMAD_2_0)))


def test_entries_that_publish_nothing_are_no_batches() -> None:
    assert [3, 5] == [batch.index for batch in list_batches(make_replay())]


def test_heartbeats_are_passed_over(tmp_path: Path) -> None:
    """WIRE-081."""
    assert [] == compare(tmp_path, {}, FIRST, {}, SECOND)


def test_events_of_namespaces_made_later_are_not_in_the_stream(tmp_path: Path) -> None:
    """WIRE-093."""
    assert [] == compare(tmp_path, FIRST, namespaces=frozenset({"default"}))
    assert 1 == len(compare(tmp_path, FIRST, SECOND, namespaces=frozenset({"default"})))


def test_after_a_break_lines_come_again_and_later_namespaces_too(tmp_path: Path) -> None:
    """WIRE-091, WIRE-093."""
    early = frozenset({"default"})

    assert [] == compare(tmp_path, FIRST, FIRST, SECOND, breaks={1: 4}, namespaces=early)
    assert [] == compare(tmp_path, FIRST, SECOND, breaks={1: 4}, namespaces=early)


def test_without_a_break_no_line_comes_twice(tmp_path: Path) -> None:
    (difference,) = compare(tmp_path, FIRST, FIRST, SECOND)

    assert ("events[2].Index", 3, 5) == (difference.path, difference.recorded, difference.model)


def test_of_what_comes_after_a_stream_was_cut_nothing_is_said(tmp_path: Path) -> None:
    context = Context(NOMAD_2_0)

    assert [] == compare(tmp_path, FIRST, context=context)
    assert ["events from index 5 to 5"] == context.unseen
    assert [] == compare(tmp_path, FIRST, stop_index=4, context=(quiet := Context(NOMAD_2_0)))
    assert [] == quiet.unseen


def test_of_what_came_before_a_stream_was_joined_nothing_is_said(tmp_path: Path) -> None:
    context = Context(NOMAD_2_0)

    assert [] == compare(tmp_path, SECOND, context=context)
    assert ["events from index 3 to the line of 5"] == context.unseen


THIRD = make_eval_line(6, "e3", "default")


def test_a_line_that_is_missing_in_between_is_a_gap_unless_there_was_none(tmp_path: Path) -> None:
    third = EvalUpdate(evals=(Evaluation(id="e3", namespace="default", job_id="j", status="pending"),))
    log = [*(step.typed for step in make_replay().steps), TypedEntry("EvalUpdate", Entry(6, third))]
    replay, path = replay_log(log, NOMAD_2_0, read_run_clock), tmp_path / "events.ndjson"
    path.write_text(f"{json.dumps(FIRST)}\n{json.dumps(THIRD)}\n")

    for is_told, places, unseen in (
        (True, ["events[2].Index"], []),
        (False, [], ["events from index 5 to the line of 6"]),
    ):
        context = Context(NOMAD_2_0)
        subscriptions = read_subscriptions(path, {}, ALL, replay)
        found = compare_stream(subscriptions, replay, End(6, 6, is_told=is_told), context)
        assert places == [each.path for each in found]
        assert unseen == context.unseen


def test_where_lines_come_again_a_stream_was_taken_up_again(tmp_path: Path) -> None:
    """WIRE-091, WIRE-093."""
    path = tmp_path / "events.ndjson"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in (FIRST, {}, SECOND, FIRST)))

    subscriptions = guess_subscriptions(path)

    assert [3, 1] == [len(each.lines) for each in subscriptions]
    assert [ALL, frozenset({"default"})] == [each.namespaces for each in subscriptions]


def test_what_comes_after_the_last_known_entry_is_left_alone(tmp_path: Path) -> None:
    context = Context(NOMAD_2_0)

    assert [] == compare(tmp_path, FIRST, SECOND, THIRD, context=context)
    assert ["what the stream shows after entry 5, where the log ends"] == context.unseen


def test_an_evaluation_that_the_entry_brings_is_exact(tmp_path: Path) -> None:
    (difference,) = compare(tmp_path, make_eval_line(3, "e1", "default", Wait=5), SECOND)

    assert "events[1].Events[0].Payload.Evaluation.Wait" == difference.path


def test_the_events_of_a_batch_are_a_set_and_another_order_is_counted(tmp_path: Path) -> None:
    """WIRE-089."""
    evals = tuple(
        Evaluation(id=name, namespace="default", job_id="j", status="pending") for name in ("e1", "e2")
    )
    replay = replay_log(
        [TypedEntry("EvalUpdate", Entry(3, EvalUpdate(evals=evals)))], NOMAD_2_0, read_run_clock
    )
    events = [event for name in ("e1", "e2") for event in make_eval_line(3, name, "default")["Events"]]
    path = tmp_path / "events.ndjson"

    for order, forgiven in ((events, {}), (events[::-1], {"order-of-events": 1})):
        path.write_text(json.dumps(make_line(3, *order)))
        context = Context(NOMAD_2_0)
        subscriptions = read_subscriptions(path, {}, ALL, replay)

        assert [] == list(compare_stream(subscriptions, replay, End(3, 3), context))
        assert forgiven == context.forgiven


def compare_early(folder: Path, arrivals: Arrivals, *, previous: str = "e1") -> list[str]:
    """Compare a line that shows a follow-up, which is made in a later entry at the time 100."""
    delayed = Evaluation(id="f", previous_eval=previous, namespace="default", job_id="j", create_time_ns=100)
    plan = ApplyPlanResults(eval_id="e1")
    first = EvalUpdate(evals=(Evaluation(id="e1", namespace="default", job_id="j", status="pending"),))
    log = [
        TypedEntry("EvalUpdate", Entry(3, first)),
        TypedEntry("ApplyPlanResults", Entry(4, plan)),
        TypedEntry("EvalUpdate", Entry(5, EvalUpdate(evals=(delayed,)))),
    ]
    replay = replay_log(log, NOMAD_2_0, read_run_clock)
    second = make_eval_line(4, "e1", "default", CreateIndex=3, NextEval="f")
    second["Events"][0].update(Type="PlanResult")
    path = folder / "events.ndjson"
    path.write_text(json.dumps(FIRST) + "\n" + json.dumps(second))
    subscriptions = read_subscriptions(path, {}, ALL, replay)
    return [
        each.path for each in compare_stream(subscriptions, replay, End(4, 5), Context(NOMAD_2_0), arrivals)
    ]


def test_a_line_shows_a_follow_up_that_is_written_an_entry_later(tmp_path: Path) -> None:
    """WIRE-084."""
    place = "events[2].Events[0].Payload.Evaluation.NextEval"

    assert [] == compare_early(tmp_path, {})
    assert [] == compare_early(tmp_path, {(2, 4): 100})
    assert [place] == compare_early(tmp_path, {(2, 4): 99})
    assert [place] == compare_early(tmp_path, {}, previous="x")
