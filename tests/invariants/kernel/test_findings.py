"""The list of what is known to go wrong."""

from nomadspec.invariants.kernel.findings import FINDINGS


def test_findings_are_numbered_in_order_of_their_kind() -> None:
    names = [one.id for one in FINDINGS]

    assert [f"F-{number:02}" for number in range(1, len(names) + 1)] == sorted(names)


def test_each_says_when_and_how_it_happens() -> None:
    for one in FINDINGS:
        assert one.title[0].isupper()
        assert one.title[-1] != "."
        assert one.happens
        assert all(one.conditions)


def test_an_endless_path_is_found_without_reduction() -> None:
    assert {"none", "symmetry"} == {one.reduction for one in FINDINGS}
