"""Models as text and as data: their sizes and scopes, and what the manifest expects of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.manifest import Published, list_published
from nomadspec.checkers.report.table import count_of, render_facts, render_paragraph, render_table, strong
from nomadspec.checkers.report.titles import add_legend
from nomadspec.invariants.catalogue import RESOURCES, find_model, list_model_names
from nomadspec.invariants.cluster.resources.claim import Claim
from nomadspec.invariants.cluster.resources.claims import ABOUT
from nomadspec.model.language.model import Model
from nomadspec.model.language.scope import Scope

_PUBLISHED: Final = (
    *("scope", "profile", "reduction"),
    *(">distinct", ">generated", ">depth", ">seconds", "effort", "finds"),
)


def data_of(models: Mapping[str, Model]) -> list[dict[str, object]]:
    """Write models as objects: docs/reference/json/models.json says what their fields mean."""
    return [_model_data(reference, model) for reference, model in models.items()]


def list_profiles_of(models: Mapping[str, Model]) -> Iterator[str]:
    """List the profiles of the scopes of models, and of what is published of them."""
    for reference, model in models.items():
        for scope in model.scopes:
            yield from filter(None, (scope.profile,))
            yield from (entry.profile for entry in _expectations(reference, scope))


def render_list(models: Mapping[str, Model], claims: Sequence[Claim] = ()) -> str:
    """List models for people, a row for each, and the claims about resources beside them."""
    rows = [
        (reference, str(len(model.scopes)), str(len(model.rules)), str(len(model.properties)), model.about)
        for reference, model in models.items()
    ]
    rows += [(RESOURCES, "", "", str(len(claims)), ABOUT) for _ in claims[:1]]
    table = render_table(("model", ">scopes", ">rules", ">properties", "what it is about"), rows)
    hint = "`nomadspec models NAME` shows one: its sizes, its scopes, and what a search of each must find."
    return f"{table}\n\n{render_paragraph(hint)}"


def render_classics() -> str:
    """Name the classics for people; each is shown where it is named."""
    known = list_model_names()
    classics = [find_model(name) for name in list_model_names(with_classics=True) if name not in known]
    head = f"{strong('classics')}: protocols and puzzles to learn from; they say nothing about Nomad"
    rows = [(model.name, model.about) for model in classics]
    return "\n\n".join([head, render_table(("model", "what it is about"), rows)])


def render_model(reference: str, model: Model) -> str:
    """Write one model for people, with its sizes and scopes and what each published search must find."""
    rules = count_of(len(model.rules), "rule")
    properties = count_of(len(model.properties), "property", "properties")
    sizes = [(size.name, str(size.default), size.about) for size in model.world.schema.sizes]
    scopes = [_scope_row(model, scope, _expectations(reference, scope)) for scope in model.scopes]
    published = [entry for scope in model.scopes for entry in _expectations(reference, scope)]
    again = f"nomadspec explore --model {reference} --scope {model.scopes[0].name}"
    parts = [
        render_paragraph(f"{strong(reference)}: {model.about} ({rules}, {properties})"),
        render_table(("size", ">default", "what it is"), sizes),
        render_table(("scope", "sizes", "expected", ">distinct", ">depth", "what it is about"), scopes),
        *[_render_published(published) for _ in published[:1]],
        render_facts([], commands=[("try", again)]),
    ]
    return add_legend("\n\n".join(parts))


def _scope_row(model: Model, scope: Scope, published: list[Published]) -> tuple[str, ...]:
    sizes = model.sizes_of(scope.sizes)
    shown = " ".join(f"{name}={sizes[name]}" for name in scope.sizes) or "defaults"
    if scope.profile:
        shown = f"{shown}, {scope.profile}"
    first = min(published, key=lambda entry: entry.reduction != NONE, default=None)
    if first is None:
        return scope.name, shown, "", "", "", scope.why
    expected = first.violates or first.verdict
    expected += "" if first.reduction == NONE else f", {first.reduction}"
    return scope.name, shown, expected, _number(first.distinct), _number(first.depth), scope.why


def _render_published(published: list[Published]) -> str:
    rows = [
        (
            entry.scope,
            entry.profile,
            entry.reduction,
            _number(entry.distinct),
            _number(entry.generated),
            _number(entry.depth),
            f"{entry.seconds:,.1f}",
            entry.effort,
            f"{entry.violates} in {entry.steps} steps" if entry.steps else entry.violates or entry.verdict,
        )
        for entry in published
    ]
    return "  Published searches, and what each must find:\n\n" + render_table(_PUBLISHED, rows)


def _model_data(reference: str, model: Model) -> dict[str, object]:
    return {
        "name": reference,
        "about": model.about,
        "rules": [rule.name for rule in model.rules],
        "properties": [prop.name for prop in model.properties],
        "sizes": [
            {"name": size.name, "default": size.default, "least": size.least, "about": size.about}
            for size in model.world.schema.sizes
        ],
        "scopes": [
            {
                "name": scope.name,
                "why": scope.why,
                "sizes": model.sizes_of(scope.sizes),
                "profile": scope.profile,
                "expected": [_published_data(entry) for entry in _expectations(reference, scope)],
            }
            for scope in model.scopes
        ],
    }


def _published_data(entry: Published) -> dict[str, object]:
    return {
        "profile": entry.profile,
        "reduction": entry.reduction,
        "verdict": entry.verdict,
        "violates": entry.violates,
        "steps": entry.steps,
        "distinct": entry.distinct,
        "generated": entry.generated,
        "depth": entry.depth,
        "seconds": entry.seconds,
        "effort": entry.effort,
    }


def _expectations(reference: str, scope: Scope) -> list[Published]:
    return [entry for entry in list_published() if (entry.model, entry.scope) == (reference, scope.name)]


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
