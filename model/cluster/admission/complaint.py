"""What admission says of a job: complaints with complaints inside them, printed as the server does."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from nomadspec.model.cluster.entities.scalar import NS_PER_S

_NS_PER_MS: Final = 1_000_000
_NS_PER_US: Final = 1_000


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong or doubtful, or a heading over several such things."""

    text: str
    parts: tuple["Complaint", ...] = ()
    is_worded: bool = True
    """Whether the server's wording is known; where it is not, the sentence is this package's own."""

    def render(self) -> str:
        """Print it as the server does: the heading, then the list of its parts."""
        return self.text + render_complaints(self.parts) if self.parts else self.text

    def list_lines(self) -> Iterator["Complaint"]:
        """List the lines that are printed for it, each without its parts."""
        if self.parts:
            yield Complaint((self.text + count_complaints(self.parts)).strip())
            for part in self.parts:
                yield from part.list_lines()
        else:
            yield self


def complain(text: str) -> Complaint:
    """Say something in the server's words."""
    return Complaint(text)


def complain_freely(text: str) -> Complaint:
    """Say something for which no rule and no recording gives the server's words."""
    return Complaint(text, is_worded=False)


def complain_where(*rows: tuple[bool, str]) -> Iterator[Complaint]:
    """Say, in the server's words, what is wrong of a table of checks."""
    return (Complaint(text) for is_wrong, text in rows if is_wrong)


def collect(heading: str, parts: Iterable[Complaint]) -> Iterator[Complaint]:
    """Put complaints under a heading, which may be empty; without complaints there is no heading either."""
    found = tuple(parts)
    if found:
        yield Complaint(heading, found)


def render_complaints(complaints: Iterable[Complaint]) -> str:
    """Print a list of complaints as the server does."""
    found = tuple(complaints)
    bullets = "\n\t".join(f"* {complaint.render()}" for complaint in found)
    return f"{count_complaints(found)}\n\t{bullets}\n\n"


def count_complaints(complaints: tuple[Complaint, ...]) -> str:
    """Print the line above a list of complaints."""
    return "1 error occurred:" if len(complaints) == 1 else f"{len(complaints)} errors occurred:"


def render_duration(ns: int) -> str:
    """Print a duration the way the server does: ``1h0m30.5s``, ``250ms``, ``0s``."""
    sign, rest = ("-", -ns) if ns < 0 else ("", ns)
    if rest >= NS_PER_S:
        return sign + _render_clock(rest)
    for unit, size in (("ms", _NS_PER_MS), ("µs", _NS_PER_US)):
        if rest >= size:
            return f"{sign}{_render_fraction(rest, size)}{unit}"
    return f"{sign}{rest}ns" if rest else "0s"


def _render_clock(ns: int) -> str:
    minutes, ns = divmod(ns, 60 * NS_PER_S)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{_render_fraction(ns, NS_PER_S)}s"
    if hours:
        return f"{hours}h{minutes}m{seconds}"
    return f"{minutes}m{seconds}" if minutes else seconds


def _render_fraction(value: int, unit: int) -> str:
    whole, rest = divmod(value, unit)
    digits = f"{rest:0{len(str(unit)) - 1}d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
