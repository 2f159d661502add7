from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from nomadspec.invariants.small import two_phase_commit
from nomadspec.model.errors import ModelError, StyleError
from nomadspec.model.language.frame import FiniteFrame
from nomadspec.model.language.property import (
    By,
    Kind,
    always,
    eventually,
    eventually_always,
    leads_to,
    lemma,
    name_part,
    properties_in,
    sometimes,
    step,
    unless,
    until,
)
from nomadspec.model.language.rule import rule
from nomadspec.model.language.term import is_same
from nomadspec.model.specification.profiles import INTENDED
from tests.model.language.toys import (
    Mood,
    Place,
    Shop,
    compile_text,
    idle,
    load_property_text,
    rule_of,
    shop_of,
)

SERVE = rule_of(compile_text("serve(s, t, clerk, desk)", "t.asked = 1"), clerk=Shop.clerks, desk=Shop.desks)


def text(head: str, body: str = "return True") -> Any:
    """Make the function of a property."""
    return compile_text(head, body)


def test_each_kind_has_its_decorator() -> None:
    made = [
        always("X-1", why="w")(text("f(s)")),
        step("X-1", why="w")(text("f(s, n, by)")),
        sometimes("X-1", why="w")(text("f(s)")),
        eventually("X-1", why="w", clerk=Shop.clerks)(text("f(s, clerk)")),
        leads_to("X-1", why="w", given=text("g(s)"))(text("f(s)")),
        until("X-1", why="w", keeps=text("g(s)"))(text("f(s)")),
        unless("X-1", why="w", keeps=text("g(s)"))(text("f(s)")),
        eventually_always("X-1", why="w")(text("f(s)")),
    ]

    assert list(Kind) == [prop.kind for prop in made]
    assert ["f"] * len(made) == [prop.name for prop in made]
    assert [("X-1",), "w", "shop.py", 1] == [made[0].spec, made[0].why, made[0].file, made[0].line]


def test_a_lemma_is_an_always_that_says_so() -> None:
    prop = lemma("X-1", why="w", rests_on=(always("X-1", why="w")(text("g(s)")),))(text("f(s)"))

    assert (Kind.ALWAYS, True, ("g",)) == (prop.kind, prop.is_lemma, prop.rests_on)


def test_a_property_is_called_like_its_function() -> None:
    prop = eventually("X-1", why="w", clerk=Shop.clerks)(text("f(s, clerk)", "return (s, clerk)"))

    assert (1, 2) == prop(1, 2)


def test_a_step_property_may_leave_the_rule_out() -> None:
    short = step("X-1", why="w")(text("f(s, n)", "return (s, n)"))
    long = step("X-1", why="w")(text("f(s, n, by)", "return (s, n, by)"))

    assert (1, 2) == short(1, 2, 3)
    assert (1, 2, 3) == long(1, 2, 3)


LONG_AND_SHORT = {
    "each": (
        always("X-1", why="w")(
            text("f(s)", "return for_all(s.seen[c, d] for c in s.clerks for d in s.desks)")
        ),
        always("X-1", why="w", c=Shop.clerks, d=Shop.desks)(text("g(s, c, d)", "return s.seen[c, d]")),
    ),
    "some": (
        sometimes("X-1", why="w")(
            text("f(s)", "return exists(s.seen[c, d] for d in s.desks for c in s.clerks)")
        ),
        sometimes("X-1", why="w", d=Shop.desks, c=Shop.clerks)(text("g(s, d, c)", "return s.seen[c, d]")),
    ),
    "a step": (
        step("X-1", why="w")(
            text("f(s, n)", "return for_all(all_of(n.asked == 1, s.busy[c]) for c in s.clerks)")
        ),
        step("X-1", why="w", c=Shop.clerks)(text("g(s, n, c)", "return all_of(n.asked == 1, s.busy[c])")),
    ),
    "a step of a rule": (
        step("X-1", why="w")(text("f(s, n, by)", "return for_all(by['clerk'] == c for c in s.clerks)")),
        step("X-1", why="w", c=Shop.clerks)(text("g(s, n, by, c)", "return by['clerk'] == c")),
    ),
}


