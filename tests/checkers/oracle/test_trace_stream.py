"""The event stream of a recorded cluster: breaks, namespaces and what no line may lack."""

import json
from pathlib import Path
from typing import Any

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.checkers.oracle.trace_stream import compare_stream, list_batches, read_subscriptions
from nomadspec.model.entities import Evaluation, Namespace
from nomadspec.model.profile import NOMAD_2_0
from nomadspec.model.store import Entry
from nomadspec.model.store.requests import EvalUpdate, NamespaceUpsert
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
) -> list[Difference]:
    path = folder / "events.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    replay = make_replay()
    subscriptions = read_subscriptions(path, breaks or {}, namespaces, replay)
    return list(compare_stream(subscriptions, replay, stop_index, Context()))


def test_entries_that_publish_nothing_are_no_batches() -> None:
    assert [3, 5] == [batch.index for batch in list_batches(make_replay())]


def test_heartbeats_are_passed_over(tmp_path: Path) -> None:
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


def test_nothing_may_be_missing_up_to_the_end_of_the_recording(tmp_path: Path) -> None:
    (difference,) = compare(tmp_path, FIRST)

    assert ("events[5]", 5) == (difference.path, difference.model)
    assert [] == compare(tmp_path, FIRST, stop_index=4)


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
        context = Context()
        subscriptions = read_subscriptions(path, {}, ALL, replay)

        assert [] == list(compare_stream(subscriptions, replay, 3, context))
        assert forgiven == context.forgiven
