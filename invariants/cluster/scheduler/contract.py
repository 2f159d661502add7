"""What a scheduler decides is what the kernel's abstract scheduler may decide.

Proofs and searches of the kernel let a worker answer with any plan that a contract allows
(``model/kernel/scheduler.py``). Here that very contract is asked about plans of the real schedulers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.invariants.cluster.scheduler.kernel_view import Own, Words, list_words
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, WorkerId
from nomadspec.model.kernel.scheduler import Reading, contract
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import DisconnectPhase, JobPhase, Kind
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.frame import FiniteFrame
from nomadspec.model.language.logic import Value
from nomadspec.model.language.world import Disabled
from nomadspec.model.specification.profiles import INTENDED

_OWN, _OTHERS = range(2)
"""The jobs of the kernel's world: the group, and one that takes the room that is not there."""

_WORKER = 0
_CURRENT, _BASE = 2, 1
"""The current version, and the oldest from which it is reached in place."""


def the_kernels_contract_is_kept(decision: Decision) -> Iterator[str]:
    """Say which groups were planned for otherwise than the kernel's contract allows.

    Spec: PLAN-92, GENERIC-22, SYSTEM-31.
    """
    for words in list_words(decision):
        for problem in find_breaches(words):
            yield f"{decision.evaluation.job_id}: {problem}"


def find_breaches(words: Words) -> Iterator[str]:
    """Say where a decision and the contract part."""
    most = sum(not place.is_barred for place in words.places) if words.is_system else words.count
    if len(words.placed) > most:
        yield f"{len(words.placed)} are placed where {most} may be"
        return
    stage = _Stage(words, most)
    reading = stage.read()
    for number, own in zip(map(AllocNumber, range(len(stage.own))), stage.own, strict=True):
        for verb, says, does in (
            ("stops", reading.stops(number), own.is_stopped and own.place is not None),
            ("updates", reading.updates(number), own.is_updated),
        ):
            if bool(says) != does:
                does_so = verb if does else f"does not {verb[:-1]}"
                yield f"the plan {does_so} {own.id}, the contract does otherwise"
    is_short = stage.ask()
    if is_short is None:
        yield from stage.explain()
    elif bool(is_short) != words.is_short:
        yield f"the contract leaves {'something' if is_short else 'nothing'} unplaced, the scheduler does not"


class _Stage:
    """The kernel's world as a worker sees it, whose plan is asked about."""

    def __init__(self, words: Words, slots: int) -> None:
        self._words = words
        self.own = sorted(words.own, key=_rank_by_stop)
        kept = [_count_kept(self.own, number) for number in range(len(words.places))]
        coming = [words.placed.count(number) for number in range(len(words.places))]
        free = [place.room + coming[number] for number, place in enumerate(words.places)]
        leaving = [
            sum(own.place == number and own.is_stopped for own in self.own) for number in range(len(kept))
        ]
        self._cap = max((sum(each) for each in zip(kept, free, leaving, strict=True)), default=0)
        taken = [max(0, self._cap - one - other) for one, other in zip(kept, free, strict=True)]
        self._others = [number for number, count in enumerate(taken) for _ in range(count)]
        self._to: Value = (*words.placed, *(NONE for _ in range(slots - len(words.placed))))
        self._frame = _make_frame(
            (
                ("in_place_updates", 1),
                ("infeasibilities", 1),
                ("cap", max(self._cap, 0)),
                ("count", slots),
                ("jobs", 2),
                ("kinds", int(Kind.SYSTEM)),
                ("migrations", 1),
                ("nodes", len(words.places)),
                ("allocations", max(len(self.own), len(self._others), 1)),
                ("updates", _CURRENT),
                ("workers", 1),
            )
        )
        self._cells = list(self._frame.first_cells())
        self._fill()

    def read(self) -> Reading:
        """Read the world as the contract does."""
        return Reading(Kernel(self._frame, tuple(self._cells)), WorkerId(_WORKER), JobId(_OWN), self._to)

    def ask(self) -> bool | None:
        """Ask the contract whether something stays unplaced; None where it does not allow the plan."""
        before = Kernel(self._frame, tuple(self._cells))
        after = Kernel(self._frame, list(self._cells), condition=True, guard=[])
        try:
            return bool(contract(before, after, self.read(), WorkerId(_WORKER), self._to))
        except Disabled:
            return None

    def explain(self) -> Iterator[str]:
        """Say why the contract does not allow the plan."""
        reading = self.read()
        missing, placed = int(reading.missing()), int(reading.placed())
        if placed > missing:
            yield f"{placed} are placed, {missing} are missing"
        for number, place in enumerate(self._words.places):
            if not reading.fits(NodeId(number)):
                yield f"{place.id} cannot take what is placed on it"
            elif placed < missing and reading.takes_more(NodeId(number)):
                yield f"{place.id} could take one more, and {missing - placed} are not placed"

    def _fill(self) -> None:
        words = self._words
        self._put("seen.job_phase", JobPhase.WANTED if words.is_wanted else JobPhase.STOPPED, _WORKER)
        self._put("seen.job_version", _CURRENT, _WORKER)
        self._put("seen.job_base", _BASE, _WORKER)
        self._put("kind", Kind.SYSTEM if words.is_system else Kind.SERVICE, _OWN)
        for number, place in enumerate(words.places):
            self._put("seen.node_up", place.is_up, _WORKER, number)
            self._put("seen.eligible", place.is_eligible, _WORKER, number)
            self._put("infeasible", place.is_barred, _OWN, number)
        spare = words.count - sum(own.place is not None and not own.is_stopped for own in self.own)
        for number, own in enumerate(self.own):
            spare -= own.is_complete
            self._put("seen.alloc_version", own.version, _WORKER, number)
            self._put("seen.migrate", own.is_leaving, _WORKER, number)
            self._put(
                "seen.disconnect_phase",
                DisconnectPhase.COMPLETE if own.is_complete and spare >= 0 else DisconnectPhase.NEITHER,
                _WORKER,
                number,
            )
            self._put("seen.occupies", NONE if own.place is None else own.place, _WORKER, _OWN, number)
        for number, node in enumerate(self._others):
            self._put("seen.occupies", node, _WORKER, _OTHERS, number)

    def _put(self, field: str, value: int, *at: int) -> None:
        placed = self._frame.placed[field]
        self._cells[placed.base + sum(key * placed.strides[depth] for depth, key in enumerate(at))] = value


def _rank_by_stop(own: Own) -> tuple[bool, str]:
    """Rank what the plan stops last: which of too many are stopped is not the contract's to say."""
    return own.is_stopped, own.id


def _count_kept(own: list[Own], number: int) -> int:
    return sum(each.place == number and not each.is_stopped for each in own)


@lru_cache(maxsize=256)
def _make_frame(chosen: tuple[tuple[str, int], ...]) -> FiniteFrame:
    defaults = {size.name: size.default for size in Kernel.schema.sizes}
    if unknown := dict(chosen).keys() - defaults.keys():
        raise UnknownNameError("size", min(unknown), defaults)
    return FiniteFrame(Kernel.schema, {**defaults, **dict(chosen)}, INTENDED)
