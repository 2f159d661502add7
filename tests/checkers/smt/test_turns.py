"""Texts that do not treat all members of a set alike: nothing is proved of them for any number."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import chain, combinations, groupby, islice, pairwise, permutations, tee
from types import MappingProxyType
from typing import Any, Final

import pytest
import z3

from nomadspec.checkers.explore import explore
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.turns import TURNS, expect_equal_turns
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ModelError
from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt
from nomadspec.model.language.logic import Value, all_of, any_of, count, exists, for_all, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always
from nomadspec.model.language.rule import Rule, rule, where
from nomadspec.model.language.world import World, field, ids, index, size


class Office(World):
    """Evaluations that are numbered as they are made, each of a job."""

    many = size(3, "how many evaluations")
    evals = index("eval", many, "evaluations, by number")
    jobs = ids("job", 3, "jobs")
    made = field(counter(many), init=0, about="how many were made", budget=True)
    bad = field(evals, FLAG, init=False, about="the evaluation is spoilt")
    job = field(evals, opt(jobs), init=NONE, about="whose it is")
    hot = field(jobs, FLAG, init=False, about="the job is hot")


@rule("T-1", makes=Office.made, number=Office.evals, job=Office.jobs)
def make(s: Office, t: Office, number: Id, job: Id) -> None:
    """An evaluation is made."""
    t.require(s.made == number)
    t.made = s.made + 1
    t.job[number] = job


@rule("T-2", number=Office.evals)
def spoil(s: Office, t: Office, number: Id) -> None:
    """What was made is spoilt."""
    t.require(s.job[number] != NONE)
    t.bad[number] = True


@rule("T-3", job=Office.jobs)
def heat(s: Office, t: Office, job: Id) -> None:
    """A job becomes hot."""
    t.require(not_(s.hot[job]))
    t.hot[job] = True


RULES: Final = (make, spoil, heat)


def are_apart(s: Office, one: Id, other: Id) -> Value:
    """True while not both are spoilt."""
    return not_(all_of(s.bad[one], s.bad[other]))


def number(members: Any) -> Any:
    """Number members, as enumerate does."""
    at = 0
    for member in members:
        yield at, member
        at += 1  # noqa: SIM113 -- as somebody writes it who does not know of enumerate


def take_down(seen: list[Id], member: Id) -> int:
    """Take a member down; gives how many there are by now."""
    seen.append(member)
    return len(seen)


@always("T-4", why="no two of them are spoilt")
def neighbours(s: Office) -> Value:
    """No neighbours are both spoilt."""
    return for_all(are_apart(s, a, b) for a, b in pairwise(s.evals))


@always("T-4", why="no two of them are spoilt")
def neighbours_of_a_generator(s: Office) -> Value:
    """No neighbours are both spoilt."""
    return for_all(are_apart(s, a, b) for a, b in pairwise(e for e in s.evals))


@always("T-4", why="no two jobs are hot")
def neighbouring_jobs(s: Office) -> Value:
    """No jobs next to each other are hot."""
    return for_all(not_(all_of(s.hot[a], s.hot[b])) for a, b in pairwise(s.jobs))


@always("T-4", why="no two of them are spoilt")
def pairs(s: Office) -> Value:
    """No two are spoilt."""
    return for_all(are_apart(s, a, b) for a, b in combinations(s.evals, 2))


@always("T-4", why="no two of them are spoilt")
def pairs_both_ways(s: Office) -> Value:
    """No two are spoilt."""
    return for_all(are_apart(s, a, b) for a, b in permutations(s.evals, 2))


@always("T-4", why="only the first may be spoilt")
def all_but_the_first(s: Office) -> Value:
    """Others than the first are not spoilt."""
    return for_all(not_(s.bad[e]) for e in islice(s.evals, 1, None))


@always("T-4", why="only the first may be spoilt")
def all_after_the_first(s: Office) -> Value:
    """Others than the first are not spoilt."""
    return for_all(any_of(at < 1, not_(s.bad[e])) for at, e in enumerate(s.evals))


@always("T-4", why="only the first two may be spoilt")
def all_after_the_second(s: Office) -> Value:
    """Others than the first two are not spoilt."""
    return for_all(any_of(at < TURNS - 1, not_(s.bad[e])) for at, e in number(s.evals))


@always("T-4", why="only the first five may be spoilt")
def all_after_the_fifth(s: Office) -> Value:
    """Others than the first five are not spoilt."""
    return for_all(any_of(at < 5, not_(s.bad[e])) for at, e in enumerate(e for e in s.evals))


@always("T-4", why="some may be spoilt")
def those_that_a_table_names(s: Office) -> Value:
    """Only the first is spoilt."""
    return for_all(any_of(may, not_(s.bad[e])) for e, may in zip(s.evals, (True, False, False), strict=False))


@always("T-4", why="the first of a group may be spoilt")
def all_but_the_first_of_a_group(s: Office) -> Value:
    """Others than the first are not spoilt."""
    return for_all(not_(s.bad[e]) for _, g in groupby(s.evals, lambda _: 0) for e in islice(g, 1, None))


@always("T-4", why="no two of them are spoilt")
def those_one_further(s: Office) -> Value:
    """No neighbours are both spoilt."""
    here, there = tee(s.evals)
    next(there, None)
    return for_all(are_apart(s, a, b) for a, b in zip(here, there, strict=False))


@always("T-4", why="only the first may be spoilt")
def inner_ones_but_the_first(s: Office) -> Value:
    """Others than the first are not spoilt."""
    return for_all(for_all(are_apart(s, a, b) for b in islice(s.evals, 1, None)) for a in s.evals)


@always("T-4", why="only the first may be spoilt")
def what_a_list_has_seen(s: Office) -> Value:
    """Others than the first are not spoilt."""
    seen: list[Id] = []
    return for_all(any_of(take_down(seen, e) < 2, not_(s.bad[e])) for e in s.evals)


@always("T-4", why="only the first may be spoilt")
def what_was_before(s: Office) -> Value:
    """An evaluation after the first is not spoilt."""
    is_later = False
    return for_all(any_of(not_(is_later), not_(s.bad[e]), (is_later := True) is None) for e in s.evals)


UNEQUAL: Final = (
    neighbours,
    neighbours_of_a_generator,
    neighbouring_jobs,
    pairs,
    pairs_both_ways,
    all_but_the_first,
    all_after_the_first,
    all_after_the_second,
    those_that_a_table_names,
    all_but_the_first_of_a_group,
    those_one_further,
    inner_ones_but_the_first,
    what_a_list_has_seen,
    what_was_before,
)


@always("T-4", why="what is spoilt was made")
def all_alike(s: Office) -> Value:
    """What is spoilt is some job's."""
    return for_all(any_of(not_(s.bad[e]), exists(s.job[e] == j for j in s.jobs)) for e in s.evals)


