"""Steps of generated code are the interpreter's steps, in its order."""

import pytest

from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DomainError, StrayError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, index
from tests.checkers.stepper.models import CRAMPED, DESK


class Street(World):
    """Two posts with a lamp each, and a number that may be that of no post."""

    posts = index("post", 2, "the posts of a street")
    lit = field(posts, FLAG, init=False, about="the lamp is lit")
    n = field(upto(3), init=0, about="a number")


@rule("S-1")
def walk(s: Street, t: Street) -> None:
    """Somebody goes on."""
    t.require(s.n < 3)
    t.n = s.n + 1


@rule("S-2")
def light(s: Street, t: Street) -> None:
    """A lamp is lit where somebody stands."""
    t.lit[0] = s.lit[s.n]


STREET = Model("street", "lamps", Street, (walk, light))


@pytest.mark.parametrize("most", [250, pytest.param(500, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    "bounded",
    [
        pytest.param(DESK.at(), id="desk"),
        pytest.param(DESK.at(sizes={"notes": 1, "clerks": 3}), id="three clerks"),
        pytest.param(find_model("2pc").at("hasty"), id="2pc hasty"),
        pytest.param(find_model("core").at("small", profile="nomad-2.0"), id="core small"),
        pytest.param(find_model("core").at("flip", profile="X-01"), id="core unchecked"),
    ],
)
def test_successors_are_those_of_the_interpreter(bounded: BoundedModel, most: int) -> None:
    layout = Layout(bounded)
    stepper = Stepper(bounded, layout)
    found = dict.fromkeys(stepper.initial)

    for packed in (queue := list(found)):
        successors = stepper.successors(packed)
        assert [
            (instance.number, layout.pack(after))
            for instance, after in bounded.successors(layout.unpack(packed))
        ] == [(bounded.instances[position].number, after) for position, after in successors]
        for _, after in successors:
            if after not in found and len(found) < most:
                found[after] = None
                queue.append(after)

    assert len(found) > 30


def test_an_initial_world_is_packed() -> None:
    bounded = DESK.at()

    assert (0,) == Stepper(bounded, Layout(bounded)).initial


def test_a_value_outside_its_domain_is_reported_by_the_interpreter() -> None:
    bounded = CRAMPED.at()
    layout = Layout(bounded)
    cells = list(bounded.initial[0])
    cells[bounded.frame.placed["changed"].base] = 2

    with pytest.raises(DomainError, match="narrow"):
        Stepper(bounded, layout).successors(layout.pack(tuple(cells)))


def test_a_rule_that_asks_a_table_for_what_it_has_not_is_reported_by_the_interpreter() -> None:
    bounded = STREET.at()
    layout = Layout(bounded)
    stepper = Stepper(bounded, layout)
    worlds = []
    for number in (1, 2):
        cells = list(bounded.initial[0])
        cells[bounded.frame.placed["n"].base] = number
        worlds.append(layout.pack(tuple(cells)))

    assert 2 == len(stepper.successors(worlds[0]))
    with pytest.raises(StrayError, match="Light reads lit at post3, but posts has 2"):
        stepper.successors(worlds[1])
