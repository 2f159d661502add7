"""Claims about functions, shown."""

from click import unstyle

from nomadspec.checkers.report.claims import (
    claim_data,
    render_claim,
    render_claims,
    render_resources,
    resources_data,
    select_claims,
)
from nomadspec.invariants.cluster.resources.claims import CLAIMS, find_claim

CPU = find_claim("cpu_is_never_oversubscribed")


def test_claims_are_found_by_name_and_by_rule() -> None:
    assert [CPU] == select_claims(CLAIMS, CPU.name)
    assert ["ports_are_never_given_twice"] == [claim.name for claim in select_claims(CLAIMS, "NET-02")]
    assert [] == select_claims(CLAIMS, "NET-99")


def test_a_list_has_a_line_for_each() -> None:
    assert 1 + len(CLAIMS) <= len(render_claims(CLAIMS).splitlines())


def test_one_is_shown_with_its_parts_and_its_proof() -> None:
    text = unstyle(render_claim(CPU))

    assert "cpu_is_never_oversubscribed, a claim of resources" in text
    assert "no allocation, accepted is enough, refused is short, one more allocation, what a" in text
    assert "nomadspec prove cpu_is_never_oversubscribed" in text


def test_they_are_listed_as_a_model_is() -> None:
    assert f"({len(CLAIMS)} claims)" in unstyle(render_resources(CLAIMS))
    assert [claim.name for claim in CLAIMS] == resources_data(CLAIMS)["properties"]


def test_data_says_the_same() -> None:
    assert ("claim", "resources", list(CPU.spec)) == tuple(
        claim_data(CPU)[key] for key in ("kind", "model", "spec")
    )