@pytest.mark.parametrize("kind", LONG_AND_SHORT)
def test_a_property_may_name_the_sets_that_it_goes_through(kind: str) -> None:
    long, short = LONG_AND_SHORT[kind]
    bounded = shop_of(SERVE, properties=(long, short)).at()
    if long.kind is Kind.STEP:
        same = zip(bounded.trace_steps(long), bounded.trace_steps(short), strict=True)
    else:
        same = zip(*([prop(bounded.world(bounded.cell_terms))] for prop in (long, short)), strict=True)

    assert all(is_same(one, other) for one, other in same)
    assert [()] == bounded.list_cases(short)


def test_a_property_that_names_sets_keeps_its_sentence() -> None:
    told = text("f(s, c)")
    told.__doc__ = "Clerks are busy."

    assert "Clerks are busy." == always("X-1", why="w", c=Shop.clerks)(told).text.__doc__


def test_the_ids_that_break_a_property_are_named() -> None:
    prop = always("X-1", why="w", c=Shop.clerks)(text("f(s, c)", "return s.busy[c]"))
    bounded = shop_of(SERVE, properties=(prop,)).at()

    assert (("clerk1",), ("clerk2",)) == bounded.explain(prop, bounded.initial[0])


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return None", r"A flag .* was expected where None stands"),
        ("return s.busy[c] and s.is_open", "a rule or property may not branch on a value of the world"),
        ("return s.dusty[c]", "dusty is read or written at one of its desks that is one of the clerks"),
    ],
)
def test_a_slip_in_a_property_that_names_sets_is_taught(body: str, problem: str) -> None:
    prop = always("X-1", why="w", c=Shop.clerks)(text("f(s, c)", body))
    with pytest.raises(ModelError, match=rf"^Property f \(shop.py:\d\): .*{problem}"):
        shop_of(SERVE, properties=(prop,)).at()


def test_a_property_names_sets_of_its_own_world() -> None:
    prop = step("X-1", why="w", c=Place.clerks)(text("f(s, n, c)"))
    with pytest.raises(
        ModelError, match=r"^Property f .* its argument c uses clerks, which its world does not"
    ):
        shop_of(SERVE, properties=(prop,)).at()


def test_the_arguments_of_an_eventually_have_domains() -> None:
    prop = eventually("X-1", why="w", clerk=Shop.clerks)(text("f(s, clerk)"))
    frame = FiniteFrame(Shop.schema, {"clerks": 4, "desks": 0, "hours": 0, "most": 0}, INTENDED)
    (clerk,) = prop.domains(frame)

    assert ("clerk", [0, 1, 2, 3]) == (clerk.name, list(clerk.values()))


def test_by_knows_the_rule_and_its_arguments() -> None:
    by = By(SERVE, (1, 2))

    assert (1, 2) == (by["clerk"], by["desk"])
    assert by.is_(idle, SERVE)
    assert not by.is_(idle)


def test_by_is_asked_for_some_rule() -> None:
    with pytest.raises(StyleError, match=r"by\.is_\(\) names no rule, so that no step would ever be it"):
        By(SERVE, (1, 2)).is_()


@pytest.mark.parametrize("asked", ["Serve", None, Kind.STEP])
def test_by_is_asked_for_rules_only(asked: Any) -> None:
    """No step would ever be it, so that what it implies would never be asked."""
    with pytest.raises(StyleError, match=r"by\.is_ is asked for .*, which is no rule"):
        By(SERVE, (1, 2)).is_(idle, asked)


def test_by_knows_a_rule_by_its_name() -> None:
    changed = rule("X-2", clerk=Shop.clerks)(text("serve(s, t, clerk)", "'''Another text.'''"))

    assert By(changed, (0,)).is_(SERVE)


def test_a_module_lists_its_properties_in_order() -> None:
    assert two_phase_commit.TWO_PHASE_COMMIT.properties == properties_in(two_phase_commit)


