"""A replayed story as a graph of causes.

One step causes another when it was the last to change a cell that the other read: in its guard, then it made
the step possible, or only in the values that it wrote. What a step read is found by evaluating its traced
terms in the world before it, so that a branch that was not taken causes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from nomadspec.checkers.diagrams.dag import Cause, CauseKind, Event, EventGraph, EventStatus
from nomadspec.checkers.report.story_text import name_model
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.language.claim import Judgement, find_case
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import By, Kind
from nomadspec.model.language.story import DEADLOCK, Replay, Story, label_instance
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.trace import Instance

_FIRST = "first"
_END = "end"

_Reasons: TypeAlias = "dict[tuple[str, CauseKind], list[str]]"


def events_of(story: Story, replay: Replay, judgement: Judgement) -> EventGraph:
    """Make the graph of what caused what in a story, and of what its end shows."""
    bounded = replay.bounded
    steps = [
        _event(bounded, number, moment.instance, is_looping=story.loop is not None and number > story.loop)
        for number, moment in enumerate(replay.moments, 1)
    ]
    writers = _Writers(bounded)
    causes = [cause for number in range(len(steps)) for cause in _causes_of_step(replay, number, writers)]
    end = _end(story, replay, judgement)
    if end is not None:
        causes += _merge(end.id, _reasons(_reads_of_end(story, replay), set(), writers))
    first = Event(_FIRST, str(story.start or "first world"), "world", EventStatus.ORIGIN)
    origin = [first] if any(cause.source == _FIRST for cause in causes) else []
    events = (*origin, *steps, *([end] if end else []))
    return EventGraph(_title(story), events, tuple(causes))


def list_reads(value: Argument | Term, cells: Cells) -> set[int]:
    """List the cells that decide the value of a term in a world."""
    if not isinstance(value, Term):
        return set()
    arguments = value.args
    match value.op:
        case "cell":
            return set(value.reads)
        case "ite":
            chosen = arguments[1] if evaluate(arguments[0], cells) else arguments[2]
            return list_reads(arguments[0], cells) | list_reads(chosen, cells)
        case "and" | "or":
            settles = value.op == "or"
            for argument in arguments:
                if bool(evaluate(argument, cells)) is settles:
                    return list_reads(argument, cells)
    return set().union(*(list_reads(argument, cells) for argument in arguments))


class _Writers:
    """Which step was the last to change a cell."""

    def __init__(self, bounded: BoundedModel) -> None:
        self._names = bounded.frame.cell_names
        self._last: dict[int, str] = {}

    def find(self, cell: int) -> tuple[str, str]:
        """Give the event that the cell's value comes from, and the name of the cell."""
        return self._last.get(cell, _FIRST), self._names[cell]

    def note(self, number: int, before: Cells, after: Cells) -> None:
        """Remember what a step changed."""
        changed = (cell for cell, value in enumerate(after) if value != before[cell])
        self._last |= dict.fromkeys(changed, str(number))


def _causes_of_step(replay: Replay, at: int, writers: _Writers) -> list[Cause]:
    before, moment = replay.worlds[at], replay.moments[at]
    reasons = _reasons(*_reads_of(replay.bounded, moment.instance, before), writers)
    writers.note(at + 1, before, moment.cells)
    return list(_merge(str(at + 1), reasons))


def _reasons(guarded: set[int], informed: set[int], writers: _Writers) -> _Reasons:
    reasons: _Reasons = {}
    for cell in sorted(guarded | informed):
        source, name = writers.find(cell)
        kind = CauseKind.ENABLES if cell in guarded else CauseKind.INFORMS
        reasons.setdefault((source, kind), []).append(name)
    return reasons


