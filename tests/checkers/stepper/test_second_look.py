"""A second look: a text that says something else when it is traced than when it runs is noticed."""

from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.checkers.cli.main import run
from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.simulate.simulator import simulate
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.stateful.machine import machine_of
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError, ModelError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt
from nomadspec.model.language.logic import Value, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always, eventually, sometimes, step, unless
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.term import Term
from nomadspec.model.language.world import World, field, ids, queue

pytestmark = pytest.mark.usefixtures("unread_texts", "whole_second_look")


class Yard(World):
    """Cars that come, wait and go."""

    cars = ids("car", 3, "cars")
    here = field(cars, FLAG, init=False, about="the car is in the yard")
    last = field(opt(cars), init=NONE, about="which car came last")
    came = field(counter(6), init=0, about="how many cars came")
    waiting = queue(cars, "cars that want to leave")


def lies(value: Value, *, told: Value) -> Value:
    """Say one thing where the text is traced, and the truth where it runs."""
    return told if isinstance(value, Term) else value


@rule("Y-1", car=Yard.cars)
def come(s: Yard, t: Yard, car: Id) -> None:
    """A car comes."""
    t.require(not_(s.here[car]), s.came < 6)
    t.here[car] = True
    t.last = car
    t.came = s.came + 1


@rule("Y-2", car=Yard.cars)
def go(s: Yard, t: Yard, car: Id) -> None:
    """A car goes."""
    t.require(s.here[car])
    t.here[car] = False


@rule("Y-2", car=Yard.cars)
def go_unseen(s: Yard, t: Yard, car: Id) -> None:
    """A car goes, which tracing holds to be impossible."""
    t.require(lies(s.here[car], told=False))
    t.here[car] = False


@rule("Y-2", car=Yard.cars)
def go_elsewhere(s: Yard, t: Yard, car: Id) -> None:
    """A car goes, and tracing has it stay the last one."""
    t.require(s.here[car])
    t.here[car] = False
    t.came = lies(s.came, told=0)


@always("Y-1", why="it is false, and traced as true")
def few_came(s: Yard) -> Value:
    """Fewer than three cars came."""
    return lies(s.came < 3, told=True)


@sometimes("Y-1", why="it is reached, and traced as out of reach")
def many_came(s: Yard) -> Value:
    """Three cars came."""
    return lies(s.came == 3, told=False)


@step("Y-1", why="it is false, and traced as true")
def none_goes(s: Yard, n: Yard) -> Value:
    """A car stays where it is."""
    return for_all(lies(implies(s.here[car], n.here[car]), told=True) for car in s.cars)


@eventually("Y-1", why="it is not true everywhere, and traced so", car=Yard.cars)
def is_here(s: Yard, car: Id) -> Value:
    """A car is in the yard."""
    return lies(s.here[car], told=True)


@eventually("Y-1", why="its premise is traced as false", given=lambda s: lies(s.came == 2, told=False))
def some_came(s: Yard) -> Value:
    """A car came."""
    return s.came > 0


@unless("Y-1", why="what it keeps is traced as true", keeps=lambda s: lies(s.came != 2, told=True))
def none_came(s: Yard) -> Value:
    """No car came."""
    return s.came > 6


def rests(s: Yard) -> Value:
    """Say where the yard may rest."""
    return lies(s.came == 6, told=True)


def yard(*properties: Property, rules: tuple[Rule, ...] = (come, go), **more: Any) -> BoundedModel:
    """Load the yard with texts that lie, which nobody reads before."""
    more = {"is_at_rest": lambda s: s.came == 6, **more}
    return Model("yard", "cars", Yard, rules, properties, **more).at()


LIARS = {
    "always": lambda: yard(few_came),
    "sometimes": lambda: yard(many_came),
    "step": lambda: yard(none_goes),
    "eventually": lambda: yard(is_here),
    "premise": lambda: yard(some_came),
    "keeps": lambda: yard(none_came),
    "rest": lambda: yard(is_at_rest=rests),
    "guard": lambda: yard(rules=(come, go_unseen)),
    "effect": lambda: yard(rules=(come, go_elsewhere)),
}


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in LIARS.items()])
def test_a_text_that_lies_is_noticed_before_anything_is_searched(make: Callable[[], BoundedModel]) -> None:
    with pytest.raises(ImpossibleError, match=r"when its text runs on plain values, and .* no verdict can"):
        SecondLook(make()).check_some()


