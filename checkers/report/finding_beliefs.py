"""What every component believes just before the step that decides a finding."""

from __future__ import annotations

from pathlib import Path

from nomadspec.checkers.all_findings import SCHEDULERS, Known
from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.report.beliefs import Beliefs, compute_beliefs
from nomadspec.checkers.report.cluster_beliefs import compute_shown, compute_world_beliefs
from nomadspec.checkers.report.histories import Lived
from nomadspec.checkers.report.stories import read_story
from nomadspec.checkers.scenario.decisive import MARK, find_decisive
from nomadspec.invariants.cluster.world.finding_scenarios import SCENARIOS, Shown
from nomadspec.invariants.known_finding import KnownFinding
from nomadspec.model.language.story import replay
from nomadspec.model.specification.profiles import NOMAD_2_0


def compute_finding_beliefs(one: Known, root: Path) -> Beliefs | None:
    """Compute the beliefs of a finding from its files; none where they name no decisive step.

    A single decision of a scheduler has none: nobody else is asked, and it knows only the store.
    """
    if SCHEDULERS in one.shown_in[:1]:
        return None
    story = next((finding for finding in list_findings() if finding.id == one.id), None)
    if story is not None:
        return compute_story_beliefs(story, root)
    first, *_ = list_told(one, root)
    return compute_scenario_beliefs(first, root)


def place_of_story(root: Path, finding: KnownFinding) -> Path:
    """Give the file of a finding's story."""
    return root / "docs/findings" / f"{finding.id}.json"


def compute_story_beliefs(finding: KnownFinding, root: Path) -> Beliefs | None:
    """Compute the beliefs before the decisive step of a story of the kernel."""
    story, bounded = read_story(place_of_story(root, finding), keeps_rules=False)
    return compute_beliefs(story, replay(story, bounded), finding.decisive)


def list_told(one: Known, root: Path) -> list[Shown]:
    """List the scenarios of a finding: the first is told whole, and names a decisive step if any does."""
    shown = [each for each in SCENARIOS if each.cure == one.cure]
    return sorted(shown, key=lambda each: MARK not in (root / each.file).read_text(encoding="utf-8"))


def compute_scenario_beliefs(shown: Shown, root: Path) -> Beliefs | None:
    """Compute the beliefs before the act that the file of a scenario names; none where it names none."""
    decisive = find_decisive(root / shown.file, NOMAD_2_0)
    if decisive is None:
        return None
    label = f"{decisive.act}, in the line `{decisive.statement}`"
    return compute_world_beliefs(decisive.before, decisive.number, label)


def compute_last_look(lived: Lived) -> Beliefs:
    """Compute what the scheduler is shown as it looks for the last time in a history."""
    last = lived.moments[-1]
    return compute_shown(last.happened, last.number, "")
