"""How much of a log is derived is counted, and does not fall."""

from nomadspec.checkers.oracle.check import judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.derived_share import count_fields
from nomadspec.checkers.report.judging import Tally
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.store.requests import EvalUpdate
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import TRACES

LEAST_ENTRIES = 0.25
LEAST_FIELDS = 0.30
"""What is derived of entries and fields at least; raise them with what is derived."""


def test_the_share_that_is_derived_does_not_fall() -> None:
    tally = Tally()
    for name in ("canary_manual", "update_destructive", "preemption"):
        tally.add(judge_trace(TRACES / name, Context(NOMAD_2_0)))

    for what, least in (("entries", LEAST_ENTRIES), ("fields", LEAST_FIELDS)):
        whole = sum(tally.shares[f"{what} {kind}"] for kind in ("derived", "checked", "taken"))
        assert tally.shares[f"{what} derived"] / whole >= least
    assert "entries of logs: " in tally.render()


def test_fields_that_are_zero_are_not_counted() -> None:
    assert count_fields(EvalUpdate(evals=(Evaluation(id="e", priority=50),))) == 2
