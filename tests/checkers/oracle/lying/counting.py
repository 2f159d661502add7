"""Counts which lies are found out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.telling import is_named, judge_lie, tell_lies
from tests.recorded import list_traces


@dataclass(slots=True)
class Count:
    """What became of the lies of one kind."""

    told: int = 0
    rejected: int = 0
    named: int = 0
    missed: list[str] = field(default_factory=list)


def count_lies(most: int, kind: str = "", names: Sequence[str] = ()) -> Mapping[str, Count]:
    """Tell so many lies of each kind in each recording, and count what is found out."""
    counts = {name: Count() for name in LIES if name.startswith(kind)}
    for name in names or [folder.name for folder in list_traces()]:
        for how, count in counts.items():
            for lie in tell_lies(name, LIES[how], most):
                found = judge_lie(lie)
                count.told += 1
                count.rejected += bool(found)
                count.named += is_named(lie, found)
                if not is_named(lie, found):
                    count.missed.append(f"{name}[{lie.index}]")
    return counts


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
