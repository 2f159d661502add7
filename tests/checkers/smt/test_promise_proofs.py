"""Domains are kept and queues used well: proved, or refuted with a story, and nothing holds without it."""

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.report.proving import Proved, require_unbounded
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.promise_proofs import list_promises
from nomadspec.checkers.trivial_properties import list_defined
from nomadspec.checkers.verdict import Proof, ProofResult, ProveReport, Verdict
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.domain import FLAG, Id, counter, upto
from nomadspec.model.language.logic import Value, any_of, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always, step
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.story import replay
from nomadspec.model.language.world import World, field, ids, index, queue, size

UNBOUNDED, BOUNDED, REFUTED = (
    ProofResult.PROVED_UNBOUNDED,
    ProofResult.PROVED_BOUNDED,
    ProofResult.COUNTEREXAMPLE,
)

END = "counters_fit_the_scope"


class Stall(World):
    """Clerks in a line, cups that are filled, and how many were sold."""

    clerks = ids("clerk", 2, "who works")
    most = size(2, "how many are sold in a scope")
    depth = size(1, "how deep the line is")
    level = field(upto(3), init=0, about="how full the cup is")
    sold = field(counter(most), init=0, about="cups that were sold")
    is_open = field(FLAG, init=False, about="the stall is open")
    line = queue(clerks, "who waits")


class Pair(World):
    """Two places and nothing of any number."""

    places = index("place", size(2, "places"), "the places")
    is_taken = field(places, FLAG, init=False, about="the place is taken")


@rule("STALL-01")
def fill(s: Stall, t: Stall) -> None:
    """Somebody fills the cup, without looking."""
    t.level = s.level + 1


@rule("STALL-01")
def fill_with_care(s: Stall, t: Stall) -> None:
    """Somebody fills the cup, until it is full."""
    t.require(s.level < 3)
    t.level = s.level + 1


@rule("STALL-02")
def sell(s: Stall, t: Stall) -> None:
    """A cup is sold."""
    t.sold = s.sold + 1


@rule("STALL-02")
def sell_a_few(s: Stall, t: Stall) -> None:
    """A cup is sold, as long as the scope counts them."""
    t.require(s.sold < s.most)
    t.sold = s.sold + 1


@rule("STALL-02")
def spill_and_sell(s: Stall, t: Stall) -> None:
    """Two cups are poured and one of them is sold."""
    t.level = s.level + 2
    t.sold = s.sold + 1


@rule("STALL-02")
def take_back(s: Stall, t: Stall) -> None:
    """A cup comes back, sold or not."""
    t.sold = s.sold - 1


@rule("STALL-03", clerk=Stall.clerks)
def join(s: Stall, t: Stall, clerk: Id) -> None:
    """A clerk who does not wait joins the line."""
    t.require(not_(s.line.has(clerk)))
    t.line.push(clerk)


@rule("STALL-03", clerk=Stall.clerks)
def join_again(s: Stall, t: Stall, clerk: Id) -> None:
    """A clerk joins the line, who may wait already."""
    t.line.push(clerk)


@rule("STALL-03", clerk=Stall.clerks)
def serve(s: Stall, t: Stall, clerk: Id) -> None:
    """The first in the line is served."""
    t.require(s.line.head(clerk))
    t.line.pop(clerk)


@rule("STALL-03", clerk=Stall.clerks)
def serve_any(s: Stall, t: Stall, clerk: Id) -> None:
    """Somebody is served, who may not be first or wait at all."""
    t.line.pop(clerk)


@rule("PAIR-01", place=Pair.places)
def take(s: Pair, t: Pair, place: Id) -> None:
    """A free place is taken."""
    t.require(not_(s.is_taken[place]))
    t.is_taken[place] = True


@always("STALL-01", why="a cup holds no more")
def cups_do_not_spill(s: Stall) -> Value:
    """A cup is at most full."""
    return s.level <= 3


@always("STALL-01", why="the stall never opens")
def stall_is_closed(s: Stall) -> Value:
    """The stall is closed."""
    return not_(s.is_open)


