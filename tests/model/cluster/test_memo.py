"""A function that remembers finds the same, and looks again where an argument is another object."""

from nomadspec.model.cluster.entities.allocated import AllocatedResources, AllocatedShared
from nomadspec.model.cluster.memo import NoValue, remember_each, remember_last


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


def test_what_is_known_of_a_record_goes_with_it() -> None:
    looked: list[int] = []

    @remember_each
    def double(record: AllocatedResources) -> int:
        """Double."""
        looked.append(record.shared.disk_mb)
        return 2 * record.shared.disk_mb

    records = [AllocatedResources(shared=AllocatedShared(disk_mb=size)) for size in range(50)]
    found = [double(record) for record in (*records, *records)]
    known = len(double)

    records.clear()

    assert [2 * size for size in (*range(50), *range(50))] == found
    assert [*range(50)] == looked
    assert (50, 0) == (known, len(double))


def test_what_is_no_value_is_told_from_other_kinds_only() -> None:
    class Known(NoValue):
        """Something."""

    class Other(NoValue):
        """Something else."""

    assert Known() == Known()
    assert Known() != Other()
    assert 1 == len({Known(), Known()})
