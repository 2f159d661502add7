from enum import IntEnum
from typing import Any

import pytest

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.language.bounds import Bound, as_bound
from nomadspec.model.language.domain import (
    FLAG,
    NONE,
    SKIP,
    Domain,
    Interval,
    StatusEnum,
    as_domain,
    counter,
    opt,
    upto,
)
from nomadspec.model.language.world import size
from tests.model.language.toys import Mood, Shop

SIZES = {"clerks": 2, "desks": 3, "hours": 2, "most": 3}


class Trigger(StatusEnum):
    """Statuses that are spelled otherwise than they are named."""

    NODE_UPDATE = 0
    JOB_STOP = 1

    @property
    def label(self) -> str:
        """How the API writes it."""
        return self.name.lower().replace("_", "-")


def interval_of(spec: Any) -> Interval:
    """Bound a domain by the sizes of the shop."""
    domain = as_domain(spec)
    return domain.bound_by(SIZES)


# bounds


@pytest.mark.parametrize(
    ("bound", "value", "text"),
    [
        (as_bound(4), 4, "4"),
        (as_bound(Shop.most), 3, "most"),
        (as_bound(Shop.places), 2, "hours"),
        (Shop.most + 1, 4, "most + 1"),
        (1 + Shop.most, 4, "most + 1"),
        (Shop.most * 2, 6, "2 * most"),
        (2 * Shop.most, 6, "2 * most"),
        (Shop.most * Shop.hours, 6, "most * hours"),
        (Shop.most * (Shop.hours + 1), 9, "most * hours + most"),
        (2 * (Shop.most + Shop.hours) + 1, 11, "2 * most + 2 * hours + 1"),
        (as_bound(as_bound(3)), 3, "3"),
    ],
)
def test_bounds_are_sums_of_products(bound: Bound, value: int, text: str) -> None:
    assert (value, text) == (bound.evaluate(SIZES), bound.text)


@pytest.mark.parametrize("value", ["3", None, 1.5])
def test_what_bounds_nothing_is_refused(value: Any) -> None:
    with pytest.raises(ModelError, match=f"{value!r} bounds nothing: give a number, a declared size"):
        upto(value)


# domains


@pytest.mark.parametrize(
    ("spec", "low", "high", "bits", "words"),
    [
        (FLAG, 0, 1, 1, "flag"),
        (upto(5), 0, 5, 3, "0 .. 5"),
        (upto(0), 0, 0, 0, "0 .. 0"),
        (counter(Shop.most + 1), 0, 4, 3, "0 .. most + 1 (bounded by the scope)"),
        (counter(3, Shop.hours), -2, 3, 3, "-(hours) .. 3 (bounded by the scope)"),
        (Mood, 0, 2, 2, "one of calm, cross, gone"),
        (upto(1, Mood), 0, 1, 1, "one of calm, cross, gone, with a number up to 1"),
        (upto(Shop.hours, Mood), 0, 2, 2, "one of calm, cross, gone, with a number up to hours"),
        (Shop.desks, 0, 2, 2, "desk"),
        (opt(Shop.desks), -1, 2, 2, "desk or NONE"),
        (opt(Shop.desks, SKIP), -2, 2, 3, "desk or NONE or SKIP"),
    ],
)
def test_a_domain_is_an_interval(spec: Any, low: int, high: int, bits: int, words: str) -> None:
    interval = interval_of(spec)

    assert (low, high, bits) == (interval.low, interval.high, interval.bits)
    assert words == as_domain(spec).describe()
    assert list(range(low, high + 1)) == list(interval.values())


def test_only_flags_are_flags_and_only_counters_are_open_ended() -> None:
    domains = [FLAG, upto(3), counter(3), as_domain(Mood)]

    assert [True, False, False, False] == [domain.is_flag for domain in domains]
    assert [False, False, True, False] == [domain.is_open_ended for domain in domains]
    assert [True, False] == [domain.is_signed for domain in (counter(3, 1), counter(3))]


def test_a_domain_lists_what_it_depends_on() -> None:
    assert [Shop.desks.size, Shop.desks] == opt(Shop.desks).list_parts()
    assert [Shop.most, Shop.hours] == upto(Shop.most + Shop.hours).list_parts()
    assert [Shop.most, Shop.hours] == counter(Shop.most, Shop.hours).list_parts()
    assert [] == FLAG.list_parts()