@always("T-4", why="what is spoilt was made")
def all_twice(s: Office) -> Value:
    """What is spoilt is some job's."""
    return for_all(any_of(not_(s.bad[e]), s.job[e] != NONE) for e in chain(s.evals, s.evals))


@always("T-4", why="what is spoilt was made")
def counted(s: Office) -> Value:
    """As many are spoilt as are spoilt and some job's."""
    spoilt = count(s.bad[e] for e in s.evals)
    return spoilt == count(all_of(s.bad[e], s.job[e] != NONE) for e in s.evals)


def is_read(model: Model) -> bool:
    """Tell whether all texts of a model do the same with each member of a set."""
    try:
        expect_equal_turns(bind_as_usual(model), z3.Context())
    except ModelError:
        return False
    return True


def bind(*properties: Property, rules: tuple[Rule, ...] = RULES) -> Model:
    """Bind the office to some properties."""
    return Model("office", "an office", Office, rules, properties, is_at_rest=lambda _s: True)


@pytest.mark.parametrize("prop", UNEQUAL, ids=lambda prop: prop.name)
def test_what_is_false_of_some_members_is_not_proved(prop: Property) -> None:
    bounded = bind(prop).at()
    (proof, *_) = prove(bounded, properties=[prop], bmc_steps=0).proofs

    assert explore(bounded, properties=[prop.name]).verdict is Verdict.VIOLATED
    assert proof.result in {ProofResult.NOT_INDUCTIVE, ProofResult.UNKNOWN}


@pytest.mark.parametrize("prop", [all_alike, all_twice, counted], ids=lambda prop: prop.name)
def test_what_treats_all_members_alike_is_read(prop: Property) -> None:
    assert is_read(bind(prop))
    assert not is_read(bind(prop, neighbours))