def _merge(target: str, reasons: _Reasons) -> Iterator[Cause]:
    """Give one cause for each source: what enables a step says more than what informs it."""
    sources = list(dict.fromkeys(source for source, _ in reasons))
    if not sources:
        sources = [_FIRST]
    for source in sources:
        enabling = reasons.get((source, CauseKind.ENABLES))
        informing = reasons.get((source, CauseKind.INFORMS), [])
        if source == _FIRST:
            yield Cause(source, target, CauseKind.ENABLES)
        elif enabling:
            yield Cause(source, target, CauseKind.ENABLES, tuple(enabling))
        else:
            yield Cause(source, target, CauseKind.INFORMS, tuple(informing))


def _reads_of(bounded: BoundedModel, instance: Instance, before: Cells) -> tuple[set[int], set[int]]:
    traced = bounded.traced[instance.number]
    guarded: set[int] = set().union(*(list_reads(conjunct, before) for conjunct in traced.guard))
    informed: set[int] = set()
    for cell, value in traced.writes.items():
        # What a cell was before is no cause of what it becomes: it stays, or counts on.
        informed |= list_reads(value, before) - {cell}
    return guarded, informed


def _reads_of_end(story: Story, replay: Replay) -> set[int]:
    """List the cells of the last world that make the property what it is there."""
    bounded = replay.bounded
    failure = replay.failure
    if failure is not None and failure.instance is not None and failure.instance.number >= 0:
        return set[int]().union(*_reads_of(bounded, failure.instance, replay.last))
    if story.property in {None, DEADLOCK, *PROMISES}:
        return set(range(bounded.frame.cell_count))
    prop = bounded.model.find_property(str(story.property))
    after = bounded.cell_terms
    if prop.kind is not Kind.STEP:
        case = find_case(bounded, prop, story) or ()
        texts = [text for text in (prop.text, prop.keeps) if text is not None]
        return set().union(*(list_reads(text(bounded.world(after), *case), replay.last) for text in texts))
    moment = replay.moments[-1]
    # The world before the last step is given as it was: what it held is not in question.
    before = bounded.world(replay.worlds[-2])
    told = prop(before, bounded.world(after), By(moment.instance.rule, moment.instance.arguments))
    return list_reads(told, replay.last)


def _end(story: Story, replay: Replay, judgement: Judgement) -> Event | None:
    """Show what the story comes to; an endless loop comes to nothing."""
    if story.property is None or not judgement.is_true or story.loop is not None:
        return None
    if story.property == DEADLOCK:
        return Event(_END, "nothing can happen", DEADLOCK, EventStatus.VIOLATING)
    if story.property in PROMISES:
        step = "" if replay.failure is None else f"{len(story.steps)}  {story.steps[-1]}\n"
        return Event(_END, f"{step}{story.property}\nis broken", "fails", EventStatus.VIOLATING)
    prop = replay.bounded.model.find_property(story.property)
    if prop.kind is Kind.SOMETIMES:
        return Event(_END, f"{prop.name}\nis reached", prop.kind.value, EventStatus.REACHING)
    return Event(_END, f"{prop.name}\ndoes not hold", prop.kind.value, EventStatus.VIOLATING)


def _event(bounded: BoundedModel, number: int, instance: Instance, *, is_looping: bool) -> Event:
    application = label_instance(bounded, instance)
    arguments = str(application).removeprefix(application.rule)[1:-1]
    label = f"{number}  {application.rule}" + (f"\n{arguments}" if arguments else "")
    status = EventStatus.LOOPING if is_looping else EventStatus.PLAIN
    return Event(str(number), label, application.rule, status, _actor(bounded, instance))


def _actor(bounded: BoundedModel, instance: Instance) -> str:
    """Name who made the step: the declared actor, else the first argument that is a member of a set."""
    if instance.rule.actor is not None:
        return instance.rule.actor
    for domain, value in zip(instance.rule.domains(bounded.frame), instance.arguments, strict=True):
        if domain.places is None and domain.interval.domain.members is not None:
            return str(domain.label(value))
    return ""


def _title(story: Story) -> str:
    shown = f": {story.property}" if story.property else ""
    return f"{name_model(story)}{shown}"
