"""Makes recorded calls ready, as the judge does."""

from typing import Any

from nomadspec.checkers.oracle.families.scheduler import Recorded
from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, read_vector
from nomadspec.checkers.oracle.reading import read_lines
from nomadspec.checkers.oracle.relation.recorded_call import RecordedCall
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import FOLDER


def make_call(document: dict[str, Any]) -> RecordedCall:
    """Make a recording ready."""
    vector = read_vector(document)
    jobs = Jobs.of(vector)
    recorded = Recorded.of(vector, jobs)
    return RecordedCall(vector, jobs, recorded.plans, recorded.evals, NOMAD_2_0)


def find_document(tag: str = "out:place", file: str = "service-00", *, nodes: int = 3) -> dict[str, Any]:
    """Find the first recording of a file that has a tag and so many nodes."""
    lines = read_lines(FOLDER / "scheduler" / f"{file}.ndjson.xz")
    return next(
        dict(line.document)
        for line in lines
        if tag in line.document["tags"] and len((line.document["choices"]["node_orders"] or [[]])[0]) >= nodes
    )
