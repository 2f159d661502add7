"""Fair loops, compared with all sets of worlds that a path could visit for ever."""

from collections.abc import Iterable, Mapping
from itertools import chain, combinations
from random import Random

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.model.language.claim import judge
from nomadspec.model.language.domain import upto
from nomadspec.model.language.logic import Value, any_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import eventually
from nomadspec.model.language.rule import Rule, rule, strong, weak
from nomadspec.model.language.story import replay
from nomadspec.model.language.world import World, field

PLACES = 6
GOAL = PLACES - 1
FAIRNESS = (None, weak(), strong())


class Maze(World):
    """Somebody in one of a few places; the last is the goal."""

    at = field(upto(GOAL), init=0, about="where somebody is")


def is_in_the_maze(s: Maze) -> Value:
    """True while the start was left."""
    return s.at == 1


@eventually("M-1", why="whoever is in the maze finds out", given=is_in_the_maze)
def finds_out(s: Maze) -> Value:
    """The goal is reached."""
    return s.at == GOAL


def make_rule(number: int, moves: Mapping[int, int], fairness: int) -> Rule:
    def move(s: Maze, t: Maze) -> None:
        """Somebody moves."""
        t.require(any_of(*(s.at == source for source in moves)))
        for source, target in moves.items():
            t.when(s.at == source).at = target

    move.__name__ = f"move_{number}"
    return rule("M-2", fair=FAIRNESS[fairness])(move)


def make_maze(seed: int) -> tuple[list[tuple[dict[int, int], int]], Model]:
    random = Random(seed)
    plans = []
    for _ in range(random.randint(2, 5)):
        sources = random.sample(range(PLACES), random.randint(1, 4))
        plans.append(({source: random.randrange(PLACES) for source in sources}, random.randrange(3)))
    rules = tuple(make_rule(number, moves, fair) for number, (moves, fair) in enumerate(plans))
    return plans, Model("maze", "a maze", Maze, rules, (finds_out,))


def find_reachable(starts: Iterable[int], edges: set[tuple[int, int]]) -> set[int]:
    found = set(starts)
    while more := {target for source, target in edges if source in found} - found:
        found |= more
    return found


def is_kept(plans: list[tuple[dict[int, int], int]]) -> bool:
    """Judge by looking at every set of worlds that a path could visit again and again."""
    edges = {move for moves, _ in plans for move in moves.items()}
    reachable = find_reachable([0], edges)
    inside = {(source, target) for source, target in edges if GOAL not in (source, target)}
    owing = find_reachable({1} & reachable, inside)
    subsets = chain.from_iterable(combinations(sorted(owing), size) for size in range(1, len(owing) + 1))
    return not any(is_endless(set(subset), inside) and is_fair(set(subset), plans) for subset in subsets)


def is_endless(worlds: set[int], inside: set[tuple[int, int]]) -> bool:
    own = {(source, target) for source, target in inside if {source, target} <= worlds}
    return all(worlds == find_reachable([world], own) for world in worlds)


def is_fair(worlds: set[int], plans: list[tuple[dict[int, int], int]]) -> bool:
    for every_move, fairness in plans:
        moves = {source: target for source, target in every_move.items() if source != target}
        happens = any(source in worlds and target in worlds for source, target in moves.items())
        possible = [world in moves for world in worlds]
        if fairness == 1 and all(possible) and not happens:
            return False
        if fairness == 2 and any(possible) and not happens:
            return False
    return True


@pytest.mark.parametrize(
    "block", [0, 1, 2, *(pytest.param(block, marks=pytest.mark.deep) for block in range(3, 10))]
)
def test_promises_in_random_mazes(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        plans, maze = make_maze(seed)
        bounded = maze.at()
        report = explore(bounded, properties=["finds_out"])

        assert is_kept(plans) == (not report.findings), seed
        for finding in report.findings:
            assert finding.story is not None
            assert judge(finding.story, replay(finding.story, bounded)).is_true


def test_both_answers_occur() -> None:
    answers = [is_kept(make_maze(seed)[0]) for seed in range(400)]

    assert 50 < sum(answers) < 350
