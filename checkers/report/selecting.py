"""What the words of a call select: each thing that they name, or what has all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NoReturn, TypeVar

from nomadspec.checkers.report.searching import is_id

ThingT = TypeVar("ThingT")

Find = Callable[[str], Sequence[ThingT]]


@dataclass(frozen=True, slots=True)
class Selected(Generic[ThingT]):
    """What was found, each once, in the order in which it was asked for."""

    things: list[ThingT]
    is_list: bool
    """True for what words have found, and not the name or ID of each."""


def select(
    wanted: str, find_named: Find[ThingT], find_like: Find[ThingT], refuse: Callable[[str], NoReturn]
) -> Selected[ThingT]:
    """Find what each word names, where all are names or IDs; else what has all the words and IDs.

    What is not found is refused: a name or ID by itself, words together.
    """
    words = list(dict.fromkeys(wanted.split()))
    are_names = words[1:] and all(is_id(word) or find_named(word) for word in words)
    things: dict[int, ThingT] = {}
    is_list = False
    for name in words if are_names else [wanted]:
        named = find_named(name)
        found = named or find_like(name) or _find_both(words, find_named, find_like) or refuse(name)
        is_list = is_list or (not named and len(found) > 1)
        things |= {id(one): one for one in found}
    return Selected(list(things.values()), is_list)


def _find_both(words: Sequence[str], find_named: Find[ThingT], find_like: Find[ThingT]) -> list[ThingT]:
    """Find what IDs name that no text has, as those of quirks, among what has the other words."""
    by_id = [{id(one) for one in find_named(word)} for word in words if is_id(word)]
    others = " ".join(word for word in words if not is_id(word))
    return [one for one in find_like(others) if all(id(one) in named for named in by_id)] if by_id else []
