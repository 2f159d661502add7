import pytest

from nomadspec.model.small.two_phase_commit import TWO_PHASE_COMMIT
from tests.model.language.search import count_worlds, search


@pytest.mark.parametrize(
    ("rms", "distinct", "generated", "depth"),
    [(1, 12, 20, 5), (2, 56, 154, 8), (3, 288, 1_146, 11), (4, 1_568, 8_258, 14)],
)
def test_the_known_counts(rms: int, distinct: int, generated: int, depth: int) -> None:
    counts = count_worlds(TWO_PHASE_COMMIT.at("small", sizes={"rms": rms}, profile="intended"))

    assert (distinct, generated, depth) == (counts.distinct, counts.generated, counts.depth)


def test_every_rule_fires() -> None:
    counts = count_worlds(TWO_PHASE_COMMIT.at("small", sizes={"rms": 2}, profile="intended"))

    assert {rule.name for rule in TWO_PHASE_COMMIT.rules} == counts.fired


@pytest.mark.parametrize(
    ("profile", "outcomes"), [("intended", {"commit", "abort"}), ("X-03", {"commit", "abort"})]
)
def test_both_decisions_are_possible(profile: str, outcomes: set[str]) -> None:
    bounded = TWO_PHASE_COMMIT.at("small", sizes={"rms": 2}, profile=profile)
    decisions = {str(bounded.describe(path.cells)["decision"]) for path in search(bounded)}

    assert {"none_yet", *outcomes} == decisions


@pytest.mark.parametrize(("profile", "counted"), [("intended", {3}), ("X-03", {1, 2, 3})])
def test_how_many_are_counted_when_a_commit_is_decided(profile: str, counted: set[int]) -> None:
    bounded = TWO_PHASE_COMMIT.at("small", sizes={"rms": 3}, profile=profile)
    seen = set()
    for path in search(bounded):
        if path.by is not None and path.by.rule.name == "DecideCommit":
            world = bounded.describe(path.cells)
            seen.add(sum(bool(world[f"counted[rm{number}]"]) for number in (1, 2, 3)))

    assert counted == seen


def test_a_message_stays_and_can_be_received_again() -> None:
    bounded = TWO_PHASE_COMMIT.at("small", sizes={"rms": 1}, profile="intended")
    loops = {
        path.by.rule.name
        for path in search(bounded)
        if path.by and path.before and path.cells == path.before.cells
    }

    assert {"CountPrepared", "ObeyCommit", "ObeyAbort"} == loops


def test_rest_is_when_a_decision_was_made() -> None:
    bounded = TWO_PHASE_COMMIT.at("small", sizes={"rms": 2}, profile="intended")
    for path in search(bounded):
        world = bounded.describe(path.cells)

        assert (world["decision"] != "none_yet") == bounded.is_at_rest(path.cells)
