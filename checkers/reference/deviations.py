"""The page of what recordings contradict, and of what may differ from them."""

from typing import Final

from nomadspec.checkers.oracle.deviations import DEVIATIONS
from nomadspec.checkers.oracle.equivalence import EQUIVALENCES, Row
from nomadspec.checkers.reference.markdown import code, heading, page, table

_ABOUT: Final = (
    "The model is written from rules, and recordings of the real server judge it. Where a recording "
    "contradicts a rule, the recording is right for the release it comes from, and the model does as the "
    "server did. Where the real system leaves something open, or a recording does not hold it, the model "
    "allows what may be."
)
_EQUIVALENCES: Final = (
    "Everything else must be equal. `nomadspec vectors check` counts how often each row was needed; "
    "a corrupted recording that is accepted must be forgiven by one of them."
)


def compute_deviations_page() -> str:
    """Write the page."""
    rows = [
        (code(one.rule), one.said, one.recorded, code(one.recordings), code(one.place)) for one in DEVIATIONS
    ]
    return page(
        "Recordings against rules",
        _ABOUT,
        heading(2, "Deviations", "deviations"),
        table(["rule", "says", "recorded", "in", "model"], rows),
        heading(2, "What may differ", "equivalences"),
        _EQUIVALENCES,
        table(["row", "in", "at", "because"], [_equivalence(row) for row in EQUIVALENCES]),
    )


def _equivalence(row: Row) -> tuple[str, str, str, str]:
    return code(row.id), code(row.kind), code(row.pattern.removeprefix("^")), row.reason
