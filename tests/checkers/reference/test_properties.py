"""The page of properties."""

from nomadspec.checkers.reference.properties import compute_properties_page


def find_part(title: str) -> str:
    return compute_properties_page().partition(f"### {title} ")[2].partition("\n### ")[0]


def test_a_property_shows_why_and_where_from() -> None:
    part = find_part("no_node_is_oversubscribed")

    assert "- **Kind** always.\n- **Why:** Allocations that do not fit starve those that were there" in part
    assert (
        "- **Formalises** `Core!NoOver` (No node holds more allocations than it has capacity); `PLAN-54` ("
        in part
    )


def test_a_property_names_the_scope_that_must_fail() -> None:
    assert (
        "- **Must fail** in the published scope `unchecked` (profile [X-01](quirks.md#quirk-x-01)).\n"
        in find_part("no_node_is_oversubscribed")
    )
    assert "Must fail" not in find_part("a_node_is_full")


def test_an_eventually_shows_its_premise_and_cases() -> None:
    part = find_part("evaluation_is_answered")

    assert "- **For each** `job` (job).\n- **Given** `is_in_broker`.\n" in part
    assert ", which calls `is_in_broker`." in part


def test_lemmas_are_marked() -> None:
    assert "- **Kind** always, lemma.\n" in find_part("queued_workers_wait")
