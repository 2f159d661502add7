"""Why IDs on formats are not cited, one by one: readers here take files, not endpoints."""

from collections.abc import Mapping
from typing import Final

from nomadspec.checkers.reference.uncited_kinds import OUTSIDE, Uncited

FORMATS: Final[Mapping[str, Uncited]] = {
    "WIRE-008": Uncited(OUTSIDE, "Escaping ends with the JSON decoder."),
    "WIRE-009": Uncited(OUTSIDE, "The recordings come from the API, which loses nothing of this list."),
    "WIRE-014": Uncited(OUTSIDE, "Waiting for an index belongs to the endpoint."),
    "WIRE-015": Uncited(OUTSIDE, "A blocking query hides steps, so no trace is made of them."),
    "WIRE-016": Uncited(OUTSIDE, "The order of lists; readers here go by ID."),
    "WIRE-017": Uncited(OUTSIDE, "Filters belong to the endpoint."),
    "WIRE-018": Uncited(OUTSIDE, "Prefixes of IDs belong to the endpoint."),
    "WIRE-031": Uncited(OUTSIDE, "Counting belongs to the endpoint."),
    "WIRE-034": Uncited(OUTSIDE, "Shows which fields are set; the writes that set them are cited."),
    "WIRE-035": Uncited(OUTSIDE, "The allocations of an evaluation are found by EvalID here."),
    "WIRE-036": Uncited(OUTSIDE, "Follows from 02/S13 for those who list evaluations."),
    "WIRE-037": Uncited(OUTSIDE, "Output of the command line is not read."),
    "WIRE-043": Uncited(OUTSIDE, "The codec reads both forms of a transition."),
    "WIRE-044": Uncited(OUTSIDE, "Whole allocations are compared, not a job's list of stubs."),
    "WIRE-045": Uncited(OUTSIDE, "Whole allocations are compared, not a deployment's list of stubs."),
    "WIRE-046": Uncited(OUTSIDE, "Allocations are compared one by one, not in a node's list."),
    "WIRE-048": Uncited(OUTSIDE, "Output of the command line is not read."),
    "WIRE-053": Uncited(OUTSIDE, "Output of the command line is not read."),
    "WIRE-064": Uncited(OUTSIDE, "Evaluations are compared one by one and as a whole, not in a job's list."),
    "WIRE-067": Uncited(OUTSIDE, "A dry run's answer is not recorded."),
    "WIRE-068": Uncited(OUTSIDE, "Diffs are made for people and decide nothing."),
    "WIRE-069": Uncited(OUTSIDE, "Output of the command line is not read."),
    "WIRE-074": Uncited(
        OUTSIDE, "Durations are read as numbers, as the API shows them; the command line's text is not read."
    ),
    "WIRE-076": Uncited(OUTSIDE, "What a server's workers do now is not recorded."),
    "WIRE-077": Uncited(OUTSIDE, "Output of the command line is not read."),
    "WIRE-094": Uncited(OUTSIDE, "Switching the stream off leaves nothing to read."),
    "WIRE-095": Uncited(
        OUTSIDE, "An answer is compared by the index in its header, not by when it was asked for."
    ),
    "WIRE-096": Uncited(OUTSIDE, "Says what a stream cannot show; silent steps answer for it."),
    "WIRE-104": Uncited(OUTSIDE, "How long the log is kept is a setting of the server."),
    "WIRE-106": Uncited(OUTSIDE, "Snapshot archives are not read."),
    "WIRE-107": Uncited(OUTSIDE, "Advice on keeping dumps secret."),
    "WIRE-110": Uncited(OUTSIDE, "Debug bundles are not read."),
    "WIRE-111": Uncited(OUTSIDE, "Debug bundles are not read, for this very reason."),
    "WIRE-112": Uncited(OUTSIDE, "Debug bundles are not read."),
    "WIRE-120": Uncited(OUTSIDE, "Metrics are not read."),
    "WIRE-121": Uncited(OUTSIDE, "Metrics are not read; queues stay silent steps."),
    "WIRE-130": Uncited(OUTSIDE, "What a trace needs; what one lacks is named, and nothing is said of it."),
    "WIRE-131": Uncited(OUTSIDE, "Compares sources for those who record."),
    "WIRE-133": Uncited(OUTSIDE, "Advice on recording a live cluster."),
    "WIRE-136": Uncited(
        OUTSIDE, "The log names the evaluation of each plan, so nothing is paired by the allocations."
    ),
    "WIRE-137": Uncited(OUTSIDE, "Gaps that no source closes cannot be checked."),
    "WIRE-138": Uncited(OUTSIDE, "Advice for bug reports."),
    "11/S7": Uncited(OUTSIDE, "Subscribing belongs to the endpoint."),
    "11/S8": Uncited(OUTSIDE, "Filters of topics belong to the endpoint."),
    "11/S10": Uncited(OUTSIDE, "The endpoint's answer for a job without deployment is not read."),
    "11/S11": Uncited(OUTSIDE, "Output of the command line is not read."),
    "11/S12": Uncited(OUTSIDE, "Output of the command line is not read."),
    "11/S13": Uncited(OUTSIDE, "Debug bundles are not read."),
    "11/S14": Uncited(OUTSIDE, "A dry run's answer is not recorded."),
    "11/S15": Uncited(
        OUTSIDE, "Of the answer to a registration, only Index and the evaluation are compared."
    ),
    "11/S16": Uncited(OUTSIDE, "Embedded jobs are read as they stand."),
}
