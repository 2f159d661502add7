"""No scope that is smaller by one shows a finding: not by its own story, nor by another that is no longer."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from nomadspec.checkers.attribution import name_cured
from nomadspec.checkers.explore import explore
from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.report.finding_beliefs import place_of_story
from nomadspec.checkers.report.stories import read_story
from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.known_finding import KnownFinding
from nomadspec.model.errors import NomadSpecError
from nomadspec.model.language.claim import judge, keep_claimed
from nomadspec.model.language.story import Story, replay
from nomadspec.model.specification.profiles import NOMAD_2_0

OFTEN_MADE_SMALLER = {"F-10", "F-14", "F-33", "F-34"}
PEOPLE_AND_PLACES = {"jobs", "nodes", "workers", "count", "cap", "evals"}
"""Sizes that a scope has at least one of, wherever it may have none."""
ENUMERATED = {"kinds"}
"""Sizes whose values are kinds of scopes, of which none is smaller than another."""

NEEDED_AROUND: Final = {"F-40": {"deliveries"}}
"""Sizes that a story does not need, but its finding: with one delivery F-42 does the same in fewer steps."""

NEEDED_FOR_THE_CURE: Final = {"F-20": {"nodes"}}
"""Sizes that other stories do without: on one node F-05 does the same, so that the cure does not end it."""


def _list_smaller(finding: KnownFinding, story: Story) -> Iterator[tuple[str, dict[str, int]]]:
    """List the sizes of a story's scope with one of them one less, with the name of that one."""
    schema = find_model(finding.model).world.schema
    least = {size.name: max(size.least, size.name in PEOPLE_AND_PLACES) for size in schema.sizes}
    for name, value in story.sizes.items():
        if value > least[name] and name not in ENUMERATED:
            yield name, {**story.sizes, name: value - 1}


@pytest.mark.parametrize(
    "finding",
    [
        pytest.param(
            finding, id=finding.id, marks=[] if finding.id in OFTEN_MADE_SMALLER else pytest.mark.deep
        )
        for finding in list_findings()
    ],
)
def test_the_story_needs_all_that_its_scope_has(finding: KnownFinding) -> None:
    """With any size one less, and so with any feature switched off, the story does not happen."""
    story, _ = read_story(place_of_story(ROOT, finding))
    model = keep_claimed(find_model(finding.model), story)
    fits = set()
    for name, sizes in _list_smaller(finding, story):
        smaller = replace(story, sizes=sizes)
        try:
            path = replay(smaller, model.at(finding.scope, sizes=sizes, profile=story.profile))
        except NomadSpecError:
            continue
        if judge(smaller, path).is_true:
            fits.add(name)

    assert fits == NEEDED_AROUND.get(finding.id, set())


def _shows(finding: KnownFinding, sizes: dict[str, int], profile: str) -> bool:
    """Search a scope as far as the story of a finding goes: an endless path may be longer."""
    bounded = find_model(finding.model).at(finding.scope, sizes=sizes, profile=profile)
    report = explore(
        bounded,
        properties=[finding.violates],
        reduction=finding.shown.reduction,
        max_depth=finding.shown.steps if finding.shown.reduction == "symmetry" else None,
        tells_fewest_switches=False,
    )
    assert report.stopped_by in {None, "depth", "violation"}
    return any(one.property == finding.violates for one in report.findings)


def _is_its_own(finding: KnownFinding, sizes: dict[str, int]) -> bool:
    """Whether a smaller scope breaks the property by the finding's quirk: its cure ends that.

    Where something else breaks it as well, all that is known is mended but this.
    """
    if not _shows(finding, sizes, finding.own_profile):
        return False
    if not _shows(finding, sizes, finding.cured_profile):
        return True
    mended = name_cured(finding.model, NOMAD_2_0.name)
    return _shows(finding, sizes, f"{mended} +{finding.cure}") and not _shows(finding, sizes, mended)


@pytest.mark.deep(seconds=30)
@pytest.mark.parametrize("finding", list_findings(), ids=lambda finding: finding.id)
def test_no_other_story_shows_the_finding_in_a_smaller_scope(finding: KnownFinding) -> None:
    """F-07 had two deliveries where one is enough: whole scopes are searched, as far as the story is long."""
    story, _ = read_story(place_of_story(ROOT, finding))
    shown = {name for name, sizes in _list_smaller(finding, story) if _is_its_own(finding, sizes)}

    assert shown == (NEEDED_AROUND | NEEDED_FOR_THE_CURE).get(finding.id, set())
