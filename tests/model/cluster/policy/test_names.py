import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.policy.names import NameIndex, compute_name, find_index, index_names
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0


def make_index(count: int, *used: int) -> NameIndex:
    return index_names(
        "job", "web", count, [compute_name("job", "web", index) for index in used], profile=NOMAD_2_0
    )


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("job.web[0]", 0),
        ("job.web[12]", 12),
        ("other.web[3]", 0),
        ("jöb.web[7]", 0),
        ("job.web[-1]", 0),
        ("job.web[]", 0),
        ("job.web", 0),
        ("x", 0),
        ("abc.xyz[5]", 5),
    ],
)
def test_an_index_is_read_by_position(name: str, index: int) -> None:
    """OBJ-014."""
    assert index == find_index(name, "job", "web")


def test_positions_count_bytes() -> None:
    """OBJ-014."""
    assert find_index("jöb.web[7]", "jöb", "web") == 7


@pytest.mark.parametrize(
    ("count", "used", "size"), [(1, [], 8), (8, [0], 8), (9, [], 16), (2, [8], 16), (2, [0] * 9, 16)]
)
def test_the_size_is_in_whole_bytes(count: int, used: list[int], size: int) -> None:
    assert size == make_index(count, *used).size


def test_extra_uses_are_counted_from_the_second() -> None:
    """REC-60."""
    index = make_index(3, 0, 1, 1, 1)

    assert {1: 2} == index.extra_uses
    assert frozenset({0, 1}) == index.used
    assert index.is_duplicate(1)
    assert not index.is_duplicate(0)


def test_the_highest_indexes_are_taken_away() -> None:
    """REC-57."""
    names, after = make_index(3, 0, 1, 7).without_highest(2)

    assert {"job.web[1]", "job.web[7]"} == names
    assert frozenset({0}) == after.used


def test_names_run_out_and_begin_again() -> None:
    """REC-58."""
    names, after = make_index(3, 1).with_next(4)

    assert ("job.web[0]", "job.web[2]", "job.web[0]", "job.web[1]") == names
    assert frozenset({0, 1, 2}) == after.used


def test_canaries_are_named_after_what_they_replace_then_new() -> None:
    """REC-59."""
    names, after = make_index(2, 0, 3).with_next_canaries(
        4, ["job.web[0]"], ["job.web[0]", "job.web[1]", "job.web[1]", "job.web[9]"]
    )

    assert ("job.web[1]", "job.web[2]", "job.web[3]", "job.web[4]") == names
    assert frozenset({0, 1, 3}) == after.used


@pytest.mark.parametrize(
    ("used", "given_back", "is_duplicate", "is_used"),
    [([0], 0, False, False), ([0, 0], 0, False, True), ([0, 0, 0], 0, True, True), ([], 5, False, False)],
)
def test_of_three_uses_none_is_given_back(
    used: list[int], given_back: int, is_duplicate: bool, is_used: bool
) -> None:
    """REC-61."""
    after = make_index(2, *used).without(given_back)

    assert is_duplicate == after.is_duplicate(given_back)
    assert is_used == (given_back in after.used)


@given(st.integers(1, 10), st.lists(st.integers(0, 12)), st.integers(0, 10))
def test_new_names_are_distinct_while_there_are_unused_ones(count: int, used: list[int], asked: int) -> None:
    """REC-58, REC-62."""
    index = make_index(count, *used)
    free = count - len({one for one in used if one < count})
    names, after = index.with_next(min(asked, free))

    assert len(names) == len(set(names)) == min(asked, free)
    assert len(after.used) == len(index.used) + len(names)


def test_marks_were_meant_to_go_one_by_one() -> None:
    """REC-61, 04/S-14: with the quirk a name that three have is marked for good."""
    names = ["job.web[0]"] * 3
    kept = index_names("job", "web", 3, names, profile=NOMAD_2_0).without(0)
    meant = index_names("job", "web", 3, names, profile=INTENDED).without(0)

    assert ({0: 2}, {0: 1}) == (kept.extra_uses, meant.extra_uses)
    assert not meant.without(0).is_duplicate(0)
