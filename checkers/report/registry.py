"""Rules and properties as text and as data: what they say, where they come from, what they touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Generic, NoReturn, TypeVar

from nomadspec.checkers.all_findings import list_known
from nomadspec.checkers.report.deviations import (
    find_deviation_titles,
    list_deviation_facts,
    list_finding_ids,
    list_quirk_ids,
)
from nomadspec.checkers.report.relations import (
    find_properties,
    find_rules,
    list_property_facts,
    list_rule_facts,
    require_citing,
)
from nomadspec.checkers.report.searching import find_by_words, list_words
from nomadspec.checkers.report.table import join_names, render_facts, render_table, strong
from nomadspec.checkers.report.titles import find_titles, list_facts, spell_id
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.model.errors import NothingFoundError, UsageError
from nomadspec.model.language.arguments import ArgumentSpec
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import Map, as_domain
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Kind, Property, name_part
from nomadspec.model.language.rule import Fairness, Rule
from nomadspec.model.language.sets import Ids
from nomadspec.model.language.term import Term
from nomadspec.model.language.trace import TracedInstance

EntryT = TypeVar("EntryT", Rule, Property)

_PLURALS: Final = {"rule": "rules", "property": "properties"}
FEW: Final = 12
"""So many rules or properties that words select are written with the titles of what they formalise."""
_SEARCHED: Final = "its name, sentences, IDs or their titles"
"""Where words look for a rule or property, as a message says it."""


@dataclass(frozen=True, slots=True)
class Located(Generic[EntryT]):
    """A rule or property, and the model that it belongs to."""

    reference: str
    model: Model
    entry: EntryT


@dataclass(frozen=True, slots=True)
class Touched:
    """The fields that a rule reads and writes, in the order of their declarations."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]


_MEANINGS = {
    Kind.ALWAYS: "each reachable world has it",
    Kind.STEP: "each step between reachable worlds has it",
    Kind.SOMETIMES: "some reachable world has it",
    Kind.EVENTUALLY: "each fair path comes to it at last",
    Kind.LEADS_TO: "each fair path comes to it at last after each world where the premise holds",
    Kind.UNTIL: "each fair path comes to it at last, and something holds until then",
    Kind.UNLESS: "something holds on each path until it comes true, if ever",
    Kind.EVENTUALLY_ALWAYS: "on each fair path it holds from some world on for ever",
}


def list_rules(models: Mapping[str, Model]) -> list[Located[Rule]]:
    """List the rules of models, those that make initial worlds last."""
    return [
        Located(reference, model, rule)
        for reference, model in models.items()
        for rule in (*model.rules, *model.starts)
    ]


def list_properties(models: Mapping[str, Model]) -> list[Located[Property]]:
    """List the properties of models."""
    return [
        Located(reference, model, prop) for reference, model in models.items() for prop in model.properties
    ]


def find_all(entries: list[Located[EntryT]], wanted: str) -> list[Located[EntryT]]:
    """Find entries by their name, or else all that a rule of the specification, quirk or finding is about."""
    named = [located for located in entries if located.entry.name == wanted]
    return named or [located for located in entries if wanted.lower() in map(str.lower, _list_ids(located))]


def find_like(entries: list[Located[EntryT]], wanted: str) -> list[Located[EntryT]]:
    """Find entries by the beginning of a name; by words of names, reasons, IDs, titles; by part of a name."""
    begun = [located for located in entries if "_" in wanted and located.entry.name.startswith(wanted)]
    found = begun or find_by_words(entries, wanted, _list_texts)
    return found or [located for located in entries if wanted in located.entry.name]


def refuse(
    kind: str,
    wanted: str,
    known: Iterable[str],
    others: str,
    citing: Sequence[Located[Rule] | Located[Property]],
) -> NoReturn:
    """Refuse what nothing bears: an ID that only others cite, or words that nothing has."""
    require_citing(kind, spell_id(wanted), others, [(one.entry.name, one.reference) for one in citing])
    _require_no_finding(kind, wanted.upper())
    raise NothingFoundError(kind, wanted, dict.fromkeys(known), _SEARCHED, f"nomadspec {_PLURALS[kind]}")


def rules_data(entries: Iterable[Located[Rule]]) -> dict[str, object]:
    """Write rules as an object: docs/reference/json/rules.json says what its fields mean."""
    entries = tuple(entries)
    models = {located.reference: located.model for located in entries}
    touched = {
        reference: find_touched(model, [x.entry for x in entries if x.reference == reference])
        for reference, model in models.items()
    }
    return {
        "rules": [_rule_data(x, touched[x.reference].get(x.entry.name)) for x in entries],
        "titles": list_titles_of(entries),
    }


def properties_data(entries: Iterable[Located[Property]]) -> list[dict[str, object]]:
    """Write properties as objects: docs/reference/json/properties.json says what their fields mean."""
    return [_property_data(located) for located in entries]


def list_cited(entries: Iterable[Located[EntryT]]) -> list[str]:
    """List the IDs that entries formalise, each once, in the order of the entries."""
    return list(dict.fromkeys(spec_id for located in entries for spec_id in located.entry.spec))


