"""A running cluster is watched over HTTP: chunked, slow, cut, refused, garbage, and taken up again."""

import json
from collections.abc import Iterable
from functools import cache

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.checkers.replay.address import read_address
from nomadspec.checkers.replay.watching import Until, Watch
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.checkers.replay.serving import Play, Served, serve
from tests.recorded import TRACES

SECRET = "3f1d-secret-token"  # noqa: S105 -- of no cluster


@cache
def read_stream() -> tuple[bytes, ...]:
    """Read the lines of a recorded stream."""
    path = find_file(TRACES / "canary_manual", "events.ndjson")
    assert path is not None
    return tuple((json.dumps(line.document) + "\n").encode() for line in read_lines(path))


def list_indexes(lines: Iterable[bytes]) -> list[int]:
    return [json.loads(line)["Index"] for line in lines if json.loads(line)]


LAST = list_indexes(read_stream())[-1]


def find_middle() -> int:
    """Find a line in the middle whose index no other line has."""
    indexes = [json.loads(line).get("Index") for line in read_stream()]
    middle = len(indexes) // 2
    return next(at for at in range(middle, len(indexes)) if indexes[at] and indexes.count(indexes[at]) == 1)


def watch(served: Served, *, since: int = 0, retries: int = 2, token: str = "") -> tuple[Watch, list[int]]:
    """Watch until the last index of the stream was seen, and list the indexes that were."""
    address = read_address({"NOMAD_ADDR": served.address, "NOMAD_TOKEN": token})
    watched = Watch(address, Context(NOMAD_2_0), lambda: 0.0, lambda _: None)
    seen = [each.batch.index or 0 for each in watched.follow(since, Until(LAST, retries=retries))]
    return watched, seen


def test_a_stream_is_taken_line_by_line() -> None:
    with serve(Play(read_stream(), holds=True)) as served:
        watched, seen = watch(served)

    assert seen == list_indexes(read_stream())
    assert watched.wrong == []
    assert watched.stream.gaps == []
    assert watched.stopped_by == f"index {LAST} was reached"
    assert served.asked[0]["path"] == "/v1/event/stream"
    assert served.asked[0]["query"] == {"topic": ["*"], "namespace": ["*"], "index": ["0"]}


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_chunks_are_no_lines(size: int) -> None:
    lines = read_stream()[:12] if size == 1 else read_stream()
    whole = b"".join(lines)
    pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
    with serve(Play(pieces)) as served:
        _, seen = watch(served, retries=0)

    assert seen == list_indexes(lines)


@pytest.mark.parametrize("ends_whole", [True, False])
def test_what_breaks_is_taken_up_without_loss(ends_whole: bool) -> None:
    """WIRE-091, WIRE-092."""
    lines, middle = read_stream(), find_middle()
    cut = [*lines[: middle + 1], lines[middle + 1][:20]]
    with serve(Play(cut, ends_whole=ends_whole), Play([b"{}\n", *lines[middle:]])) as served:
        watched, seen = watch(served)

    assert seen == list_indexes(lines)
    assert served.indexes == [0, list_indexes(lines[: middle + 1])[-1]]
    assert watched.stream.gaps == []
    assert watched.breaks == ["the stream ended within a line"]


def test_a_server_that_was_restarted_says_all_again() -> None:
    """WIRE-092."""
    lines, middle = read_stream(), find_middle()
    with serve(Play(lines[: middle + 1]), Play(lines)) as served:
        watched, seen = watch(served)

    assert seen == list_indexes(lines)
    assert watched.stream.gaps == []


def test_where_something_may_be_missing_is_told() -> None:
    """WIRE-091."""
    lines, middle = read_stream(), find_middle()
    last, following = list_indexes(lines[: middle + 1])[-1], list_indexes(lines[middle + 4 :])[0]
    with serve(Play(lines[: middle + 1]), Play(lines[middle + 4 :])) as served:
        watched, seen = watch(served)

    assert seen == [*list_indexes(lines[: middle + 1]), *list_indexes(lines[middle + 4 :])]
    assert watched.stream.gaps == [(last + 1, following - 1)]
    assert watched.wrong == []


