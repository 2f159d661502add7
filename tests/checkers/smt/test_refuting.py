"""Stories against what is not inductive."""

import pytest

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.induction import find_inductive
from nomadspec.checkers.smt.question import Asking, Patience
from nomadspec.checkers.smt.refuting import Refuter, Told
from nomadspec.checkers.smt.scope_induction import BoundedInduction
from nomadspec.checkers.verdict import Reach
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import Replay, Story

NAME = "managers_agree"


@pytest.fixture(name="hasty")
def _hasty() -> BoundedModel:
    return find_model("2pc").at("hasty")


@pytest.fixture(name="gap")
def _gap(hasty: BoundedModel) -> Replay:
    """Find a step from a world that has everything that is inductive."""
    induction = BoundedInduction(hasty, Patience(None, 2.0))
    goals = [prop.name for prop in hasty.model.list_properties(Kind.STEP)]
    found = find_inductive(induction, goals, Silence())
    gap = induction.explain(NAME, found.breaks[NAME])
    assert gap is not None
    assert gap.replay is not None
    return gap.replay


def refute(bounded: BoundedModel, gaps: dict[str, Replay], steps: int, workers: int | None) -> list[Told]:
    patience = Patience(None, 2.0, Asking(workers=workers))
    refuter = Refuter(bounded, patience, Silence(), steps)
    told = list(refuter.refute([NAME], gaps))
    assert {NAME} >= {name for name, _ in told}
    return [one for _, one in told]


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_the_shortest_story_comes_last(hasty: BoundedModel, gap: Replay, workers: int | None) -> None:
    *_, last = refute(hasty, {NAME: gap}, 5, workers)

    assert isinstance(last, Story)
    assert 5 == len(last.steps)


def test_what_is_refuted_is_not_looked_at_from_the_other_end(hasty: BoundedModel, gap: Replay) -> None:
    assert [5] == [len(one.steps) for one in refute(hasty, {NAME: gap}, 5, None) if isinstance(one, Story)]


@pytest.mark.parametrize("workers", [None, 2])
def test_without_a_story_the_world_of_the_gap_is_judged(
    hasty: BoundedModel, gap: Replay, workers: int | None
) -> None:
    (reach,) = refute(hasty, {NAME: gap}, 1, workers)

    assert isinstance(reach, Reach)


def test_without_a_gap_there_is_nothing_to_say(hasty: BoundedModel) -> None:
    assert [] == refute(hasty, {}, 2, None)
