"""The page of what recordings contradict, and of what may differ from them."""

from typing import Final

from nomadspec.checkers.oracle.deviations import DEVIATIONS, OBSERVATIONS, Deviation
from nomadspec.checkers.oracle.equivalence import EQUIVALENCES, Row
from nomadspec.checkers.reference.markdown import code, heading, page, table, titled

_ABOUT: Final = (
    "The model is written from the rules of the specification, and checked against recordings of real "
    "servers. Where a recording contradicts a rule, the recording is right for its release, and the model "
    "behaves as the server did. Where the real system leaves something open, or a recording does not "
    "contain it, the model accepts every permitted value."
)
_EQUIVALENCES: Final = (
    "Everything else must be equal. `nomadspec vectors check` counts how often each row was needed; "
    "a corrupted recording that is accepted must be forgiven by one of them."
)
_OBSERVATIONS: Final = "Two observations that neither a rule nor the description of the recordings mentions:"


def compute_deviations_page() -> str:
    """Write the page."""
    observations = [(code(one.recordings), one.seen, one.judged) for one in OBSERVATIONS]
    return page(
        "Recordings against rules",
        _ABOUT,
        heading(2, "Deviations", "deviations"),
        table(["rule", "says", "recorded", "in", "model"], [_deviation(one) for one in DEVIATIONS]),
        heading(2, "What else was seen", "observations"),
        _OBSERVATIONS,
        table(["in", "seen", "judged"], observations),
        heading(2, "What may differ", "equivalences"),
        _EQUIVALENCES,
        table(["row", "in", "at", "because"], [_equivalence(row) for row in EQUIVALENCES]),
    )


def _deviation(one: Deviation) -> tuple[str, str, str, str, str]:
    recordings = f"{code(one.recordings)}: {one.example}" if one.example else code(one.recordings)
    return titled([one.rule]), one.said, one.recorded, recordings, code(one.place)


def _equivalence(row: Row) -> tuple[str, str, str, str]:
    return code(row.id), code(row.kind), code(row.pattern.removeprefix("^")), row.reason
