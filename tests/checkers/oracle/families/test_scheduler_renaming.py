"""New IDs may be called otherwise, one name for one thing, in the order in which they were made."""

from typing import Any

import pytest

from nomadspec.checkers.oracle.families.scheduler_renaming import rename


@pytest.mark.parametrize(
    ("theirs", "ours", "given", "expected"),
    [
        (["x"], ["1"], None, ["x"]),
        (["x", {"by": "evicted by x"}], ["1", {"by": "evicted by 1"}], None, ["x", {"by": "evicted by x"}]),
        (["x", "x"], ["1", "2"], None, ["1", "2"]),
        (["x", "y"], ["1", "1"], None, ["x", "x"]),
        (["x", "y"], ["1", "2"], ["x", "y"], ["x", "y"]),
        (["x", "y"], ["1", "2"], ["x", "w", "y"], ["x", "y"]),
        (["x", "y"], ["1", "2"], ["y", "x"], ["1", "2"]),
        (["x", "z"], ["1", "2"], ["x", "y"], ["1", "2"]),
        (["old"], ["known"], None, ["known"]),
        ([5], ["1"], None, ["1"]),
    ],
    ids=range(10),
)
def test_names_are_changed_where_that_is_fair(
    theirs: list[Any], ours: list[Any], given: list[str] | None, expected: list[Any]
) -> None:
    """OBJ-010."""
    assert rename(theirs, ours, ["1", "2"], given) == expected
