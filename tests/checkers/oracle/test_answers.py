"""Which parts of recordings are answers."""

import pytest

from nomadspec.checkers.oracle.answers import ANSWERS, is_answer
from nomadspec.checkers.oracle.paths import fits
from nomadspec.checkers.oracle.registry import list_kinds
from nomadspec.checkers.oracle.sides import list_leaves
from tests.recorded import read_recordings


def test_every_kind_has_answers() -> None:
    assert set(list_kinds()) == set(ANSWERS)


@pytest.mark.parametrize("kind", ["alloc-names/cases", "broker/sequences", "gc/cases", "periodic/dispatcher"])
def test_every_member_is_found_in_recordings(kind: str) -> None:
    paths = {path for document in read_recordings(kind)[:60] for path, _ in list_leaves(document)}

    assert [] == [member for member in ANSWERS[kind] if not any(fits(f"^{member}", path) for path in paths)]


def test_what_was_asked_is_no_answer() -> None:
    assert is_answer("broker/sequences", "ops[3].state.ready.service[0]")
    assert not is_answer("broker/sequences", "ops[3].eval.ID")
    assert not is_answer("deployment-watcher/sequences", "deployment.ID")
    assert is_answer("deployment-watcher/sequences", "ops[0].deployment.ID")
