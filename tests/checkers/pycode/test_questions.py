"""Several flags, asked together."""

from nomadspec.checkers.pycode.questions import Question, write_questions
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.logic import Value
from tests.checkers.simulate.models import LEVELS


def test_only_what_is_worth_telling_is_told() -> None:
    bounded = LEVELS.at()
    layout = Layout(bounded)
    world: Value = bounded.world(bounded.cell_terms)
    ask = write_questions(
        [
            Question("zero", world.level == 0, is_news=True),
            Question("low", world.level <= 1, is_news=False),
            Question("never", flag=False, is_news=True),
        ],
        bounded,
        layout,
    )
    level = bounded.frame.placed["level"].base

    def at(height: int) -> int:
        return layout.pack((*bounded.initial[0][:level], height, *bounded.initial[0][level + 1 :]))

    assert [["zero"], [], ["low"]] == [ask(at(height)) for height in (0, 1, 2)]


def test_a_question_knows_what_it_reads() -> None:
    bounded = LEVELS.at()
    world: Value = bounded.world(bounded.cell_terms)
    term = world.level == 1

    assert term.reads == Question("one", term, is_news=True).reads
    assert frozenset() == Question("no", flag=False, is_news=True).reads
