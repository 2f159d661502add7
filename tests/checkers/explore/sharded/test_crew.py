"""A crew tells each hand what concerns its shards, and puts the answers in the order of the shards."""

from collections.abc import Sequence
from typing import Any

from nomadspec.checkers.explore.sharded.crew import Crew, LocalCrew


class Recorder(Crew):
    """A crew that answers with what it was asked."""

    def ask(self, hands: Sequence[int], word: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        if word.startswith("insert"):
            return [
                [(hand, word, shard, parcels) for shard, parcels in given[0]]
                for hand, given in zip(hands, arguments, strict=True)
            ]
        return list(hands)

    def close(self) -> None:
        raise AssertionError


def test_each_shard_has_its_hand() -> None:
    crew = Recorder(2, 5)
    parcels: Any = [f"parcels of {shard}" for shard in range(5)]

    answers: Any = crew.insert(parcels, [], tells_found=True)

    assert [(shard % 2, "insert_and_tell", shard, parcels[shard]) for shard in range(5)] == answers
    adopted: list[Any] = [crew.adopt(shard, b"") for shard in (3, 4)]
    assert [1, 0] == adopted


class Echo:
    """A hand that says what it was told."""

    def expand(self, *given: object) -> tuple[object, ...]:
        return given


def test_one_hand_is_asked_here() -> None:
    hand: Any = Echo()
    crew = LocalCrew(hand, 3)

    taken: Any = crew.expand([(b"worlds", 5)], [1])

    assert [(b"worlds", 5, [1])] == taken
    crew.close()
