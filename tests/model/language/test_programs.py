"""Random rules: whatever is written, tracing it says what running it does."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomadspec.model.errors import DomainError
from nomadspec.model.language.trace import Instance
from tests.model.language.evaluate import evaluate
from tests.model.language.toys import compile_text, load_rule

pytestmark = pytest.mark.usefixtures("ids_may_be_numbers")

NUMBERED = ["0", "1", "NONE", "s.asked", "s.asked - 2", "s.mood[1]"]
INDEXES = st.sampled_from(NUMBERED)
DESKS = st.sampled_from([*NUMBERED, "s.desk[0]", "s.desk[1]"])
FLAGS = st.one_of(
    st.sampled_from(["s.is_open", "s.busy[0]", "s.line.is_empty()", "s.desk[0] == s.desk[1]", "s.asked > 1"]),
    st.builds("s.line.has({})".format, INDEXES),
    st.builds("s.line.head({})".format, INDEXES),
    st.builds("s.busy[{}]".format, INDEXES),
    st.builds("s.seen[{}, {}]".format, INDEXES, DESKS),
    st.builds("s.plan[{}, {}] == SKIP".format, INDEXES, INDEXES),
    st.builds("s.taken[{}] == 1".format, DESKS),
    st.builds("exists(s.shown[{}, c] for c in s.clerks)".format, DESKS),
    st.builds("not_(s.dusty[{}])".format, DESKS),
)
NUMBERS = st.one_of(
    st.sampled_from(["0", "3", "s.asked", "s.rang", "count(s.busy[c] for c in s.clerks)"]),
    st.builds("s.taken[{}]".format, DESKS),
    st.builds("minimum(3, s.asked + s.taken[{}])".format, DESKS),
    st.builds("ite({}, s.rang, 1)".format, FLAGS),
)
WRITERS = st.one_of(
    st.just("t"),
    st.builds("t.when({})".format, FLAGS),
    st.builds("t.when({}).when({})".format, FLAGS, FLAGS),
)
STATEMENTS = st.one_of(
    st.builds("{}.asked = {}".format, WRITERS, NUMBERS),
    st.builds("{}.is_open = {}".format, WRITERS, FLAGS),
    st.builds("{}.dusty = {}".format, WRITERS, FLAGS),
    st.builds("{}.busy[{}] = {}".format, WRITERS, INDEXES, FLAGS),
    st.builds("{}.seen[{}, {}] = {}".format, WRITERS, INDEXES, DESKS, FLAGS),
    st.builds("{}.seen[{}] = s.dusty".format, WRITERS, INDEXES),
    st.builds("{}.plan[{}] = SKIP".format, WRITERS, INDEXES),
    st.builds("{}.plan = s.plan".format, WRITERS),
    st.builds("{}.line.push({})".format, WRITERS, INDEXES),
    st.builds("{}.line.pop({})".format, WRITERS, INDEXES),
    st.builds("{}.line.remove({})".format, WRITERS, INDEXES),
)
PROGRAMS = st.tuples(st.lists(FLAGS, max_size=2), st.lists(STATEMENTS, min_size=1, max_size=5))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PROGRAMS, st.data())
def test_a_program_is_traced_as_it_runs(program: tuple[list[str], list[str]], data: Any) -> None:
    assert_traced_as_it_runs(program, data)


@pytest.mark.deep
@settings(max_examples=1_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PROGRAMS, st.data())
def test_many_programs_are_traced_as_they_run(program: tuple[list[str], list[str]], data: Any) -> None:
    assert_traced_as_it_runs(program, data)


def assert_traced_as_it_runs(program: tuple[list[str], list[str]], data: Any) -> None:
    guards, statements = program
    body = "\n".join([*[f"t.require({flag})" for flag in guards], *statements])
    bounded = load_rule(compile_text("serve(s, t)", body))
    instance = Instance(0, bounded.model.rules[0], ())
    for _ in range(3):
        cells = tuple(
            data.draw(st.sampled_from(list(interval.values()))) for interval in bounded.frame.intervals
        )
        traced = [
            tuple(evaluate(term, cells) for term in found.after(cells))
            for found in bounded.traced
            if all(evaluate(term, cells) for term in found.guard)
        ]
        try:
            after = bounded.step(cells, instance)
        except DomainError:
            continue

        assert traced == ([] if after is None else [after])
