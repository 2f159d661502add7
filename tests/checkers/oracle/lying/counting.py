"""Counts which lies are found out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tests.checkers.oracle.lying.broken import FAULTS, Fault
from tests.checkers.oracle.lying.deploying import DEPLOYING
from tests.checkers.oracle.lying.forgotten import FORGOTTEN, Forgotten, Unheeded, Unprompted
from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.queues import QUEUES, REORDERED, Overlapping, Swapped
from tests.checkers.oracle.lying.reporting import REPORTING
from tests.checkers.oracle.lying.slight import SLIGHT
from tests.checkers.oracle.lying.telling import Lie, Twist, is_named, judge_lie, tell_lies
from tests.recorded import list_traces

TOLD_WHOLE: Mapping[str, Fault | Forgotten | Unheeded | Unprompted | Overlapping | Swapped] = {
    **FAULTS,
    **FORGOTTEN,
    **REORDERED,
}
"""Kinds of lies that change more than one entry."""
TOLD_ONCE: Mapping[str, Twist] = {**LIES, **SLIGHT, **QUEUES, **DEPLOYING, **REPORTING}
"""Kinds of lies that change one entry."""
KINDS = (*TOLD_ONCE, *TOLD_WHOLE)
"""All kinds of lies: one entry that is wrong, and conditions that were never heeded."""

SOAKS = ("soak_small_deletion", "soak_small_mixed_1")
"""Random runs, which hold what no scenario does: what is collected."""
LONG = ("soak_large_deployments",)
"""Of kinds for which nothing else is found: health that somebody set."""


@dataclass(slots=True)
class Count:
    """What became of the lies of one kind."""

    told: int = 0
    rejected: int = 0
    named: int = 0
    missed: list[str] = field(default_factory=list)


def count_lies(
    most: int,
    kind: str = "",
    names: Sequence[str] = (),
    enough: int | None = None,
    seed: int | None = None,
) -> Mapping[str, Count]:
    """Tell so many lies of each kind in each recording, and count what is found out.

    Where some of a kind are enough, each kind begins with another recording; long runs are the last resort.
    """
    counts = {how: Count() for how in KINDS if how.startswith(kind)}
    for number, (how, count) in enumerate(counts.items()):
        told = (
            lie
            for name in names or _list_names(number + (seed or 0) if enough else 0)
            if not (enough and count.told and name in LONG)
            for lie in _tell(name, how, most, seed)
        )
        for lie in islice(told, enough):
            rejecting, named = find_out(lie)
            count.told += 1
            count.rejected += rejecting
            count.named += named
            if not named:
                count.missed.append(f"{lie.name}[{lie.index}]")
    return counts


def find_out(lie: Lie) -> tuple[bool, bool]:
    """Find whether a lie is rejected, and whether for the entry that lies."""
    is_rejected = False
    for each in judge_lie(lie):
        is_rejected = True
        if is_named(lie, [each]):
            return True, True
    return is_rejected, False


def is_found_out(how: str, name: str) -> bool:
    """Tell whether such a lie of a recording is named, where decisions are made again."""
    count = count_lies(1, how, (name,), enough=1)[how]
    return count.told == count.named == 1


def _tell(name: str, how: str, most: int, seed: int | None) -> Iterator[Lie]:
    return TOLD_WHOLE[how].tell(name) if how in TOLD_WHOLE else tell_lies(name, TOLD_ONCE[how], most, seed)


def _list_names(first: int) -> Iterator[str]:
    traces = [folder.name for folder in list_traces()]
    first %= len(traces)
    yield from (*traces[first:], *traces[:first], *SOAKS, *LONG)


def render_counts(counts: Mapping[str, Count]) -> str:
    """Write a row a kind, and the sum."""
    rows = [_render_row(how, count) for how, count in counts.items() if count.told]
    told = sum(count.told for count in counts.values())
    named = sum(count.named for count in counts.values())
    rejected = sum(count.rejected for count in counts.values())
    return "\n".join([*rows, f"{len(counts)} kinds, {told} lies: {rejected} rejected, {named} named"])


def _render_row(how: str, count: Count) -> str:
    amounts = f"{count.named:5} of {count.told:5} named, {count.rejected:5} rejected"
    return f"{amounts}  {how}  {' '.join(count.missed[:4])}".rstrip()
