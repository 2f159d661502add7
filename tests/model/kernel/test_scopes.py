"""The scopes of the kernel are small, distinct, and about what they say."""

import pytest

from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.scopes import SCOPES
from nomadspec.model.language.model import Scope


def test_each_has_a_name_and_sizes_of_its_own() -> None:
    sizes = [tuple(sorted(KERNEL.sizes_of(scope.sizes).items())) for scope in SCOPES]

    assert SCOPES == KERNEL.scopes
    assert len(set(sizes)) == len(sizes)


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.name)
def test_each_begins_in_a_world_where_something_can_happen(scope: Scope) -> None:
    bounded = KERNEL.at(scope.name)

    assert all(any(True for _ in bounded.successors(cells)) for cells in bounded.initial)


@pytest.mark.parametrize(
    ("scope", "size"),
    [
        ("failed-entry", "failed_entries"),
        ("leader-change", "elections"),
        ("node-loss", "node_changes"),
        ("update", "updates"),
        ("purge", "purges"),
        ("delivery-limit", "timeouts"),
        ("pipeline", "depth"),
    ],
)
def test_what_a_scope_is_about_may_happen(scope: str, size: str) -> None:
    assert 0 < KERNEL.sizes_of(KERNEL.find_scope(scope).sizes)[size]
