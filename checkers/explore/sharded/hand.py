"""A hand takes steps from worlds, and keeps the tables of some shards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.explore.sharded.messages import Bulk, Parcel, Stored, Taken

Given: TypeAlias = "tuple[int, Sequence[Parcel]]"
"""A shard, and what belongs to it."""


class Hand(Protocol):
    """One of those who share a search; each does its part in one process."""

    def adopt(self, shard: int, worlds: Bulk) -> Bulk:
        """Store those of some worlds, all different and new, that belong to a shard; list which they are."""
        ...

    def expand(self, worlds: Bulk, first: int, open_questions: Sequence[int]) -> Taken:
        """Take the steps from neighbouring worlds, the first of which has a number."""
        ...

    def insert(self, given: Sequence[Given], open_questions: Sequence[int]) -> list[Stored]:
        """Look up successors in the shards to which they belong, and store those that are new."""
        ...

    def insert_and_tell(self, given: Sequence[Given], open_questions: Sequence[int]) -> list[Stored]:
        """Do the same, and tell of each successor where it is stored."""
        ...

    def undo(self) -> None:
        """Forget what was stored last in each shard."""
        ...
