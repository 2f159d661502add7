"""Odd inputs: whatever the model does with them, the judge does not refuse it, and nothing breaks down."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.oracle.reading import Line, read_lines
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.cluster.scheduler.schedule import ABORTED
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.relation.chosen import choose_otherwise
from tests.checkers.oracle.relation.twisted import TWISTS, twist
from tests.recorded import FOLDER, list_lines

KIND = read_kind("scheduler")
FILES = sorted((FOLDER / "scheduler").glob("*-00.ndjson.xz"))
SMALL = [path for path in FILES if not path.name.startswith("large")]


@cache
def read_inputs(every: int) -> Sequence[Document]:
    return tuple(line.document for path in SMALL for line in list_lines(path)[::every])


def judge_twisted(how: str, inputs: Sequence[Document], seed: int) -> Iterator[Judgement]:
    """Judge what the model makes of changed inputs; what is no input any more is passed over."""
    for at, document in enumerate(inputs):
        others = inputs[at + 1 : at + 4] or inputs[:3]
        try:
            told = choose_otherwise(twist(document, how, seed, others), FreeChoices(seed))
        except InputError:
            continue
        yield judge_line(KIND, Line("x", 1, told), Context(NOMAD_2_0, ignores_choices=True))


def assert_true(told: list[Judgement], *, undecided: float) -> None:
    """Assert that no true outcome is refused, and that few are left open."""
    counted = Counter(one.ruling for one in told)
    refused = [one for one in told if one.ruling not in {Ruling.ACCEPTED, Ruling.UNDECIDED}]

    assert told
    assert not refused, [(one.id, one.ruling, one.difference or one.reason) for one in refused[:5]]
    assert counted[Ruling.UNDECIDED] <= len(told) * undecided


@pytest.mark.parametrize("every", [200, pytest.param(100, marks=pytest.mark.deep)])
@pytest.mark.parametrize("how", TWISTS)
def test_odd_inputs_are_neither_refused_nor_too_much(how: str, every: int) -> None:
    assert_true(list(judge_twisted(how, read_inputs(every), seed=1)), undecided=0.05)


def test_a_call_may_break_off_in_one_order_of_nodes_and_go_on_in_another() -> None:
    """GENERIC-03: a node that keeps a port which is none makes it break off when it is visited."""
    lines = read_lines(FOLDER / "scheduler" / "service-02.ndjson.xz")
    document = next(line.document for line in lines if line.document["id"] == "service-s1167-012")
    twisted = twist(document, "ports that are kept", 105100130, [])
    told = choose_otherwise(twisted, FreeChoices(105100130), refusals=2)
    one = judge_line(KIND, Line("x", 1, told), Context(NOMAD_2_0, ignores_choices=True))

    assert told["outcome"]["error"]
    assert one.ruling is Ruling.ACCEPTED


@pytest.mark.deep
@pytest.mark.parametrize("how", TWISTS)
def test_many_odd_inputs_are_neither_refused_nor_too_much(how: str) -> None:
    """RANK-08, REC-95, GENERIC-03."""
    inputs = read_inputs(4)
    told = [one for seed in range(2, 6) for one in judge_twisted(how, inputs, seed)]

    assert_true(told, undecided=0.01)


@pytest.mark.parametrize(
    "how",
    [
        "no configuration",
        "an eval that the store lacks",
        "secrets that cannot be compared",
        "tasks without a part",
    ],
)
def test_some_of_them_make_calls_break_off_half_way(how: str) -> None:
    """GENERIC-03, SYSTEM-07."""
    twisted = (twist(document, how, 1, []) for document in read_inputs(25))
    errors = (choose_otherwise(each, FreeChoices(1))["outcome"]["error"] for each in twisted)

    assert any(error is not None and error.startswith(ABORTED) for error in errors)
