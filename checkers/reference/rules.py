"""The page of rules: what can happen, what each rule asks, reads and writes, and where its text stands."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from types import FunctionType

from nomadspec.checkers.reference.citations import anchor, list_models
from nomadspec.checkers.reference.markdown import begin, code, codes, heading, items, page, titled
from nomadspec.checkers.reference.sources import list_called, locate
from nomadspec.checkers.report.registry import list_bounds
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.model.language.arguments import ArgumentSpec
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import Map, as_domain
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.term import Term
from nomadspec.model.language.trace import TracedInstance

_ABOUT = (
    "Every rule of every model. *Asks* are the fields that decide whether the rule can fire, *reads* "
    "those that its effect depends on, *writes* those that it changes. All three are derived from the "
    "rule's text. A total shows as the field whose cells it counts. What only scopes decide: a rule is *part "
    "of* the features without which it is not there, *spends* one of a budget with each step, and *makes* "
    "what a counter counts up to its end, with each step or where a condition holds."
)


@cache
def compute_rules_page() -> str:
    """Write the page of rules."""
    return page("Rules", _ABOUT, *(describe_rules(model) for model in list_models()))


def describe_rules(model: Model) -> str:
    """Write the part of the page that is about one model."""
    footprints = _list_footprints(model)
    rules = [_rule_part(model, rule, footprints.get(rule.name, [])) for rule in (*model.starts, *model.rules)]
    return "\n\n".join(
        [
            heading(2, code(model.name), anchor("rules", model.name)),
            f"{begin(model.about)} [Its world](models.md#{anchor('model', model.name)}).",
            *rules,
        ]
    )


def _rule_part(model: Model, rule: Rule, footprint: Sequence[str]) -> str:
    facts = [
        f"**Formalises** {titled(rule.spec)}.",
        *([f"**Arguments** {describe_arguments(rule.arguments)}."] if rule.arguments else []),
        f"**Fairness:** {describe_fairness(rule)}.",
        *_list_bounds(rule),
        *footprint,
        f"**File** {describe_place(rule.file, rule.line, _list_called(rule))}.",
    ]
    parts = [
        heading(3, rule.name, anchor(model.name, rule.name)),
        begin(rule.about),
        items(facts),
    ]
    return "\n\n".join(part for part in parts if part)


def _list_bounds(rule: Rule) -> list[str]:
    """List what bounds a rule beside its text: features, budgets, and counters with their conditions."""
    return [f"**{word.capitalize()}** {', '.join(names)}." for word, names in list_bounds(rule, code).items()]


def _list_called(rule: Rule) -> list[FunctionType]:
    """List the model's own functions that a rule calls directly, and those by which it counts."""
    conditions = [one.condition for one in rule.counts]
    called = [
        *list_called(rule.text),
        *conditions,
        *(one for text in conditions for one in list_called(text)),
    ]
    return list(dict.fromkeys(one for one in called if isinstance(one, FunctionType)))


def describe_arguments(arguments: tuple[tuple[str, ArgumentSpec], ...]) -> str:
    """Say in words what each argument can be."""
    return ", ".join(f"{code(name)} ({describe_argument(spec)})" for name, spec in arguments)


def describe_argument(spec: ArgumentSpec) -> str:
    """Say in words what an argument can be."""
    if isinstance(spec, Map):
        where = f" (where {spec.on.name} is not 0)" if spec.on is not None else ""
        return f"for each {spec.index.label}: {as_domain(spec.domain).describe()}{where}"
    return as_domain(spec).describe()


def describe_fairness(rule: Rule) -> str:
    """Say in words how often a rule that can happen must happen."""
    if rule.fairness is None:
        return "none, it may stay away for ever"
    premise = "is possible again and again" if rule.fairness.is_strong else "stays possible"
    each = f", for each {' and '.join(rule.fairness.each)}" if rule.fairness.each else ""
    return f"{'strong' if rule.fairness.is_strong else 'weak'}: happens at last where it {premise}{each}"


def describe_place(file: str, line: int, called: Iterable[FunctionType]) -> str:
    """Say where a text stands, and which functions of the model it calls."""
    names = [code(helper.__name__) for helper in called]
    calls = f", which calls {', '.join(names)}" if names else ""
    return f"{code(locate(file))}, line {line}{calls}"


def _list_footprints(model: Model) -> dict[str, list[str]]:
    """List by its rule what tracing found in the first scope in which the rule can happen at all."""
    found: dict[str, list[str]] = {}
    for scope in model.scopes:
        starts = tuple(rule for rule in model.starts if rule.name not in found)
        rules = tuple(rule for rule in model.rules if rule.name not in found)
        bare = replace(model, starts=starts, rules=rules, properties=())
        bounded = bind_as_usual(bare, scope.name)
        by_rule: dict[str, list[TracedInstance]] = {}
        for traced in bounded.traced:
            by_rule.setdefault(traced.instance.rule.name, []).append(traced)
        found |= {name: _describe_footprint(bounded, traced) for name, traced in by_rule.items()}
    return found


def _describe_footprint(bounded: BoundedModel, traced: Sequence[TracedInstance]) -> list[str]:
    values = [value for one in traced for value in one.writes.values() if isinstance(value, Term)]
    asked = {cell for one in traced for conjunct in one.guard for cell in conjunct.reads}
    read = {cell for value in values for cell in value.reads}
    written = {cell for one in traced for cell in one.writes}
    return [
        f"**{name}** {codes(_fields_of(bounded, cells), 'nothing')}."
        for name, cells in (("Asks", asked), ("Reads", read), ("Writes", written))
    ]


def _fields_of(bounded: BoundedModel, cells: set[int]) -> list[str]:
    names = {bounded.frame.field_names[cell] for cell in cells}
    return [field.name for field in bounded.frame.schema.fields if field.name in names]
