"""What tables are asked for in scopes of every size: what a scope leaves out may stray in others."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import pytest
import z3

from nomadspec.checkers.explore import explore
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.open_rows import do_keep, find_proved
from nomadspec.checkers.smt.open_strays import expect_no_strays
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.errors import ModelError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import Domain, Id, Map, upto
from nomadspec.model.language.logic import Value, all_of, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import COUNTERS_FIT_THE_SCOPE, DOMAINS_ARE_KEPT
from nomadspec.model.language.property import Property, always, step
from nomadspec.model.language.rule import Rule, rule
from tests.checkers.smt.straying import (
    MAKING,
    MARKS,
    SOUND,
    STRAYING,
    Shelf,
    keep_the_last,
    keep_the_next,
    stray_by_a_number,
)

Text = Callable[[Shelf, Shelf, Id], None]


def shelf(
    *rules: Rule, properties: tuple[Property, ...] = (), sizes: Mapping[str, int] = MappingProxyType({})
) -> BoundedModel:
    """Bound a model of the shelf with these rules; without more it has no jobs, so that no rule happens."""
    model = Model("shelf", "a shelf", Shelf, rules, properties, is_at_rest=lambda _: True)
    return model.at(sizes={"jobs": 0, **sizes})


def is_refused(bounded: BoundedModel) -> bool:
    """Tell whether something may be asked for what it has not, in a scope of some size."""
    try:
        expect_no_strays(bounded, OpenWorld(bounded, z3.Context()).background, z3.Context())
    except (ModelError, z3.Z3Exception):
        return True
    return False


def bound(text: Text, **sizes: int) -> BoundedModel:
    """Bound a model with one of the texts as its rule."""
    return shelf(rule("X", job=Shelf.jobs, makes=Shelf.made if text in MAKING else ())(text), sizes=sizes)


def find_violated(text: Text, **sizes: int) -> set[str]:
    """Name what a search of a scope finds to be violated; a text that is refused there violates its style."""
    try:
        report = explore(bound(text, **sizes))
    except ModelError:
        return {"style"}
    return {finding.property for finding in report.findings}


def test_a_scope_without_jobs_says_nothing_of_any_text() -> None:
    assert all(explore(bound(text)).verdict is Verdict.HOLDS for text in (*SOUND, *STRAYING))


@pytest.mark.parametrize("text", [*SOUND, *STRAYING])
def test_a_text_is_refused_where_it_strays_in_some_scope_and_else_in_none(text: Text) -> None:
    scopes = ((1, 0, 1), (2, 1, 2), (1, 2, 1), (2, 3, 2))
    found = [find_violated(text, jobs=jobs, most=most, room=room) for jobs, most, room in scopes]
    told = set().union(*found) - {COUNTERS_FIT_THE_SCOPE}

    assert bool(told) == is_refused(bound(text)) == (text in STRAYING)


def test_what_may_stray_is_proved_of_the_scope_alone() -> None:
    results = {}
    for text in (stray_by_a_number, keep_the_next):
        report = prove(bound(text), bmc_steps=0)
        told = ["only the scope says how far" in note for note in report.notes]
        kept = next(proof for proof in report.proofs if proof.property == DOMAINS_ARE_KEPT)
        results[text.__name__] = (report.verdict, told, kept.result)

    assert {
        "stray_by_a_number": (Verdict.HOLDS, [True], ProofResult.PROVED_BOUNDED),
        "keep_the_next": (Verdict.HOLDS, [], ProofResult.PROVED_UNBOUNDED),
    } == results


def test_a_rule_that_may_stray_is_not_known_to_keep_anything() -> None:
    assert do_keep(bound(keep_the_next), ["KeepTheNext"], ())
    assert not do_keep(bound(stray_by_a_number), ["StrayByANumber"], ())
    assert frozenset() == find_proved(bound(stray_by_a_number))


def ask_marks_by_number(s: Shelf) -> Value:
    """Of each job it is asked whether a mark is lit that a number says."""
    return for_all(not_(s.lit[s.at]) for _ in s.jobs)


def ask_behind_records(s: Shelf) -> Value:
    """Of each record it is asked whether the one behind it is kept."""
    return for_all(not_(s.on[i + 1]) for i in s.records)


def ask_between_records(s: Shelf) -> Value:
    """Of each record but the last it is asked whether the one behind it is kept."""
    return for_all(implies(i + 1 < s.most, not_(s.on[i + 1])) for i in s.records)


def ask_behind_marks(s: Shelf) -> Value:
    """Of each mark but the last it is asked whether the one behind it is lit."""
    return for_all(implies(i + 1 < MARKS, not_(s.lit[i + 1])) for i in s.marks for _ in s.jobs)


def ask_records(s: Shelf) -> Value:
    """Of records that cells hold it is asked whether they are kept."""
    return for_all(not_(all_of(s.on[s.own[job]], s.on[s.last])) for job in s.jobs)


@pytest.mark.parametrize(
    "ask", [ask_marks_by_number, ask_behind_records, ask_between_records, ask_behind_marks, ask_records]
)
@pytest.mark.parametrize("is_step", [False, True])
def test_a_property_is_asked_as_well(ask: Callable[[Shelf], Value], *, is_step: bool) -> None:
    """A scope without jobs or records asks it of nothing."""

    def ask_after(s: Shelf, n: Shelf) -> Value:
        return implies(s.at == n.at, ask(n))

    ask_after.__doc__ = ask.__doc__
    prop = step("X", why="it is asked")(ask_after) if is_step else always("X", why="it is asked")(ask)
    wait = rule("X", job=Shelf.jobs)(keep_the_last)

    assert is_refused(shelf(wait, properties=(prop,), sizes={"most": 0})) == (
        ask in {ask_marks_by_number, ask_behind_records}
    )


def test_a_property_of_steps_speaks_of_two_worlds() -> None:
    @step("X", why="a number that changes says which mark is lit")
    def asks_after_a_change(s: Shelf, n: Shelf) -> Value:
        """Where a number has changed it is a mark."""
        return implies(s.at != n.at, not_(n.lit[n.at]))

    keep = rule("X", job=Shelf.jobs)(keep_the_last)

    assert is_refused(shelf(keep, properties=(asks_after_a_change,)))


@pytest.mark.parametrize(
    ("spec", "is_read"),
    [(Shelf.marks, True), (upto(1), True), (upto(2), False), (upto(Shelf.room), False), (Shelf.jobs, False)],
)
def test_an_argument_is_a_place_where_it_is_one_in_every_scope(spec: Domain, *, is_read: bool) -> None:
    @rule("X", job=Shelf.jobs, mark=spec)
    def light(s: Shelf, t: Shelf, job: Id, mark: Value) -> None:
        """A mark is lit."""
        t.lit[mark] = True

    @rule("X", marks=Map(Shelf.jobs, spec))
    def light_all(s: Shelf, t: Shelf, marks: Value) -> None:
        """Each job says which mark is lit."""
        for job in s.jobs:
            t.lit[marks[job]] = True

    @rule("X", job=Shelf.jobs, marks=Map(Shelf.marks, spec))
    def light_each(s: Shelf, t: Shelf, job: Id, marks: Value) -> None:
        """Each mark says which one is lit."""
        for mark in s.marks:
            t.lit[marks[mark]] = True

    assert [is_read] * 3 == [not is_refused(shelf(one)) for one in (light, light_all, light_each)]


def test_initial_worlds_are_asked_as_well() -> None:
    @rule("X")
    def begin_with_a_record(s: Shelf, t: Shelf) -> None:
        """There is a record from the start."""
        t.on[0] = True
        t.made = 1

    @rule("X")
    def begin_without(s: Shelf, t: Shelf) -> None:
        """There is none, but it is kept."""
        t.on[0] = True

    keep = rule("X", job=Shelf.jobs)(keep_the_last)
    models = [
        Model("shelf", "a shelf", Shelf, (keep,), starts=(one,))
        for one in (begin_with_a_record, begin_without)
    ]

    assert [False, True] == [is_refused(model.at(sizes={"jobs": 0})) for model in models]


SMALL = [name for name in list_model_names(with_classics=True) if name not in {"kernel", "resources"}]


@pytest.mark.parametrize("name", SMALL)
def test_no_text_of_a_small_model_strays(name: str) -> None:
    assert not is_refused(bind_as_usual(find_model(name)))


@pytest.mark.parametrize("profile", ["intended", "nomad-2.0"])
@pytest.mark.parametrize("scope", ["contention", "unknown-entry"])
@pytest.mark.deep(seconds=10)
def test_no_text_of_the_kernel_strays(scope: str, profile: str) -> None:
    assert not is_refused(find_model("kernel").at(scope=scope, profile=profile))
