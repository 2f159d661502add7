"""Compares texts of refusals: their bullets are a set, and not every wording is known."""

from __future__ import annotations

from collections import Counter

from nomadspec.checkers.oracle.context import Context
from nomadspec.model.cluster.admission.complaint import Complaint, count_complaints, render_complaints


def word_error(recorded: str, errors: tuple[Complaint, ...], context: Context) -> str:
    """Give the text of a refusal: as recorded if that says the same in any order, else the model's."""
    lines = [line for error in errors for line in error.list_lines()]
    told = Counter(line.strip().removeprefix("* ") for line in recorded.split("\n") if line.strip())
    told.subtract([count_complaints(errors), *(line.text.strip() for line in lines if line.is_worded)])
    unworded = sum(not line.is_worded for line in lines)
    if min(told.values(), default=0) < 0 or told.total() != unworded:
        return render_complaints(errors)
    if unworded:
        context.note(f"worded otherwise: {'; '.join(sorted(told.elements()))}")
    return recorded