def test_a_refusal_ends_it_and_never_shows_the_token() -> None:
    with (
        serve(Play([f"Permission denied for {SECRET}".encode()], status=403)) as served,
        pytest.raises(InputError) as caught,
    ):
        watch(served, token=SECRET)

    assert "403 Permission denied for <token>" in str(caught.value)
    assert "NOMAD_TOKEN" in str(caught.value)
    assert SECRET not in str(caught.value) + repr(caught.value)
    assert served.asked[0]["headers"] == {"X-Nomad-Token": SECRET}


def test_a_server_that_fails_is_asked_again_some_times() -> None:
    with serve(Play(status=500), Play(status=500), Play(read_stream())) as served:
        _, seen = watch(served, retries=3)
    with serve() as failing:
        watched, nothing = watch(failing, retries=2)

    assert seen == list_indexes(read_stream())
    assert nothing == []
    assert watched.stopped_by.startswith("the connection was lost 3 times in a row: it answers 503")


@pytest.mark.parametrize("garbage", [b"<html>\n", b"[1]\n", b'{"Index": "x"}\n', b"\xff\xfe\n"])
def test_garbage_is_told_with_its_line(garbage: bytes) -> None:
    with serve(Play([*read_stream()[:3], garbage])) as served, pytest.raises(InputError) as caught:
        watch(served)

    assert served.address in str(caught.value)
    assert "line 4" in str(caught.value)


def show_alloc(index: int, node: str) -> bytes:
    """Write a line that shows an allocation on a node."""
    row = {"ID": "a", "NodeID": node, "ModifyIndex": index, "CreateIndex": 3, "ClientStatus": "running"}
    event = {"Topic": "Allocation", "Type": "PlanResult", "Key": "a", "Namespace": "default", "Index": index}
    whole = {
        "Index": index,
        "Events": [{**event, "Payload": {"Allocation": {**row, "DesiredStatus": "run"}}}],
    }
    return (json.dumps(whole) + "\n").encode()


def test_the_verb_tells_each_line_and_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """ALLOC-06."""
    monkeypatch.setenv("NOMAD_TOKEN", SECRET)
    lines = [b"{}\n", show_alloc(3, "n"), show_alloc(4, "m")]
    with serve(Play(lines, holds=True), Play(lines, holds=True), Play(read_stream(), holds=True)) as served:
        monkeypatch.setenv("NOMAD_ADDR", served.address)
        text = call("replay", "--follow", "--until", "4")
        data = call("replay", "--follow", "--until", "4", "--json")
        fine = call("replay", "--follow", "--until", str(LAST), "--json")
    for called in (data, fine):
        check_output(called.data)

    assert text.code == data.code == 1
    assert "impossible events[3]" in text.out
    assert "ALLOC-06" in text.out
    assert data.data["verdict"] == "violated"
    assert [each["rule"] for each in data.data["differences"]] == ["ALLOC-06"]
    assert fine.code == 4
    assert fine.data["last"] == LAST
    assert SECRET not in text.out + text.err + data.out + data.err


def test_a_silent_server_does_not_hold_a_watch_beyond_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Play(read_stream()[:3], holds=True)) as served:
        monkeypatch.setenv("NOMAD_ADDR", served.address)
        called = call("replay", "--follow", "--for", "0.2", "--json")

    assert called.code == 4
    assert called.data["stopped_by"] == "the time is over"


def test_options_that_do_not_go_together_are_refused() -> None:
    folder = str(TRACES / "canary_manual")

    assert call("replay").code == 2
    assert call("replay", folder, "--follow").code == 2
    assert call("replay", folder, "--until", "4").code == 2
    assert call("replay", "--follow", "--html", "x.html").code == 2
