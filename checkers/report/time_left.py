"""How long a search may still take: beside its progress, and as an answer of its own."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.growth import Guess, guess_total
from nomadspec.checkers.report.story_text import profile_data
from nomadspec.checkers.report.table import count_of, name_sizes, render_facts, render_paragraph, strong
from nomadspec.checkers.report.titles import find_titles_in, render_legend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.explore.estimate import Estimate
    from nomadspec.checkers.progress import Progress
    from nomadspec.checkers.report.progress import Clock
    from nomadspec.model.language.bounded import BoundedModel

_LEVEL: Final = re.compile(r"level (\d+)")
_LEAST_SECONDS: Final = 1.0
"""Before that no speed is known."""

_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "min"), (1, "s"))


class Foreseen:
    """Progress of a search, with a guess of what is to come: from what is expected, else from its levels."""

    def __init__(
        self, whole: Progress, title: str, expected: int | None, clock: Clock = time.monotonic
    ) -> None:
        """Keep who is told, what it is about, and how many worlds are expected where that is known."""
        self._whole = whole
        self._title = title
        self._expected = expected
        self._clock = clock
        self._began: tuple[float, int] | None = None
        self._level = 0
        self._ends: list[int] = []
        """How many worlds there were when each level began to have its steps taken."""
        self._guessed: Guess | None = None

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        """Pass it on."""
        found = _LEVEL.search(text)
        if found is not None and int(found[1]) != self._level:
            if int(found[1]) != self._level + 1:
                self._ends = []  # levels went by unseen, or another search began
            self._level = int(found[1])
            self._ends.append(done)
            self._guessed = guess_total([after - before for before, after in pairwise(self._ends)])
        wanted = expected or self._expected
        self._whole.update(f"{self._title}: {text}{self._foresee(done, wanted)}", done, wanted)

    def _foresee(self, done: int, expected: int | None) -> str:
        now = self._clock()
        if self._began is None:
            self._began = (now, done)
        elapsed, made = now - self._began[0], done - self._began[1]
        if elapsed < _LEAST_SECONDS or made <= 0:
            return ""
        speed = made / elapsed
        if expected is not None:
            return (
                f" (about {show_seconds(max(0, expected - done) / speed)} to go)" if done < expected else ""
            )
        return "" if self._guessed is None else f" (guess: {_shorten(self._guessed, done, speed)})"


@dataclass(frozen=True, slots=True)
class Estimated:
    """An estimate, the bounded model that it is about, and how to search in earnest."""

    estimate: Estimate
    bounded: BoundedModel
    reference: str
    again: str

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/estimate.json says what its fields mean."""
        one = self.estimate
        guess = one.guess
        return {
            "model": self.reference,
            "scope": self.bounded.scope,
            "sizes": dict(self.bounded.sizes),
            "profile": profile_data(self.bounded.profile.name, self.reference),
            "reduction": one.reduction,
            "seconds": round(one.seconds, 3),
            "distinct": one.distinct,
            "levels": list(one.levels),
            "per_second": round(one.per_second),
            "exhaustive": one.is_exhaustive,
            "low": one.distinct if one.is_exhaustive else guess and guess.low,
            "high": one.distinct if one.is_exhaustive else guess and guess.high,
            "world_bytes": one.world_bytes,
            "again": self.again,
            "titles": find_titles_in(self.bounded.profile.name),
        }

    def render(self) -> str:
        """Write it for people."""
        one = self.estimate
        sizes = name_sizes(self.bounded.sizes)
        about = f"{self.reference}, scope {self.bounded.scope} ({sizes}), profile {self.bounded.profile.name}"
        facts = [
            ("looked at", f"{count_of(one.distinct, 'world')} in {one.seconds:,.1f} s"),
            ("levels", _show_levels(one.levels)),
            ("speed", f"{one.per_second:,.0f} worlds/s"),
            ("a world", f"{count_of(one.world_bytes, 'byte')} and its place in a table"),
        ]
        return "\n\n".join(
            [
                "\n".join(filter(None, [about, render_legend(self.bounded.profile.name)])),
                render_paragraph(f"{strong('ESTIMATE')}  {self._describe()}"),
                render_facts(facts, commands=[("in earnest", self.again)]),
            ]
        )

    def _describe(self) -> str:
        one = self.estimate
        if one.is_exhaustive:
            return f"no guess is needed: these {count_of(one.distinct, 'world')} are all"
        if one.guess is None:
            return f"too early to say: only {count_of(len(one.levels), 'level')} could be looked at"
        return f"a guess: {describe_guess(one.guess, one.distinct, one.per_second)}"


def describe_guess(guess: Guess, done: int, speed: float) -> str:
    """Write how many worlds there may be, and how long those take that are not there yet."""
    low = round_off(max(guess.low, done))
    least = show_seconds(max(0, guess.low - done) / speed)
    if guess.high is None:
        return f"{low:,} worlds or many more, {least} to go or much longer"
    high = round_off(max(guess.high, done))
    return f"{low:,} to {high:,} worlds, {least} to {show_seconds(max(0, guess.high - done) / speed)} to go"


def _shorten(guess: Guess, done: int, speed: float) -> str:
    """Write the same for a line that has little room."""
    low, least = _show_count(max(guess.low, done)), show_seconds(max(0, guess.low - done) / speed)
    if guess.high is None:
        return f"{low} or more, {least} to go or more"
    most = show_seconds(max(0, guess.high - done) / speed)
    return f"{low} to {_show_count(max(guess.high, done))}, {least} to {most} to go"


def _show_count(number: int) -> str:
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if number >= 10 * unit:
            return f"{number / unit:,.0f}{name}"
        if number >= unit:
            return f"{number / unit:.1f}{name}"
    return str(number)


def round_off(number: int) -> int:
    """Keep two digits: a guess has no more."""
    scale: int = 10 ** max(0, len(str(number)) - 2)
    return round(number / scale) * scale


def show_seconds(seconds: float) -> str:
    """Write a time in the largest unit of which there are two."""
    for unit, name in _UNITS:
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds:,.0f} s"


def _show_levels(levels: Sequence[int]) -> str:
    shown = [f"{size:,}" for size in levels]
    return " ".join(shown if len(shown) <= 12 else [*shown[:4], "...", *shown[-8:]])  # noqa: PLR2004 -- what fits a line