def list_titles_of(entries: Iterable[Located[EntryT]]) -> dict[str, str]:
    """Give the titles of all IDs that stand with entries."""
    entries = tuple(entries)
    found = find_titles(list_cited(entries))
    for located in entries:
        found |= find_deviation_titles(located.reference, located.entry)
    return found


def render_rules(entries: Sequence[Located[Rule]], *, with_ids: bool = False) -> str:
    """Write a list of rules for people; with the IDs that they formalise where their titles stand beside."""
    rows = [(x.entry.name, x.reference, x.entry.about) for x in entries]
    if not with_ids:
        return render_table(("rule", "model", "what happens"), rows, indent=0)
    rows_with_ids = [(*row[:2], " ".join(x.entry.spec), row[2]) for row, x in zip(rows, entries, strict=True)]
    return render_table(("rule", "model", "formalises", "what happens"), rows_with_ids, indent=0)


def render_rule_briefly(located: Located[Rule]) -> str:
    """Write what a rule says, and the titles of what it formalises."""
    facts = [("what happens", located.entry.about), *list_facts(located.entry.spec)]
    return f"{_head(located, 'rule')}\n{render_facts(facts)}"


def render_properties(entries: Sequence[Located[Property]]) -> str:
    """Write a list of properties for people."""
    rows = [(x.entry.name, x.reference, x.entry.kind_text, x.entry.why) for x in entries]
    return render_table(("property", "model", "kind", "why"), rows, indent=0)


def render_property_briefly(located: Located[Property]) -> str:
    """Write what a property says, why, and the titles of what it formalises."""
    prop = located.entry
    facts = [("what it says", describe_text(prop)), ("why", prop.why), *list_facts(prop.spec)]
    return f"{_head(located, 'property')}\n{render_facts(facts)}"


def render_rule(located: Located[Rule]) -> str:
    """Write one rule in full."""
    rule = located.entry
    touched = find_touched(located.model, [rule]).get(rule.name, Touched((), ()))
    facts = [
        ("what happens", rule.about),
        *list_facts(rule.spec),
        ("arguments", ", ".join(_argument_text(*argument) for argument in rule.arguments) or "none"),
        *((word, ", ".join(names)) for word, names in list_bounds(rule).items()),
        ("fairness", describe_fairness(rule.fairness)),
        ("reads", ", ".join(touched.reads) or "nothing"),
        ("writes", ", ".join(touched.writes) or "nothing"),
        *list_property_facts(rule, located.model),
        *list_deviation_facts(located.reference, rule),
        ("text", locate(rule.file, rule.line)),
    ]
    return f"{_head(located, 'rule')}\n{render_facts(facts)}"


def list_scoped(rule: Rule) -> dict[str, list[str]]:
    """List what a scope decides of a rule: whether it is there, and how often it happens."""
    return {
        "part of": [one.name for one in rule.part_of],
        "instead of": [one.name for one in rule.instead_of],
        "spends": [one.name for one in rule.spends],
        "makes": [one.name for one in rule.makes],
    }


def list_bounds(rule: Rule, mark: Callable[[str], str] = str) -> dict[str, list[str]]:
    """List what a scope decides of a rule, names marked, and where it counts only under a condition."""
    wheres = {one.budget.name: f" where {mark(one.condition.__name__)} ({one.about})" for one in rule.counts}
    scoped = {
        word: [mark(name) + wheres.get(name, "") for name in names]
        for word, names in list_scoped(rule).items()
    }
    return {word: names for word, names in scoped.items() if names}


def render_property(located: Located[Property]) -> str:
    """Write one property in full."""
    prop = located.entry
    facts = [
        ("what it says", describe_text(prop)),
        ("why", prop.why),
        ("kind", f"{prop.kind_text}: {_MEANINGS[prop.kind]}"),
        *list_facts(prop.spec),
    ]
    if prop.ranges:
        each = "for some" if prop.kind is Kind.SOMETIMES else "for each"
        facts.append((each, ", ".join(_argument_text(*argument) for argument in prop.ranges)))
    if prop.given is not None:
        facts.append(("wherever", (prop.given.__doc__ or name_part(prop.given)).strip()))
    if prop.keeps is not None:
        facts.append(("until then", (prop.keeps.__doc__ or name_part(prop.keeps)).strip()))
    facts += [*list_rule_facts(prop, located.model), *list_deviation_facts(located.reference, prop)]
    facts.append(("text", locate(prop.file, prop.line)))
    return f"{_head(located, 'property')}\n{render_facts(facts)}"


def describe_text(prop: Property) -> str:
    """Give a property's own text: what it promises, and its exceptions."""
    return " ".join((prop.text.__doc__ or prop.name.replace("_", " ")).split())


def describe_fairness(fairness: Fairness | None) -> str:
    """Say how often a rule that can happen must happen."""
    if fairness is None:
        return "none: it need never happen"
    asked = "again and again possible" if fairness.is_strong else "possible for ever"
    each = f", for each {join_names(fairness.each)}" if fairness.each else ""
    return f"{'strong' if fairness.is_strong else 'weak'}: once it is {asked}, it happens{each}"


