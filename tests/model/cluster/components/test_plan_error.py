"""How the errors of plans read."""

import pytest

from nomadspec.model.cluster.components.plan_error import UnknownAllocError, VerdictError


@pytest.mark.parametrize(
    ("problems", "text"),
    [
        (("a",), "1 error occurred:\n\t* a\n\n"),
        (("a", "b"), "2 errors occurred:\n\t* a\n\t* b\n\n"),
    ],
)
def test_problems_are_counted_and_listed(problems: tuple[str, ...], text: str) -> None:
    assert text == str(VerdictError(problems))


def test_an_unknown_allocation_is_named() -> None:
    assert "alloc a1 doesn't exist" == str(UnknownAllocError("a1"))
