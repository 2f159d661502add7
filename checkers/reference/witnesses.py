"""The page of witnessed lifecycles: for each arrow a story that takes it, or why there is none.

The stories are kept in ``witnesses.json`` beside the page, and were found by exploring published scopes of
the kernel (``python -m nomadspec.checkers.reference.evidence``). A test replays each and looks at its last
step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec

from nomadspec.checkers.diagrams.explored import EXPLORABLE
from nomadspec.checkers.diagrams.upstream import CAUSES, DIAGRAMS, DrawnArrow, DrawnDiagram
from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.markdown import code, codes, heading, page, table
from nomadspec.model.errors import InputError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import Application, Story
from nomadspec.model.lifecycle.table import ABSENT, Arrow, ArrowKind, Lifecycle, label_of

FILE: Final = "docs/reference/witnesses.json"

_ABOUT = (
    "Every status change of the evaluation's lifecycle tables, and every arrow of the two hand-drawn "
    "diagrams of Nomad's contributors: the shortest story in which the explorer saw it, or why the kernel "
    "has none. *Steps* is how often it was taken in all explored scopes together, up to renaming; *story* "
    "is the number of steps of the story, whose last step takes it."
)
_FORBIDDEN = "Not seen: {}"

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "re-encrypting variables ran out of time": "the kernel has no variables",
        "an alloc may be rescheduled later": "in the kernel a failed allocation is replaced at once",
        "nack without delay": "in the kernel each nack is followed by a delay, which may be over at once",
        "woken with an old nack delay": "the kernel does not measure delays",
        "blocked, but a newer one is": "blocked evals are told in order, so that the newer one displaces",
        "called off, yet fires": "what was called off and fires all the same stays delayed here until then",
        "displaced, yet woken": "its class wakes another one first; what is delivered canceled is `BUG-013`",
        "called off, yet run": "with `X-08` mended no such delivery counts, and with it `X-07` explains it",
        "canceled in a queue, yet run": "with `X-08` mended no such delivery counts, else `X-07` explains it",
        "outcome of the run": "what a worker has is scheduling here, whatever its record says",
    }
)
"""Why the kernel has no step that takes an arrow, by the arrow's cause."""


Scalar: TypeAlias = str | int | bool
Key: TypeAlias = tuple[str, str, str, str, str, str | None]


@dataclass(frozen=True, slots=True)
class Step:
    """One rule application, as ``Application`` has it."""

    rule: str
    arguments: dict[str, Scalar | dict[str, Scalar]]

    @classmethod
    def of(cls, application: Application) -> Step:
        """Keep an application."""
        return cls(application.rule, dict(application.arguments))

    def apply(self) -> Application:
        """Give the application back."""
        return Application(self.rule, self.arguments)


@dataclass(frozen=True, slots=True)
class Taken:
    """One arrow that was taken, and the shortest story that takes it."""

    lifecycle: str
    kind: str
    source: str
    target: str
    cause: str
    quirk: str | None
    times: int
    scope: str
    profile: str
    start: Step
    steps: tuple[Step, ...]

    @property
    def key(self) -> Key:
        """Which arrow it is."""
        return (self.lifecycle, self.kind, self.source, self.target, self.cause, self.quirk)

    def tell(self, bounded: BoundedModel) -> Story:
        """Make a story of it, to be replayed."""
        steps = tuple(step.apply() for step in self.steps)
        place = (bounded.model.name, self.scope, bounded.sizes, self.profile)
        return Story(*place, steps=steps, start=self.start.apply())


def key_of(lifecycle: Lifecycle, arrow: Arrow) -> Key:
    """Write which arrow of which table it is, as ``Taken`` does."""
    quirk = arrow.quirk.id if arrow.quirk else None
    ends = (label_of(arrow.source), label_of(arrow.target))
    return (lifecycle.name, arrow.kind.value, *ends, arrow.cause, quirk)


def read_taken(root: Path) -> tuple[Taken, ...]:
    """Read what was witnessed."""
    path = root / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[Taken, ...])
    except FileNotFoundError:
        return ()
    except msgspec.DecodeError as problem:
        hint = "write it anew: python -m nomadspec.checkers.reference.evidence"
        raise InputError(str(path), f"it is no list of witnesses: {problem}", hint=hint) from problem


