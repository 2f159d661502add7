"""Running the machine outside of a test suite: a report with the shrunk story instead of an exception."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import Verbosity, configuration, settings
from hypothesis.stateful import run_state_machine_as_test

from nomadspec.checkers.minimise import minimise
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.requested_properties import (
    explain_paths,
    find_asked,
    list_but_lemmas,
    list_checked,
    list_names,
)
from nomadspec.checkers.stateful.machine import ModelMachine, machine_of
from nomadspec.checkers.stateful.replaying import write_command
from nomadspec.checkers.stateful.violation import ViolationError
from nomadspec.checkers.stopping import interruptible
from nomadspec.checkers.verdict import Finding, Scoped, StatefulReport, Verdict, find_kind
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property

ONLY_A_LEMMA = "a lemma helps a proof; it is checked when it is asked for by its name"
"""Why a lemma is not checked without a wish."""


def run(
    bounded: BoundedModel,
    *,
    effort: str = "fast",
    properties: Iterable[Property | str] | None = None,
    progress: Progress | None = None,
) -> StatefulReport:
    """Let Hypothesis look for a violation (by default of all but lemmas, or a deadlock), and shrink it."""
    wanted = list_names(list_but_lemmas(bounded) if properties is None else properties)
    machine = machine_of(bounded, properties=wanted, effort=effort)
    machine.guide.progress = progress or Silence()
    begun = time.monotonic()
    findings: tuple[Finding, ...] = ()
    stopped_by, again = None, ""
    try:
        with interruptible(), _leaving_nothing():
            run_state_machine_as_test(machine, settings=settings(machine.effort, verbosity=Verbosity.quiet))
    except ViolationError as violation:
        stopped_by = "violation"
        finding = _find(bounded, violation)
        findings, again = (finding,), _write_again(machine, finding)
    except KeyboardInterrupt:
        stopped_by = "interrupt"
    report = _report(bounded, wanted, machine, effort, time.monotonic() - begun, findings, stopped_by)
    return replace(report, again=again)


@contextmanager
def _leaving_nothing() -> Iterator[None]:
    """Let what Hypothesis keeps in a folder of its own vanish: who verifies has not asked for one."""
    before = configuration.storage_directory(intent_to_write=False).home_directory
    with TemporaryDirectory() as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(before)


def _find(bounded: BoundedModel, violation: ViolationError) -> Finding:
    story = minimise(bounded, violation.story)
    name = story.property or violation.about
    return Finding(name, find_kind(bounded, name), story)


def _write_again(machine: type[ModelMachine], finding: Finding) -> str:
    """Write the command that takes the steps of what was found, and nothing else."""
    story = finding.story
    if story is None:
        return ""
    start = "" if story.start is None else str(story.start)
    return write_command(machine, [str(step) for step in story.steps], start, finding.property)


def _report(
    bounded: BoundedModel,
    wanted: tuple[str, ...],
    machine: type[ModelMachine],
    effort: str,
    seconds: float,
    findings: tuple[Finding, ...],
    stopped_by: str | None,
) -> StatefulReport:
    guide = machine.guide
    asked = find_asked(bounded, wanted)
    not_checked = explain_paths(asked, "a run")
    left_out = [prop for prop in bounded.model.properties if prop.is_lemma and prop not in asked.properties]
    return StatefulReport(
        about=Scoped(bounded.model.name, bounded.scope, bounded.sizes, bounded.profile.name),
        verdict=_judge(findings, stopped_by),
        effort=effort,
        runs=guide.runs,
        steps=sum(guide.fired.values()),
        seconds=seconds,
        findings=findings,
        reached={prop.name: prop.name in guide.reached for prop in asked.list_properties(Kind.SOMETIMES)},
        fired={rule.name: guide.fired[rule.name] for rule in bounded.model.rules},
        checked=list_checked(asked, findings),
        not_checked=not_checked | {prop.name: ONLY_A_LEMMA for prop in left_out},
        stopped_by=stopped_by,
    )


def _judge(findings: tuple[Finding, ...], stopped_by: str | None) -> Verdict:
    if findings:
        return Verdict.VIOLATED
    return Verdict.NOT_REFUTED if stopped_by is None else Verdict.INCONCLUSIVE
