"""The classics have the counts of plain Python, and their mistakes the shortest stories that it finds."""

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.manifest import list_published
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.language.story import DEADLOCK
from nomadspec.model.specification.mistakes import list_mistakes
from nomadspec.model.specification.quirks import list_quirks
from tests.model.small import plain

RIGHT = {
    ("hanoi", "small"): plain.hanoi(3),
    ("hanoi", "tall"): plain.hanoi(8),
    ("die-hard", "small"): plain.die_hard(),
    ("missionaries", "small"): plain.missionaries(),
    ("philosophers", "small"): plain.philosophers(3),
    ("philosophers", "five"): plain.philosophers(5),
    ("peterson", "small"): plain.peterson(),
    ("readers-writers", "small"): plain.readers_writers(3),
    ("blocking-queue", "small"): plain.blocking_queue(2, 1, 1),
    ("blocking-queue", "crowd"): plain.blocking_queue(4, 3, 3),
    ("alternating-bit", "small"): plain.alternating_bit(3),
    ("ewd840", "small"): plain.ewd840(3),
    ("ewd840", "four"): plain.ewd840(4),
    ("raft", "small"): plain.raft(3, 1, 1),
    ("raft", "two-terms"): plain.raft(3, 2, 1),
    ("paxos", "small"): plain.paxos(3, 2, 2),
}
WRONG = {
    ("hanoi", "careless"): plain.hanoi(3, careless=True),
    ("missionaries", "forgetful"): plain.missionaries(forgetful=True),
    ("philosophers", "stubborn"): plain.philosophers(3, stubborn=True),
    ("peterson", "hasty"): plain.peterson(hasty=True),
    ("readers-writers", "blind"): plain.readers_writers(3, blind=True),
    ("blocking-queue", "shared-room"): plain.blocking_queue(2, 1, 1, shared=True),
    ("alternating-bit", "ignorant"): plain.alternating_bit(3, ignorant=True),
    ("ewd840", "unmarked"): plain.ewd840(3, unmarked=True),
    ("raft", "forgetful"): plain.raft(3, 1, 1, forgetful=True),
    ("paxos", "quorum-of-one"): plain.paxos(3, 2, 2, quorum=1),
}
CLASSICS = [name for name in list_model_names(with_classics=True) if name not in list_model_names()]


@pytest.mark.parametrize(("model", "scope"), RIGHT, ids="-".join)
def test_counts_are_those_of_plain_python(model: str, scope: str) -> None:
    counted = plain.count(RIGHT[model, scope])
    (entry, *_) = [
        one for one in list_published() if (one.model, one.scope, one.reduction) == (model, scope, "none")
    ]

    assert (counted.distinct, counted.generated, counted.depth) == (
        entry.distinct,
        entry.generated,
        entry.depth,
    )
    assert counted.wrong is None


@pytest.mark.parametrize(("model", "scope"), WRONG, ids="-".join)
def test_mistakes_are_as_far_as_plain_python_says(model: str, scope: str) -> None:
    counted = plain.count(WRONG[model, scope])
    (entry, *_) = [one for one in list_published() if (one.model, one.scope) == (model, scope)]

    assert entry.steps == (counted.stuck if entry.violates == DEADLOCK else counted.wrong)


def test_spilling_loses_water_in_two_steps() -> None:
    report = explore(find_model("die-hard").at("spilled"))

    assert ["FillBig()", "BigToSmall()"] == [str(step) for step in report.findings[0].story.steps]  # type: ignore[union-attr]  # it has one


@pytest.mark.parametrize(
    ("model", "sizes", "steps"),
    [
        ("hanoi", {}, 7),
        ("hanoi", {"disc_count": 4}, 15),
        ("die-hard", {}, 6),
        ("missionaries", {}, 11),
    ],
)
def test_puzzles_have_the_known_shortest_solutions(model: str, sizes: dict[str, int], steps: int) -> None:
    report = explore(bind_as_usual(find_model(model), "small", sizes=sizes))
    (story,) = report.reached.values()

    assert story is not None
    assert steps == len(story.steps)


def test_the_published_counts_of_others_are_found() -> None:
    counts = {
        (one.model, one.scope): (one.distinct, one.generated)
        for one in list_published()
        if one.reduction == "none"
    }

    assert (16, 97) == counts["die-hard", "small"]
    assert (3**8, 3 * (3**8 - 1) + 1) == counts["hanoi", "tall"]
    assert {302, 1_566} == {(counts["ewd840", scope][0]) for scope in ("small", "four")}


@pytest.mark.parametrize(
    ("producers", "consumers", "capacity"),
    [(1, 1, 1), (2, 1, 1), (1, 2, 1), (2, 2, 1), (2, 2, 2), (3, 1, 2), (3, 2, 2), (4, 2, 3), (4, 3, 3)],
)
def test_a_shared_room_sticks_where_threads_are_more_than_twice_the_places(
    producers: int, consumers: int, capacity: int
) -> None:
    sizes = {"producers": producers, "consumers": consumers, "capacity": capacity}
    report = explore(
        find_model("blocking-queue").at("shared-room", sizes=sizes), properties=["somebody_runs"]
    )

    counted = plain.count(plain.blocking_queue(producers, consumers, capacity, shared=True))

    assert (producers + consumers > 2 * capacity) == bool(report.findings)
    assert [counted.wrong] * bool(report.findings) == [
        len(one.story.steps) for one in report.findings if one.story
    ]


@pytest.mark.parametrize("name", CLASSICS)
def test_each_classic_has_a_mistake_of_its_own_and_rules_that_fire(name: str) -> None:
    model = find_model(name)
    mistakes = {scope.profile for scope in model.scopes} - {None}

    assert 1 == len(mistakes)
    assert all(str(mistake).startswith(f"{name}/") for mistake in mistakes)
    assert model.is_at_rest is not None


def test_mistakes_are_no_quirks_of_nomad() -> None:
    assert not set(list_mistakes()) & set(list_quirks())
    assert len(list_mistakes()) == len({one.id for one in list_mistakes()}) == len(CLASSICS)
    assert not any(one.shipped for one in list_mistakes())
