"""The pages with a timeline: a story of a model, and a scenario of a whole cluster."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from click import unstyle

from nomadspec.checkers.diagrams.components import (
    list_lifelines,
    list_touched,
    list_touched_in_cluster,
    name_component,
)
from nomadspec.checkers.diagrams.dag import render_events
from nomadspec.checkers.diagrams.evals.build import build_dag
from nomadspec.checkers.diagrams.evals.drawing import render_dag
from nomadspec.checkers.diagrams.story_events import events_of
from nomadspec.checkers.escaping import spell_value
from nomadspec.checkers.pages.cluster_changes import list_cluster_changes
from nomadspec.checkers.pages.page import Change, Page, PageStep
from nomadspec.checkers.report.story_text import list_changes, name_model
from nomadspec.checkers.report.table import name_sizes
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import START_NS
from nomadspec.model.errors import ImpossibleError, NomadSpecError
from nomadspec.model.language.actor import find_actor, list_named
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import label_instance

if TYPE_CHECKING:
    from nomadspec.checkers.diagrams.evals.records import History
    from nomadspec.checkers.report.replaying import Told
    from nomadspec.checkers.report.scenario import Played
    from nomadspec.checkers.scenario.run import Run, Unmet
    from nomadspec.model.language.story import Replay

_MOST_DRAWN: Final = 120
"""Of a longer story the graph would be too large to read."""
_CAUSES: Final = "Causes: an arrow leads from the step that last changed a value to each step that read it."


def make_story_page(told: Told) -> Page:
    """Show a story step by step, with its graph of causes."""
    story, text = told.story, unstyle(told.render())
    if told.replay is None:
        about = told.judgement.sentence
        return Page(story.property or "A story", told.verdict.value, about, text, _list_facts(told))
    first = told.bounded.describe(told.replay.first)
    is_reached = _is_reached(told)
    steps = _list_steps(
        told, told.replay, breaks=not is_reached and story.loop is None and told.judgement.is_true
    )
    verdict = "reached" if is_reached else "violated"
    return Page(
        title=story.property or "A story",
        verdict=verdict if told.judgement.is_true else "not as told",
        about=told.judgement.sentence,
        text=text,
        facts=_list_facts(told),
        first=list(_flatten(first).items()),
        steps=steps,
        loop=story.loop,
        picture=_draw_causes(told, told.replay),
        picture_about=_CAUSES if len(steps) <= _MOST_DRAWN else f"No graph of causes: {len(steps):,} steps.",
    )


def _list_facts(told: Told) -> list[tuple[str, str]]:
    """Say what was promised and why, and where the story is told; sizes that are nothing are left out."""
    story = told.story
    promises = [prop for prop in told.bounded.model.properties if prop.name == story.property]
    facts = [("promise", f"{prop.kind.value}: {prop.why}") for prop in promises]
    facts.append(("model", name_model(story)))
    return [*facts, ("sizes", name_sizes(story.sizes))]


def _is_reached(told: Told) -> bool:
    """True if a story shows what may happen, and not what may not."""
    names = {prop.name: prop.kind for prop in told.bounded.model.properties}
    return told.story.property is None or names.get(told.story.property) is Kind.SOMETIMES


def _list_steps(told: Told, replay: Replay, *, breaks: bool) -> list[PageStep]:
    bounded, steps = told.bounded, []
    last = len(replay.moments) - 1
    for at, (moment, (before, after)) in enumerate(zip(replay.moments, pairwise(replay.worlds), strict=True)):
        actor = find_actor(bounded, moment.instance)
        changed = list_changes(bounded, before, after)
        named = list_lifelines(told.story.model, list_named(bounded, moment.instance))
        touched = [*list_touched(told.story.model, changed), *named]
        also = [name for name in dict.fromkeys(touched) if name != actor]
        changes = [Change(name, spell_value(old), spell_value(new)) for name, (old, new) in changed.items()]
        label = str(label_instance(bounded, moment.instance))
        steps.append(PageStep(label, actor, also, changes, is_wrong=breaks and at == last))
    return steps


def _flatten(fields: Mapping[str, object]) -> dict[str, str]:
    """Write the fields of a world under the names that changes have."""
    flat = {}
    for name, value in fields.items():
        places = value if isinstance(value, Mapping) else {"": value}
        for place, inner in places.items():
            flat[f"{name}[{place}]" if place else name] = spell_value(inner)
    return flat


def _draw_causes(told: Told, replay: Replay) -> bytes:
    if len(replay.moments) > _MOST_DRAWN:
        return b""
    return render_events(events_of(told.story, replay, told.judgement), "svg")


def make_scenario_page(played: Played, history: History | None) -> Page:
    """Show the timeline of a scenario, with the graph of its evaluations."""
    run = played.run
    missed = _place_unmet(run)
    if run.worlds is None:
        raise ImpossibleError("A page shows what each event changed: let the run keep its worlds.")
    steps = []
    worlds = pairwise((run.origin, *run.worlds))
    for at, (event, (before, after)) in enumerate(zip(run.events, worlds, strict=True)):
        changes = list_cluster_changes(before.state, after.state)
        actor = name_component(event.act)
        also = [name for name in list_touched_in_cluster(before, after) if name != actor]
        notes = [f"made {each}" for each in event.made]
        notes += [f"refused: {event.reply.error}"] if event.reply.error else []
        notes += [f"answer: {event.reply.says}"] if event.reply.says else []
        wrong = [f"then {one.expected} was expected and {one.found} found" for one in missed.get(at, ())]
        seconds = f"{(event.at_ns - START_NS) / NS_PER_S:.1f} s, index {event.index}"
        group = played.statements[event.line - 1].strip()
        steps.append(
            PageStep(event.what, actor, also, changes, [*notes, *wrong], seconds, group, is_wrong=bool(wrong))
        )
    picture, about = _draw_evals(history)
    where = f"profile {run.world.settings.profile.name}"
    text = unstyle(played.render())
    first = [(one.name, one.new) for one in list_cluster_changes(State.of(), run.origin.state)]
    return Page(
        played.title,
        played.verdict.value,
        where,
        text,
        first=first,
        steps=steps,
        picture=picture,
        picture_about=about,
        wrong="This is not what the scenario expects.",
    )


def _place_unmet(run: Run) -> dict[int, list[Unmet]]:
    """Find after which event each expectation was in vain: the last one before its line."""
    placed: dict[int, list[Unmet]] = {}
    for one in run.unmet:
        before = [at for at, event in enumerate(run.events) if event.line <= one.line]
        placed.setdefault(before[-1] if before else 0, []).append(one)
    return placed


def _draw_evals(history: History | None) -> tuple[bytes, str]:
    """Draw the evaluations and what caused them; where that is too much, say so."""
    if history is None:
        return b"", ""
    try:
        return render_dag(build_dag(history), "svg"), "The evaluations and their causes."
    except NomadSpecError as refused:
        return b"", str(refused)
