"""The page of quirks and profiles."""

from nomadspec.checkers.reference.quirks import compute_quirks_page


def find_part(title: str) -> str:
    return compute_quirks_page().partition(f"### {title} ")[2].partition("\n### ")[0]


def test_profiles_list_their_quirks() -> None:
    assert "| `intended` | none |" in compute_quirks_page()
    assert "| `nomad-2.0` | [02/S5](#quirk-02-s5), " in compute_quirks_page()


def test_a_quirk_says_who_asks_and_what_breaks() -> None:
    part = find_part("X-02")

    assert "- **In the described release:** no.\n" in part
    assert "- **Asked by** [Dequeue](rules.md#core-dequeue) of `core`.\n" in part
    assert "- **Must break** [no_token_is_shared](properties.md#core-no-token-is-shared) in the scope" in part


def test_a_condition_by_which_a_rule_counts_asks_for_a_quirk_as_its_text_does() -> None:
    part = find_part("X-23")

    assert "[ApplyPlan](rules.md#kernel-applyplan)" in part


def test_a_rule_asks_for_a_quirk_by_what_it_calls_too() -> None:
    assert "[Evaluate](rules.md#kernel-evaluate) of `kernel`" in find_part("03/S5")


def test_a_quirk_that_opens_arrows_names_the_lifecycle() -> None:
    assert "- **Opens arrows of** [evaluation](../concepts/lifecycles.md#evaluation-the" in find_part("02/S5")
