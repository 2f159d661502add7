"""A story as text: the first world, then each step in fixed columns with the fields that it changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from click import style, unstyle

from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.report.table import (
    bad,
    count_of,
    find_width,
    good,
    name_sizes,
    render_facts,
    render_paragraph,
    strong,
)
from nomadspec.invariants.catalogue import list_model_names
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.claim import Judgement
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK, Replay, Story, label_instance
from nomadspec.model.specification.profiles import NOMAD_2_0

_RULE_WIDTH: Final = 50
_LEAST_RULE_WIDTH: Final = 12
_NUMBER_WIDTH: Final = 4
_MOST_FIELDS: Final = 20
"""A first world with more fields than this is not told whole."""
_ENDINGS: Final = {
    Kind.ALWAYS: "is violated after",
    Kind.STEP: "is violated after",
    Kind.SOMETIMES: "is reached in",
    Kind.EVENTUALLY: "never comes true: an endless loop within",
    Kind.LEADS_TO: "never comes true: an endless loop within",
    Kind.UNTIL: "never comes true: an endless loop within",
    Kind.UNLESS: "is violated after",
    Kind.EVENTUALLY_ALWAYS: "does not last: an endless loop within",
}


def render_story(story: Story, replay: Replay, judgement: Judgement) -> str:
    """Write a replayed story in full."""
    return "\n".join(
        [
            describe_claim(story, replay.bounded),
            describe_place(story),
            "",
            *_first_lines(story, replay),
            "",
            *_step_lines(story, replay),
            "",
            describe_end(judgement),
        ]
    )


def render_steps(story: Story, replay: Replay) -> str:
    """Write only the steps of a replayed story."""
    return "\n".join(_step_lines(story, replay))


def list_changes(bounded: BoundedModel, before: Cells, after: Cells) -> dict[str, tuple[object, object]]:
    """List the cells that a step changed, each with its old and its new value."""
    old, new = bounded.describe(before), bounded.describe(after)
    return {name: (old[name], new[name]) for name in old if old[name] != new[name]}


def describe_claim(story: Story, bounded: BoundedModel) -> str:
    """Say what a story shows."""
    steps = count_of(len(story.steps), "step")
    if story.property is None:
        return strong(f"A story of {steps} that claims nothing")
    if story.property == DEADLOCK:
        return strong(f"Stuck after {steps}: nothing can happen, and the model is not at rest")
    if story.property in PROMISES:
        claim = strong(f"{story.property} is broken after {steps}")
        why = f"a promise of every model, because {PROMISES[story.property]}"
        return f"{claim}\n{render_paragraph(why, indent=2)}"
    prop = bounded.model.find_property(story.property)
    case = escape_line(f"({', '.join(story.case)})") if story.case else ""
    is_broken = prop.kind is Kind.UNTIL and story.loop is None
    ending = _ENDINGS[Kind.UNLESS if is_broken else prop.kind]
    claim = strong(f"{prop.name}{case} {ending} {steps}")
    return f"{claim}\n{render_paragraph(f'{prop.kind_text}, because {prop.why}', indent=2)}"


def has_profile(profile: str, reference: str) -> bool:
    """True if a profile says something about a model: one that is not of Nomad has no releases."""
    return reference in list_model_names() or profile != NOMAD_2_0.name


def profile_data(profile: str, reference: str) -> str | None:
    """Write a profile as data; none where it says nothing about the model."""
    return profile if has_profile(profile, reference) else None


def describe_place(story: Story) -> str:
    """Say in which bounded model a story happens."""
    seed = f", seed {story.seed}" if story.seed is not None else ""
    return render_paragraph(
        escape_line(f"{name_model(story, f' ({name_sizes(story.sizes)})')}{seed}"), indent=2
    )


def name_model(story: Story, sizes: str = "") -> str:
    """Name the model of a story and its scope, and the profile where it says something."""
    profile = f", profile {story.profile}" if has_profile(story.profile, story.model) else ""
    return f"{story.model}, scope {story.scope}{sizes}{profile}"


def describe_end(judgement: Judgement) -> str:
    """Say whether a story ends as it claims, and what shows it."""
    mark = good("as told") if judgement.is_true else bad("not as told")
    return render_paragraph(f"{mark}  {describe_ending(judgement)}")


def describe_ending(judgement: Judgement) -> str:
    """Say how a story ends, and which ids that is about."""
    shown = ", ".join(f"({' '.join(names)})" if len(names) > 1 else names[0] for names in judgement.witnesses)
    return escape_line(f"{judgement.sentence}{f' Witnesses: {shown}.' if shown else ''}")


def list_fields(bounded: BoundedModel, cells: Cells) -> list[tuple[str, str]]:
    """Write a world field by field; a table whose cells are all alike in one word."""
    found = []
    values = list(bounded.describe(cells).values())
    for name, placed in bounded.frame.placed.items():
        shown = [_shown(value) for value in values[placed.base : placed.base + placed.span]]
        if shown:
            found.append((name, _table_text(dict(zip(placed.list_places(), shown, strict=True)))))
    return found


def _table_text(values: Mapping[str, str]) -> str:
    distinct = set(values.values())
    if len(values) == 1 and "" in values:
        return values[""]
    if len(distinct) == 1:
        return f"{distinct.pop()} everywhere"
    return ", ".join(f"{place}: {value}" for place, value in values.items())


def _first_lines(story: Story, replay: Replay) -> list[str]:
    bounded = replay.bounded
    origin = escape_line(str(story.start)) if story.start else "as declared"
    fields = _count_lowest(list_fields(bounded, replay.first), _find_lowest(bounded, replay.first))
    lines = [f"{'first'.rjust(_NUMBER_WIDTH + 1)}  {origin}"]
    return [*lines, render_facts(fields, indent=_NUMBER_WIDTH + 3)]


def _find_lowest(bounded: BoundedModel, cells: Cells) -> dict[str, str]:
    """Find the fields whose cells all have the lowest value, each with this value."""
    labels = list(bounded.describe(cells).values())
    found = {}
    for name, placed in bounded.frame.placed.items():
        if set(cells[placed.base : placed.base + placed.span]) == {placed.lowest}:
            found[name] = _shown(labels[placed.base])
    return found


def _count_lowest(fields: list[tuple[str, str]], lowest: Mapping[str, str]) -> list[tuple[str, str]]:
    """Count the fields at their lowest value where there are many, so that the others are seen."""
    if len(fields) <= _MOST_FIELDS or len(lowest) < 2:  # noqa: PLR2004 -- one is named as quickly
        return fields
    values = sorted(set(lowest.values()))
    told = f"{', '.join(values)}: the lowest of their values (--html lists them)"
    return [*[one for one in fields if one[0] not in lowest], (f"{len(lowest)} others", told)]


def _step_lines(story: Story, replay: Replay) -> list[str]:
    bounded = replay.bounded
    names = [escape_line(str(label_instance(bounded, moment.instance))) for moment in replay.moments]
    failing = [escape_line(str(story.steps[len(names)]))] if replay.failure is not None else []
    worlds = replay.worlds
    told = [_tell_changes(bounded, *pair) for pair in pairwise(worlds)]
    width = _find_rule_width(names + failing, [change for changes in told for change in changes])
    heading = f"{'step'.rjust(_NUMBER_WIDTH + 1)}  {'rule'.ljust(width)}  changes"
    lines = [style(heading.upper(), dim=True)]
    for at, (name, changes) in enumerate(zip(names, told, strict=True)):
        if story.loop == at:
            lines.append(_loop_line("from here on for ever"))
        lines += _one_step(at + 1, name, width, changes)
    lines += [_write_failing(len(names) + 1, name, width) for name in failing]
    if story.loop is not None:
        stays = story.loop == len(story.steps)
        lines.append(_loop_line("here it stays for ever" if stays else "back to where the loop begins"))
    return lines


def _find_rule_width(names: Sequence[str], changes: Sequence[str]) -> int:
    """Give the column of rules the room that it wants and the changes leave; longer ones take their line."""
    wanted = max(map(len, names), default=0)
    left = find_width() - _NUMBER_WIDTH - 5 - max((len(unstyle(change)) for change in changes), default=0)
    return min(_RULE_WIDTH, wanted, max(_LEAST_RULE_WIDTH, left))


def _tell_changes(bounded: BoundedModel, before: Cells, after: Cells) -> list[str]:
    """Tell what changed; a record that is cleared in one line, for none of its values is news of a thing."""
    changes = list_changes(bounded, before, after)
    cleared = _find_cleared(bounded, after, changes)
    told = {
        f"{record}: {strong('cleared')}"
        if (record := cell.partition(".")[0]) in cleared
        else f"{cell}: {_shown(old)} -> {strong(_shown(new))}": None
        for cell, (old, new) in changes.items()
    }
    return list(told) or ["nothing changes"]


def _find_cleared(bounded: BoundedModel, after: Cells, changed: Iterable[str]) -> set[str]:
    """Find the records of which several cells changed, and in which nothing is left."""
    frame = bounded.frame
    counts = Counter(record for record, dot, _ in (cell.partition(".") for cell in changed) if dot)
    cells = zip(frame.cell_names, after, frame.first_cells(), frame.intervals, strict=True)
    full = {
        name.partition(".")[0]
        for name, value, first, interval in cells
        if value != first or value != interval.low
    }
    return {record for record, count in counts.items() if count > 1} - full


def _one_step(number: int, name: str, width: int, shown: Sequence[str]) -> list[str]:
    margin = " " * (_NUMBER_WIDTH + 1 + 2 + width + 2)
    start = f"{str(number).rjust(_NUMBER_WIDTH + 1)}  "
    if len(name) > width:
        return [start + name, *(margin + change for change in shown)]
    first, *others = shown
    return [start + name.ljust(width) + "  " + first, *(margin + change for change in others)]


def _write_failing(number: int, name: str, width: int) -> str:
    return f"{str(number).rjust(_NUMBER_WIDTH + 1)}  {name.ljust(width)}  {bad('fails')}"


def _loop_line(text: str) -> str:
    return f"  {'-' * 3} {text} ".ljust(60, "-")


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else escape_line(str(value))
