"""A function that remembers finds the same, and looks again where an argument is another object."""

from nomadspec.model.cluster.memo import NoValue, remember_last


def test_only_the_very_same_arguments_are_not_looked_at_again() -> None:
    looked: list[list[int]] = []

    @remember_last
    def add_up(numbers: list[int], start: int) -> int:
        """Add up."""
        looked.append(numbers)
        return sum(numbers, start)

    first, alike = [1, 2], [1, 2]

    sums = [add_up(*given) for given in ((first, 1), (first, 1), (alike, 1), (first, 1), (first, 2))]

    assert sums == [4, 4, 4, 4, 5]
    assert [given is first for given in looked] == [True, False, True, True]
    assert add_up(first, start=2) == 5
    assert add_up.__doc__ == "Add up."


def test_what_is_no_value_is_told_from_other_kinds_only() -> None:
    class Known(NoValue):
        """Something."""

    class Other(NoValue):
        """Something else."""

    assert Known() == Known()
    assert Known() != Other()
    assert 1 == len({Known(), Known()})