@pytest.mark.parametrize(
    ("spec", "admitted", "refused"),
    [
        (FLAG, [False, True], [0, 1, None, "a"]),
        (upto(1), [0, 1], [False, True, -1, 2, None, 0.5]),
        (opt(Shop.desks), [NONE, 0, 2], [SKIP, 3, False]),
        (Mood, [0, Mood.GONE], [3, NONE, True]),
        (upto(1, Mood), [0, Mood.CROSS], [Mood.GONE, 3, NONE, True]),
    ],
)
def test_what_a_domain_admits(spec: Any, admitted: list[Any], refused: list[Any]) -> None:
    assert admitted == [value for value in [*admitted, *refused] if interval_of(spec).admits(value)]


@pytest.mark.parametrize(
    ("spec", "labels"),
    [
        (FLAG, [False, True]),
        (upto(2), [0, 1, 2]),
        (counter(1, 2), [-2, -1, 0, 1]),
        (Mood, ["calm", "cross", "gone"]),
        (upto(0, Mood), ["calm"]),
        (upto(1, Mood), ["calm", "cross"]),
        (Trigger, ["node-update", "job-stop"]),
        (opt(Shop.desks, SKIP), ["SKIP", "NONE", "desk1", "desk2", "desk3"]),
    ],
)
def test_labels_are_read_as_they_are_written(spec: Any, labels: list[Any]) -> None:
    interval = interval_of(spec)
    values = list(interval.values())

    assert labels == [interval.label(value) for value in values]
    assert values == [interval.parse(label) for label in labels]
    assert [type(label) for label in labels] == [type(interval.label(value)) for value in values]


@pytest.mark.parametrize(
    ("spec", "label", "problem"),
    [
        (Mood, "clam", "no value named 'clam'; did you mean calm?"),
        (Mood, 0, "no value named '0'"),
        (upto(1, Mood), "gone", "no value named 'gone'; known are calm, cross."),
        (FLAG, 1, "no value named '1'; known are False, True."),
        (upto(1), True, "no value named 'True'; known are 0, 1."),
        (upto(1), None, "no value named 'None'"),
        (opt(Shop.desks), "desk4", "no value named 'desk4'; did you mean desk"),
        (opt(Shop.desks), [], "no value named"),
    ],
)
def test_an_unknown_label_is_refused(spec: Any, label: Any, problem: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        interval_of(spec).parse(label)

    assert problem in str(caught.value)


class Hole(IntEnum):
    ONE = 1
    TWO = 2


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        (Hole, "The members of Hole must count from 0 without gaps to be a domain"),
        (3, "3 is no domain: give FLAG,"),
        (int, "<class 'int'> is no domain"),
        (size(3, "no set"), "is no domain"),
    ],
)
def test_what_is_no_domain_is_refused(spec: Any, problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        as_domain(spec)


def test_a_scope_has_no_more_members_than_an_enum() -> None:
    with pytest.raises(
        UsageError, match=r"most is 3, but the last of calm, cross, gone has the number 2: choose no"
    ):
        upto(Shop.most, Mood).bound_by(SIZES)


@pytest.mark.parametrize("of", [FLAG, Shop.desks, Hole])
def test_only_an_enum_has_first_members(of: Any) -> None:
    with pytest.raises(ModelError, match=r"takes an IntEnum class|must count from 0"):
        upto(1, of)


def test_a_domain_knows_members_that_are_spelled_otherwise() -> None:
    assert all(map(as_domain(Trigger).has_member, Trigger))
    assert not as_domain(Mood).has_member(Trigger.JOB_STOP)


def test_opt_takes_a_set_and_a_sentinel() -> None:
    nobody: Any = 3
    with pytest.raises(
        ModelError, match=r"opt\(set, lowest\) takes NONE or SKIP as the lowest value, not -3"
    ):
        opt(Shop.desks, -3)
    with pytest.raises(ModelError, match="3 is no domain"):
        opt(nobody)


def test_a_domain_stands_for_itself() -> None:
    domain = Domain("upto", 0, as_bound(3))

    assert domain is as_domain(domain)
