"""Leads-to, until, unless and eventually-always, compared with all sets of worlds that a path could visit."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given, settings

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.search_digest import compute_identity
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.simulate.simulator import simulate
from nomadspec.checkers.smt.proving import prove
from nomadspec.model.errors import StyleError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge, tell
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value, any_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, eventually_always, leads_to, unless, until
from nomadspec.model.language.story import Story, replay
from tests.checkers.explore.boards import BOARDS, LOOKS, Look
from tests.checkers.explore.boards import Board as Pieces
from tests.checkers.explore.fair_paths import list_broken as list_broken_on
from tests.checkers.explore.test_lasso import (
    GOAL,
    PLACES,
    Maze,
    find_reachable,
    is_endless,
    is_fair,
    is_in_the_maze,
    make_maze,
)
from tests.checkers.shop import instances_of
from tests.tidy.source import ROOT

NAMES = ("leads", "comes", "may_come", "settles", "settles_in_the_maze")


@dataclass(frozen=True)
class Board:
    """A maze, and the places that matter to its properties."""

    plans: list[tuple[dict[int, int], int]]
    model: Model
    kept: frozenset[int]

    @property
    def edges(self) -> set[tuple[int, int]]:
        return {move for moves, _ in self.plans for move in moves.items()}


def make_properties(kept: Iterable[int]) -> tuple[Property, ...]:
    def is_fine(s: Maze) -> Value:
        return any_of(*(s.at == place for place in kept))

    def leads(s: Maze) -> Value:
        return s.at == GOAL

    def comes(s: Maze) -> Value:
        return s.at == GOAL

    def may_come(s: Maze) -> Value:
        return s.at == GOAL

    def settles(s: Maze) -> Value:
        return is_fine(s)

    def settles_in_the_maze(s: Maze) -> Value:
        return is_fine(s)

    return (
        leads_to("M-1", why="w", given=is_in_the_maze)(leads),
        until("M-1", why="w", given=is_in_the_maze, keeps=is_fine)(comes),
        unless("M-1", why="w", given=is_in_the_maze, keeps=is_fine)(may_come),
        eventually_always("M-1", why="w")(settles),
        eventually_always("M-1", why="w", given=is_in_the_maze)(settles_in_the_maze),
    )


def make_board(seed: int) -> Board:
    plans, model = make_maze(seed)
    random = Random(10_000 + seed)
    kept = frozenset(random.sample(range(PLACES), random.randint(2, PLACES - 1)))
    return Board(plans, replace(model, properties=make_properties(sorted(kept))), kept)


def list_endless(board: Board, worlds: set[int], inside: set[tuple[int, int]]) -> list[set[int]]:
    """List the sets among some worlds that a fair path can visit again and again."""
    subsets = chain.from_iterable(combinations(sorted(worlds), size) for size in range(1, len(worlds) + 1))
    found = map(set, subsets)
    return [subset for subset in found if is_endless(subset, inside) and is_fair(subset, board.plans)]


def list_broken(board: Board) -> set[str]:
    """Name the properties that some fair path breaks, judged without a graph search of the package."""
    reachable = find_reachable([0], board.edges)
    inside = {(source, target) for source, target in board.edges if GOAL not in (source, target)}
    owing = find_reachable({1} & reachable, inside)
    after_premise = find_reachable({1} & reachable, board.edges)
    is_missed = bool(list_endless(board, owing, inside))
    is_left = not owing <= board.kept
    bad = set(range(PLACES)) - board.kept
    relapses = {
        name: any(subset & bad for subset in list_endless(board, worlds, board.edges))
        for name, worlds in (("settles", reachable), ("settles_in_the_maze", after_premise))
    }
    answers = {"leads": is_missed, "comes": is_missed or is_left, "may_come": is_left, **relapses}
    return {name for name, is_broken in answers.items() if is_broken}


def test_machine_code_gives_the_same_answers() -> None:
    for seed in range(6):
        board = make_board(seed)
        report = explore(board.model.at(), stop_at_first=False, properties=NAMES, engine="compiled")

        assert "compiled" == report.engine
        assert list_broken(board) == {finding.property for finding in report.findings}, seed


@pytest.mark.parametrize(
    "block", [0, *(pytest.param(block, marks=pytest.mark.deep) for block in range(1, 8))]
)
def test_properties_of_paths_in_random_mazes(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        board = make_board(seed)
        bounded = board.model.at()

        report = explore(bounded, stop_at_first=False, properties=NAMES)

        assert list_broken(board) == {finding.property for finding in report.findings}, seed
        for finding in report.findings:
            assert finding.story is not None
            assert judge(finding.story, replay(finding.story, bounded)).is_true


@pytest.mark.parametrize(("seeds", "least"), [(40, 3), pytest.param(320, 30, marks=pytest.mark.deep)])
def test_each_answer_occurs_often_enough(seeds: int, least: int) -> None:
    broken = [list_broken(make_board(seed)) for seed in range(seeds)]

    for name in NAMES:
        assert least < sum(name in names for names in broken) < seeds - least, name


def find_story(board: Board, name: str) -> tuple[BoundedModel, Story]:
    bounded = board.model.at()
    (finding,) = explore(bounded, properties=[name]).findings
    assert finding.story is not None
    return bounded, finding.story


def find_board(name: str, *, without: str) -> Board:
    """Find a board where one property is broken and another is not."""
    boards = (make_board(seed) for seed in range(320))
    return next(one for one in boards if name in list_broken(one) and without not in list_broken(one))


def test_what_does_not_hold_until_then_ends_the_story_without_a_loop() -> None:
    board = find_board("comes", without="leads")
    bounded, story = find_story(board, "comes")
    judgement = judge(story, replay(story, bounded))

    assert story.loop is None
    assert "is_fine does not hold in the last world, and comes has not come true." == judgement.sentence


def test_an_until_that_never_comes_is_shown_by_a_loop() -> None:
    _, story = find_story(find_board("comes", without="may_come"), "comes")

    assert story.loop is not None


def test_the_story_of_a_relapse_has_a_bad_world_in_its_loop() -> None:
    board = find_board("settles", without="may_come")
    bounded, story = find_story(board, "settles")
    worlds = replay(story, bounded).worlds

    assert story.loop is not None
    assert {at for (at,) in worlds[story.loop :]} - board.kept


@pytest.mark.parametrize("name", ["comes", "may_come"])
def test_a_story_that_ends_before_anything_is_owed_is_not_believed(name: str) -> None:
    board = find_board("may_come", without="settles")
    bounded, story = find_story(board, name)
    first = replace(story, steps=())

    assert not judge(first, replay(first, bounded)).is_true


def test_a_loop_that_stays_good_is_no_relapse() -> None:
    board = find_board("leads", without="settles")
    bounded, story = find_story(board, "leads")

    judgement = judge(replace(story, property="settles"), replay(story, bounded))

    assert (False, "settles comes true after all.") == (judgement.is_true, judgement.sentence)


def test_what_was_never_given_has_not_to_be_kept() -> None:
    bounded = load_model(f"{ROOT}/docs/how-to/examples/printer.py").at("small")
    asks = instances_of(bounded, ("Ask clerk2",))
    story = replace(tell(bounded, bounded.initial[0], asks), property="prints_unless_it_is_done")

    for case, sentence in (
        ("clerk2", "prints_unless_it_is_done(clerk2) says nothing of the last world."),
        ("clerk1", "prints_unless_it_is_done(clerk1) is not violated in the last world."),
        ("clerk9", "prints_unless_it_is_done is not asked for clerk9."),
    ):
        judgement = judge(replace(story, case=(case,)), replay(story, bounded))
        assert (False, sentence) == (judgement.is_true, judgement.sentence)


def test_engines_whose_runs_end_say_what_they_do_not_check() -> None:
    bounded = make_board(3).model.at()

    not_checked = simulate(bounded, seed=1, walks=2).not_checked

    assert NAMES == tuple(not_checked)
    assert "it is about whole paths, which only `explore` checks" == not_checked["may_come"]
    assert "a walk ends, so it cannot show that something never comes true for good" == not_checked["settles"]
    with pytest.raises(UsageError, match="comes is of the kind until, which is not proved but searched for"):
        prove(bounded, properties=["comes"])


def test_a_reduced_search_says_that_it_does_not_answer() -> None:
    report = explore(make_board(3).model.at(), reduction="partial-order", properties=None)

    assert set(NAMES) == set(report.not_checked)


def test_what_has_to_hold_until_then_is_part_of_what_a_search_is() -> None:
    plans, model = make_maze(0)
    models = [replace(model, properties=make_properties(kept)[1:2]) for kept in ((0, 1), (0, 1, 2))]
    identities = {compute_identity(make_task(one.at(), None, "none", stops_at_first=True)) for one in models}

    assert plans
    assert 2 == len(identities)


def test_a_branch_in_what_has_to_hold_is_refused() -> None:
    def keeps(s: Maze) -> Value:
        return bool(s.at == 0)

    def comes(s: Maze) -> Value:
        return s.at == GOAL

    _, model = make_maze(0)
    branching = replace(model, properties=(until("M-1", why="w", keeps=keeps)(comes),))

    with pytest.raises(StyleError, match=r"Property comes .*may not branch on a value of the world"):
        branching.at()


def make_promises(goal: Look, kept: Look, due: Look) -> tuple[Property, ...]:
    def comes(s: Pieces, piece: Id) -> Value:
        return goal.holds(s, piece)

    def may_come(s: Pieces, piece: Id) -> Value:
        return goal.holds(s, piece)

    def lasts(s: Pieces, piece: Id) -> Value:
        return goal.holds(s, piece)

    def is_kept(s: Pieces, piece: Id) -> Value:
        return kept.holds(s, piece)

    def is_due(s: Pieces, piece: Id) -> Value:
        return due.holds(s, piece)

    return (
        until("B-1", why="w", given=is_due, keeps=is_kept, piece=Pieces.pieces)(comes),
        unless("B-1", why="w", given=is_due, keeps=is_kept, piece=Pieces.pieces)(may_come),
        eventually_always("B-1", why="w", given=is_due, piece=Pieces.pieces)(lasts),
    )


@settings(max_examples=12)
@given(board=BOARDS, goal=LOOKS, kept=LOOKS, due=LOOKS)
def test_promises_for_each_piece_of_a_board(board: Model, goal: Look, kept: Look, due: Look) -> None:
    assert_promises_are_judged(board, goal, kept, due)


@pytest.mark.deep
@settings(max_examples=100)
@given(board=BOARDS, goal=LOOKS, kept=LOOKS, due=LOOKS)
def test_promises_for_each_piece_of_more_boards(board: Model, goal: Look, kept: Look, due: Look) -> None:
    assert_promises_are_judged(board, goal, kept, due)


def assert_promises_are_judged(board: Model, goal: Look, kept: Look, due: Look) -> None:
    promises = make_promises(goal, kept, due)
    bounded = replace(board, properties=promises).at()

    plain = explore(bounded, properties=promises, stop_at_first=False)
    reduced = explore(bounded, properties=promises, stop_at_first=False, reduction="symmetry")

    wanted = list_broken_on(bounded, promises)
    assert wanted == {finding.property for finding in plain.findings}
    assert wanted == {finding.property for finding in reduced.findings}
    for finding in plain.findings:
        assert finding.story is not None
        assert judge(finding.story, replay(finding.story, bounded)).is_true


def test_several_processes_give_the_same_answers() -> None:
    for seed in range(2):
        board = make_board(seed)
        report = explore(board.model.at(), stop_at_first=False, properties=NAMES, workers=2)

        assert list_broken(board) == {finding.property for finding in report.findings}, seed
