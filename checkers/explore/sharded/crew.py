"""The hands that share a search, and how they are told what to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.explore.sharded.hand import Hand
    from nomadspec.checkers.explore.sharded.messages import Bulk, Parcel, Stored, Taken


class LostHandError(Exception):
    """A process that had a part in the search has ended: somebody killed it, or memory was short."""


class Crew(ABC):
    """Some hands, and the shards that each of them keeps: those whose numbers leave the same rest."""

    works_alone = False
    """Whether hands take steps while whoever leads them does something else."""

    def __init__(self, hands: int, shards: int) -> None:
        """Say how many there are."""
        self.hands = hands
        self.shards = shards
        self._taken: list[Taken] = []

    @abstractmethod
    def ask(self, hands: Sequence[int], word: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Let hands do something, all at once where they can, and wait for all their answers."""

    @abstractmethod
    def close(self) -> None:
        """Send everybody home."""

    def adopt(self, shard: int, worlds: Bulk) -> Bulk:
        """Let a shard store those of some worlds that belong to it."""
        answers: list[Bulk] = self.ask([shard % self.hands], "adopt", [(shard, worlds)])
        return answers[0]

    def expand(self, slices: Sequence[tuple[Bulk, int]], open_questions: Sequence[int]) -> list[Taken]:
        """Take the steps from worlds, a slice for each hand."""
        hands = range(len(slices))
        return self.ask(hands, "expand", [(*one, open_questions) for one in slices])

    def begin_expanding(self, slices: Sequence[tuple[Bulk, int]], open_questions: Sequence[int]) -> None:
        """Have steps taken; no hand may be asked for anything else before the answer was fetched."""
        self._taken = self.expand(slices, open_questions)

    def finish_expanding(self) -> list[Taken]:
        """Fetch the answer."""
        return self._taken

    def insert(
        self, parcels: Sequence[Sequence[Parcel]], open_questions: Sequence[int], *, tells_found: bool
    ) -> list[Stored]:
        """Let each shard look up what belongs to it."""
        hands = range(self.hands)
        mine = [range(hand, self.shards, self.hands) for hand in hands]
        given = [([(shard, parcels[shard]) for shard in shards],) for shards in mine]
        do = "insert_and_tell" if tells_found else "insert"
        answers = self.ask(hands, do, [(*one, open_questions) for one in given])
        return [answers[shard % self.hands][shard // self.hands] for shard in range(self.shards)]

    def undo(self) -> None:
        """Let all shards forget what they stored last."""
        self.ask(range(self.hands), "undo", [()] * self.hands)


class LocalCrew(Crew):
    """One hand, in this process."""

    def __init__(self, hand: Hand, shards: int) -> None:
        """Take the hand."""
        super().__init__(1, shards)
        self._hand = hand

    def ask(self, hands: Sequence[int], word: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Let the hand do one thing after another."""
        do = getattr(self._hand, word)
        return [do(*given) for _, given in zip(hands, arguments, strict=True)]

    def close(self) -> None:
        """Do nothing: the hand goes with this."""
