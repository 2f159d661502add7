"""From a rule to its properties and back: by the IDs that they share, else by their files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from nomadspec.checkers.report.table import join_names
from nomadspec.checkers.report.titles import find_titles, name_with_title
from nomadspec.model.errors import UsageError
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property
from nomadspec.model.language.rule import Rule

_OTHERS: Final = 10
"""So many are shown of a rule or property; the object has them all."""

OneT = TypeVar("OneT", Rule, Property)


def find_properties(rule: Rule, model: Model) -> list[Property]:
    """Find the properties that share an ID with a rule, nearest first; if none does, those of its file."""
    return _find_near(rule, model.properties)


def find_rules(prop: Property, model: Model) -> list[Rule]:
    """Find the rules that share an ID with a property, nearest first; if none does, those of its file."""
    return _find_near(prop, (*model.rules, *model.starts))


def list_property_facts(rule: Rule, model: Model) -> list[tuple[str, str]]:
    """Write the properties of a rule as facts, a line for each."""
    return _list_facts("properties", [(one.name, one.why) for one in find_properties(rule, model)])


def list_rule_facts(prop: Property, model: Model) -> list[tuple[str, str]]:
    """Write the rules of a property as facts, a line for each."""
    return _list_facts("rules", [(one.name, one.about) for one in find_rules(prop, model)])


def require_citing(kind: str, wanted: str, others: str, citing: Sequence[tuple[str, str]]) -> None:
    """Refuse an ID of the specification that nothing of a kind cites; say what else does, of which model."""
    if not find_titles([wanted]):
        return
    if citing:
        named = join_names([f"{name} ({model})" for name, model in citing])
        instead = f"{others} that do: {named}; `nomadspec {others} {wanted}` shows them."
    else:
        instead = f"nor does any of the {others} that were searched."
    raise UsageError(f"No {kind} cites {name_with_title(wanted)}; {instead}")


def _find_near(one: Rule | Property, others: Iterable[OneT]) -> list[OneT]:
    """Find what shares an ID: first what stands in a file of the same name, then what shares most."""
    near = list(others)
    shared = [_count_shared(one, other) for other in near]
    beside = [_stand_together(one, other) for other in near]
    kept = [at for at in range(len(near)) if (shared if any(shared) else beside)[at]]
    return [near[at] for at in sorted(kept, key=lambda at: (not beside[at], -shared[at]))]


def _count_shared(one: Rule | Property, other: Rule | Property) -> int:
    return len(set(one.spec) & set(other.spec))


def _stand_together(one: Rule | Property, other: Rule | Property) -> bool:
    """True where both files have one name: ``model/kernel/nodes.py``, ``invariants/kernel/nodes.py``."""
    return Path(one.file).name == Path(other.file).name


def _list_facts(word: str, told: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    lines = [f"{name}: {text.removesuffix('.')}" for name, text in told[:_OTHERS]]
    lines += [f"and {len(told) - _OTHERS} more: add --json"] if len(told) > _OTHERS else []
    return [(word if at == 0 else "", line) for at, line in enumerate(lines)]
