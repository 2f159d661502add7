"""The scopes of the kernel are small, distinct, and about what they say."""

import pytest

from nomadspec.checkers.manifest import list_published
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.scopes import SCOPES


def test_each_has_a_name_and_sizes_of_its_own() -> None:
    sizes = [tuple(sorted(KERNEL.sizes_of(scope.sizes).items())) for scope in SCOPES]

    assert SCOPES == KERNEL.scopes
    assert len(set(sizes)) == len(sizes)


def test_each_is_published_with_something_that_can_happen() -> None:
    depths = {entry.scope: entry.depth for entry in list_published() if entry.model == KERNEL.name}

    assert {scope.name for scope in SCOPES} == depths.keys()
    assert all(depth is not None and depth > 1 for depth in depths.values())


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
