"""Terms as Python text mean what they meant."""

from collections.abc import Callable
from itertools import product

import pytest

from nomadspec.checkers.pycode.questions import Question, write_questions
from nomadspec.checkers.pycode.writer import Writer, indent
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, NONE, opt, upto
from nomadspec.model.language.logic import Value, all_of, any_of, exists, iff, ite, not_, total
from nomadspec.model.language.model import Model
from nomadspec.model.language.term import Term
from nomadspec.model.language.world import World, field, ids


class Shelf(World):
    """Two flags, two numbers and two references."""

    boxes = ids("box", 2, "what lies there")
    on = field(boxes, FLAG, init=False, about="on")
    size = field(boxes, upto(5), init=0, about="size")
    chosen = field(opt(boxes), init=NONE, about="the one that was chosen")
    other = field(opt(boxes), init=NONE, about="another that was chosen")


TERMS: dict[str, Callable[[Value], Value]] = {
    "cell": lambda s: s.on[0],
    "not": lambda s: not_(s.on[0]),
    "flags": lambda s: iff(s.on[0], s.on[1]),
    "and, or as values": lambda s: iff(all_of(s.on[0], s.size[0] == 1), any_of(s.on[1], s.size[1] == 1)),
    "numbers": lambda s: s.size[0] + 2 * s.size[1] - 3 <= 4,
    "equal numbers": lambda s: s.size[0] == s.size[1],
    "below zero": lambda s: s.chosen == NONE,
    "compared below zero": lambda s: s.chosen == s.other,
    "index": lambda s: s.size[s.chosen] >= 2,
    "choice": lambda s: ite(s.on[0], s.size[0], 0 - s.size[1]) < 2,
    "choice of flags": lambda s: ite(s.size[0] == 2, s.on[0], not_(s.on[1])),
    "count": lambda s: total(s.on[box] for box in s.boxes) == 1,
    "shared": lambda s: all_of(s.size[0] + s.size[1] <= 6, any_of(s.on[0], s.size[0] + s.size[1] == 3)),
    "quantified": lambda s: exists(all_of(s.on[box], s.chosen == box) for box in s.boxes),
}


def shelf() -> BoundedModel:
    return Model("shelf", "a shelf", Shelf, rules=()).at()


@pytest.mark.parametrize("name", TERMS)
def test_text_means_what_the_term_means(name: str) -> None:
    bounded = shelf()
    layout = Layout(bounded)
    term = TERMS[name](bounded.world(bounded.cell_terms))
    test = write_questions([Question("asked", term, is_news=True)], bounded, layout)
    worlds = list(product(*[list(interval.values()) for interval in bounded.frame.intervals]))

    assert isinstance(term, Term)
    assert 1296 == len(worlds)
    assert [] == [cells for cells in worlds if bool(test(layout.pack(cells))) != bool(evaluate(term, cells))]


def test_what_is_used_twice_is_defined_once() -> None:
    bounded = shelf()
    term = TERMS["shared"](bounded.world(bounded.cell_terms))
    writer = Writer(bounded, Layout(bounded), [term])
    (line,) = writer.define(term)
    name, _, text = line.partition(" = ")

    assert 2 == writer.text(term).test.count(name)
    assert " + " in text
    assert [] == writer.define(term)


def test_what_a_block_defines_is_unknown_outside() -> None:
    bounded = shelf()
    term = TERMS["shared"](bounded.world(bounded.cell_terms))
    writer = Writer(bounded, Layout(bounded), [term])

    assert writer.fork().define(term) == writer.define(term)


def test_constants_are_written_as_they_are() -> None:
    bounded = shelf()
    writer = Writer(bounded, Layout(bounded), [])

    assert ("-2", "True") == (writer.text(-2).value, writer.text(True).test)
    assert [] == writer.define(3)


def test_deep_terms_are_cut_into_pieces() -> None:
    bounded = shelf()
    layout = Layout(bounded)
    world: Value = bounded.world(bounded.cell_terms)
    term = world.size[0]
    for count in range(500):
        term = ite(term == count % 6, world.size[1], term)
    test = write_questions([Question("asked", term == 1, is_news=True)], bounded, layout)

    assert [True, False] == [
        bool(test(layout.pack((False, False, 2, other, NONE, NONE)))) for other in (1, 3)
    ]


def test_a_block_is_indented() -> None:
    assert [" if a:", "  b"] == indent(["if a:", " b"])