@always("STALL-02", why="no more is sold than a scope counts")
def sales_end(s: Stall) -> Value:
    """Say what is true because the scope counts no further."""
    return s.sold <= s.most


@always("STALL-02", why="only of a deep line something is asked")
def deep_lines_are_short(s: Stall) -> Value:
    """Say nothing of a line that is one deep."""
    return any_of(s.depth <= 1, s.sold == 0)


@step("STALL-02", why="of a line that is one deep nothing is asked")
def deep_lines_sell_nothing(s: Stall, n: Stall) -> Value:
    """Say nothing of a line that is one deep."""
    return any_of(s.depth <= 1, s.sold == n.sold)


@always("PAIR-01", why="for the test")
def first_goes_first(s: Pair) -> Value:
    """Say nothing."""
    return any_of(s.is_taken[0], not_(s.is_taken[0]))


def stall(*rules: Rule, properties: tuple[Property, ...] = (stall_is_closed,)) -> BoundedModel:
    """Bound a stall with these rules."""
    model = Model("stall", "a stall", Stall, rules, properties, (Scope("small", "for tests"),))
    return model.at(profile="intended")


def results(report: ProveReport) -> dict[str, ProofResult]:
    """Give the result of each proof."""
    return {proof.property: proof.result for proof in report.proofs}


def find(report: ProveReport, name: str) -> Proof:
    """Find a proof."""
    return next(proof for proof in report.proofs if proof.property == name)


@pytest.mark.parametrize("is_open", [True, False])
def test_a_domain_that_is_left_is_a_violation_with_a_story(is_open: bool) -> None:
    bounded = stall(fill, properties=(cups_do_not_spill, stall_is_closed))
    report = prove(bounded, is_open=is_open)
    found = find(report, "domains_are_kept")

    assert Verdict.VIOLATED is report.verdict
    assert found.story is not None
    assert REFUTED is found.result
    assert ["Fill"] * 4 == [one.rule for one in found.story.steps]
    assert judge(found.story, replay(found.story, bounded)).is_true
    assert ProofResult.UNKNOWN is find(report, "cups_do_not_spill").result
    assert ["Nothing is said of cups_do_not_spill"] == [note.partition(":")[0] for note in report.notes]
    assert find(report, "stall_is_closed").result in {UNBOUNDED, BOUNDED}


@pytest.mark.parametrize("is_open", [True, False])
def test_without_enough_steps_it_is_open_and_shows_the_step(is_open: bool) -> None:
    report = prove(stall(fill), is_open=is_open, bmc_steps=2)
    found = find(report, "domains_are_kept")

    assert Verdict.INCONCLUSIVE is report.verdict
    assert ProofResult.NOT_INDUCTIVE is found.result
    assert found.gap is not None
    assert found.gap.replay is not None
    assert ("Fill", 3) == (found.gap.rule, found.gap.before["level"])
    assert "leaves its domain, 0 .. 3" in str(found.gap.replay.failure)


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("faulty", [join_again, serve_any])
def test_a_queue_that_is_misused_is_a_violation_with_a_story(faulty: Rule, is_open: bool) -> None:
    bounded = stall(join, serve, faulty)
    report = prove(bounded, is_open=is_open)
    found = find(report, "queues_are_used_well")

    assert Verdict.VIOLATED is report.verdict
    assert found.story is not None
    assert faulty.name == found.story.steps[-1].rule
    assert judge(found.story, replay(found.story, bounded)).is_true
    assert find(report, "domains_are_kept").result is BOUNDED


@pytest.mark.parametrize("is_open", [True, False])
def test_what_is_kept_is_proved_with_any_property(is_open: bool) -> None:
    report = prove(stall(fill_with_care, join, serve), properties=["stall_is_closed"], is_open=is_open)
    wanted = UNBOUNDED if is_open else BOUNDED
    names = ("stall_is_closed", "domains_are_kept", "queues_are_used_well")

    assert Verdict.HOLDS is report.verdict
    assert {**dict.fromkeys(names, wanted), END: BOUNDED} == results(report)


