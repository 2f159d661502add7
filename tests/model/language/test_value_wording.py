"""What stands where something else belongs is named as its author knows it."""

from dataclasses import dataclass
from typing import Any

import pytest

from nomadspec.model.language.domain import upto
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.value_wording import say
from nomadspec.model.language.world import World, field
from tests.model.language.toys import idle, load_property_text


class Pair(Record):
    left = field(upto(2), init=0, about="left")


@dataclass
class Size:
    wide: int


class Shelf(World):
    pair = record(Pair)


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (1.5, "1.5"),
        ("open", "'open'"),
        (None, "None"),
        ([1], "a list"),
        ((1, 2), "a tuple"),
        ((one for one in (1,)), "a generator"),
        (zip(), "a zip"),
        ({1: 2}.values(), "a dict_values"),
        (Size(1), "an object of Size"),
        (lambda: True, "a function that is not called"),
        (say, "a function that is not called (say)"),
        ([].append, "a function that is not called (append)"),
        (idle, "the rule Idle"),
        (object(), "an object of object"),
        (Pair(left=1), "a record of Pair"),
    ],
)
def test_it_is_named_in_words(thing: Any, words: str) -> None:
    assert words == say(thing)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return s.asked", "a number of the world"),
        ("return [s.is_open, s.is_open]", "a list"),
        ("return s.busy", "a table"),
        ("return s.clerks", "a set"),
        ("return s.line", "a queue"),
        ("return s.line.is_empty", "a function that is not called (is_empty)"),
        ("return s", "a world"),
    ],
)
def test_what_is_no_flag_is_told_without_terms_and_addresses(body: str, words: str) -> None:
    with pytest.raises(Exception, match=r"^Property fine") as raised:
        load_property_text(body)

    assert f"it gives {words} where a flag was expected" in str(raised.value)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "return {s.asked: True}.get(0, True)",
            "keep it out of sets, keys of dictionaries and functools.cache",
        ),
        ("return 0 in s.line", "The queue line is no list: ask has, head"),
        ("return for_all(c == 0 for c in s.line)", "The queue line is no list: ask has, head"),
        (
            "return for_all(s.mood[c].value == 0 for c in s.clerks)",
            "it asks for .value of a value of the world, which has no parts",
        ),
        (
            "return for_all(c == d for c in s.clerks for d in s.desks)",
            "One of the clerks is compared with one",
        ),
    ],
)
def test_a_slip_says_what_to_write(body: str, words: str) -> None:
    with pytest.raises(Exception, match=r"^Property fine") as raised:
        load_property_text(body)

    assert words in str(raised.value)
