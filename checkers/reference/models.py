"""The page of models: what each world is made of, its sizes and its scopes."""

from functools import cache

from nomadspec.checkers.manifest import list_published
from nomadspec.checkers.reference.citations import anchor, list_models
from nomadspec.checkers.reference.markdown import begin, code, heading, items, page, table
from nomadspec.model.language.domain import Interval
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import PATH_KINDS, Kind
from nomadspec.model.language.sets import Ids
from nomadspec.model.language.world import Field, Schema

_ABOUT = (
    "Every model of the package: its state, its sizes, and its published scopes. `nomadspec models NAME` "
    "shows the same on the command line, with the expected counts."
)


@cache
def compute_models_page() -> str:
    """Write the page of models."""
    return page("Models", _ABOUT, *(describe_model(model) for model in list_models()))


def describe_model(model: Model) -> str:
    """Write the part of the page that is about one model."""
    schema = model.world.schema
    counted = ((len(model.list_properties(kind)), kind) for kind in Kind)
    told = ((count, kind.value) for count, kind in counted if count or kind not in PATH_KINDS[1:])
    kinds = ", ".join(f"{count} {name}" for count, name in told)
    rules = f"[{len(model.rules)} rules](rules.md#{anchor('rules', model.name)})"
    properties = f"[{len(model.properties)} properties](properties.md#{anchor('properties', model.name)})"
    parts = [
        heading(2, code(model.name), anchor("model", model.name)),
        f"{begin(model.about)} It has {rules} and {properties} ({kinds}).",
        "**Sets.**" if schema.sets else "",
        table(["set", "members", "about"], [_set_row(ids) for ids in schema.sets]),
        "**Sizes.**",
        table(["size", "default", "at least", "about"], _size_rows(schema)),
        "**Fields.**",
        table(
            ["field", "domain", "first value", "about"],
            [_field_row(field, schema) for field in schema.fields],
        ),
        "**Totals.**" if schema.totals else "",
        table(
            ["total", "counts", "about"],
            [
                (code(f"{part.name}[{part.members.label}]"), f"cells of {code(part.of.name)}", part.about)
                for part in schema.totals
            ],
        ),
        "**Scopes.** The first one is the default.",
        table(["scope", "sizes that differ", "profile", "why"], _scope_rows(model)),
        _start_part(model),
        "**Published searches**: what an exhaustive search of each scope must find.",
        table(
            ["scope", "profile", "reduction", "verdict", "distinct", "generated", "depth"],
            _published_rows(model),
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def _set_row(ids: Ids) -> tuple[str, str, str]:
    order = "interchangeable" if ids.is_symmetric else "in order"
    return code(ids.name), f"{code(ids.name_of(0))}, {code(ids.name_of(1))}, ... ({order})", ids.about


def _size_rows(schema: Schema) -> list[tuple[str, str, str, str]]:
    return [(code(size.name), str(size.default), str(size.least), size.about) for size in schema.sizes]


def _field_row(field: Field, schema: Schema) -> tuple[str, str, str, str]:
    index = ", ".join(ids.label for ids in field.index)
    name = f"{field.name}[{index}]" if index else field.name
    is_queue = any(queue.ranks is field for queue in schema.queues)
    if is_queue:
        return code(name), "queue: the rank of each, 1 at the head, 0 outside", "empty", field.about
    domain = field.domain.describe() + (" (a budget)" if field.is_budget else "")
    first = Interval(field.domain, field.domain.low, field.init).label(field.init)
    return code(name), domain, code(str(first)), field.about


def _scope_rows(model: Model) -> list[tuple[str, str, str, str]]:
    return [
        (
            code(scope.name),
            ", ".join(code(f"{name}={value}") for name, value in scope.sizes.items()) or "none",
            code(scope.profile) if scope.profile else "any",
            scope.why,
        )
        for scope in model.scopes
    ]


def _start_part(model: Model) -> str:
    if not model.starts:
        return ""
    starts = (
        f"[{rule.name}](rules.md#{anchor(model.name, rule.name)}): {rule.about}" for rule in model.starts
    )
    return "**Initial worlds** are made by:\n\n" + items(starts)


def _published_rows(model: Model) -> list[tuple[str, ...]]:
    return [
        (
            code(entry.scope),
            code(entry.profile),
            entry.reduction,
            f"violated: [{entry.violates}](properties.md#{anchor(model.name, entry.violates)})"
            if entry.violates
            else entry.verdict,
            *(f"{number:,}" if number else "-" for number in (entry.distinct, entry.generated, entry.depth)),
        )
        for entry in list_published()
        if entry.model == model.name
    ]
