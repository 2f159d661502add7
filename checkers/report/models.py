"""Models as text and as data: their sizes and scopes, and what the manifest expects of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nomadspec.checkers.explore.reduction import NONE
from nomadspec.checkers.manifest import Published, list_published
from nomadspec.checkers.report.table import count_of, render_facts, render_paragraph, render_table, strong
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.language.model import Model, Scope

_PUBLISHED: Final = (
    *("scope", "profile", "reduction"),
    *(">distinct", ">generated", ">depth", ">seconds", "effort", "finds"),
)


def data_of(models: Mapping[str, Model]) -> list[dict[str, object]]:
    """Write models as objects: docs/reference/json/models.json says what their fields mean."""
    return [_model_data(reference, model) for reference, model in models.items()]


def render_all(models: Mapping[str, Model], *, in_full: bool) -> str:
    """Write models for people, in full or in short."""
    parts = [_render(reference, model, in_full=in_full) for reference, model in models.items()]
    if not in_full:
        hint = "`nomadspec models NAME` shows one in full: its sizes, and every published search."
        parts.append(render_paragraph(hint))
    return "\n\n".join(parts)


def render_classics() -> str:
    """Name the classics for people; each is shown where it is named."""
    known = list_model_names()
    classics = [find_model(name) for name in list_model_names(with_classics=True) if name not in known]
    head = f"{strong('classics')}: protocols and puzzles to learn from; they say nothing about Nomad"
    rows = [(model.name, model.about) for model in classics]
    return "\n\n".join([head, render_table(("model", "what it is about"), rows)])


def _render(reference: str, model: Model, *, in_full: bool) -> str:
    rules, properties = (
        count_of(len(model.rules), "rule"),
        count_of(len(model.properties), "property", "properties"),
    )
    parts = [render_paragraph(f"{strong(reference)}: {model.about} ({rules}, {properties})")]
    if in_full:
        sizes = [(size.name, str(size.default), size.about) for size in model.world.schema.sizes]
        parts.append(render_table(("size", ">default", "what it is"), sizes))
    scopes = [_scope_row(model, scope, _expectations(reference, scope)) for scope in model.scopes]
    parts.append(
        render_table(("scope", "sizes", "expected", ">distinct", ">depth", "what it is about"), scopes)
    )
    published = [entry for scope in model.scopes for entry in _expectations(reference, scope)]
    if in_full and published:
        parts.append(_render_published(published))
    if in_full:
        again = f"nomadspec explore --model {reference} --scope {model.scopes[0].name}"
        parts.append(render_facts([], commands=[("try", again)]))
    return "\n\n".join(parts)


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
