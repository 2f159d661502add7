"""Every arrow that is said to be witnessed is taken by the last step of its story."""

from dataclasses import replace

import pytest

from nomadspec.checkers.diagrams.explored import AFTER_PLAN, EXPLORABLE, number_of_end
from nomadspec.checkers.diagrams.sightings import PLANNED, WHOLE, list_sightings
from nomadspec.checkers.diagrams.upstream import CAUSES, DIAGRAMS, STATUSES
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.reference.witnesses import (
    FILE,
    REASONS,
    Taken,
    explain_absence,
    find_drawn,
    key_of,
    read_taken,
    write_taken,
)
from nomadspec.model.errors import InputError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import replay
from tests.agreement.walking import KERNEL

TAKEN = read_taken(ROOT)
ARROWS = {key_of(table, arrow): arrow for table in EXPLORABLE.values() for arrow in table.arrows}


def bind(ones: list[Taken]) -> BoundedModel:
    """Bound the kernel with the rules of some stories of one place: the others take most of the time."""
    names = {step.rule for one in ones for step in one.steps}
    rules = tuple(rule for rule in KERNEL.rules if rule.name in names)
    return replace(KERNEL, rules=rules).at(ones[0].scope, profile=ones[0].profile)


PLACES = sorted({(one.scope, one.profile) for one in TAKEN})


@pytest.mark.parametrize(
    "place",
    [pytest.param(one, marks=pytest.mark.deep if at % 3 else []) for at, one in enumerate(PLACES)],
    ids=" ".join,
)
def test_the_last_step_takes_the_arrow(place: tuple[str, str]) -> None:
    taken = [one for one in TAKEN if (one.scope, one.profile) == place]
    bounded = bind(taken)
    for one in taken:
        arrow = ARROWS[one.key]
        again = replay(one.tell(bounded), bounded)
        last = again.moments[-1]
        seen = list_sightings(bounded, again.worlds[-2], last.instance, last.cells)
        wanted = (one.lifecycle, arrow.kind, number_of_end(arrow.source), number_of_end(arrow.target))

        assert wanted in {(it.lifecycle, it.kind, it.source, it.target) for it in seen}, one.key


def test_what_is_said_of_a_committed_plan_happens_in_the_story() -> None:
    """The kernel does not remember it: the step before the last one commits the plan of the evaluation."""
    told = [one for one in TAKEN if AFTER_PLAN.get(one.cause) == PLANNED]
    for one in told:
        bounded = bind([one])
        again = replay(one.tell(bounded), bounded)
        committed = again.moments[-2]
        seen = list_sightings(bounded, again.worlds[-3], committed.instance, committed.cells)

        assert any(each.rule.endswith(WHOLE) for each in seen), one.key
    assert 3 == len(told)


def test_every_arrow_is_witnessed_or_explained() -> None:
    taken = {one.key for one in TAKEN}
    open_ends = [key for key, arrow in ARROWS.items() if key not in taken and not explain_absence(arrow)]

    assert [] == open_ends


def test_only_what_is_not_witnessed_is_explained() -> None:
    causes = {arrow.cause for arrow in ARROWS.values()}

    assert REASONS.keys() <= causes


def test_a_drawn_arrow_is_found_by_its_ends() -> None:
    dequeued = next(one for one in STATUSES.arrows if one.label == "plan submitted")
    found = find_drawn(STATUSES, dequeued, TAKEN)

    assert isinstance(found, Taken)
    assert ("pending", "complete") == (found.source, found.target)
    assert None is find_drawn(STATUSES, dequeued, [])


def test_a_drawn_arrow_is_found_by_its_cause() -> None:
    """Another step with the same ends is no witness: a new leader rolls no system job on."""
    shown = {
        (diagram.name, drawn.number): found.cause if (found := find_drawn(diagram, drawn, TAKEN)) else None
        for diagram in DIAGRAMS
        for drawn in diagram.arrows
    }

    assert "scheduled, its plan committed" == shown["upstream-statuses", 5]
    assert None is shown["upstream-statuses", 7]
    assert "retried, its plan committed" == shown["upstream-statuses", 11]
    assert "retried, still no place" == shown["upstream-phases", 7]
    assert "outcome of a committed plan written" == shown["upstream-phases", 9]
    assert None is shown["upstream-phases", 11]
    assert None is shown["upstream-phases", 13]
    assert "answered: only partly committed, or error" == shown["upstream-phases", 15]
    assert "the plan evicts allocs of another job" == shown["upstream-phases", 16]


def test_the_causes_of_drawn_arrows_are_those_of_arrows_with_their_ends() -> None:
    for diagram in DIAGRAMS:
        drawn = {one.number: one for one in diagram.arrows}
        for number, causes in CAUSES[diagram.name].items():
            one = drawn[number]
            known = {
                arrow.cause
                for arrow in diagram.lifecycle.arrows
                if (arrow.source, arrow.target) == (one.source, one.target)
            }
            assert set(causes) <= known, (diagram.name, number)
            assert not one.triggers


def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("root")
    (root / FILE).parent.mkdir(parents=True)

    assert () == read_taken(root)
    write_taken(root, TAKEN[:3])
    assert TAKEN[:3] == read_taken(root)


def test_what_is_no_list_of_witnesses_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("root")
    (root / FILE).parent.mkdir(parents=True)
    (root / FILE).write_text("[1]")

    with pytest.raises(InputError, match="it is no list of witnesses"):
        read_taken(root)
