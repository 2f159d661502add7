"""The page of models."""

from nomadspec.checkers.reference.models import compute_models_page

PAGE = compute_models_page()


def test_fields_show_domain_and_first_value() -> None:
    assert (
        "| `status[job]` | one of pending, blocked, complete, failed | `pending` | status of the job's "
        "evaluation |" in PAGE
    )
    assert "| `allocs[job, slot]` | node or NONE | `NONE` | the node on which an instance runs |" in PAGE
    assert "| `plans[worker]` | queue: the rank of each, 1 at the head, 0 outside | empty |" in PAGE


def test_budgets_say_so() -> None:
    assert "| `flipped` | 0 .. flips (bounded by the scope) (a budget) | `0` |" in PAGE


def test_sets_totals_and_scopes_are_listed() -> None:
    assert "| `slots` | `slot1`, `slot2`, ... (in order) | the instances of a job |" in PAGE
    assert "| `used[node]` | cells of `allocs` | instances that a node holds |" in PAGE
    assert "| `hasty` | `rms=3` | `X-03` |" in PAGE


def test_expected_counts_come_from_the_manifest() -> None:
    assert "| `small` | `intended` | none | holds | 34,069 | 87,945 | 21 |" in PAGE
    assert "violated: [managers_agree](properties.md#2pc-managers-agree)" in PAGE
