"""What upstream's hand-drawn diagrams and our tables disagree on, computed arrow by arrow."""

from dataclasses import dataclass
from enum import Enum

from nomadspec.checkers.diagrams.upstream import DrawnArrow, DrawnDiagram
from nomadspec.model.lifecycle.table import ABSENT, Arrow, ArrowKind, Status, list_arrows
from nomadspec.model.specification.profiles import Profile


class Verdict(Enum):
    """How an arrow of one side stands to the other side."""

    AGREED = "agreed"
    RESTRICTED = "agreed, with a restriction"
    OTHER_KIND = "drawn as a change, but it makes another eval"
    BY_QUIRK = "only by a quirk"
    THEIRS = "only in theirs"
    OURS = "only in ours"


@dataclass(frozen=True, slots=True)
class Difference:
    """One arrow, where it is found, and the rules that decide."""

    number: int | None
    source: Status
    target: Status
    kind: ArrowKind
    what: str
    verdict: Verdict
    why: str
    spec: tuple[str, ...]


def list_comparisons(diagram: DrawnDiagram, profile: Profile) -> tuple[Difference, ...]:
    """Judge every drawn arrow, then list the arrows of ours that are not drawn; deletion as such never is."""
    ours = [arrow for arrow in list_arrows(diagram.lifecycle, profile) if arrow.target is not ABSENT]
    theirs = tuple(_judge(drawn, ours) for drawn in diagram.arrows)
    missing = [arrow for arrow in ours if not any(_is_same_step(drawn, arrow) for drawn in diagram.arrows)]
    return theirs + tuple(_miss(arrow, diagram) for arrow in missing)


def list_differences(diagram: DrawnDiagram, profile: Profile) -> tuple[Difference, ...]:
    """List the comparisons that do not simply agree."""
    return tuple(d for d in list_comparisons(diagram, profile) if d.verdict is not Verdict.AGREED)


def _judge(drawn: DrawnArrow, ours: list[Arrow]) -> Difference:
    same = [arrow for arrow in ours if _is_same_step(drawn, arrow)]
    if not same:
        verdict = Verdict.THEIRS
    elif all(arrow.kind is not drawn.kind for arrow in same):
        verdict = Verdict.OTHER_KIND
    elif all(arrow.quirk is not None for arrow in same):
        verdict = Verdict.BY_QUIRK
    else:
        verdict = Verdict.RESTRICTED if drawn.restriction else Verdict.AGREED
    what = drawn.label if not drawn.triggers else f"{drawn.label}: {', '.join(drawn.triggers)}"
    return Difference(
        drawn.number, drawn.source, drawn.target, drawn.kind, what, verdict, drawn.restriction, drawn.spec
    )


def _miss(arrow: Arrow, diagram: DrawnDiagram) -> Difference:
    """Say of an arrow that is not drawn what is missing there: the step, or only this trigger of it."""
    pairs = {(drawn.source, drawn.target) for drawn in diagram.arrows}
    what = arrow.cause if not arrow.triggers else f"{arrow.cause}: {', '.join(arrow.triggers)}"
    why = "The step is drawn for other reasons." if (arrow.source, arrow.target) in pairs else ""
    if arrow.quirk is not None:
        why = f"Quirk {arrow.quirk}: {arrow.quirk.happens}"
    return Difference(
        None,
        arrow.source,
        arrow.target,
        arrow.kind,
        what,
        Verdict.OURS,
        why or "The step is not drawn.",
        arrow.spec,
    )


def _is_same_step(drawn: DrawnArrow, arrow: Arrow) -> bool:
    """True if two arrows join the same statuses for the same trigger, if any is named."""
    is_same_pair = (drawn.source, drawn.target) == (arrow.source, arrow.target)
    if drawn.triggers or arrow.triggers:
        return is_same_pair and not set(drawn.triggers).isdisjoint(arrow.triggers)
    return is_same_pair
