"""Questions about steps: each is asked while it is open, and noted once."""

from array import array

from nomadspec.checkers.native.algorithms.noting import note
from nomadspec.checkers.native.steps import write_step_checks
from nomadspec.checkers.native.translate.functions import translate
from nomadspec.checkers.native.translate.kinds import Shape
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.native.writer import Writer
from nomadspec.checkers.stepper.layout import Layout
from tests.checkers.native.calling import address_of, compile_function, put_words
from tests.checkers.native.models import CALM


def test_a_question_is_noted_once() -> None:
    bounded = CALM.at()
    at = bounded.frame.placed["clock"].base
    clock = bounded.cell_terms[at]
    words = Words(Layout(bounded))
    asked = [(0, clock <= 3), (70, clock <= 1)]
    text = write_step_checks(Writer(words, bounded.frame.intervals), words.count, 5, asked)
    text = text.replace("define void @steps5", "define i64 @steps5").replace("ret void", "ret i64 0")
    compiled = compile_function(f"{translate([note], Shape())}\n{text}", "steps5", words.count + 4)
    notes, opened = array("Q", bytes(200)), put_words([1, 1 << 6])

    for number, time in enumerate((0, 2, 2, 5, 6)):
        cells = list(bounded.initial[0])
        cells[at] = time
        packed = Layout(bounded).pack(tuple(cells))
        compiled.call(*words.split(packed), number, 10 * number, address_of(notes), address_of(opened))

    assert [2, 70, 1, 5, 20, 0, 3, 5, 60] == [notes[1], *notes[3:11]]
    assert [0, 0] == opened.tolist()