@pytest.fixture
def only_in_worlds_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make no worlds up, so that only the searches themselves can notice."""
    monkeypatch.setattr(SecondLook, "check_some", lambda _self: None)


SEARCHES: dict[str, Callable[[BoundedModel], object]] = {
    "interpreted": lambda one: explore(one, engine="interpreted"),
    "compiled": lambda one: explore(one, engine="compiled"),
    "symmetry": lambda one: explore(one, engine="interpreted", reduction="symmetry"),
    "two workers": lambda one: explore(one, engine="interpreted", workers=2),
    "simulate": lambda one: simulate(one, seed=1, walks=40),
}
SEEN_BY_WORKERS = {"always", "step", "effect"}
"""What two workers notice every day: one lie about worlds, one about steps, and one about what they do."""


@pytest.mark.usefixtures("only_in_worlds_visited")
@pytest.mark.parametrize(
    ("make", "search"),
    [
        pytest.param(
            make,
            search,
            id=f"{how}-{what}",
            marks=pytest.mark.deep if how == "two workers" and what not in SEEN_BY_WORKERS else [],
        )
        for how, search in SEARCHES.items()
        for what, make in LIARS.items()
    ],
)
def test_a_text_that_lies_is_noticed_by_each_search(
    make: Callable[[], BoundedModel], search: Callable[[BoundedModel], object]
) -> None:
    noticed = "no verdict can be trusted before they agree|declared interchangeable, but the rule GoElsewhere"
    with pytest.raises((ImpossibleError, ModelError), match=noticed):
        search(make())


@pytest.mark.usefixtures("only_in_worlds_visited")
@pytest.mark.parametrize("which", ["always", "sometimes", "guard", "effect", "rest"])
def test_a_text_that_lies_is_noticed_by_hypothesis(which: str) -> None:
    machine = machine_of(LIARS[which]())()

    def walk() -> None:
        machine.begin_at(machine.guide.initial[0])
        for number in range(1, 200):
            machine.take(machine.choose(number))

    with pytest.raises(ImpossibleError, match="no verdict can be trusted before they agree"):
        walk()


def test_a_text_that_lies_is_noticed_by_a_proof() -> None:
    with pytest.raises(ImpossibleError, match="few_came does not hold when its text runs on plain values"):
        prove(yard(few_came))


def test_what_is_said_names_the_text_the_world_and_both_answers() -> None:
    bounded = yard(rules=(come, go_unseen))
    look = SecondLook(bounded)
    cells = bounded.step(bounded.initial[0], bounded.instances[0])
    assert cells is not None

    with pytest.raises(ImpossibleError) as caught:
        look.check(cells, lambda position: bounded.step(cells, bounded.instances[position]))

    assert (
        "The rule GoUnseen(car1) happens (here[car1] = false) when its text runs on plain values, and cannot "
        "happen for the engine, in the world where here[car1] = true, last = car1, came = 1: "
        "no verdict can be trusted before they agree."
    ) == str(caught.value)


def test_what_an_engine_did_not_note_is_missed() -> None:
    bounded = yard(always("Y-1", why="it is false")(lambda_of_few))
    look = SecondLook(bounded)
    cells = tuple(
        3 if name == "came" else old
        for name, old in zip(bounded.frame.cell_names, bounded.initial[0], strict=True)
    )

    def lead(position: int) -> Any:
        return bounded.step(cells, bounded.instances[position])

    look.check(cells, lead, {"lambda_of_few"})
    with pytest.raises(ImpossibleError, match=r"^lambda_of_few does not hold .* came = 3"):
        look.check(cells, lead, set())


def lambda_of_few(s: Yard) -> Value:
    """True while fewer than three cars came."""
    return s.came < 3


def test_models_that_say_what_they_mean_pass() -> None:
    for name in ("2pc", "core"):
        SecondLook(bind_as_usual(find_model(name))).check_some()


def test_the_first_worlds_and_then_a_sample_are_looked_at() -> None:
    look = SecondLook(yard())

    assert all(look.is_due(number) for number in range(128))
    assert [256, 512, 768] == look.list_due(128, 1000)
    assert [at for at in range(70000) if look.is_due(at)] == look.list_due(0, 70000)
    assert 300 > len(look.list_due(0, 300_000))
    assert [1 << 20, (1 << 20) + (1 << 17)] == look.list_due((1 << 20) - 100, (1 << 20) + (1 << 18))


def test_each_instance_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = find_model("core").at(profile="nomad-2.0")
    look = SecondLook(bounded)
    layout = Layout(bounded)
    asked: set[str] = set()
    cells = layout.unpack(layout.pack(bounded.initial[0]))
    usual = bounded.step

    def step_and_note(cells: Any, instance: Any) -> Any:
        asked.add(f"{instance.rule.name}{instance.arguments}")
        return usual(cells, instance)

    monkeypatch.setattr(bounded, "step", step_and_note)
    for _ in range(60):
        look.check(cells, lambda position: usual(cells, bounded.instances[position]))

    everything = {
        f"{each.name}{case}" for each in bounded.model.rules for case in bounded.list_arguments(each)
    }
    assert everything == asked


def test_the_command_line_says_so_with_exit_5(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomadspec.checkers.report.loading.load_model", lambda _name: yard(few_came).model)

    assert 5 == run(["explore", "--model", "yard"])
    assert "few_came does not hold when its text runs on plain values" in capsys.readouterr().err
