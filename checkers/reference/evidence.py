"""``python -m nomadspec.checkers.reference.evidence``: explore the kernel for what the pages tell.

Writes the shortest story of each known finding to docs/findings, and the shortest story that takes each
arrow of the evaluation's lifecycles to docs/reference/witnesses.json. That takes minutes; the pages are then
written by ``python -m nomadspec.checkers.reference``.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.attribution import shows_under
from nomadspec.checkers.diagrams.explored import EXPLORABLE, find_witnesses
from nomadspec.checkers.diagrams.sightings import Seen, watch
from nomadspec.checkers.explore import explore
from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.reference.witnesses import Key, Step, Taken, key_of, write_taken
from nomadspec.checkers.report.finding_beliefs import place_of_story
from nomadspec.checkers.report.stories import write_story
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import EXIT_HOLDS, ImpossibleError
from nomadspec.model.specification.profiles import NOMAD_2_0

if TYPE_CHECKING:
    from pathlib import Path

    from nomadspec.checkers.diagrams.sightings import Sighting
    from nomadspec.model.language.model import Model
    from nomadspec.model.lifecycle.table import Arrow

MOST_STATES: Final = 50_000
"""How many worlds of a scope are looked at: the nearest ones, which is where the shortest stories are."""

ALONE: Final = frozenset(
    {
        *(("purge", "09/S8"), ("purge-limit", "09/S8"), ("redelivery", "X-08"), ("disconnect", "02/S5")),
        *(
            ("types", "X-09"),
            ("displaced", "X-09"),
            ("follow-up-canceled", "02/S5"),
            ("follow-up-canceled", "X-07"),
        ),
        *(("delivery-limit-blocked", "BUG-013"), ("core-evals", "02/S13")),
    }
)
"""Scopes that are looked at under one quirk alone, beside those of the findings that it stands for."""


def main(arguments: Sequence[str]) -> int:
    """Write the stories of findings, of lifecycles, or of both."""
    parser = ArgumentParser(prog="python -m nomadspec.checkers.reference.evidence", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["findings", "lifecycles", "all"], default="all")
    parser.add_argument("--most-states", type=int, default=MOST_STATES, help="how far a scope is looked at")
    asked = parser.parse_args(arguments)
    if asked.what != "lifecycles":
        write_findings(ROOT)
    if asked.what != "findings":
        write_taken(ROOT, find_taken(list_seen(find_model("kernel"), asked.most_states)))
    return EXIT_HOLDS


def write_findings(root: Path) -> None:
    """Find the shortest story of each known finding."""
    for finding in list_findings():
        model = find_model(finding.model)
        alone = model.at(finding.scope, sizes=finding.sizes, profile=finding.own_profile)
        report = explore(alone, properties=[finding.violates], reduction=finding.shown.reduction)
        story = next((one.story for one in report.findings if one.property == finding.violates), None)
        if story is None:
            raise ImpossibleError(f"{finding.id} is gone: {finding.violates} holds in {finding.scope}.")
        bounded = model.at(finding.scope, sizes=finding.sizes, profile=NOMAD_2_0.name)
        story = replace(story, profile=bounded.profile.name)
        if not shows_under(story, story.profile):
            raise ImpossibleError(f"The story of {finding.id} happens only under {finding.own_profile}.")
        path = place_of_story(root, finding)
        path.parent.mkdir(exist_ok=True)
        write_story(path, story, bounded, finding.model)
        sys.stdout.write(f"{finding.id}: {finding.violates} after {len(story.steps)} steps\n")


def list_seen(model: Model, most_states: int) -> Iterator[Seen]:
    """Explore each scope under the described release, and some under a quirk alone that opens an arrow."""
    bare = replace(model, properties=())  # nobody asks them here, and to trace them takes longer than to look
    shown = {(one.scope, one.cure.id) for one in list_findings(model.name)} | ALONE
    quirks = {arrow.quirk for table in EXPLORABLE.values() for arrow in table.arrows if arrow.quirk}
    for scope in model.scopes:
        alone = sorted(quirk.id for quirk in quirks if (scope.name, quirk.id) in shown)
        for profile in (NOMAD_2_0.name, *alone):
            seen = watch(bare.at(scope.name, profile=profile), most_states=most_states)
            sys.stdout.write(f"{scope.name}, {profile}: {len(seen.explored.worlds):,} worlds\n")
            sys.stdout.flush()
            yield seen


def find_taken(explored: Iterable[Seen]) -> list[Taken]:
    """Find for each arrow the shortest story that takes it, and how often it was taken."""
    best: dict[object, Taken] = {}
    for seen in explored:
        for lifecycle in EXPLORABLE.values():
            found = find_witnesses(lifecycle, NOMAD_2_0, [seen])
            for arrow in found.taken:
                one = _tell(found.taken[arrow], found.count(arrow), key_of(lifecycle, arrow), arrow)
                best[one.key] = _join(best.get(one.key), one)
    order = {
        key_of(table, arrow): at for table in EXPLORABLE.values() for at, arrow in enumerate(table.arrows)
    }
    tables = list(EXPLORABLE)
    return sorted(best.values(), key=lambda one: (tables.index(one.lifecycle), order[one.key]))


def _tell(sightings: list[tuple[Seen, Sighting]], times: int, key: Key, arrow: Arrow) -> Taken:
    """Tell the sighting whose first world is nearest; worlds are numbered as they are found."""
    seen, sighting = min(sightings, key=lambda item: item[0].first[item[1]])
    story = seen.tell(sighting)
    if story.start is None:
        raise ImpossibleError(f"A story of the kernel that takes {arrow.cause} begins nowhere.")
    return Taken(
        *key,
        times=times,
        scope=story.scope,
        profile=story.profile,
        start=Step.of(story.start),
        steps=tuple(map(Step.of, story.steps)),
    )


def _join(one: Taken | None, other: Taken) -> Taken:
    """Keep the shorter story and count both; what was seen under a quirk alone is not counted twice."""
    if one is None:
        return other
    is_same = NOMAD_2_0.name not in {one.profile, other.profile} or one.profile == other.profile
    times = one.times + other.times if is_same else max(one.times, other.times)
    shorter = one if len(one.steps) <= len(other.steps) else other
    return replace(shorter, times=times)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
