"""Where a fact stands in an outcome, and which rule decides it."""

from __future__ import annotations

from nomadspec.checkers.oracle.compare import Rules, find_rule
from nomadspec.checkers.oracle.paths import step_into
from nomadspec.checkers.oracle.relation.facts import ALL, Name


def show_name(name: Name) -> str:
    """Show a fact as a path; an element of a list is called by what it is, and a star stands for all."""
    path, steps = _begin(name)
    for step in steps:
        path = step_into(path, step)
    return path


def find_rule_of(name: Name, rules: Rules) -> str:
    """Find the rule that decides a fact."""
    path, steps = _begin(name)
    if steps and steps[0] in {"NodeUpdate", "NodeAllocation", "NodePreemptions"}:
        steps = [steps[0], "x[0]", *steps[2:]]
    elif steps and steps[0].endswith("_evals"):
        steps = [f"{steps[0]}[0]", *steps[2:]]
    return find_rule(".".join([path, *steps]), rules)


def _begin(name: Name) -> tuple[str, list[str]]:
    """Find where a fact begins: with a plan, or with the outcome."""
    path, steps = "outcome", list(name)
    if name[0] == "plans" and name[1].isdigit():
        path, steps = f"outcome.plans[{name[1]}].plan", steps[2:]
    elif name[0] == "ends":
        steps = steps[1:]
    if steps and steps[0].startswith(f"{ALL} "):
        steps = [steps[0].removeprefix(f"{ALL} "), "*", *steps[1:]]
    return path, steps
