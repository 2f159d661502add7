"""The list of what is known to go wrong."""

from nomadspec.invariants.kernel.findings.catalogue import FINDINGS
from nomadspec.invariants.kernel.kernel import KERNEL
from nomadspec.model.language.story import DEADLOCK

RETIRED = {4, 11, 16, 18, 23, 24, 25, 26, 27, 28, 29, 39}
"""The numbers of findings that have become faces of others with the same cause, or were none."""


def test_findings_are_numbered_for_good_and_one_cause_has_one() -> None:
    numbers = {int(one.id.removeprefix("F-")) for one in FINDINGS}

    assert len(FINDINGS) == len(numbers) == len({one.cure for one in FINDINGS})
    assert set(range(1, 48)) == numbers | RETIRED
    assert not numbers & RETIRED


def test_each_face_names_a_property_and_a_scope() -> None:
    properties = {prop.name for prop in KERNEL.properties} | {DEADLOCK}
    scopes = {scope.name for scope in KERNEL.scopes}

    for one in FINDINGS:
        assert one.violated <= properties
        assert {face.scope for face in one.faces} <= scopes
        assert len(one.violated) == 1 + len(one.faces)


def test_each_says_when_and_how_it_happens() -> None:
    for one in FINDINGS:
        assert one.title[0].isupper()
        assert one.title[-1] != "."
        assert one.happens
        assert all(one.conditions)


def test_an_endless_path_is_found_without_reduction() -> None:
    assert {"none", "symmetry"} == {one.shown.reduction for one in FINDINGS}
