"""The page of models."""

from nomadspec.checkers.reference.models import compute_models_page, describe_model
from nomadspec.model.language.domain import FLAG
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field


def test_fields_show_domain_and_first_value() -> None:
    page = compute_models_page()

    assert (
        "| `status[job]` | one of pending, blocked, complete, failed | `pending` | status of the job's "
        "evaluation |" in page
    )
    assert (
        "| `allocs[job, placement]` | node or NONE | `NONE` | the node on which an allocation runs |" in page
    )
    assert "| `plans[worker]` | queue: the rank of each, 1 at the head, 0 outside | empty |" in page


def test_budgets_say_so() -> None:
    page = compute_models_page()

    assert "| `flipped` | 0 .. flips (bounded by the scope) (a budget) | `0` |" in page


def test_sets_totals_and_scopes_are_listed() -> None:
    page = compute_models_page()

    assert "| `placements` | `placement1`, `placement2`, ... (in order) | the allocations of a job |" in page
    assert "| `used[node]` | cells of `allocs` | allocations that a node holds |" in page
    assert "| `hasty` | `rms=3` | `X-03` |" in page


def test_expected_counts_come_from_the_manifest() -> None:
    page = compute_models_page()

    assert "| `small` | `intended` | none | holds | 34,069 | 87,945 | 21 |" in page
    assert "violated: [managers_agree](properties.md#of-2pc-managers-agree)" in page


def test_initial_worlds_name_the_rules_that_make_them() -> None:
    class Lamp(World):
        on = field(FLAG, init=False, about="the lamp is on")

    @rule("X-01", on=FLAG)
    def begin(s: Lamp, t: Lamp, on: bool) -> None:
        """It is on or off."""
        t.on = on

    text = describe_model(Model("lamp", "a lamp", Lamp, (), starts=(begin,)))

    assert "**Initial worlds** are made by:\n\n- [Begin](rules.md#lamp-begin): It is on or off." in text
    assert "## `lamp` {#model-lamp}\n\nA lamp. It has [0 rules]" in text