def describe_domain(spec: ArgumentSpec) -> str:
    """Say what an argument can be."""
    if isinstance(spec, Map):
        where = f" (where {spec.on.name} is not 0)" if spec.on is not None else ""
        return f"for each {spec.index.label} {as_domain(spec.domain).describe()}{where}"
    return f"any {spec.label}" if isinstance(spec, Ids) else as_domain(spec).describe()


def locate(file: str, line: int) -> str:
    """Write a place in a file as editors understand it, relative to here where it lies below."""
    path, here = Path(file), Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return f"{shown}:{line}"


def find_touched(model: Model, rules: Iterable[Rule]) -> dict[str, Touched]:
    """Find what rules read and write, each in the first scope where it can happen."""
    found: dict[str, Touched] = {}
    missing = [rule for rule in rules if rule in model.rules]
    for scope in model.scopes if missing else ():
        # Only what is asked about is traced: the properties of a large model take most of its time to load.
        bare = replace(model, rules=tuple(missing), properties=())
        bounded = bind_as_usual(bare, scope.name)
        for rule in missing:
            traced = [one for one in bounded.traced if one.instance.rule is rule]
            if traced:
                found[rule.name] = _touched_by(bounded, traced)
        missing = [rule for rule in missing if rule.name not in found]
        if not missing:
            break
    return found


def _touched_by(bounded: BoundedModel, traced: list[TracedInstance]) -> Touched:
    read: set[int] = set()
    written: set[int] = set()
    for one in traced:
        terms = [*one.guard, *(value for value in one.writes.values() if isinstance(value, Term))]
        read.update(*(term.reads for term in terms))
        written.update(one.writes)
    fields = bounded.frame.placed.items()
    reads, writes = (
        tuple(
            name
            for name, placed in fields
            if not cells.isdisjoint(range(placed.base, placed.base + placed.span))
        )
        for cells in (read, written)
    )
    return Touched(reads, writes)


def _list_texts(located: Located[Rule] | Located[Property]) -> list[str]:
    entry = located.entry
    reasons = [entry.about] if isinstance(entry, Rule) else [entry.why, describe_text(entry)]
    return [*list_words(entry.name, reasons, entry.spec), *_list_ids(located)]


def _head(located: Located[Rule] | Located[Property], kind: str) -> str:
    return f"{strong(located.entry.name)}, a {kind} of {located.reference}"


def _require_no_finding(kind: str, wanted: str) -> None:
    """Refuse the ID of a finding that no rule or property of a model shows; say what does."""
    title = {one.id: one.title for one in list_known()}.get(wanted)
    if title is not None:
        told = f"{wanted} ({title.removesuffix('.')})"
        raise UsageError(f"No {kind} of a model shows {told}; `nomadspec findings {wanted}` does.")


def _list_ids(located: Located[Rule] | Located[Property]) -> list[str]:
    """List all IDs by which an entry is found: of the specification, of quirks, of findings."""
    deviations = (list_quirk_ids, list_finding_ids)
    found = [one for each in deviations for one in each(located.reference, located.entry)]
    return [*located.entry.spec, *found]


def _argument_text(name: str, spec: ArgumentSpec) -> str:
    return f"{name} ({describe_domain(spec)})"


def _argument_data(arguments: tuple[tuple[str, ArgumentSpec], ...]) -> list[dict[str, str]]:
    return [{"name": name, "domain": describe_domain(spec)} for name, spec in arguments]


def _rule_data(located: Located[Rule], touched: Touched | None) -> dict[str, object]:
    rule, fairness = located.entry, located.entry.fairness
    return {
        "name": rule.name,
        "model": located.reference,
        "about": rule.about,
        "spec": list(rule.spec),
        "arguments": _argument_data(rule.arguments),
        "fairness": fairness
        and {"kind": "strong" if fairness.is_strong else "weak", "each": list(fairness.each)},
        **{word.replace(" ", "_"): names for word, names in list_scoped(rule).items()},
        "is_start": rule in located.model.starts,
        "properties": [one.name for one in find_properties(rule, located.model)],
        "quirks": list_quirk_ids(located.reference, rule),
        "findings": list_finding_ids(located.reference, rule),
        "reads": list(touched.reads) if touched else [],
        "writes": list(touched.writes) if touched else [],
        "at": locate(rule.file, rule.line),
    }


def _property_data(located: Located[Property]) -> dict[str, object]:
    prop = located.entry
    return {
        "name": prop.name,
        "model": located.reference,
        "kind": prop.kind.value,
        "about": describe_text(prop),
        "why": prop.why,
        "spec": list(prop.spec),
        "is_lemma": prop.is_lemma,
        "rules": [one.name for one in find_rules(prop, located.model)],
        "quirks": list_quirk_ids(located.reference, prop),
        "findings": list_finding_ids(located.reference, prop),
        "arguments": _argument_data(prop.ranges),
        "at": locate(prop.file, prop.line),
    }
