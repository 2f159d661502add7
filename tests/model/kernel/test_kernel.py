import pytest

from nomadspec.model.kernel.kernel import KERNEL
from tests.model.kernel.playing import ALONE, PLACED, Play
from tests.model.language.search import count_worlds


@pytest.mark.parametrize(
    ("sizes", "distinct"),
    [({}, 8), ({"timeouts": 1}, 34), ({"errors": 1}, 18), ({"elections": 1}, 36), ({"pauses": 1}, 37)],
    ids=str,
)
def test_tiny_scopes_have_these_counts(sizes: dict[str, int], distinct: int) -> None:
    counts = count_worlds(KERNEL.at("contention", sizes={**ALONE, **sizes}, profile="intended"))

    assert distinct == counts.distinct


def test_jobs_do_nothing_by_themselves() -> None:
    """A story shows who did a step: the first id that its rule names, where it names no actor."""
    doers = {rule.actor or next((name for name, _ in rule.arguments), "") for rule in KERNEL.rules}

    assert not doers & {"", "job", "alloc"}


def test_every_choice_of_the_jobs_is_a_beginning() -> None:
    bounded = KERNEL.at(
        "contention",
        sizes={**ALONE, "jobs": 2, "priorities": 1, "escapes": 1, "infeasibilities": 1},
        profile="nomad-2.0",
    )

    assert 2**5 == len(bounded.initial)


def test_the_world_is_at_rest_when_all_is_done() -> None:
    play = Play().play("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)")

    assert not play.bounded.is_at_rest(play.cells)
    assert play.bounded.is_at_rest(play.play("Ack(1, 1, 1)").cells)


def test_the_world_is_at_rest_when_the_scope_is_used_up() -> None:
    assert Play(evals=1).bounded.is_at_rest(Play(evals=1).cells)
