"""Claims about functions, beside the properties and models of worlds: as text and as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomadspec.checkers.report.searching import find_by_words, list_words
from nomadspec.checkers.report.table import count_of, render_facts, render_paragraph, render_table, strong
from nomadspec.checkers.report.titles import list_facts
from nomadspec.invariants.catalogue import RESOURCES
from nomadspec.invariants.cluster.resources.claim import Claim
from nomadspec.invariants.cluster.resources.claims import ABOUT

KIND = "claim"


def select_claims(claims: Iterable[Claim], wanted: str) -> list[Claim]:
    """Find the claim of a name, or else all that formalise a rule of the specification."""
    known = list(claims)
    return [claim for claim in known if claim.name == wanted] or [
        claim for claim in known if wanted in claim.spec
    ]


def find_claims(claims: Iterable[Claim], wanted: str) -> list[Claim]:
    """Find claims by the words of their names, reasons, IDs and titles, or by words of the same meaning."""
    return find_by_words(claims, wanted, lambda one: list_words(one.name, [one.why, one.dimension], one.spec))


def render_claims(claims: Sequence[Claim]) -> str:
    """Write a list of claims for people."""
    rows = [(claim.name, RESOURCES, KIND, claim.why) for claim in claims]
    return render_table(("property", "model", "kind", "why"), rows, indent=0)


def render_claim_briefly(claim: Claim) -> str:
    """Write why a claim matters, and the titles of what it formalises."""
    facts = [("why", claim.why), *list_facts(claim.spec)]
    return f"{strong(claim.name)}, a claim of {RESOURCES}\n{render_facts(facts)}"


def render_claim(claim: Claim) -> str:
    """Write one claim in full."""
    facts = [
        ("why", claim.why),
        ("about", claim.dimension),
        ("proved for", claim.scope),
        *list_facts(claim.spec),
        ("parts", ", ".join(part.name for part in claim.parts)),
    ]
    again = f"nomadspec prove {claim.name}"
    return f"{strong(claim.name)}, a claim of {RESOURCES}\n{render_facts(facts, commands=[('prove', again)])}"


def claim_data(claim: Claim) -> dict[str, object]:
    """Write a claim as properties are written."""
    return {
        "name": claim.name,
        "model": RESOURCES,
        "kind": KIND,
        "about": claim.scope,
        "why": claim.why,
        "spec": list(claim.spec),
        "is_lemma": False,
        "rules": [],
        "quirks": [],
        "findings": [],
        "arguments": [],
        "at": "",
    }


def render_resources(claims: Sequence[Claim]) -> str:
    """Write what the claims are about, as models are written."""
    title = render_paragraph(f"{strong(RESOURCES)}: {ABOUT} ({count_of(len(claims), 'claim')})")
    rows = [(claim.name, claim.dimension, claim.scope) for claim in claims]
    table = render_table(("claim", "about", "proved for"), rows)
    again = render_facts([], commands=[("try", f"nomadspec prove --model {RESOURCES}")])
    return f"{title}\n\n{table}\n\n{again}"


def resources_data(claims: Sequence[Claim]) -> dict[str, object]:
    """Write what the claims are about, as models are written."""
    return {
        "name": RESOURCES,
        "about": ABOUT,
        "rules": [],
        "properties": [claim.name for claim in claims],
        "sizes": [],
        "scopes": [],
    }
