"""Expressions along stories: what they see, what they give, and what is wrong with them."""

import pytest

from nomadspec.checkers.report.expressions import (
    list_values,
    read_expressions,
    render_values,
    show,
    values_data,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UsageError
from nomadspec.model.kernel.statuses import JobPhase
from nomadspec.model.language.claim import tell
from nomadspec.model.language.story import Replay, replay
from tests.checkers.asking import SOUND
from tests.checkers.shop import instances_of

TWO = find_model("2pc").at("small", sizes={"rms": 2}, profile="nomad-2.0")


def replay_two() -> Replay:
    steps = instances_of(TWO, ("Prepare rm1", "Prepare rm2", "CountPrepared rm1"))
    return replay(tell(TWO, TWO.initial[0], steps), TWO)


def test_they_are_computed_in_each_world() -> None:
    asked = read_expressions(TWO, ["count(s.prepared_sent[r] for r in s.rms)", "s.prepared_sent[rm2]"])

    assert [[0, 1, 2, 2], [False, False, True, True]] == list_values(asked, replay_two())
    assert {"expression": "s.prepared_sent[rm2]", "values": [False, False, True, True]} == values_data(
        asked, replay_two()
    )[1]


def test_the_table_has_a_row_where_something_changes_and_the_last() -> None:
    asked = read_expressions(TWO, ["s.prepared_sent[rm1]"])
    text = render_values(asked, replay_two(), "a_name")

    assert "ALONG THE STORY OF a_name" in text
    assert ["first", "1 Prepare(rm1)", "3 CountPrepared(rm1)"] == [
        line.strip().rpartition("  ")[0].strip() for line in text.splitlines()[-3:]
    ]


def test_generators_and_lists_are_values() -> None:
    asked = read_expressions(TWO, ["[s.counted[r] for r in s.rms]", "(r for r in s.rms)", "'text'", "None"])

    assert [[False, False], (0, 1), "text", None] == [row[0] for row in list_values(asked, replay_two())]


def test_what_a_model_defines_is_seen() -> None:
    core = find_model("core").at("small", profile="nomad-2.0")
    (asked,) = read_expressions(core, ["Stage(s.stage[worker1])"])

    assert "idle" == show(asked.evaluate(core, core.initial[0], "there"))


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("s.lit[s.at[guest1] + 1]", "no answer: it reads lit at post5, but posts has 4."),
        ("[s.at[guest1], s.lit[s.at[guest1] + 1]]", "no answer: it reads lit at post5, but posts has 4."),
        (
            "s.lit[s.at[guest2] - 1]",
            "no answer: it reads lit at number -1 of its posts, but posts has 4.",
        ),
        ("all_of(s.at[guest1] + 1 < s.many, s.lit[s.at[guest1] + 1])", False),
        ("s.at[guest1] + 1 < s.many and s.lit[s.at[guest1] + 1]", False),
        ("s.lit[s.home]", False),
    ],
)
def test_what_a_table_has_not_is_no_answer(text: str, last: object) -> None:
    street = SOUND.at()
    steps = instances_of(street, ("Walk guest1", "Walk guest1", "Walk guest1"))
    (values,) = list_values(
        read_expressions(street, [text]), replay(tell(street, street.initial[0], steps), street)
    )

    assert last == values[-1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("s.", "cannot be read"),
        ("x = 1", "cannot be read"),
        ("not " * 30_000 + "s", "cannot be read"),
        ("-" * 100_000 + "1", "cannot be read"),
        ("s.nothing", r"fails in the first world \(AttributeError"),
        ("s.state", "it gives a table"),
        ("1 // (2 - count(s.prepared_sent[r] for r in s.rms))", "fails after step 2"),
    ],
)
def test_what_is_wrong_is_one_sentence(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        list_values(read_expressions(TWO, [text]), replay_two())


def test_values_are_written_as_people_do() -> None:
    assert ["true", "none", "1 2", "wanted", "3"] == [
        show(one) for one in (True, (), (1, 2), JobPhase.WANTED, 3)
    ]
