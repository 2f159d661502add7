"""The page of properties: what must be true, why, and which published scope shows that it can fail."""

from functools import cache
from types import FunctionType

from nomadspec.checkers.manifest import list_published
from nomadspec.checkers.reference.citations import anchor, list_models
from nomadspec.checkers.reference.claims import compute_claims_part
from nomadspec.checkers.reference.markdown import begin, code, heading, items, page, table, titled
from nomadspec.checkers.reference.rules import describe_arguments, describe_place
from nomadspec.checkers.reference.sources import is_own, list_called
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Kind, Property

_ABOUT = (
    "Every property of every model. *Always* holds in each reachable world, *step* between each world and "
    "the next, *sometimes* in at least one reachable world, *eventually* and *leads-to* on each fair "
    "path; [properties over time](../how-to/promise-over-time.md) explains the other kinds. A *lemma* is "
    "an `always` that helps a proof and is itself proved."
)


@cache
def compute_properties_page() -> str:
    """Write the page of properties."""
    return page("Properties", _ABOUT, *(_model_part(model) for model in list_models()), compute_claims_part())


def _model_part(model: Model) -> str:
    listed = [
        (f"[{prop.name}](#{anchor(model.name, prop.name)})", prop.kind_text, begin(prop.why))
        for prop in model.properties
    ]
    return "\n\n".join(
        [
            heading(2, code(model.name), anchor("properties", model.name)),
            table(["property", "kind", "why"], listed),
            *(_property_part(model, prop) for prop in model.properties),
        ]
    )


def _property_part(model: Model, prop: Property) -> str:
    each = "For some" if prop.kind is Kind.SOMETIMES else "For each"
    facts = [
        f"**Kind** {prop.kind_text}.",
        f"**Why:** {begin(prop.why)}",
        f"**Formalises** {titled(prop.spec)}.",
        *_failing_fact(model, prop),
        *([f"**{each}** {describe_arguments(prop.ranges)}."] if prop.ranges else []),
        *([f"**Given** {code(prop.given.__name__)}."] if prop.given else []),
        *([f"**Until then** {code(prop.keeps.__name__)}."] if prop.keeps else []),
        f"**File** {describe_place(prop.file, prop.line, _list_called(prop))}.",
    ]
    parts = [
        heading(3, prop.name, anchor(model.name, prop.name)),
        items(facts),
    ]
    return "\n\n".join(part for part in parts if part)


def _list_called(prop: Property) -> list[FunctionType]:
    """List the shared functions that a property names itself, its premise included."""
    named = [text for text in prop.texts[1:] if isinstance(text, FunctionType) and is_own(text)]
    return [*list_called(prop.text), *named]


def _failing_fact(model: Model, prop: Property) -> list[str]:
    """Name the published scopes that must fail with it: they show that the checkers can find it."""
    if prop.kind is Kind.SOMETIMES:
        return []
    here = (model.name, prop.name)
    failing = [entry for entry in list_published() if (entry.model, entry.violates) == here]
    shown = dict.fromkeys(
        f"{code(entry.scope)} (profile [{entry.profile}](quirks.md#{anchor('quirk', entry.profile)}))"
        for entry in failing
    )
    return [f"**Must fail** in the published scope {', '.join(shown)}."] if shown else []
