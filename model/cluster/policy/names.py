"""Names of allocations, and the index that gives them out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Final

from nomadspec.model.cluster.constraints.literals import parse_integer
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import STUCK_MARK

_PUNCTUATION_BYTES: Final = 2
"""The dot and the opening bracket."""
_SHORTEST_NAME_BYTES: Final = 4
_BITS_PER_STEP: Final = 8
"""The index grows by whole bytes."""
_REMEMBERED: Final = 1 << 14
"""So many groups are remembered, and so many names of each."""


def compute_name(job: str, group: str, index: int) -> str:
    """Make the name of an allocation; `job` is the ID for service and batch jobs, else the name.

    Spec: OBJ-013.
    """
    return f"{job}.{group}[{index}]"


def find_index(name: str, job_id: str, group: str) -> int:
    """Find the index that a name has.

    Spec: OBJ-014, 01/S1.
    """
    return _know_indexes(job_id, group)[name]


class _Indexes(dict[str, int]):
    """The indexes of the names of one group, each read when it is first asked for."""

    def __init__(self, job_id: str, group: str) -> None:
        super().__init__()
        self._asked = job_id, group

    def __missing__(self, name: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        index = self[name] = read_index(name, *self._asked)
        return index


@lru_cache(maxsize=_REMEMBERED)
def _know_indexes(job_id: str, group: str) -> _Indexes:
    return _Indexes(job_id, group)


def read_index(name: str, job_id: str, group: str) -> int:
    """Read the index out of a name, by position; whatever cannot be read is 0.

    Spec: OBJ-014, 01/S1.
    """
    skipped = len(job_id.encode()) + len(group.encode()) + _PUNCTUATION_BYTES
    encoded = name.encode()
    if len(encoded) < _SHORTEST_NAME_BYTES or len(encoded) <= skipped:
        return 0
    digits = encoded[skipped:-1]
    return (parse_integer(digits.decode()) or 0) if digits.isdigit() else 0


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Which indexes of a group are in use, and by how many allocations more than one.

    Spec: REC-56, REC-60, REC-63.
    """

    job: str
    group: str
    count: int
    size: int = 0
    """How many indexes the server's bit set can hold; it never decides."""
    used: frozenset[int] = frozenset()
    extra_uses: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    profile: Profile = field(kw_only=True)

    def is_duplicate(self, index: int) -> bool:
        """True if more than one allocation had the index when the names were counted.

        Spec: REC-60.
        """
        return index in self.extra_uses

    def with_used(self, indexes: Iterable[int]) -> "NameIndex":
        """Mark indexes as used."""
        return replace(self, used=self.used | frozenset(indexes))

    def without_highest(self, count: int) -> tuple[frozenset[str], "NameIndex"]:
        """Take away the largest used indexes, and give their names.

        Spec: REC-57, REC-62.
        """
        taken = sorted(self.used, reverse=True)[:count]
        return frozenset(self._list_names(taken)), replace(self, used=self.used - frozenset(taken))

    def with_next(self, count: int) -> tuple[tuple[str, ...], "NameIndex"]:
        """Give out the smallest unused names; where they run out, names are given out once more from 0.

        Spec: REC-58.
        """
        free = list(islice(self._list_free(), count))
        taken = [*free, *range(count - len(free))]
        return self._list_names(taken), self.with_used(taken)

    def with_next_canaries(
        self, count: int, canaries: Iterable[str], destructive: Iterable[str]
    ) -> tuple[tuple[str, ...], "NameIndex"]:
        """Give out names of canaries: those of what they will replace, then unused ones, then new ones.

        Spec: REC-59, REC-64.
        """
        existing = frozenset(self._find_index(name) for name in canaries)
        replaced = {index for name in destructive if (index := self._find_index(name)) < self.count}
        first = sorted(replaced - existing)[:count]
        free = (index for index in self._list_free() if index not in existing.union(first))
        marked = [*first, *islice(free, count - len(first))]
        beyond = range(self.count, self.count + count - len(marked))
        return self._list_names([*marked, *beyond]), self.with_used(marked)

    def without(self, index: int) -> "NameIndex":
        """Give one use of an index back; of three uses or more none is ever given back.

        Spec: REC-61, 04/S-14.
        """
        extra = self.extra_uses.get(index, 0)
        if extra == 0:
            return replace(self, used=self.used - {index})
        if extra > 1 and self.profile.has(STUCK_MARK):
            return self
        rest = {key: value for key, value in self.extra_uses.items() if key != index}
        if extra > 1:
            rest[index] = extra - 1
        return replace(self, extra_uses=MappingProxyType(rest))

    def _list_free(self) -> Iterator[int]:
        return (index for index in range(self.count) if index not in self.used)

    def _list_names(self, indexes: Iterable[int]) -> tuple[str, ...]:
        return tuple(compute_name(self.job, self.group, index) for index in indexes)

    def _find_index(self, name: str) -> int:
        return find_index(name, self.job, self.group)


def index_names(job: str, group: str, count: int, names: Iterable[str], *, profile: Profile) -> NameIndex:
    """Make the index of a group from the names of its allocations.

    Spec: REC-56, REC-60.
    """
    uses = Counter(map(_know_indexes(job, group).__getitem__, names))
    extra = {index: times - 1 for index, times in uses.items() if times > 1}
    needed = max(count, uses.total(), max(uses, default=0) + 1)
    size = -(-needed // _BITS_PER_STEP) * _BITS_PER_STEP
    return NameIndex(job, group, count, size, frozenset(uses), MappingProxyType(extra), profile=profile)
