"""``nomadspec follow``."""

import json
from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output, list_faults
from tests.tidy.source import ROOT

EXAMPLES = ROOT / "docs/how-to/examples"
DRAIN = f"{EXAMPLES}/drain.py:DRAIN"


def test_a_log_that_is_allowed_exits_with_0() -> None:
    called = call("follow", EXAMPLES / "drain.ndjson", "--model", DRAIN, "-q")

    assert (0, "") == (called.code, called.err)
    assert f"HOLDS  the model allows {EXAMPLES}/drain.ndjson: 5 lines" in " ".join(called.out.split("\n"))
    assert "  unseen         Drain: 2 steps on the way that is kept\n" in called.out
    assert "  bound reached  drained 2 (larger bounds might show more)\n" in called.out


def test_an_impossible_line_exits_with_1_and_is_explained(tmp_path: Path) -> None:
    story = tmp_path / "so-far.json"

    called = call("follow", EXAMPLES / "drain-wrong.ndjson", "-m", DRAIN, "--story-out", story, "-q")

    assert 1 == called.code
    assert "VIOLATED  line 4 is the first that the model does not allow (3 lines, in " in called.out
    assert "Remove(node1)  place[alloc1] != node1\n" in called.out
    assert "    2  Place(alloc2, node2)  place[alloc2]: NONE -> node2\n" in called.out
    assert 0 == call("story", story).code


@pytest.mark.parametrize(("log", "code"), [("drain", 0), ("drain-wrong", 1)])
def test_the_object_and_the_head_keep_to_their_schemas(log: str, code: int) -> None:
    path = EXAMPLES / f"{log}.ndjson"
    called = call("follow", path, "--model", DRAIN, "--json", "-q")

    check_output(called.data)
    check_output(called.data["story"])
    assert code == called.code
    assert (code == 0) == (called.data["rejection"] is None)
    assert [] == list_faults(json.loads(path.read_text().splitlines()[0]), "log.json")


@pytest.mark.parametrize(
    ("name", "content", "verb"),
    [
        ("web/raft-log.ndjson", '{"LogType": "LogNoop", "Index": 1}', "nomadspec replay {}/web`"),
        ("web", "", "nomadspec replay {}/web`"),
        ("broker/sequences.ndjson", '{"id": "b", "ops": []}', "nomadspec vectors check {}/broker/sequences."),
    ],
)
def test_recordings_of_nomad_are_left_to_the_verbs_that_read_them(
    tmp_path: Path, name: str, content: str, verb: str
) -> None:
    for folder in ("web", "broker"):
        (tmp_path / folder).mkdir()
    (tmp_path / "web/raft-log.ndjson").touch()
    if content:
        (tmp_path / name).write_text(content)
    called = call("follow", tmp_path / name, "--model", DRAIN)

    assert 3 == called.code
    assert f"`{verb.format(tmp_path)}" in called.err


def test_events_and_unseen_rules_can_be_told_with_the_call(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text('{"event": "gone"}\n{"event": "tick"}\n')
    words = ("follow", path, "--model", DRAIN, "--event", "gone=Remove", "--event", "tick=")

    assert 1 == call(*words).code
    called = call(*words, "--unseen", "Drain")
    assert 0 == called.code
    assert f"nomadspec follow --model {DRAIN} {path} --unseen Drain --event gone=Remove" in called.out


def test_a_limit_that_hides_the_answer_exits_with_4(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text('{"rule": "Remove", "arguments": {"node": "node3"}}\n')

    called = call("follow", path, "-m", DRAIN, "--unseen", "Drain", "--unseen-steps", "0", "--json")

    assert (4, "inconclusive", "unseen-steps") == (
        called.code,
        called.data["verdict"],
        called.data["stopped_by"],
    )
    told = call("follow", path, "-m", DRAIN, "--unseen", "Drain", "--unseen-steps", "0").out
    assert "INCONCLUSIVE  0 of 1 line were followed" in told
    assert "(--unseen-steps)" in " ".join(told.split())


def test_a_log_that_does_not_fit_exits_with_3(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text('{"rule": "Place"}\n{"rule": "Plaice"}\n')

    called = call("follow", path, "--model", DRAIN, "--json")

    sentence = f"{path}, at line 2, $.rule: there is no rule named 'Plaice'; did you mean Place?"
    assert (3, f"nomadspec: {sentence}\n") == (called.code, called.err)
    check_output(called.data)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--event", "gone"), "'gone' is no event: write NAME=RULE,RULE such as placed=Place."),
        (("--unseen", "Wake"), "There is no rule of drain named 'Wake'"),
        (("--event", "gone=Wake"), "There is no rule of drain named 'Wake'"),
    ],
)
def test_what_is_asked_for_wrongly_exits_with_2(words: tuple[str, ...], sentence: str) -> None:
    called = call("follow", EXAMPLES / "drain.ndjson", "--model", DRAIN, *words)

    assert 2 == called.code
    assert sentence in called.err
