"""Why steps can or cannot happen in a world, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.report.expressions import Expression, show
from nomadspec.checkers.report.story_text import list_fields, profile_data
from nomadspec.checkers.report.table import (
    bad,
    count_of,
    good,
    render_facts,
    render_paragraph,
    render_table,
    strong,
)
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.model.errors import ModelError
from nomadspec.model.language.story import label_instance

if TYPE_CHECKING:
    from nomadspec.checkers.why_not import Condition, Reasons
    from nomadspec.model.language.bounded import BoundedModel, Cells

_MOST_READS: Final = 6
"""So many values are shown beside a condition."""


def render_reasons(reasons: Reasons, where: str) -> str:
    """Write what a step requires, a row for each condition."""
    if reasons.problem is not None:
        said = f"{bad('fails')}, {where}: {reasons.problem}"
    elif reasons.is_possible:
        said = f"{good('is possible')}, {where}"
    else:
        missing = count_of(len(reasons.missing), "condition does", "conditions do")
        said = f"{bad('is not possible')}: {missing} not hold, {where}"
    rows = [
        (f"{one.file.rpartition('/')[2]}:{one.line}", good("yes") if one.holds else bad("no"), _describe(one))
        for one in reasons.conditions
    ]
    headline = render_paragraph(f"{strong(str(reasons.step))} {said}")
    return f"{headline}\n\n{render_table(('where', 'holds', 'condition'), rows)}" if rows else headline


def reasons_data(reasons: Reasons) -> dict[str, object]:
    """Write what a step requires as data."""
    return {
        "step": str(reasons.step),
        "possible": reasons.is_possible,
        "problem": reasons.problem,
        "conditions": [
            {
                "text": one.text,
                "file": one.file,
                "line": one.line,
                "holds": one.holds,
                "reads": dict(one.reads),
            }
            for one in reasons.conditions
        ],
    }


def _describe(condition: Condition) -> str:
    reads = [f"{name} is {show(value)}" for name, value in condition.reads]
    shown = ", ".join(reads[:_MOST_READS])
    more = f" and {len(reads) - _MOST_READS} more" if len(reads) > _MOST_READS else ""
    return f"{condition.text}{f'   ({shown}{more})' if reads else ''}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A world, how it was reached, what can happen there, and what was asked about it."""

    bounded: BoundedModel
    reference: str
    cells: Cells
    after: tuple[str, ...]
    asked: tuple[Reasons, ...] = ()
    expressions: tuple[Expression, ...] = ()

    def list_possible(self) -> list[tuple[str, str | None]]:
        """List the steps that can happen, each with how it fails, if it does."""
        found: list[tuple[str, str | None]] = []
        for instance in self.bounded.instances:
            step = str(label_instance(self.bounded, instance))
            try:
                if self.bounded.step(self.cells, instance) is not None:
                    found.append((step, None))
            except ModelError as error:
                found.append((step, str(error)))
        return found

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/steps.json says what its fields mean."""
        return {
            "model": self.reference,
            "scope": self.bounded.scope,
            "sizes": dict(self.bounded.sizes),
            "profile": profile_data(self.bounded.profile.name, self.reference),
            "after": list(self.after),
            "world": self.bounded.describe(self.cells),
            "possible": [step for step, problem in self.list_possible() if problem is None],
            "failing": {step: problem for step, problem in self.list_possible() if problem is not None},
            "reasons": [reasons_data(one) for one in self.asked],
            "values": {text: show(value) for text, value in self._evaluate()},
            "titles": find_titles_in(self.bounded.profile.name),
        }

    def render(self) -> str:
        """Write it for people."""
        parts = [self._headline(), render_facts(list_fields(self.bounded, self.cells))]
        if self.expressions:
            parts.append(render_facts([(text, show(value)) for text, value in self._evaluate()]))
        if self.asked:
            parts += [render_reasons(one, self._where) for one in self.asked]
        else:
            rows = [(step, bad("fails") if problem else "") for step, problem in self.list_possible()]
            parts.append(render_table(("can happen", ""), rows) if rows else "nothing can happen")
        return "\n\n".join(parts)

    def _evaluate(self) -> Sequence[tuple[str, object]]:
        return [(one.text, one.evaluate(self.bounded, self.cells, self._where)) for one in self.expressions]

    @property
    def _where(self) -> str:
        return f"after {count_of(len(self.after), 'step')}" if self.after else "in the first world"

    def _headline(self) -> str:
        return f"{self.reference}, scope {self.bounded.scope}, {self._where}"
