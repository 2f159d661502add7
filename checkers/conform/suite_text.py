"""A suite that was made, as text and as data."""

from __future__ import annotations

from nomadspec.checkers.conform.rules_asked import list_family_rules
from nomadspec.checkers.conform.suite_form import Suite
from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.report.table import good, render_table
from nomadspec.checkers.verdict import Verdict


def data_of(suite: Suite) -> dict[str, object]:
    """Give it as data."""
    return {
        "verdict": Verdict.HOLDS.value,
        "folder": str(suite.folder),
        "accepted": suite.accepted,
        "rejected": suite.rejected,
        "rules": {
            family: {
                "asked": len(asked),
                "of": len(list_family_rules(family)),
                "left": suite.list_left(family),
            }
            for family, asked in suite.asked_by.items()
        },
    }


def render(suite: Suite) -> str:
    """Write a row for each kind, then one for each family."""
    kinds = [(kind, f"{number:,}", f"{suite.rejected[kind]:,}") for kind, number in suite.accepted.items()]
    families = [
        (family, f"{len(asked):,}", f"{len(list_family_rules(family)):,}", " ".join(suite.list_left(family)))
        for family, asked in suite.asked_by.items()
    ]
    made = render_table(("recordings", ">accepted", ">to be rejected"), kinds)
    rules = render_table(("rules of", ">asked", ">of", "not asked"), families)
    place = escape_line(str(suite.folder))
    return f"{made}\n\n{rules}\n\n{good('made')}: {place}; its README.md says what is in it"
