"""Where a fact stands in an outcome, and which rule decides it."""

from __future__ import annotations

from nomadspec.checkers.oracle.compare import Rules, find_rule
from nomadspec.checkers.oracle.paths import step_into
from nomadspec.checkers.oracle.relation.facts import Name


def show_name(name: Name) -> str:
    """Show a fact as a path; an element of a list is called by what it is."""
    path = "outcome"
    if name[0] == "ends":
        name = name[1:]
    if name[0] == "plans" and name[1].isdigit():
        path, name = f"outcome.plans[{name[1]}].plan", name[2:]
    for step in name:
        path = step_into(path, step)
    return path


def find_rule_of(name: Name, rules: Rules) -> str:
    """Find the rule that decides a fact."""
    if name[0] == "ends":
        name = name[1:]
    if name[0] == "plans":
        _, turn, *inside = name
        path = f"outcome.plans[{turn}].plan"
        if len(inside) > 1 and inside[0].startswith("Node"):
            return find_rule(_extend(f"{path}.{inside[0]}.x[0]", inside[2:]), rules)
        return find_rule(_extend(path, inside), rules)
    if name[0].endswith("_evals"):
        return find_rule(_extend(f"outcome.{name[0]}[0]", name[2:]), rules)
    return find_rule(_extend("outcome", name), rules)


def _extend(path: str, steps: Name | list[str]) -> str:
    for step in steps:
        path = step_into(path, step)
    return path
