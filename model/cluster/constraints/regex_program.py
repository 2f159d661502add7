"""Programs that match: what an expression becomes, and how it runs over a text.

All positions that a match may have reached are followed at once, so that the work grows with the length of
the text and never with the ways to match it, as with the server's engine. Jumps are relative: programs are
joined by writing one after the other, and repeated by writing one several times.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Final

from nomadspec.model.cluster.constraints.regex_characters import PERL_CLASSES, CharacterSet


class Place(StrEnum):
    """Conditions on a place between two characters."""

    TEXT_BEGIN = "text begin"
    TEXT_END = "text end"
    LINE_BEGIN = "line begin"
    LINE_END = "line end"
    WORD_EDGE = "word edge"
    NO_WORD_EDGE = "no word edge"


@dataclass(frozen=True, slots=True)
class Take:
    """Go on by one character of the set."""

    characters: CharacterSet


@dataclass(frozen=True, slots=True)
class Check:
    """Go on where the place is of this kind."""

    place: Place


@dataclass(frozen=True, slots=True)
class Fork:
    """Go on at each of these distances."""

    distances: tuple[int, ...]


Instruction = Take | Check | Fork
Program = tuple[Instruction, ...]


def join_choices(choices: list[Program]) -> Program:
    """Make the program that runs any of these."""
    *earlier, joined = choices
    for choice in reversed(earlier):
        joined = (Fork((1, len(choice) + 2)), *choice, Fork((len(joined) + 1,)), *joined)
    return joined


def repeat(program: Program, least: int, most: int | None) -> Program:
    """Make the program that runs another one so many times, or without bound."""
    again = len(program) + 1
    if most is None and least:
        # Back to the last one, not into a copy of it: repetitions inside each other would double every time.
        return (*(program * least), Fork((1, 1 - again)))
    if most is None:
        return (Fork((1, again + 1)), *program, Fork((-again,)))
    optional = ((Fork((1, again * left)), *program) for left in range(most - least, 0, -1))
    return (*(program * least), *chain.from_iterable(optional))


def is_match(program: Program, text: str) -> bool:
    """True if the program matches anywhere in the text.

    Spec: FEAS-31.
    """
    reached: set[int] = set()
    for at in range(len(text) + 1):
        places = _list_places(text, at)
        here = _follow(program, reached | {0}, places)
        if len(program) in here:
            return True
        reached = _take(program, here, text[at]) if at < len(text) else set()
    return False


def _take(program: Program, here: set[int], character: str) -> set[int]:
    return {at + 1 for at in here if isinstance(step := program[at], Take) and step.characters.has(character)}


def _follow(program: Program, starts: set[int], places: frozenset[Place]) -> set[int]:
    """Reach everything that can be reached without taking a character."""
    reached, waiting = set(starts), list(starts)
    while waiting:
        at = waiting.pop()
        step = program[at] if at < len(program) else None
        distances: tuple[int, ...] = ()
        if isinstance(step, Fork):
            distances = step.distances
        elif isinstance(step, Check) and step.place in places:
            distances = (1,)
        fresh = {at + distance for distance in distances} - reached
        reached |= fresh
        waiting.extend(fresh)
    return reached


_PLACES: Final[Mapping[Place, Callable[[str, str], bool]]] = {
    Place.TEXT_BEGIN: lambda before, _: not before,
    Place.TEXT_END: lambda _, after: not after,
    Place.LINE_BEGIN: lambda before, _: before in {"", "\n"},
    Place.LINE_END: lambda _, after: after in {"", "\n"},
    Place.WORD_EDGE: lambda before, after: _is_word(before) != _is_word(after),
    Place.NO_WORD_EDGE: lambda before, after: _is_word(before) == _is_word(after),
}


def _is_word(character: str) -> bool:
    return bool(character) and PERL_CLASSES["w"](character)


def _list_places(text: str, at: int) -> frozenset[Place]:
    before, after = text[max(at - 1, 0) : at], text[at : at + 1]
    return frozenset(place for place, holds in _PLACES.items() if holds(before, after))
