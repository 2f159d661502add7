"""Texts of the package that were looked at are not looked at again in the same scope; all others are."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from nomadspec.model.errors import StyleError
from nomadspec.model.language.checked_texts import keeping_checked_texts
from nomadspec.model.language.domain import NONE, Id, counter, opt
from nomadspec.model.language.logic import Value, exists, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, leads_to
from nomadspec.model.language.rule import rule, where
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.texts import Unread, list_texts, publish
from nomadspec.model.language.world import World, ids, size
from nomadspec.model.language.world import field as table
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0


@dataclass
class Notes:
    """Notes in memory."""

    known: set[str] = field(default_factory=set)

    def has(self, what: str) -> bool:
        """Tell whether something was looked at."""
        return what in self.known

    def add(self, what: str) -> None:
        """Note that something was looked at."""
        self.known.add(what)


class Yard(World):
    """A yard."""

    cars = ids("car", 2, "cars")
    lots = ids("lot", 2, "lots")
    rounds = size(2, "how often a car may park")
    stands = table(cars, opt(lots), init=NONE, about="where a car stands")
    parked = table(counter(rounds), init=0, about="cars that parked", budget=True)


@pytest.fixture
def notes() -> Iterator[Notes]:
    """Keep notes for a while."""
    kept = Notes()
    with keeping_checked_texts(kept):
        yield kept


def make_model(*names: str) -> Model:
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

    all_of_them = (mixes_ids, asks_who, gets_in)
    chosen = tuple(prop for prop in all_of_them if prop.name in names)
    return Model("yard", "A yard.", Yard, (park,), chosen, (Scope("small", "the smallest"),))


REFUSED = r"mixed up|it compares with `is`"


@pytest.mark.parametrize("name", ["mixes_ids", "asks_who", "gets_in"])
def test_only_what_the_package_brings_is_looked_at_once(name: str, notes: Notes) -> None:
    users, ours = make_model(name), make_model(name)
    publish(ours)
    unread = Unread(ours, ours.sizes_of({}), INTENDED)
    assert len(unread.texts) == len(list_texts(ours))
    unread.note()

    assert ours.at(profile="intended").instances
    with pytest.raises(StyleError, match=REFUSED):
        users.at(profile="intended")
    with keeping_checked_texts(None), pytest.raises(StyleError, match=REFUSED):
        ours.at(profile="intended")
    assert len(notes.known) == 1


def test_a_text_is_looked_at_in_each_scope_and_profile(notes: Notes) -> None:
    ours = make_model()
    publish(ours)
    for sizes in ({}, {"cars": 3}):
        for profile in ("intended", "nomad-2.0"):
            before = len(notes.known)
            assert Unread(ours, ours.sizes_of({}) | sizes, PROFILES[profile]).texts
            ours.at(sizes=sizes, profile=profile)
            ours.at(sizes=sizes, profile=profile)
            assert len(notes.known) == before + 1
            assert not Unread(ours, ours.sizes_of({}) | sizes, PROFILES[profile]).texts


PROFILES = {"intended": INTENDED, "nomad-2.0": NOMAD_2_0}


def test_what_is_refused_is_not_noted(notes: Notes) -> None:
    ours = make_model("mixes_ids")
    publish(ours)

    for _ in range(2):
        with pytest.raises(StyleError, match=REFUSED):
            ours.at()

    assert not notes.known


def test_a_text_that_is_added_to_what_the_package_brings_is_looked_at(notes: Notes) -> None:
    ours = make_model()
    publish(ours)
    ours.at()
    more = ours.with_properties(make_model("asks_who").properties)

    with pytest.raises(StyleError, match=r"Property asks_who \(.*test_texts\.py:\d+\): .*compares with `is`"):
        more.at()

    def is_there(s: Yard, lot: Id) -> Value:
        return s.stands[lot] == lot

    [park] = ours.rules
    counting = where(is_there, Yard.parked).bind("Park", ["car", "lot"])
    with pytest.raises(StyleError, match=r"^Rule Park \(.*mixed up"):
        replace(ours, rules=(replace(park, makes=(Yard.parked,), counts=(counting,)),)).at()

    fewer = replace(ours, properties=())
    assert fewer.at().instances
    assert len(notes.known) == 1
