"""The pages of findings: a story of the kernel, a scenario of a cluster or a history of schedulers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from click import unstyle

from nomadspec.checkers.all_findings import CLUSTER, Known
from nomadspec.checkers.diagrams.evals.sources import play_scenario
from nomadspec.checkers.diagrams.sequence import name_lifeline, tell_plainly
from nomadspec.checkers.escaping import shorten_ids
from nomadspec.checkers.pages.cluster_changes import list_cluster_changes
from nomadspec.checkers.pages.page import Page, PageStep, list_lanes
from nomadspec.checkers.pages.timeline_pages import make_scenario_page, make_story_page
from nomadspec.checkers.report.findings import render_known
from nomadspec.checkers.report.histories import Moment, live
from nomadspec.checkers.report.replaying import replay_file
from nomadspec.checkers.report.scenario import Played
from nomadspec.checkers.scenario.language import parse_lines, read_scenario
from nomadspec.checkers.stateful.clusters.histories import (
    ChangeNode,
    Forget,
    Register,
    Report,
    Single,
    Wait,
)
from nomadspec.checkers.stateful.clusters.history_text import tell_step
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS
from nomadspec.checkers.stateful.world.judging import watch_lines
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import NOMAD_2_0

if TYPE_CHECKING:
    from nomadspec.checkers.stateful.clusters.scheduler_findings import SchedulerFinding

_STORE: Final = ("store",)
_BY_OPERATOR: Final = frozenset({"drain", "undrain", "eligible", "ineligible"})


def make_finding_page(one: Known, root: Path) -> Page:
    """Show a finding step by step: who does what, what that changes, and where it breaks its property."""
    histories = {finding.id: finding for finding in SCHEDULER_FINDINGS}
    if one.id in histories:
        page = _show_history(one, histories[one.id])
    else:
        *_, first = one.commands[0].split(" ")
        page = _show_scenario(root / first) if CLUSTER in one.shown_in[:1] else _show_story(root / first)
    return replace(
        page,
        title=f"{one.id}: {one.title}",
        verdict="violated",
        about=one.happens,
        facts=[*_list_facts(one), *page.facts],
    )


def _list_facts(one: Known) -> list[tuple[str, str]]:
    return [
        ("severity", f"{one.impact.severity.value}: {one.impact.harm}"),
        ("who is hit", one.impact.hits),
        *[("conditions", "; ".join(one.conditions)) for _ in one.conditions[:1]],
        ("violates", ", ".join(one.violates)),
        *[("intended", one.cure.intended) for _ in (one.cure,) if one.cure],
    ]


def _show_story(file: Path) -> Page:
    return make_story_page(replay_file(file))


def _show_scenario(file: Path) -> Page:
    text = read_scenario(file)
    run = watch_lines(parse_lines(text, str(file)), NOMAD_2_0, file.parent, keeps_worlds=True)
    page = make_scenario_page(Played(str(file), text.split("\n"), run), play_scenario(file, NOMAD_2_0))
    at = len(page.steps) - 1 if run.broken_at is None else run.broken_at
    steps = [replace(step, is_wrong=number == at) for number, step in enumerate(page.steps)]
    breach = run.breach
    said = f"{breach.name}: {breach.witness}." if breach else page.wrong
    return replace(page, steps=steps, wrong=said if run.broken_at is not None else f"Hours later, {said}")


def _show_history(one: Known, finding: SchedulerFinding) -> Page:
    lived = live(finding)
    steps = [step for moment in lived.moments for step in _list_steps(moment)]
    return Page(
        title=one.id,
        verdict="violated",
        about=one.happens,
        text=unstyle(render_known(one, lived)),
        first=[(each.name, each.new) for each in list_cluster_changes(State.of(), lived.moments[0].before)],
        steps=[*steps[:-1], replace(steps[-1], is_wrong=True)],
        wrong="; ".join(lived.problems),
    )


def _list_steps(moment: Moment) -> Iterator[PageStep]:
    """List what happens in a step of a history, then what each scheduler makes of it."""
    actors = dict.fromkeys(_name_actor(each) for each in moment.singles)
    changes = list_cluster_changes(moment.before, moment.happened)
    label = "; ".join(map(_name_single, moment.singles))
    yield PageStep(label, next(iter(actors)), _STORE, changes, group=moment.title)
    for decision, told in moment.decisions:
        changes = list_cluster_changes(decision.before.state, decision.after.state)
        done = told.removesuffix("; the evaluation is complete").replace("; ", ", ")
        label = f"evaluate {decision.evaluation.job_id}: {done}"
        yield PageStep(label, "scheduler", _STORE, changes, group=moment.title)


def _name_single(step: Single) -> str:
    """Name what happens; what a job asks for stands above its step."""
    return f"register {step.job.id}" if isinstance(step, Register) else tell_step(step)


def _name_actor(step: Single) -> str:
    match step:
        case Report():
            return "client"
        case ChangeNode(to=to):
            return "operator" if to in _BY_OPERATOR else "leader"
        case Forget():
            return "leader"
        case Wait():
            return "clock"
        case _:
            return "operator"


def write_page_sequence(page: Page) -> bytes:
    """Write the steps of a page as a Mermaid sequence diagram; the one that is wrong says what it breaks."""
    steps = [replace(step, also=[*step.also, *_STORE][:1]) if step.changes else step for step in page.steps]
    lanes = [name_lifeline(each) for each in list_lanes(steps)]
    span = f"{lanes[0]},{lanes[-1]}" if len(lanes) > 1 else lanes[0]
    lines = ["sequenceDiagram", "    autonumber", *(f"    participant {name}" for name in lanes)]
    lines.append(f"    Note over {span}: {tell_plainly(page.title)}")
    group = ""
    for step in steps:
        if step.group != group and not step.group.endswith(step.label):
            lines.append(f"    Note over {span}: {tell_plainly(step.group)}")
        group = step.group
        lines.append(_write_arrow(step))
        if step.is_wrong:
            lines.append(f"    Note over {span}: {tell_plainly(page.wrong)}")
    return "\n".join([*lines, ""]).encode()


def _write_arrow(step: PageStep) -> str:
    """Write a step as an arrow to what it changes; the one that is wrong with what it changed first."""
    to = next(iter((*step.also, step.lane)))
    changed = [f"{each.name} from {each.old} to {each.new}" for each in step.changes[:3] if step.is_wrong]
    told = "<br/>".join(tell_plainly(shorten_ids(each)) for each in (step.label, *step.notes, *changed))
    return f"    {name_lifeline(step.lane)}->>{name_lifeline(to)}: {told}"
