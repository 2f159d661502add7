"""Functions of machine code that list numbers: what can happen, and which flags are worth telling."""

from nomadspec.checkers.native.asking import Lister, Wanted, make_possible
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.logic import Value
from tests.checkers.native.models import CALM

BOUNDED = CALM.at()
LAYOUT = Layout(BOUNDED)
INTERVALS = BOUNDED.frame.intervals
CLOCK = BOUNDED.frame.placed["clock"].base


def world_at(time: int) -> int:
    cells = list(BOUNDED.initial[0])
    cells[CLOCK] = time
    return LAYOUT.pack(tuple(cells))


def test_what_can_happen_is_what_the_interpreter_says() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    layout = Layout(bounded)
    possible = make_possible(bounded, layout)
    cells = bounded.initial[0]
    for _ in range(12):
        successors = list(bounded.successors(cells))

        assert [instance.number for instance, _ in successors] == possible.list(layout.pack(cells))
        cells = successors[-1][1]


def test_only_what_is_asked_and_worth_telling_is_told() -> None:
    time: Value = BOUNDED.cell_terms[CLOCK]
    wanted = Wanted(INTERVALS, LAYOUT, [(time >= 3, True), *[(time >= 0, True)] * 70, (time <= 4, False)])
    both = wanted.split(1 | 1 << 71)

    assert [[], [0], [0, 71]] == [wanted.list(world_at(time), both) for time in (2, 4, 5)]
    assert [71] == wanted.list(world_at(5), wanted.split(1 << 71))
    assert [] == wanted.list(world_at(5), wanted.split(0))


def test_what_tracing_knows_is_told_as_well() -> None:
    wanted = Wanted(INTERVALS, LAYOUT, [(True, True), (False, True), (False, False)])

    assert [0, 2] == wanted.list(world_at(1), wanted.split(0b111))


def test_where_nothing_can_be_asked_nothing_is_told() -> None:
    assert [] == Wanted(INTERVALS, LAYOUT, []).list(world_at(1), (0,))


def test_worlds_of_several_words_are_cut() -> None:
    bounded = find_model("core").at("full", sizes={"jobs": 5}, profile="nomad-2.0")
    layout = Layout(bounded)
    cells = bounded.initial[0]

    assert len(Words(layout).starts) > 1
    assert [each.number for each, _ in bounded.successors(cells)] == make_possible(bounded, layout).list(
        layout.pack(cells)
    )


def test_a_long_text_is_compiled_as_well() -> None:
    words = Words(LAYOUT)
    many = "\n".join(f"  %v{number} = add i64 0, {number}" for number in range(20_001))
    text = f"define i64 @list(i64 %w0, ptr %found) {{\n{many}\n  ret i64 0\n}}"

    assert [] == Lister(words, text, 0, 1).list(world_at(1))
