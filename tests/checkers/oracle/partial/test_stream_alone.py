"""A stream without a log: what no cluster may show is found, and nothing is made of what was not seen."""

from typing import Any

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.partial.stream_alone import StreamAlone
from nomadspec.checkers.oracle.reading import Line, find_file, read_lines
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.oracle.traced import make_event, make_line
from tests.recorded import TRACES


def tell(*lines: dict[str, Any], context: Context | None = None, is_told: bool = True) -> list[str]:
    """Take lines one by one, and list the rules of what is wrong."""
    stream = StreamAlone(context or Context(NOMAD_2_0), is_told=is_told)
    numbered = enumerate(lines, 1)
    return [each.rule for at, line in numbered for each in stream.take(Line("events.ndjson", at, line))]


def show(index: int, topic: str, **row: Any) -> dict[str, Any]:
    row = {"ID": "x", "Namespace": "default", "CreateIndex": 3, "ModifyIndex": index, **row}
    return make_line(index, make_event(index, topic, "x", "any", row, namespace="default"))


def test_what_has_ended_does_not_begin_again() -> None:
    """EVAL-02, OBJ-213, OBJ-230, OBJ-273."""
    assert tell(show(3, "Evaluation", Status="complete"), show(4, "Evaluation", Status="pending")) == [
        "EVAL-02"
    ]
    running = show(3, "Allocation", ClientStatus="complete", DesiredStatus="run")
    again = show(4, "Allocation", ClientStatus="running", DesiredStatus="run")
    assert "OBJ-213" in tell(running, again, context=Context(INTENDED))
    assert tell(show(3, "Evaluation", Status="pending"), {}, show(9, "Evaluation", Status="failed")) == []


def test_what_a_known_defect_may_have_done_is_remarked_on() -> None:
    """OBJ-182."""
    lines = show(3, "Evaluation", Status="canceled"), show(4, "Evaluation", Status="complete")
    release = Context(NOMAD_2_0)

    assert tell(*lines, context=release) == []
    assert "BUG-013" in release.notes[0]
    assert set(tell(*lines, context=Context(INTENDED))) == {"EVAL-02", "OBJ-182"}


def test_lines_go_forward_unless_the_stream_was_taken_up_again() -> None:
    """WIRE-082."""
    lines = show(5, "Evaluation", Status="pending"), show(4, "Evaluation", Status="pending")

    assert tell(*lines) == ["WIRE-082"]
    assert tell(*lines, is_told=False) == []


def test_an_event_has_the_index_of_its_line() -> None:
    """WIRE-085."""
    line = show(3, "Evaluation", Status="pending")
    line["Events"][0]["Index"] = 4

    assert tell(line) == ["WIRE-085"]


def test_after_a_gap_nothing_is_known_any_more() -> None:
    """What ended in the gap, and whether it was the same, nobody knows."""
    stream = StreamAlone(Context(NOMAD_2_0), is_told=True)
    first = show(3, "Allocation", ClientStatus="running", DesiredStatus="run", NodeID="n")
    other = show(9, "Allocation", ClientStatus="running", DesiredStatus="run", NodeID="m")
    assert list(stream.take(Line("events.ndjson", 1, first))) == []
    stream.miss(9)

    assert stream.gaps == [(4, 8)]
    assert list(stream.take(Line("events.ndjson", 2, other))) == []
    assert tell(first, other) == ["ALLOC-06"]


def test_an_oversubscribed_node_is_seen_in_the_stream_alone() -> None:
    """PLAN-54, 03/S5."""
    path, context = find_file(TRACES / "burst", "events.ndjson"), Context(NOMAD_2_0)
    assert path is not None
    stream = StreamAlone(context)

    assert [each for line in read_lines(path) for each in stream.take(line)] == []
    assert any(note.startswith("no_node_is_oversubscribed") for note in context.notes)
