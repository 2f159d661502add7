"""Logs are read against a model; what does not fit is told with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.follow.log import Entry
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.logs import read_log
from nomadspec.model.errors import InputError, UnknownNameError, UnreadableError
from nomadspec.model.language.domain import FLAG, Id, Map, upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, index, queue, size
from tests.tidy.source import ROOT

DRAIN = load_model(f"{ROOT}/docs/how-to/examples/drain.py:DRAIN").at("small")
HEAD = {"schema": "nomadspec/log/1"}


class Till(World):
    """Clerks queue up, and desks hold bags."""

    clerks = ids("clerk", 3, "who waits")
    width = size(2, "how many desks there are")
    desks = index("desk", width, "where they wait")
    line = queue(clerks, "who waits, in order")
    bags = field(desks, clerks, upto(4), init=0, about="bags at a desk")
    is_open = field(FLAG, init=True, about="whether it is open")


@rule("T-1", clerk=Till.clerks, bags=Map(Till.desks, upto(2)))
def serve(s: Till, t: Till, clerk: Id, bags: tuple[int, ...]) -> None:
    """A clerk is served."""
    t.require(s.is_open)
    t.is_open = s.bags[0, clerk] < bags[0]


TILL = Model("till", "a till", Till, (serve,)).at()


def write(path: Path, *lines: Any) -> Path:
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def read_one(tmp_path: Path, line: Any, head: Any = HEAD) -> Entry:
    (entry,) = read_log(write(tmp_path / "log.ndjson", head, line), TILL).entries
    return entry


def name_cells(observed: Any) -> dict[str, int]:
    return {TILL.frame.cell_names[cell]: value for cell, value in observed.items()}


def test_fields_are_written_flat_or_as_objects(tmp_path: Path) -> None:
    flat = read_one(tmp_path, {"rule": "Serve", "after": {"bags[desk1, clerk2]": 3, "bags[desk2,clerk1]": 0}})
    deep = read_one(tmp_path, {"rule": "Serve", "after": {"bags": {"desk1": {"clerk2": 3}}}})
    half = read_one(tmp_path, {"rule": "Serve", "after": {"bags[desk1]": {"clerk2": 3}, "is_open": True}})

    assert {"bags[desk1, clerk2]": 3, "bags[desk2, clerk1]": 0} == name_cells(flat.after)
    assert {"bags[desk1, clerk2]": 3} == name_cells(deep.after)
    assert {"bags[desk1, clerk2]": 3, "is_open": True} == name_cells(half.after)


def test_a_queue_is_written_as_a_list(tmp_path: Path) -> None:
    entry = read_one(tmp_path, {"rule": "Serve", "before": {"line": ["clerk3", "clerk1"]}})

    assert {"line[clerk1]": 2, "line[clerk2]": 0, "line[clerk3]": 1} == name_cells(entry.before)


def test_arguments_narrow_what_a_line_may_be(tmp_path: Path) -> None:
    all_of_them = read_one(tmp_path, {"rule": "Serve"}).positions
    one_clerk = read_one(tmp_path, {"rule": "Serve", "arguments": {"clerk": "clerk2"}}).positions
    one = read_one(
        tmp_path, {"rule": "Serve", "arguments": {"clerk": "clerk2", "bags": {"desk1": 1, "desk2": 0}}}
    )

    assert (3 * 9, 9) == (len(all_of_them), len(one_clerk))
    (position,) = one.positions
    assert (1, (1, 0)) == TILL.instances[position].arguments


def test_the_head_translates(tmp_path: Path) -> None:
    head = {
        **HEAD,
        "events": {"sale": "Serve", "tick": []},
        "names": {"Ann": "clerk2", "left": "desk1", "ja": True},
        "ignore": ["time"],
        "first": {"is_open": "ja"},
    }
    path = write(
        tmp_path / "log.ndjson",
        head,
        "",
        {"event": "sale", "arguments": {"clerk": "Ann"}, "after": {"bags[left, Ann]": 1}, "time": "now"},
        {"event": "tick"},
    )

    log = read_log(path, TILL, unseen=["Serve"])

    assert [(3, ("Serve",)), (4, ())] == [(entry.line, entry.rules) for entry in log.entries]
    assert {"bags[desk1, clerk2]": 1} == name_cells(log.entries[0].after)
    assert {"is_open": True} == name_cells(log.first)
    assert ("Serve",) == log.unseen
    assert 9 == len(log.entries[0].positions)


def test_names_may_be_swapped(tmp_path: Path) -> None:
    head = {**HEAD, "names": {"clerk1": "clerk2", "clerk2": "clerk1"}}

    entry = read_one(tmp_path, {"rule": "Serve", "after": {"bags[desk1, clerk1]": 3}}, head)

    assert {"bags[desk1, clerk2]": 3} == name_cells(entry.after)


def test_an_argument_says_nothing_of_a_rule_that_has_none(tmp_path: Path) -> None:
    head = {**HEAD, "events": {"moved": ["Place", "Remove"]}}
    path = write(tmp_path / "log.ndjson", head, {"event": "moved", "arguments": {"alloc": "alloc1"}})

    (entry,) = read_log(path, DRAIN).entries

    assert 3 + 3 == len(entry.positions)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["{"], "line 1, column 2: this is no JSON"),
        ([HEAD, "[" * 100_000], "line 2: lists and objects are nested"),
        ([HEAD, '{"rule": NaN}'], "line 2, $.rule: NaN is no number of JSON"),
        ([HEAD, '{"rule": "Place", "rule": "Drain"}'], "line 2, $: the member 'rule' is there twice"),
        ([HEAD, '{"rule": "Place", "n": ' + "9" * 5000 + "}"], "line 2, $.n: the number 9999"),
        ([HEAD, "7"], "line 2, $: an object {...} was expected, not 7"),
        ([HEAD], "the log has no line, so that there is nothing to follow"),
        ([], "the log has no line, so that there is nothing to follow"),
        ([{"schema": "nomadspec/story/1"}], "line 1, $.schema: the schema 'nomadspec/log/1' was expected"),
        ([{**HEAD, "evnts": {}}], "line 1, $: 'evnts' is not a field here"),
        (
            [{**HEAD, "events": {"a": "Plce"}}],
            "line 1, $.events.a: there is no rule named 'Plce'; did you mean",
        ),
        ([{**HEAD, "unseen": ["Plce"]}], "line 1, $.unseen[0]: there is no rule named 'Plce'"),
        ([{"rule": "Plce"}], "line 1, $.rule: there is no rule named 'Plce'; did you mean Place?"),
        ([{"event": "placed"}], "line 1, $.event: there is no event named 'placed'; there are none."),
        ([{"after": {}}], "line 1, $: a line says either which rule happened or which event"),
        (
            [{"rule": "Place", "event": "a"}],
            "line 1, $: a line says either which rule happened or which event",
        ),
        ([{"rule": "Place", "afer": {}}], "line 1, $: 'afer' is not a field here"),
        (
            [{"rule": "Place", "arguments": {"nod": "node1"}}],
            "there is no argument named 'nod'; did you mean node?",
        ),
        (
            [{"rule": "Place", "arguments": {"node": "node9"}}],
            "$.arguments.node: there is no value named 'node9'",
        ),
        ([{"rule": "Place", "arguments": {"node": None}}], "$.arguments"),
        (
            [{"rule": "Place", "arguments": {"node": 1.5}}],
            "$.arguments.node: a text, a whole number, true or false",
        ),
        ([{"rule": "Place", "arguments": {"node": {"a": 1}}}], "$.arguments.node: there is no value named"),
        (
            [{"rule": "Place", "after": {"plase": 1}}],
            "$.after: there is no field named 'plase'; did you mean place?",
        ),
        ([{"rule": "Place", "after": {"place[alloc7]": "node1"}}], "there is no field named 'place[alloc7]'"),
        ([{"rule": "Place", "after": {"place": "node1"}}], "$.after.place: there is no field named 'place'"),
        (
            [{"rule": "Place", "after": {"place[alloc1]": "up"}}],
            "there is no value of place[alloc1] named 'up'",
        ),
        ([{"rule": "Place", "after": {"drained": True}}], "there is no value of drained named 'True'"),
        (
            [{"rule": "Place", "after": {"place[alloc1]": "node1", "place": {"alloc1": "node2"}}}],
            "line 1, $.after: place[alloc1] is said to have two values",
        ),
    ],
)
def test_what_does_not_fit_is_told_with_its_line(tmp_path: Path, lines: list[Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        read_log(write(tmp_path / "log.ndjson", *lines), DRAIN)

    assert str(refused.value).startswith(f"{tmp_path}/log.ndjson")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (["clerk1", "clerk1"], "an id stands in the queue twice"),
        (["clerk9"], "there is no field named 'line[clerk9]'"),
        ([["clerk1"]], "a text, a whole number, true or false was expected"),
    ],
)
def test_what_is_no_queue_is_told(tmp_path: Path, value: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=r"line 2, \$\.after\.line") as refused:
        read_one(tmp_path, {"rule": "Serve", "after": {"line": value}})

    assert sentence in str(refused.value)


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="it cannot be read"):
        read_log(tmp_path / "nothing.ndjson", DRAIN)
    (tmp_path / "bytes.ndjson").write_bytes(b'{"rule": "\xff"}\n')
    with pytest.raises(UnreadableError, match="line 1, byte 10: this is not UTF-8 text"):
        read_log(tmp_path / "bytes.ndjson", DRAIN)


def test_rules_that_are_given_with_the_call_have_to_be_there(tmp_path: Path) -> None:
    path = write(tmp_path / "log.ndjson", {"event": "placed"})

    assert ("Place",) == read_log(path, DRAIN, events={"placed": ["Place"]}).entries[0].rules
    with pytest.raises(UnknownNameError, match="There is no rule of drain named 'Wake'"):
        read_log(path, DRAIN, unseen=["Wake"])