# slips

SLIPS: dict[str, Callable[[], Any]] = {
    r"Property f takes \(world\), but it should take \(s\)": lambda: always("X-1", why="w")(text("f(world)")),
    r"Property f takes \(s, n\), but .* asks for \(s\); @sometimes is of worlds: write @step": lambda: (
        sometimes("X-1", why="w")(text("f(s, n)"))
    ),
    r"Property f takes \(s\), but it should take \(s, n\)": lambda: step("X-1", why="w")(text("f(s)")),
    r"Property f takes \(s\), but it should take \(s, clerk\)": lambda: eventually(
        "X-1", why="w", clerk=Shop.clerks
    )(text("f(s)")),
    r"Property f takes \(x\), but it should take \(s\)": lambda: eventually(
        "X-1", why="w", given=text("g(x)")
    )(text("f(s)")),
    "Property f needs the spec IDs that it formalises and a sentence why": lambda: always(why="w")(
        text("f(s)")
    ),
    r"Property f says given=None, but it should say given=lambda s: \.\.\.": lambda: leads_to(
        "X-1",
        why="w",
        given=None,  # type: ignore[arg-type] # the slip
    )(text("f(s)")),
    "Property f says given=True, but it should say given=": lambda: eventually(
        "X-1",
        why="w",
        given=True,  # type: ignore[arg-type] # the slip
    )(text("f(s)")),
    "Property f says keeps=the property g, but it should say keeps=": lambda: until(
        "X-1", why="w", keeps=always("X-1", why="w")(text("g(s)"))
    )(text("f(s)")),
    r"Property f takes \(s, desk\), but .* asks for \(s, clerk\); what can desk be\? desk=.*says": lambda: (
        always("X-1", why="w", clerk=Shop.clerks)(text("f(s, desk)"))
    ),
    r"Property f takes \(s, n\), but it should take \(s, n, clerk\)": lambda: step(
        "X-1", why="w", clerk=Shop.clerks
    )(text("f(s, n)")),
    r"Property f says mood=Mood, but a property of worlds or steps speaks of the ids": lambda: always(
        "X-1",
        why="w",
        mood=Mood,  # type: ignore[arg-type] # the slip
    )(text("f(s, mood)")),
    r"Property f takes \(s, n, job\), but .* asks for \(s, job\); @lemma is of worlds: write @step": lambda: (
        lemma("X-1", why="w", job=Shop.clerks)(text("f(s, n, job)"))
    ),
    r"Property f takes \(s, n, job, by\), but .*; by goes third, \(s, n, by, \.\.\.\)": lambda: step(
        "X-1", why="w", job=Shop.clerks
    )(text("f(s, n, job, by)")),
    r"Property f: lemma=True is no argument any more: write @lemma\(...\) in place of @always": lambda: (
        always(
            "X-1",
            why="w",
            lemma=True,  # type: ignore[arg-type] # the slip
        )(text("f(s)"))
    ),
    "Property g: lemma=False is no argument any more: leave it out": lambda: eventually(
        "X-1",
        why="w",
        lemma=False,  # type: ignore[arg-type] # the slip
    )(text("g(s)")),
    "Property f says rests_on=, but @always takes spec IDs, why= and sets": lambda: always(
        "X-1",
        why="w",
        rests_on=(),  # type: ignore[arg-type] # the slip
    )(text("f(s)")),
    "rests_on= of a lemma takes a tuple of properties, .one, other., and not 3": lambda: lemma(
        "X-1",
        why="w",
        rests_on=3,  # type: ignore[arg-type] # the slip
    )(text("f(s)")),
    "A lemma rests on `always` properties and lemmas, and not on 'f'": lambda: lemma(
        "X-1", why="w", rests_on=("f",)
    )(text("g(s)")),
    "Property f says given=, but @lemma takes spec IDs, why=, rests_on= and sets": lambda: lemma(
        "X-1",
        why="w",
        given=text("g(s)"),
    )(text("f(s)")),
    "Property f says scopes=, but @until takes spec IDs, why=, given=, keeps= and what its": lambda: until(
        "X-1",
        why="w",
        keeps=text("g(s)"),
        scopes=("small",),  # type: ignore[arg-type] # the slip
    )(text("f(s)")),
    r"@lemma stands without brackets: write @lemma\('PLAN-54', why=...\)": lambda: lemma(text("f(s)")),  # type: ignore[call-arg] # the slip
    "A property is made of a function, .*, and not of a functools.partial": lambda: always("X-1", why="w")(
        partial(text("f(s)"))
    ),
    "Property g needs the spec IDs": lambda: always("X-1", why="")(text("g(s)")),
}


