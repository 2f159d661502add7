"""Guards that neighbours share, so that each is asked once for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.model.language.term import Term

Guarded = TypeVar("Guarded")


def share_guards(
    items: Sequence[tuple[Guarded, list[Term]]],
) -> Iterator[tuple[Term | None, list[tuple[Guarded, list[Term]]]]]:
    """List items in their order, each with what is left of its guard, by the flag that most neighbours share.

    With the flag come the items that ask it, without it; where nothing is left to ask, there is no flag, and
    one item.
    """
    at = 0
    while at < len(items):
        item, guard = items[at]
        if not guard:
            yield None, [(item, guard)]
            at += 1
            continue
        shared, end = max(((flag, _find_end(items, at, flag)) for flag in guard), key=lambda found: found[1])
        yield shared, [(one, [flag for flag in rest if flag is not shared]) for one, rest in items[at:end]]
        at = end


def _find_end(items: Sequence[tuple[Guarded, list[Term]]], begin: int, flag: Term) -> int:
    """Find where the run of neighbours that ask a flag ends."""
    end = begin + 1
    while end < len(items) and any(other is flag for other in items[end][1]):
        end += 1
    return end
