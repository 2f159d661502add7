"""Induction in a scope."""

from dataclasses import replace
from functools import cache

import pytest

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.induction import Break, Inductive, find_inductive
from nomadspec.checkers.smt.promise_proofs import END
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_induction import BoundedInduction
from nomadspec.checkers.verdict import InductionGap
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.property import Kind, always
from tests.checkers.smt.toys import begin, busy_clerks_wait, desk, finish, waiting_clerks_are_busy
from tests.model.language.toys import Shop, compile_text, rule_of, shop_of


def induct(bounded: BoundedModel) -> tuple[BoundedInduction, Inductive]:
    induction = BoundedInduction(bounded, Patience(None, 2.0))
    goals = [prop.name for prop in bounded.model.list_properties(Kind.STEP)]
    return induction, find_inductive(induction, goals, Silence())


@cache
def induct_everything(name: str, **sizes: int) -> Inductive:
    """Find what is inductive in a scope of a published model as intended."""
    return induct(find_model(name).at(sizes=sizes, profile="intended"))[1]


def parse(bounded: BoundedModel, described: dict[str, object]) -> Cells:
    """Read a world as it is described."""
    values = zip(bounded.frame.intervals, described.values(), strict=True)
    return tuple(interval.parse(label) for interval, label in values)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("core", {"nodes": 1}),
        pytest.param("core", {}, marks=pytest.mark.deep),
        pytest.param("core", {"flips": 1, "workers": 3}, marks=pytest.mark.deep),
        ("2pc", {"rms": 4}),
    ],
)
def test_everything_is_inductive_in_a_scope(name: str, sizes: dict[str, int]) -> None:
    found = induct_everything(name, **sizes)

    assert not [broken for broken in found.breaks if not broken.startswith(END)]


def test_only_what_the_text_leaves_open_is_asked() -> None:
    found = induct_everything("core", nodes=1)
    unasked = [reply for reply in found.replies.values() if not reply.seconds]

    assert len(unasked) > len(found.replies) // 4


def test_a_property_without_its_lemma_has_a_gap_that_replays() -> None:
    bounded = desk(begin, finish, properties=(busy_clerks_wait,))
    induction = BoundedInduction(bounded, Patience(None, 2.0))
    found = induction.ask_step(0, "busy_clerks_wait", ())
    gap = induction.explain("busy_clerks_wait", Break(0, found))

    assert isinstance(gap, InductionGap)
    before, after = parse(bounded, dict(gap.before)), parse(bounded, dict(gap.after))
    assert gap.rule == "Begin"
    assert bounded.step(before, bounded.instances[0]) == after
    assert not bounded.holds(busy_clerks_wait, after)


def test_a_step_in_which_a_queue_is_misused_breaks_nothing_that_leans_on_its_order() -> None:
    body = "t.require(s.line.has(c), s.asked < 3)\nt.line.push(c)\nt.asked = s.asked + 1"
    serve = rule_of(compile_text("serve(s, t, c)", body), c=Shop.clerks)
    never = always("X-1", why="w")(compile_text("never(s)", "return s.asked < 1"))
    induction = BoundedInduction(shop_of(serve, properties=(never,)).at(), Patience(None, 2.0))

    kept, broken = (induction.ask_step(0, "never", assumed) for assumed in (("order of line",), ()))
    assert (Answer.KEPT, {"order of line"}) == (kept.answer, set(kept.core))
    assert Answer.BROKEN is broken.answer
    assert induction.explain("never", Break(0, broken)) is None


ONE_OR_ALL = pytest.mark.parametrize(
    "sizes",
    [
        pytest.param({"nodes": 1, "jobs": 1}, id="one"),
        pytest.param({}, id="as published", marks=pytest.mark.deep),
    ],
)


@ONE_OR_ALL
def test_a_gap_of_a_model_that_lacks_a_lemma_begins_where_the_rest_holds(sizes: dict[str, int]) -> None:
    whole = find_model("core")
    lemma = "held_tokens_were_given"
    model = replace(whole, properties=tuple(prop for prop in whole.properties if prop.name != lemma))
    bounded = model.at(sizes=sizes, profile="intended")
    induction, found = induct(bounded)
    gap = induction.explain("no_token_is_shared", found.breaks["no_token_is_shared"])

    assert gap is not None
    before = parse(bounded, dict(gap.before))
    assert ["no_token_is_shared"] == [name for name in found.breaks if not name.startswith(END)]
    assert all(bounded.holds(prop, before) for prop in model.list_properties(Kind.ALWAYS))
    assert "Dequeue" == gap.rule


@ONE_OR_ALL
def test_a_step_property_has_a_gap_too(sizes: dict[str, int]) -> None:
    bounded = find_model("core").at(sizes=sizes, profile="X-02")
    _, found = induct(bounded)

    assert "tokens_never_shrink" not in found.breaks
    assert "no_token_is_shared" in found.breaks


def test_a_break_in_the_initial_worlds_has_no_gap() -> None:
    induction, _ = induct(desk(begin, finish, properties=(busy_clerks_wait,)))

    assert induction.explain("busy_clerks_wait", Break(None, Reply(Answer.BROKEN))) is None
    assert induction.explain("busy_clerks_wait", Break(0, Reply(Answer.UNKNOWN))) is None


def test_a_break_that_is_none_is_never_shown() -> None:
    bounded = desk(begin, finish, properties=(busy_clerks_wait, waiting_clerks_are_busy))
    induction = BoundedInduction(bounded, Patience(None, 2.0))
    real = induction.ask_step(0, "busy_clerks_wait", ())

    with pytest.raises(ImpossibleError, match="it does not"):
        induction.explain("waiting_clerks_are_busy", Break(0, real))


def test_what_is_known_is_assumed_and_not_asked() -> None:
    bounded = find_model("core").at(profile="intended")
    known = ("held_tokens_were_given",)
    induction = BoundedInduction(bounded, Patience(None, 2.0), known)
    found = find_inductive(induction, [], Silence(), wanted=["no_token_is_shared"])

    assert "no_token_is_shared" in found.proved
    assert set(known) <= found.lemmas_of("no_token_is_shared")
    assert not set(known) & {*induction.candidates, *found.proved}


def test_nothing_is_answered_once_the_time_is_used_up() -> None:
    induction = BoundedInduction(desk(begin, finish, properties=(busy_clerks_wait,)), Patience(0.0, 2.0))

    assert Answer.UNKNOWN is induction.ask_step(0, "busy_clerks_wait", ()).answer