FIFTH: Final = 5
FIRST: Final = (0, 1, 2, 3, 4)
BY_NAME: Final = {"first": 5}
BY_NUMBER: Final = MappingProxyType({5: "first"})
NESTED: Final = {"office": [{"first": (5,)}]}
SPAN: Final = range(5)


class Numbers:
    """Where a text may have a number from."""

    fifth = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers of an object."""

    most: int


BY_OBJECT: Final = {"office": Limits(5)}


def skip(members: Iterable[Id], first: int) -> Iterator[Id]:
    """Go through some members, but for the first ones."""
    return (member for at, member in number(members) if at >= first)


def skip_some(members: Iterable[Id], first: int = 5) -> Iterator[Id]:
    """Go through some members, but for the first five."""
    return skip(members, first)


def spoilt_after(text: Callable[[Office], Iterable[Id]]) -> Property:
    """Promise that nothing is spoilt of what a text gives."""

    @always("T-5", why="it is false where there are many")
    def late_ones_are_whole(s: Office) -> Value:
        """No late evaluation is spoilt."""
        return not_(exists(s.bad[e] for e in text(s)))

    return late_ones_are_whole


def give_late(first: int) -> Callable[[Office], Iterable[Id]]:
    """Give the text that skips so many."""
    return lambda s: skip(s.evals, first)


def give_unbound() -> Callable[[Office], Iterable[Id]]:
    """Give a text that would use what was never bound."""

    def list_late(s: Office) -> Iterable[Id]:
        def never() -> int:
            return unbound

        del never
        return skip_some(s.evals)

    for unbound in range(0):
        assert unbound
    return list_late


class Place(IntEnum):
    """Numbers that have names."""

    FIFTH = 5


class Skipping:
    """Functions of a class that leave out the first five."""

    @staticmethod
    def skip_some(members: Iterable[Id]) -> Iterator[Id]:
        """Go through the others."""
        return (member for at, member in number(members) if at >= 5)

    @classmethod
    def skip_first(cls, members: Iterable[Id]) -> Iterator[Id]:
        """Go through the others."""
        return (member for at, member in number(members) if at >= 5)

    @property
    def fifth(self) -> int:
        """Give the number."""
        return 5

    def skip(self, members: Iterable[Id]) -> Iterator[Id]:
        """Go through the others."""
        return self._skip(members)

    def _skip(self, members: Iterable[Id]) -> Iterator[Id]:
        return (member for at, member in number(members) if at >= 5)

    def __call__(self, members: Iterable[Id]) -> Iterator[Id]:
        """Go through the others."""
        return self._skip(members)


class Beginning:
    """An object that begins with a number."""

    def __init__(self) -> None:
        """Keep the number."""
        self.most = 5

    def skip(self, members: Iterable[Id]) -> Iterator[Id]:
        """Go through the others."""
        return skip(members, self.most)


@dataclass(frozen=True, slots=True)
class Offices:
    """An object that holds another one."""

    office: Limits


CALLED: Final = Skipping()
METHOD: Final = CALLED.skip
PARTIAL: Final = partial(skip, first=5)
NESTED_OBJECT: Final = Offices(Limits(5))

LATE: Final[dict[str, Callable[[Office], Iterable[Id]]]] = {
    "a constant of the module": lambda s: skip(s.evals, FIFTH),
    "an attribute": lambda s: skip(s.evals, Numbers.fifth),
    "a default": lambda s: skip_some(s.evals),
    "a closure": give_late(5),
    "a closure that has nothing": give_unbound(),
    "a tuple": lambda s: (e for at, e in number(s.evals) if at not in (0, 1, 2, 3, 4, 5)),
    "a tuple of the module": lambda s: (e for at, e in number(s.evals) if at not in FIRST),
    "a dictionary": lambda s: skip(s.evals, BY_NAME["first"]),
    "a key of a dictionary": lambda s: skip(s.evals, min(BY_NUMBER)),
    "a dictionary in a dictionary": lambda s: skip(s.evals, NESTED["office"][0]["first"][0]),
    "an object in a dictionary": lambda s: skip(s.evals, BY_OBJECT["office"].most),
    "a range": lambda s: (e for at, e in number(s.evals) if at not in SPAN),
    "a member of an enum": lambda s: skip(s.evals, Place.FIFTH),
    "a number with a fraction": lambda s: (e for at, e in number(s.evals) if at > 4.5),
    "the length of a word": lambda s: skip(s.evals, len("fifth")),
    "a static method": lambda s: Skipping.skip_some(s.evals),
    "a method of the class": lambda s: Skipping.skip_first(s.evals),
    "a private method": lambda s: Skipping().skip(s.evals),
    "an object that is called": lambda s: CALLED(s.evals),
    "a method of an object": lambda s: METHOD(s.evals),
    "a property": lambda s: skip(s.evals, Skipping().fifth),
    "a part of a call": lambda s: PARTIAL(s.evals),
    "an object in an object": lambda s: skip(s.evals, NESTED_OBJECT.office.most),
    "what an object begins with": lambda s: Beginning().skip(s.evals),
    "a large number": lambda s: skip(s.evals, 30),
}


@pytest.mark.parametrize("said", LATE)
def test_wherever_a_text_has_its_number_from_somebody_counts_to_it(said: str) -> None:
    assert not is_read(bind(spoilt_after(LATE[said])))


def test_a_large_number_is_named() -> None:
    with pytest.raises(ModelError, match=r"Property .* names the number 30, and whether it counts members"):
        expect_equal_turns(bind(spoilt_after(LATE["a large number"])).at(), z3.Context())


def test_what_is_false_in_larger_scopes_alone_is_not_proved_for_any_number() -> None:
    (proof, *_) = prove(bind(all_after_the_fifth).at(), properties=[all_after_the_fifth], bmc_steps=0).proofs

    assert proof.result is ProofResult.PROVED_BOUNDED


def is_late_spoilt(s: Office) -> Value:
    """True while a late evaluation is spoilt."""
    return exists(s.bad[e] for e in skip_some(s.evals))


@rule("T-5", makes=where(is_late_spoilt, Office.made))
def count_late_ones(s: Office, t: Office) -> None:
    """A late evaluation is counted."""
    t.require(for_all(not_(s.hot[j]) for j in s.jobs))


def test_a_condition_by_which_a_rule_counts_is_looked_at_too() -> None:
    assert not is_read(bind(nothing_is_bad_or_hot, rules=(count_late_ones,)))


def test_the_sentence_says_where_the_text_is() -> None:
    with pytest.raises(ModelError, match=r"Property neighbours \(.*test_turns.py:\d+\): it "):
        expect_equal_turns(bind(neighbours).at(), z3.Context())


@rule("T-5")
def spoil_from_the_second_on(s: Office, t: Office) -> None:
    """All but the first are spoilt."""
    for at, e in enumerate(s.evals):
        t.when(at > 0).bad[e] = True


@rule("T-5")
def spoil_after_a_hot_one(s: Office, t: Office) -> None:
    """A job becomes hot where the one before is not."""
    is_free = False
    for job in s.jobs:
        t.when(is_free).hot[job] = True
        is_free = True


@rule("T-5")
def spoil_if_there_are_few(s: Office, t: Office) -> None:
    """Some are spoilt, and where there are several, the jobs are hot."""
    seen = 0
    for e in s.evals:
        t.bad[e] = True
        seen += 1
    t.require(seen > 1)
    for job in s.jobs:
        t.hot[job] = True


@always("T-6", why="it is false where such a rule happens")
def nothing_is_bad_or_hot(s: Office) -> Value:
    """Nothing is spoilt, and no job is hot."""
    return all_of(for_all(not_(s.bad[e]) for e in s.evals), for_all(not_(s.hot[j]) for j in s.jobs))


@pytest.mark.parametrize(
    ("slip", "found"),
    [
        (spoil_from_the_second_on, Verdict.VIOLATED),
        (spoil_after_a_hot_one, Verdict.HOLDS),  # in the scope, but not where there are two jobs
        (spoil_if_there_are_few, Verdict.VIOLATED),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_rule_that_treats_members_otherwise_proves_nothing_for_any_number(
    slip: Rule, found: Verdict
) -> None:
    bounded = bind(nothing_is_bad_or_hot, rules=(slip,)).at(sizes={"jobs": 1})
    report = prove(bounded, properties=[nothing_is_bad_or_hot], bmc_steps=0)

    assert explore(bounded, properties=["nothing_is_bad_or_hot"]).verdict is found
    assert report.proofs[0].result is not ProofResult.PROVED_UNBOUNDED


@pytest.mark.parametrize("name", ["2pc", "core", "paxos", "raft", "blocking-queue"])
def test_published_models_treat_all_members_alike(name: str) -> None:
    assert is_read(find_model(name))