@pytest.mark.parametrize("problem", SLIPS)
def test_a_slip_in_the_decorator_is_taught(problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        SLIPS[problem]()


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return s.asked", "it gives a number of the world where a flag was expected: return a comparison"),
        ("return 1", "it gives 1 where a flag was expected"),
        ("return None", "it gives None where a flag was expected"),
        ("pass", "it gives None where a flag was expected"),
        ("yield True", "it gives a generator where a flag was expected"),
        ("return [s.is_open]", "it gives a list where a flag was expected"),
        (
            "return s.busy",
            "it gives a table where a flag was expected",
        ),
    ],
)
def test_a_property_gives_a_flag(body: str, problem: str) -> None:
    with pytest.raises(ModelError, match=rf"^Property fine \(shop.py:1\): {problem}"):
        load_property_text(body)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return s.asked == 1 and s.is_open", "a rule or property may not branch on a value of the world"),
        ("not_(s.is_open)", "it works out a value and drops it"),
        ("return for_all(s.busy)", "busy is a table: go through its sets"),
        ("s.asked = 1", "asked of s cannot be assigned to"),
        ("return s.line.has(0) or s.is_open", "a rule or property may not branch on a value"),
        ("return s == s", "A world is compared as if it were one value"),
        ("return s.askd == 1", "Shop has no 'askd'; did you mean asked?"),
    ],
)
def test_a_slip_in_a_property_is_taught(body: str, problem: str) -> None:
    with pytest.raises(ModelError, match=rf"^Property fine \(shop.py:2\): {problem}"):
        load_property_text(body)


def test_an_argument_that_the_rule_does_not_have_is_taught() -> None:
    prop = step("X-1", why="w")(text("calm(s, n, by)", "return by['clark'] == 0"))
    with pytest.raises(
        ModelError, match=r"^Property calm .* The rule Serve has no argument 'clark'; did you mean"
    ):
        shop_of(SERVE, properties=(prop,)).at()


@pytest.mark.parametrize(
    "body",
    [
        "return not_(by == serve)",
        "return not_(serve == by)",
        "return not_(by in (serve,))",
        "return not_(by in {serve})",
        "return {serve: False}.get(by, True)",
        "return not_(serve in by)",
    ],
)
def test_the_step_itself_is_not_compared(body: str) -> None:
    """No step was any rule, so that what was said of such steps held."""
    told = text("calm(s, n, by)", body)
    told.__globals__["serve"] = SERVE
    with pytest.raises(ModelError, match=r"^Property calm .* write by\.is_\(the_rule\)"):
        shop_of(SERVE, properties=(step("X-1", why="w")(told),)).at()


def test_a_slip_in_a_premise_is_taught() -> None:
    prop = eventually("X-1", why="w", given=text("waits(s)", "return s.asked"))(text("calm(s)"))
    with pytest.raises(
        ModelError,
        match=r"^Property calm \(shop.py:1\): it gives a number of the world where a flag was expected",
    ):
        shop_of(idle, properties=(prop,)).at()


def test_a_lambda_is_named_by_its_line() -> None:
    (told,) = (lambda s: s.asked == 0,)

    assert "idle" == name_part(idle.text)
    assert f"the lambda in line {told.__code__.co_firstlineno}" == name_part(told)
