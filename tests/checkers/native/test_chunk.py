"""A chunk of successors: made, cut, and stored."""

import sys

from nomadspec.checkers.native.chunk import Chunk
from nomadspec.checkers.native.goal import Goal
from nomadspec.checkers.native.table import Table
from nomadspec.checkers.native.worlds import StoredWorlds
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.question import ask_property
from nomadspec.model.language.term import Term
from tests.checkers.native.calling import make_program
from tests.checkers.native.models import CALM, SHELF, SPILT
from tests.checkers.native.test_program import list_worlds


def make() -> tuple[Chunk, Table, StoredWorlds]:
    bounded = CALM.at()
    program, words = make_program(bounded)
    worlds = StoredWorlds(words, [Layout(bounded).pack(bounded.initial[0])])
    return Chunk(program), Table(program, worlds), worlds


def test_successors_are_counted_up_to_a_world() -> None:
    chunk, table, worlds = make()
    made = chunk.make(worlds, 0, 1)
    chunk.insert(table, worlds, 0, made.count, sys.maxsize)
    more = chunk.make(worlds, 1, len(worlds))

    assert (9, 1, 9) == (made.count, made.end, len(worlds))
    assert [9 * at for at in range(1, 9)] == [chunk.count_until(at, more.count) for at in range(1, 9)]
    assert 0 == chunk.count_until(0, more.count)


def test_it_is_cut_behind_the_world_with_which_there_is_no_room() -> None:
    chunk, table, worlds = make()
    chunk.insert(table, worlds, 0, chunk.make(worlds, 0, 1).count, sys.maxsize)
    made = chunk.make(worlds, 1, 9)

    inserted = chunk.insert(table, worlds, 1, made.count, 10)

    assert (True, 1, 9) == (inserted.is_cut, inserted.last_parent, inserted.count)
    assert len(worlds) >= 10
    assert 4 * (len(worlds) - 9) == len(inserted.parents)


def test_what_happened_is_taken_once() -> None:
    chunk, table, worlds = make()
    made = chunk.make(worlds, 0, 1)
    inserted = chunk.insert(table, worlds, 0, made.count, sys.maxsize)

    assert not inserted.is_cut
    assert made.count == sum(chunk.take_fired())
    assert 0 == sum(chunk.take_fired())


def test_nothing_is_noted_unless_it_is_asked() -> None:
    chunk, _, worlds = make()
    chunk.make(worlds, 0, 1)

    assert [] == chunk.read_notes()


def test_all_answers_are_noted_where_that_is_wanted() -> None:
    bounded = SHELF.at("wide")
    program, words = make_program(bounded)
    worlds = StoredWorlds(words, list_worlds(bounded, 500))
    prop = bounded.model.find_property("owners_stay")
    asked = bounded.model.properties.index(prop)
    noted = []
    for notes_all in (False, True):
        chunk = Chunk(program, notes_all=notes_all)
        chunk.ask_only([asked])
        made = chunk.make(worlds, 0, len(worlds))
        noted.append([(note.world, note.position) for note in chunk.read_notes()])

    cells = [Layout(bounded).unpack(packed) for packed in worlds[: made.end]]
    broken = [
        (number, instance.number)
        for number, before in enumerate(cells)
        for instance, after in bounded.successors(before)
        if not bounded.holds_step(prop, before, instance, after)
    ]
    assert [broken[:1], broken] == noted
    assert len(broken) > 1


def test_worlds_before_what_lacks_a_goal_are_listed() -> None:
    bounded = SPILT.at()
    layout = Layout(bounded)
    program, words = make_program(bounded)
    packed = list_worlds(bounded, 310)
    question = ask_property(bounded, layout, bounded.model.find_property("is_early"))
    assert isinstance(question.value, Term)
    goal = Goal(words, bounded.frame.intervals, question.value)
    chunk = Chunk(program)
    stepper = Stepper(bounded, layout)

    made = chunk.make(StoredWorlds(words, packed), 0, len(packed))
    found = chunk.list_missing(goal, made.count)

    expected = [
        number
        for number, world in enumerate(packed[: made.end])
        if not all(question.ask(after) for _, after in stepper.successors(world))
    ]
    assert expected == found
    assert 0 < len(found) < made.end
