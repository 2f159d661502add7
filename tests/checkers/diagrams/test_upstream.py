"""The two hand-drawn diagrams as data."""

import pytest

from nomadspec.checkers.diagrams.upstream import DIAGRAMS, PHASES, STATUSES, DrawnDiagram
from nomadspec.model.lifecycle.table import ABSENT, ArrowKind

EVERY = pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.name)


@pytest.mark.parametrize(
    ("diagram", "changes", "creations"), [(STATUSES, 7, 7), (PHASES, 18, 5)], ids=["statuses", "phases"]
)
def test_every_arrow_is_there(diagram: DrawnDiagram, changes: int, creations: int) -> None:
    kinds = [arrow.kind for arrow in diagram.arrows]

    assert (kinds.count(ArrowKind.CHANGE), kinds.count(ArrowKind.CREATION)) == (changes, creations)


def test_there_are_14_and_23_arrows() -> None:
    assert [len(diagram.arrows) for diagram in DIAGRAMS] == [14, 23]


@EVERY
def test_arrows_are_numbered_in_order(diagram: DrawnDiagram) -> None:
    assert [arrow.number for arrow in diagram.arrows] == list(range(1, len(diagram.arrows) + 1))


@EVERY
def test_arrows_join_statuses_of_the_lifecycle_that_they_are_compared_with(diagram: DrawnDiagram) -> None:
    ends = {end for arrow in diagram.arrows for end in (arrow.source, arrow.target) if end is not ABSENT}

    assert ends == set(diagram.lifecycle.statuses)


@EVERY
def test_every_arrow_names_the_rules_that_decide(diagram: DrawnDiagram) -> None:
    assert [arrow.number for arrow in diagram.arrows if not arrow.spec] == []
