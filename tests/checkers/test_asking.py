"""Texts that ask a table for what it has not: a violation with the shortest story, whichever engine looks."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.refine import refine
from nomadspec.checkers.refine.report import Fault
from nomadspec.checkers.simulate.simulator import simulate
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.stateful.runner import run
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.errors import ModelError, NamingError
from nomadspec.model.language.broken_promises import find_failing_step
from nomadspec.model.language.claim import judge
from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import Value, for_all, implies, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import RULES_DO_NOT_FAIL, TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import Kind, always, until
from nomadspec.model.language.refinement import refines
from nomadspec.model.language.rule import rule
from nomadspec.model.language.story import Story, replay
from nomadspec.model.language.world import World, field, index
from tests.checkers.asking import ASKED, SOUND, WRITTEN, WRONG, Street, it_is_never_midnight, light_next
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output

WAYS: list[Mapping[str, Any]] = [
    {"engine": "interpreted"},
    {"engine": "compiled"},
    {"engine": "compiled", "stop_at_first": False},
    {"reduction": "symmetry"},
    {"reduction": "partial-order"},
    {"reduction": "symmetry+partial-order", "engine": "compiled"},
    {"workers": 2, "engine": "compiled"},
    {"workers": 2, "engine": "interpreted"},
    {"properties": ["it_is_never_midnight"]},
    {"properties": ["deadlock"]},
]
CASES = pytest.mark.parametrize("name", WRONG)
LONG = {"written", "asked", "raised by step"}
"""Hypothesis takes long to make its history small."""


def expect_told(model: Model, story: Story | None, sentence: str) -> None:
    assert story is not None
    assert TEXTS_HAVE_ANSWERS == story.property
    judgement = judge(story, replay(story, model.at()))
    assert judgement.is_true
    assert judgement.sentence.endswith(sentence)


def is_tried_every_day(name: str, way: Mapping[str, Any]) -> bool:
    """Tell whether a search is: each text by both engines alone, and by a third of the other ways."""
    return way in WAYS[:2] or (list(WRONG).index(name) + WAYS.index(way)) % 3 == 0


@pytest.mark.parametrize(
    ("way", "name"),
    [
        pytest.param(
            way, name, id=f"{way}-{name}", marks=[] if is_tried_every_day(name, way) else pytest.mark.deep
        )
        for way in WAYS
        for name in WRONG
    ],
)
def test_a_search_tells_the_shortest_story(name: str, way: Mapping[str, Any]) -> None:
    model, steps, sentence = WRONG[name]

    report = explore(model.at(), **way)

    assert Verdict.VIOLATED is report.verdict
    (finding,) = report.findings
    expect_told(model, finding.story, sentence)
    assert finding.story is not None
    assert steps == len(finding.story.steps)
    assert Kind.ALWAYS is finding.kind
    assert TEXTS_HAVE_ANSWERS in report.checked


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_what_is_asked_under_a_condition_is_no_violation(way: Mapping[str, Any]) -> None:
    report = explore(SOUND.at(), **way)

    assert () == report.findings
    assert Verdict.VIOLATED is not report.verdict
    assert explore(SOUND.at()).distinct >= report.distinct


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.deep if each in LONG else ()) for each in WRONG]
)
def test_histories_find_it_too(name: str) -> None:
    model, _, sentence = WRONG[name]
    report = run(model.at())

    (finding,) = report.findings
    assert Verdict.VIOLATED is report.verdict
    expect_told(model, finding.story, sentence)


@CASES
def test_walks_and_proofs_find_it_too(name: str) -> None:
    model, steps, sentence = WRONG[name]
    walked = simulate(model.at(), seed=1)
    proved = prove(model.at())

    (finding,) = walked.findings
    expect_told(model, finding.story, sentence)
    results = {proof.property: proof for proof in proved.proofs}
    assert ProofResult.COUNTEREXAMPLE is results[TEXTS_HAVE_ANSWERS].result
    story = results[TEXTS_HAVE_ANSWERS].story
    expect_told(model, story, sentence)
    assert story is not None
    assert steps == len(story.steps)
    others = {proof.result for proof in proved.proofs if proof.property != TEXTS_HAVE_ANSWERS}
    assert {ProofResult.UNKNOWN} == others


def test_texts_that_stand_in_one_line_are_all_asked() -> None:
    @until("S-1", why="it is late", given=lambda s: s.lit[s.hour + 1], keeps=lambda s: s.hour <= 3)
    def it_gets_later(s: Street) -> Value:
        return s.hour == 3

    report = explore(replace(SOUND, properties=(it_gets_later,)).at())

    assert [(TEXTS_HAVE_ANSWERS, 3)] == [
        (one.property, len(one.story.steps)) for one in report.findings if one.story
    ]


def test_a_proof_asks_it_whatever_else_is_asked() -> None:
    report = prove(ASKED.at(), properties=["it_is_never_midnight"])

    assert Verdict.VIOLATED is report.verdict
    assert {"it_is_never_midnight", TEXTS_HAVE_ANSWERS} <= {proof.property for proof in report.proofs}


def test_what_only_the_scope_says_is_proved_in_the_scope_alone() -> None:
    report = prove(SOUND.at())

    assert Verdict.VIOLATED is not report.verdict
    assert ProofResult.PROVED_UNBOUNDED not in {proof.result for proof in report.proofs}
    assert "Not read for any number of objects" in " ".join(report.notes)


def test_walks_that_go_on_say_nothing_of_worlds_behind_it() -> None:
    report = simulate(ASKED.at(), seed=1, walks=40, stop_at_first=False)

    assert [TEXTS_HAVE_ANSWERS] == [finding.property for finding in report.findings]


def test_a_step_from_there_fails() -> None:
    bounded = WRITTEN.at()
    cells = list(bounded.initial[0])
    cells[bounded.frame.cell_names.index("at[guest1]")] = 3
    one = next(each for each in bounded.instances if each.rule.name == "LightNext")

    failure = find_failing_step(bounded, tuple(cells), one, ())

    assert failure is not None
    assert RULES_DO_NOT_FAIL == failure.promise
    assert "LightNext(guest1) writes lit at post5, but posts has 4." in failure.sentence


def test_nobody_is_at_no_post() -> None:
    bounded = SOUND.at()

    assert bounded.holds(bounded.model.find_property("the_next_is_dark_if_any"), bounded.initial[0])


def test_the_name_is_taken() -> None:
    @always("S-1", why="it has a name that is taken")
    def texts_have_answers(s: Street) -> Value:
        return s.hour <= 3

    with pytest.raises(ModelError, match="cannot be named texts_have_answers"):
        Model("street", "a street", Street, (light_next,), (texts_have_answers,))


def test_a_start_that_asks_for_too_much_makes_no_world() -> None:
    @rule("S-9")
    def begin(s: Street, t: Street) -> None:
        """It begins behind the last post."""
        t.lit[s.hour + s.many] = True

    model = Model("street", "a street", Street, (light_next,), (it_is_never_midnight,), starts=(begin,))
    report = explore(model.at())

    assert Verdict.VIOLATED is report.verdict
    (finding,) = report.findings
    assert TEXTS_HAVE_ANSWERS == finding.property


# mappings


class Lamp(World):
    """One lamp."""

    is_lit = field(FLAG, init=False, about="it is lit")


@rule("L-1")
def switch(s: Lamp, t: Lamp) -> None:
    """The lamp is switched."""
    t.is_lit = not_(s.is_lit)


def test_a_mapping_that_asks_for_too_much_maps_to_nothing() -> None:
    lamp = Model("lamp", "a lamp", Lamp, (switch,))

    def as_lamp(s: Street, t: Lamp) -> None:
        t.is_lit = s.lit[s.hour + 1]

    report = refine(SOUND.at(), refines(lamp)(as_lamp))

    assert report.failure is not None
    assert Fault.MAPPING is report.failure.fault
    assert 3 == len(report.failure.story.steps)
    assert "Mapping as_lamp reads lit at post5, but posts has 4" in report.failure.sentence


# on the command line


@pytest.fixture
def asked(tmp_path: Path) -> str:
    path = tmp_path / "street.py"
    path.write_text(Path(__file__).with_name("asking.py").read_text())
    return f"{path}:ASKED"


@pytest.mark.parametrize(
    "verb", [("explore",), ("simulate", "--seed", "1"), pytest.param(("prove",), marks=pytest.mark.deep)]
)
def test_it_exits_with_1_and_its_story_replays(tmp_path: Path, asked: str, verb: tuple[str, ...]) -> None:
    story = tmp_path / "story.json"
    called = call(*verb, "--model", asked, "--story-out", story)
    told = call("story", story)

    assert (1, 0) == (called.code, told.code)
    assert "texts_have_answers is violated after 3 steps" in called.out
    assert (
        "as told  In the last world: Property the_next_is_dark reads lit at post5, but posts has 4."
        in told.out
    )


def test_the_json_says_it(asked: str) -> None:
    data = call("explore", "--model", asked, "--json").data
    check_output(data)
    (finding,) = data["findings"]

    assert ("violated", TEXTS_HAVE_ANSWERS, "always", 3) == (
        data["verdict"],
        finding["property"],
        finding["kind"],
        finding["steps"],
    )


# where a guard says how far numbers go


class Board(World):
    """A board of squares, and a piece somewhere on it or off it."""

    lines = index("line", 3, "the lines of the board")
    squares = field(lines, lines, upto(2), init=0, about="how often the piece was here")
    x = field(upto(2), init=0, about="how far to the right")
    y = field(upto(3), init=0, about="how far down")


@rule("B-1")
def slide(s: Board, t: Board) -> None:
    """The piece goes to the right."""
    t.require(s.x < 2)
    t.x = s.x + 1


@rule("B-2")
def fall(s: Board, t: Board) -> None:
    """The piece goes down, perhaps off the board."""
    t.require(s.y <= 2)
    t.y = s.y + 1


@rule("B-3")
def mark(s: Board, t: Board) -> None:
    """The square below the piece is marked."""
    t.require(s.y < 3, s.squares[s.x, s.y] < 2)
    t.squares[s.x, s.y] = s.squares[s.x, s.y] + 1


@always("B-3", why="it breaks on purpose")
def no_square_is_full(s: Board) -> Value:
    """The square of the piece was marked once at most."""
    return implies(s.y < 3, s.squares[s.x, s.y] <= 1)


def test_a_guard_says_how_far_numbers_go() -> None:
    model = Model(
        "board", "a board", Board, (slide, fall, mark), (no_square_is_full,), is_at_rest=lambda s: s.y <= 3
    )

    assert [("no_square_is_full", 2)] == [
        (one.property, len(one.story.steps)) for one in explore(model.at()).findings if one.story
    ]
    proved = {proof.property: proof.result for proof in prove(model.at()).proofs}
    assert ProofResult.COUNTEREXAMPLE is proved["no_square_is_full"]
    assert ProofResult.PROVED_BOUNDED is proved.get(TEXTS_HAVE_ANSWERS, ProofResult.PROVED_BOUNDED)


def test_a_choice_that_counts_back_to_before_the_first_is_refused() -> None:
    @always("B-3", why="it counts back from the first line")
    def what_is_above(s: Board) -> Value:
        return for_all(s.squares[ite(s.x == 0, line - 1, line), 0] <= 2 for line in s.lines)

    model = Model("board", "a board", Board, (slide,), (what_is_above,))
    with pytest.raises(NamingError, match="squares is read or written 1 before the first of the lines"):
        model.at()