def write_taken(root: Path, taken: Iterable[Taken]) -> None:
    """Write what was witnessed."""
    content = msgspec.json.format(msgspec.json.encode(list(taken)), indent=1)
    (root / FILE).write_bytes(content + b"\n")


def explain_absence(arrow: Arrow) -> str | None:
    """Say why the kernel does not take an arrow."""
    return REASONS.get(arrow.cause)


def compute_witnesses_page(root: Path) -> str:
    """Write the page of witnessed lifecycles."""
    taken = {one.key: one for one in read_taken(root)}
    return page(
        "Witnessed lifecycles",
        _ABOUT,
        *(_table_part(lifecycle, taken) for lifecycle in EXPLORABLE.values()),
        *(_drawn_part(diagram, taken) for diagram in DIAGRAMS),
    )


def _table_part(lifecycle: Lifecycle, taken: Mapping[Key, Taken]) -> str:
    rows = []
    for arrow in lifecycle.arrows:
        found = taken.get(key_of(lifecycle, arrow))
        symbol = "⇢" if arrow.kind is ArrowKind.CREATION else "→"
        quirk = code(arrow.quirk.id) if arrow.quirk else ""
        ends = f"{label_of(arrow.source)} {symbol} {label_of(arrow.target)}"
        rows.append((ends, arrow.cause, quirk, *_shown(found, explain_absence(arrow))))
    seen = sum(key_of(lifecycle, arrow) in taken for arrow in lifecycle.arrows)
    return "\n\n".join(
        [
            heading(2, lifecycle.title, anchor("witnesses", lifecycle.name)),
            f"{seen} of {len(lifecycle.arrows)} arrows were taken.",
            table(["arrow", "why", "quirk", "steps", "story"], rows),
        ]
    )


def _drawn_part(diagram: DrawnDiagram, taken: Mapping[Key, Taken]) -> str:
    rows = []
    for drawn in diagram.arrows:
        found = find_drawn(diagram, drawn, taken.values())
        ends = f"{label_of(drawn.source, 'event')} {'⇢' if drawn.kind is ArrowKind.CREATION else '→'} "
        what = drawn.label if not drawn.triggers else f"{drawn.label}: {', '.join(drawn.triggers)}"
        because = drawn.restriction or "no rule has this cause"
        told = _shown(found, f"{because} ({codes(drawn.spec)})")
        rows.append((str(drawn.number), ends + label_of(drawn.target), what, *told))
    return "\n\n".join(
        [
            heading(2, diagram.title, anchor("witnesses", diagram.name)),
            table(["#", "arrow", "what", "steps", "story"], rows),
        ]
    )


def find_drawn(diagram: DrawnDiagram, drawn: DrawnArrow, taken: Iterable[Taken]) -> Taken | None:
    """Find the shortest story that takes an arrow of ours with the ends and the cause of a drawn one."""
    keys = {key_of(diagram.lifecycle, arrow) for arrow in _list_meant(diagram, drawn)}
    stories = [one for one in taken if one.key in keys]
    return min(stories, key=lambda one: len(one.steps), default=None)


def _list_meant(diagram: DrawnDiagram, drawn: DrawnArrow) -> Iterator[Arrow]:
    for arrow in diagram.lifecycle.arrows:
        is_same = (arrow.source, arrow.target) == (drawn.source, drawn.target)
        if is_same and arrow.target is not ABSENT and is_meant(diagram, drawn, arrow):
            yield arrow


def is_meant(diagram: DrawnDiagram, drawn: DrawnArrow, arrow: Arrow) -> bool:
    """True if an arrow of ours has a trigger of a drawn one, or the cause that its label means."""
    if drawn.triggers:
        return not set(drawn.triggers).isdisjoint(arrow.triggers)
    return arrow.cause in CAUSES[diagram.name].get(drawn.number, ())


def _shown(found: Taken | None, reason: str | None) -> tuple[str, str]:
    if found is None:
        return "", _FORBIDDEN.format(reason) if reason else "not seen in the explored scopes"
    last = found.steps[-1].rule
    profile = "" if found.profile == "nomad-2.0" else f", profile {code(found.profile)}"
    count = f"{len(found.steps)} step{'s' if len(found.steps) > 1 else ''}"
    return f"{found.times:,}", f"{code(found.scope)}{profile}: {count}, the last is {code(last)}"
