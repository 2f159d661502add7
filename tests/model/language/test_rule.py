import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.language.domain import FLAG, NONE, Id, Map, opt
from nomadspec.model.language.frame import FiniteFrame
from nomadspec.model.language.rule import Fairness, Rule, rule, rules_in, strong, weak
from nomadspec.model.small import two_phase_commit
from nomadspec.model.specification.profiles import INTENDED
from tests.model.language.toys import PLAN, Mood, Place, Shop, compile_text, load_rule_text, rule_of, shop_of

FRAME = FiniteFrame(Shop.schema, {"clerks": 2, "desks": 3, "hours": 2, "most": 3}, INTENDED)


@rule(
    "X-1", "X-2", fair=weak("clerk"), clerk=Shop.clerks, to=PLAN, mood=Mood, loud=FLAG, rest=opt(Shop.desks)
)
def serve_someone(s: Shop, t: Shop, clerk: Id, to: Any, mood: Any, loud: Any, rest: Any) -> None:
    """A clerk serves someone."""
    t.require(s.busy[clerk] == loud)
    t.plan[clerk] = to
    t.mood[clerk] = mood
    t.desk[clerk] = rest


def test_the_decorator_makes_a_rule_of_a_function() -> None:
    assert isinstance(serve_someone, Rule)
    assert ("ServeSomeone", ("X-1", "X-2")) == (serve_someone.name, serve_someone.spec)
    assert "A clerk serves someone." == serve_someone.about
    assert ["clerk", "to", "mood", "loud", "rest"] == [name for name, _ in serve_someone.arguments]


def test_a_rule_knows_its_place() -> None:
    assert __file__ == serve_someone.file
    assert serve_someone.text.__code__.co_firstlineno == serve_someone.line


def test_domains_are_those_of_the_scope() -> None:
    clerk, to, mood, loud, rest = serve_someone.domains(FRAME)

    assert [0, 1] == list(clerk.values())
    assert [(a, b) for a in range(-1, 3) for b in range(-1, 3)] == list(to.values())
    assert [0, 1, 2] == list(mood.values())
    assert [False, True] == list(loud.values())
    assert [NONE, 0, 1, 2] == list(rest.values())
    assert [2, 16, 3, 2, 4] == [domain.count for domain in (clerk, to, mood, loud, rest)]


def test_arguments_are_read_as_they_are_written() -> None:
    domains = serve_someone.domains(FRAME)
    values: tuple[Any, ...] = (1, (NONE, 2), 2, True, 0)
    labels = [domain.label(value) for domain, value in zip(domains, values, strict=True)]

    assert ["clerk2", {"place1": "NONE", "place2": "desk3"}, "gone", True, "desk1"] == labels
    assert values == tuple(domain.parse(label) for domain, label in zip(domains, labels, strict=True))


@pytest.mark.parametrize(
    "label", [None, "desk1", {}, {"place1": "desk1"}, {"place1": "NONE", "place2": "NONE", "place3": "NONE"}]
)
def test_an_assignment_names_each_place(label: Any) -> None:
    to = serve_someone.domains(FRAME)[1]
    with pytest.raises(UsageError, match=r"The argument to needs a value for each of place1, place2\."):
        to.parse(label)


def test_an_assignment_of_unknown_values_is_refused() -> None:
    to = serve_someone.domains(FRAME)[1]
    with pytest.raises(UnknownNameError, match="no value named 'desk7'"):
        to.parse({"place1": "NONE", "place2": "desk7"})


def test_an_assignment_to_no_place_at_all() -> None:
    frame = FiniteFrame(Shop.schema, {"clerks": 2, "desks": 3, "hours": 0, "most": 3}, INTENDED)
    to = serve_someone.domains(frame)[1]

    assert [()] == list(to.values())
    assert () == to.parse(to.label(()))


def test_fairness_is_weak_or_strong_and_for_each_value() -> None:
    assert Fairness(is_strong=False, each=()) == weak()
    assert Fairness(is_strong=True, each=("clerk", "desk")) == strong("clerk", "desk")


def test_a_module_lists_its_rules_in_order() -> None:
    names = [item.name for item in rules_in(two_phase_commit)]

    assert [item.name for item in two_phase_commit.TWO_PHASE_COMMIT.rules] == names
    assert (serve_someone,) == rules_in(sys.modules[__name__])


# slips

PLAIN = compile_text("serve(s, t)", "t.asked = 1")
NAMELESS = compile_text("serve(s, t)", "'''It is served.'''")

SLIPS: dict[str, Callable[[], Any]] = {
    r"Rule Serve takes \(s, t\), but its decorator asks for \(s, t, clerk\)": lambda: rule_of(
        PLAIN, clerk=Shop.clerks
    ),
    r"Rule Serve takes \(t, s\), but its decorator asks for \(s, t\)": lambda: rule_of(
        compile_text("serve(t, s)", "t.asked = 1")
    ),
    r"Rule Serve takes \(s, t, clerk\), but its decorator asks for \(s, t\); what can clerk be\?": lambda: (
        rule_of(compile_text("serve(s, t, clerk)", "t.asked = 1"))
    ),
    r"Rule Serve takes \(\), but its decorator asks for \(s, t\)": lambda: rule_of(
        compile_text("serve()", "return")
    ),
    "Rule Serve names no spec rule: give the IDs that it formalises": lambda: rule()(NAMELESS),
    "Rule Serve has no docstring: say in one sentence what happens": lambda: rule("X-1")(
        compile_text("serve(s, t)", "t.asked = 1")
    ),
    "Rule Serve is fair for each desk, but its arguments are none": lambda: rule("X-1", fair=weak("desk"))(
        NAMELESS
    ),
    r"@rule stands without brackets: write @rule\('BROKER-22', ...\)": lambda: rule(NAMELESS),
    r"A rule is made of a function, def put\(s, t\), and not of a functools.partial": lambda: rule("X-1")(
        partial(NAMELESS)
    ),
    r"weak\(...\) takes names of arguments, weak\('job'\), and not a declared set": lambda: weak(
        Shop.clerks  # type: ignore[arg-type] # the slip
    ),
}


@pytest.mark.parametrize("problem", SLIPS)
def test_a_slip_in_the_decorator_is_taught(problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        SLIPS[problem]()


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        (Place.clerks, "its argument c uses clerks, which its world does not declare"),
        (opt(Place.clerks), "its argument c uses clerks, which its world does not declare"),
        (Map(Place.clerks, FLAG), "its argument c uses clerks, which its world does not declare"),
        (Map(Shop.clerks, opt(Place.clerks)), "its argument c uses clerks, which its world does not"),
        (3, "3 is no domain: give FLAG,"),
        (int, "<class 'int'> is no domain: give FLAG,"),
        (Map(3, FLAG), "it asks a plain number for its name"),  # type: ignore[arg-type] # the slip
    ],
    ids=range(7),
)
def test_a_slip_in_a_domain_is_taught(domain: Any, problem: str) -> None:
    model = shop_of(rule_of(compile_text("serve(s, t, c)", "t.asked = 1"), c=domain))
    with pytest.raises(ModelError, match=rf"^Rule Serve \(shop.py:1\): {problem}"):
        model.at()


@pytest.mark.parametrize(
    "body", ["return s.is_open", "return all_of(s.busy[c])", "yield s.is_open", "return 0"]
)
def test_a_rule_gives_nothing_back(body: str) -> None:
    problem = r"it returns or yields something: a rule asks t.require\(...\) and assigns to t"
    with pytest.raises(ModelError, match=rf"^Rule Serve \(shop.py:1\): {problem}"):
        load_rule_text(body)
