"""Questions about packed worlds, answered once for what they read."""

from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.question import Question, ask_premise, ask_property, ask_rest, read_mask
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import Cells
from tests.checkers.stepper.models import DESK, third_note_is_missing


def test_an_answer_is_remembered_by_what_is_read() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)
    asked: list[Cells] = []

    def answer(cells: Cells) -> bool:
        asked.append(cells)
        return cells[0] == 1

    question = Question(layout, bounded.cell_terms[0], answer)
    other = bounded.frame.placed["changed"].base

    assert [False, False, True] == [question.ask(packed) for packed in (0, 1 << layout.shifts[other], 0b10)]
    assert 2 == len(asked)


def test_a_constant_reads_nothing() -> None:
    layout = Layout(DESK.at())

    assert 0 == read_mask(layout, value=True)


def test_rest_and_properties_are_asked_of_the_interpreter() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    layout = Layout(bounded)
    first = layout.pack(bounded.initial[0])
    (prop,) = [prop for prop in bounded.model.properties if prop.given is not None]
    answered = ask_property(bounded, layout, prop, (0,))
    premise = ask_premise(bounded, layout, prop, (0,))

    assert not ask_rest(bounded, layout).ask(first)
    assert not answered.ask(first)
    assert premise is not None
    assert premise.ask(first)


def test_without_a_place_of_rest_nothing_is_at_rest() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)

    assert not ask_rest(bounded, layout).ask(0)
    assert ask_property(bounded, layout, third_note_is_missing).ask(0)
    assert ask_premise(bounded, layout, third_note_is_missing, ()) is None
