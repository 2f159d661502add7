"""Questions about new worlds: only those that the step can have changed the answer to."""

from array import array

from nomadspec.checkers.native.algorithms.noting import note
from nomadspec.checkers.native.inspect import WorldQuestion, write_inspection
from nomadspec.checkers.native.translate.functions import translate
from nomadspec.checkers.native.translate.kinds import Shape
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.rule import Rule
from tests.checkers.native.calling import address_of, compile_function, put_words
from tests.checkers.native.models import CALM, rustle, tick

BOUNDED = CALM.at()
LAYOUT = Layout(BOUNDED)
WORDS = Words(LAYOUT)


def find_position(rule: Rule) -> int:
    return next(one.number for one in BOUNDED.instances if one.rule.name == rule.name)


def test_what_a_step_cannot_change_is_not_asked() -> None:
    at = BOUNDED.frame.placed["clock"].base
    time = BOUNDED.cell_terms[at]
    late = WorldQuestion(0, time >= 3, noted_when=True, is_decisive=False)
    early = WorldQuestion(80, time <= 4, noted_when=False, is_decisive=True)
    text = "\n".join([translate([note], Shape()), write_inspection(BOUNDED, WORDS, [late, early], 81)])
    compiled = compile_function(text, "inspect", 6)
    opened, answers, notes = put_words([1, 1 << 16]), [], array("Q", bytes(200))

    for number, (clock, by) in enumerate(
        [(5, rustle), (2, tick), (4, tick), (3, tick), (5, tick), (6, tick)]
    ):
        cells = list(BOUNDED.initial[0])
        cells[at] = clock
        packed = put_words(WORDS.split(LAYOUT.pack(tuple(cells))))
        place = find_position(by)
        answers.append(
            compiled.call(address_of(packed), number, place, 9, address_of(notes), address_of(opened))
        )

    assert [0, 0, 0, 0, 1, 0] == answers
    assert [2, 0, 2, find_position(tick), 9, 80, 4, find_position(tick), 9] == [notes[1], *notes[3:11]]
