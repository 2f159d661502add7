"""Texts that are trusted are not looked at whenever they are bound; all others are."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import NONE, Id, opt
from nomadspec.model.language.logic import Value, exists, not_
from nomadspec.model.language.model import Model, Scope
from nomadspec.model.language.property import always, leads_to
from nomadspec.model.language.rule import rule
from nomadspec.model.language.texts import is_trusted, list_texts, looking_at_all, trust
from nomadspec.model.language.world import World, field, ids


class Yard(World):
    """A yard."""

    cars = ids("car", 2, "cars")
    lots = ids("lot", 2, "lots")
    stands = field(cars, opt(lots), init=NONE, about="where a car stands")


def make_model() -> Model:
    """Make a model whose texts are nobody's else: two are out of style, and so is a premise."""

    @rule("YARD-1", car=Yard.cars, lot=Yard.lots)
    def park(s: Yard, t: Yard, car: Id, lot: Id) -> None:
        """A car parks."""
        t.require(s.stands[car] == NONE)
        t.stands[car] = lot

    @always("YARD-2", why="one of the lots is asked where it stands")
    def mixes_ids(s: Yard) -> Value:
        return not_(exists(s.stands[lot] == lot for lot in s.lots))

    @always("YARD-2", why="it is asked which object stands there")
    def asks_who(s: Yard) -> Value:
        return not_(exists(s.stands[car] is s.stands[car] for car in s.cars))

    @leads_to("YARD-2", why="who waits", given=lambda s: exists(s.stands[lot] == NONE for lot in s.lots))
    def gets_in(s: Yard) -> Value:
        return exists(s.stands[car] != NONE for car in s.cars)

    return Model(
        "yard", "A yard.", Yard, (park,), (mixes_ids, asks_who, gets_in), (Scope("small", "the smallest"),)
    )


def keep_one(model: Model, name: str) -> Model:
    """Give the model with one of its properties."""
    return replace(model, properties=(model.find_property(name),))


@pytest.mark.parametrize("name", ["mixes_ids", "asks_who", "gets_in"])
def test_only_a_text_that_is_trusted_is_not_looked_at(name: str) -> None:
    model = keep_one(make_model(), name)
    with pytest.raises(StyleError, match=r"mixed up|it compares with `is`"):
        model.at()

    trust(model)

    assert model.at().instances
    with looking_at_all(), pytest.raises(StyleError, match=r"mixed up|it compares with `is`"):
        model.at()
    assert model.at().instances


@pytest.mark.parametrize(
    ("known", "other", "said"),
    [("mixes_ids", "asks_who", "compares with `is`"), ("asks_who", "mixes_ids", "mixed up")],
)
def test_another_text_of_a_model_that_is_trusted_is_looked_at(known: str, other: str, said: str) -> None:
    model = keep_one(make_model(), known)
    trust(model)

    with pytest.raises(StyleError, match=rf"Property {other} \(.*test_texts\.py:\d+\): .*{said}"):
        model.with_properties([make_model().find_property(other)]).at()


def test_models_of_the_package_are_trusted_and_nothing_else() -> None:
    texts: list[Callable[..., object]] = list(list_texts(find_model("2pc")).values())

    assert all(map(is_trusted, texts))
    assert not any(map(is_trusted, list_texts(make_model()).values()))
    with looking_at_all():
        assert not any(map(is_trusted, texts))