def test_a_promise_can_be_asked_for_alone() -> None:
    report = prove(stall(fill_with_care), properties=["domains_are_kept"])

    assert {
        "domains_are_kept": UNBOUNDED,
        END: BOUNDED,
        "queues_are_used_well": UNBOUNDED,
    } == results(report)


def test_a_model_promises_only_what_it_could_break() -> None:
    assert {} == list_promises(Pair.schema)
    assert ["domains_are_kept", "counters_fit_the_scope", "queues_are_used_well"] == list(
        list_promises(Stall.schema)
    )


def test_the_end_of_a_counter_is_the_scope_s_and_its_beginning_is_not() -> None:
    kept, left = prove(stall(sell)), prove(stall(sell, take_back))

    assert UNBOUNDED is find(kept, "domains_are_kept").result
    assert REFUTED is find(kept, END).result
    assert find(left, "domains_are_kept").story is not None


@pytest.mark.parametrize("is_open", [True, False])
def test_no_proof_leans_on_where_a_scope_ends(is_open: bool) -> None:
    report = prove(stall(sell, properties=(sales_end,)), is_open=is_open)

    assert Verdict.VIOLATED is report.verdict
    assert ProofResult.UNKNOWN is find(report, "sales_end").result


@pytest.mark.parametrize("is_open", [True, False])
def test_a_counter_that_passes_its_end_is_a_violation_wherever_it_is_asked(is_open: bool) -> None:
    bounded = stall(sell)
    proof = find(prove(bounded, is_open=is_open), END)
    searched = [explore(bounded, reduction=chosen).findings for chosen in ("none", "symmetry")]

    assert proof.story is not None
    assert ["Sell"] * 3 == [one.rule for one in proof.story.steps]
    assert judge(proof.story, replay(proof.story, bounded)).is_true
    assert [("counters_fit_the_scope", 3)] * 2 == [
        (one.property, len(one.story.steps)) for (one,) in searched if one.story
    ]


@pytest.mark.parametrize("is_open", [True, False])
def test_a_step_that_leaves_a_domain_and_passes_an_end_leaves_the_domain(is_open: bool) -> None:
    report = prove(stall(spill_and_sell), is_open=is_open)

    assert REFUTED is find(report, "domains_are_kept").result
    assert find(report, END).story is None
    assert Verdict.VIOLATED is report.verdict


def test_a_counter_with_a_guard_holds_and_asks_for_no_more_than_its_scope() -> None:
    report = prove(stall(sell_a_few))

    assert Verdict.HOLDS is report.verdict
    assert BOUNDED is find(report, "counters_fit_the_scope").result
    assert Verdict.HOLDS is require_unbounded(Proved(report, stall(sell_a_few), "stall")).report.verdict


def test_what_a_scope_settles_is_true_by_definition_there() -> None:
    bounded = stall(sell, properties=(deep_lines_are_short, deep_lines_sell_nothing, stall_is_closed))
    report = prove(bounded, is_open=False)

    assert {"deep_lines_are_short", "deep_lines_sell_nothing"} == {
        proof.property for proof in report.proofs if proof.is_by_definition
    }
    assert {"deep_lines_are_short"} == list_defined(bounded, [deep_lines_are_short, stall_is_closed])


def test_where_nothing_can_be_any_number_nothing_is_proved_for_any() -> None:
    model = Model("pair", "a pair", Pair, (take,), (first_goes_first,), (Scope("small", "for tests"),))
    (proof,) = prove(model.at(profile="intended")).proofs

    assert (BOUNDED, (), {"places": 2}) == (proof.result, proof.reading.any, proof.reading.fixed)


def test_what_could_be_any_number_is_named() -> None:
    proof = find(prove(stall(sell)), "stall_is_closed")

    assert (("clerks", "most", "depth"), {}) == (proof.reading.any, proof.reading.fixed)
