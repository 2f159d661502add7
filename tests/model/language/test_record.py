"""Records: they read and write as the columns that they are, and none of these can be forgotten."""

from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.model.errors import ModelError, StyleError
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import FLAG, NONE, Id, opt
from nomadspec.model.language.logic import Value, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, queue
from tests.model.language.mirrors import RECORDED, Held, Recorded, Spelled, Status, StoreView, Things, spell


def change(text: Callable[..., None], **arguments: Any) -> dict[str, Any]:
    """Run a rule's text where the first worker has seen a full store; give the cells that it changes."""
    bounded, before = make(text, **arguments)
    after = bounded.step(before, bounded.instances[0])
    assert after is not None
    old, new = bounded.describe(before), bounded.describe(after)
    return {name: value for name, value in new.items() if old[name] != value}


def make(text: Callable[..., None], **arguments: Any) -> tuple[BoundedModel, Cells]:
    text.__doc__ = "Something happens."
    bounded = Model("made", "made", Recorded, (rule("X-1", **arguments)(text),)).at()
    first = bounded.describe(bounded.initial[0]) | {
        "store.status[eval1]": "complete",
        "store.held.place[eval1]": "node2",
        "stale.held.place[eval2]": "node1",
    }
    labels = zip(bounded.frame.intervals, first.values(), strict=True)
    return bounded, tuple(interval.parse(value) for interval, value in labels)


SEEN = {
    "seen[worker1].status[eval1]": "complete",
    "seen[worker1].paused": False,
    "seen[worker1].held.place[eval1]": "node2",
}


def test_cells_are_named_by_the_way_to_them() -> None:
    names = RECORDED.at().frame.cell_names

    assert {"store.paused", "seen[worker2].status[eval1]", "stale.held.place[eval2]"} <= set(names)
    assert "seen.held.place" in RECORDED.at().frame.placed
    assert "in a worker's snapshot: status of the evaluation" in [one.about for one in Recorded.schema.fields]


def test_columns_are_those_that_are_spelled() -> None:
    recorded, spelled = RECORDED.at().frame, spell().at().frame

    assert recorded.cell_count == spelled.cell_count
    assert sorted(recorded.first_cells()) == sorted(spelled.first_cells())
    assert len(Recorded.schema.fields) == len(Spelled.schema.fields)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_an_assignment_takes_all_of_a_record() -> None:
    def look(s: Recorded, t: Recorded) -> None:
        t.seen[0] = s.store

    assert SEEN == change(look)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_an_assignment_happens_where_its_condition_holds() -> None:
    def look(s: Recorded, t: Recorded, worker: Id) -> None:
        t.when(s.store.status[0] == Status.COMPLETE).seen[worker] = s.store
        t.when(s.store.paused).seen[worker] = s.stale

    assert SEEN == change(look, worker=Recorded.workers)


def test_a_record_within_a_record_is_assigned_alone() -> None:
    def empty(s: Recorded, t: Recorded) -> None:
        t.stale.held = Held(place=NONE)

    assert {"stale.held.place[eval2]": "NONE"} == change(empty)


def test_a_record_within_a_record_is_taken_over_where_the_rest_is_said_to_stay() -> None:
    def hold(s: Recorded, t: Recorded) -> None:
        t.stale = StoreView.of(s.stale, held=s.store.held)

    assert {
        "stale.held.place[eval1]": "node2",
        "stale.held.place[eval2]": "NONE",
    } == change(hold)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_one_record_is_chosen_of_two() -> None:
    def look(s: Recorded, t: Recorded) -> None:
        t.seen[0] = ite(s.store.paused, s.stale, s.store)

    assert SEEN == change(look)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_a_record_is_read_at_a_value_of_the_world() -> None:
    def move(s: Recorded, t: Recorded) -> None:
        t.store = s.seen[ite(s.store.paused, 0, 1)]

    assert {
        "store.status[eval1]": "pending",
        "store.paused": True,
        "store.held.place[eval1]": "NONE",
    } == change(move)


def test_nobodys_record_holds_the_least_values() -> None:
    def move(s: Recorded, t: Recorded) -> None:
        t.store = s.seen[NONE]
        t.seen[NONE] = s.store

    assert {"store.status[eval1]": "pending", "store.held.place[eval1]": "NONE"} == change(move)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_clearing_gives_back_the_first_values() -> None:
    def forget(s: Recorded, t: Recorded) -> None:
        t.store.held.clear()
        t.stale.clear()
        t.seen[0].paused = False
        t.seen.clear()

    assert {"store.held.place[eval1]": "NONE", "stale.held.place[eval2]": "NONE"} == change(forget)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_a_value_is_made_of_all_its_parts() -> None:
    def look(s: Recorded, t: Recorded) -> None:
        t.seen[0] = StoreView(
            status=lambda number: ite(number == 0, s.store.status[number], Status.PENDING),
            paused=s.store.paused,
            held=Held(place=s.store.held.place),
        )

    assert SEEN == change(look)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"status": 0, "paused": False}, "lacks held"),
        ({"status": 0, "paused": False, "held": 0, "colour": 1}, "has no 'colour'"),
    ],
)
def test_a_value_that_forgets_a_part_cannot_be_written(parts: dict[str, int], said: str) -> None:
    with pytest.raises(StyleError, match=said):
        StoreView(**parts)


def test_records_are_compared_as_a_whole() -> None:
    bounded, cells = make(lambda s, t: t.require(s.store != s.stale))
    world: Any = bounded.world(cells)

    assert world.store != world.stale
    assert world.seen[0] == world.seen[1]
    assert world.seen[0].is_clear()
    assert not world.store.is_clear()
    assert world.store == StoreView(
        status=lambda number: world.store.status[number], paused=False, held=world.store.held
    )


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_totals_of_a_record_that_stands_once_are_kept() -> None:
    bounded, cells = make(lambda s, t: t.require(s.store.held.used[1] == 1))
    world: Any = bounded.world(cells)

    assert world.store.held.used[1] == 1
    assert ite(True, world.store, world.stale).held.used[1] == 1
    with pytest.raises(StyleError, match="count the cells"):
        world.seen[0].held.used[1]


def test_a_value_is_made_of_what_has_the_same_names() -> None:
    class Place(Record):
        place = field(Things.evals, opt(Things.nodes), init=NONE, about="node")

    class Shown(Place):
        is_new = field(FLAG, init=False, about="it is new")

    bounded, cells = make(lambda s, t: t.require(s.store != s.stale))
    world: Any = bounded.world(cells)

    assert Place.of(world.store.held) != Place.of(world.stale.held)
    assert Place.of(world.seen[0].held) == Place.of(world.seen[1].held)
    assert Held.of(world.store.held).used[1] == 1
    assert Shown.of(world.store.held, is_new=True).place[0] == 1
    with pytest.raises(StyleError, match="Held has no 'is_new' of its own: give it by name"):
        Shown.of(world.store.held)
    with pytest.raises(StyleError, match="made of values are compared"):
        assert Place(place=NONE) == Place(place=lambda _: 0)


class EvalColumns:
    """What there is of each evaluation."""

    status = field(Things.evals, Status, init=Status.COMPLETE, about="status of the evaluation")
    at = field(
        Things.evals, Things.workers, opt(Things.nodes), init=NONE, about="node that a worker gives it"
    )


class EvalView(EvalColumns, Record, of_one=Things.evals):
    """What there is of one evaluation."""


class Shown(EvalView):
    """The same, and whether somebody looks."""

    is_shown = field(FLAG, init=False, about="somebody looks")


class Newness(Record):
    """What is of no evaluation."""

    is_new = field(FLAG, init=False, about="it is new")


class AllEvals(EvalColumns, Record):
    """What there is of all evaluations."""


class Columned(EvalColumns, Things):
    """A world that has the columns, what is seen of one evaluation, and a copy of all."""

    shown = record(Shown)
    copy = record(AllEvals)


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_columns_of_all_are_columns_of_one() -> None:
    def show(s: Columned, t: Columned, number: Id) -> None:
        """Show an evaluation to whoever looks, and copy all."""
        t.status[number] = Status.PENDING
        t.at[number, 1] = 1
        t.copy = AllEvals.of(s)
        t.shown = Shown.of(s, number, is_shown=True)

    def look_again(s: Columned, t: Columned, number: Id) -> None:
        """Show it as the copy has it, and then as it was shown."""
        t.shown = Shown.of(EvalView.of(AllEvals.of(s.copy), number), is_shown=s.shown.is_shown)

    arguments: dict[str, Any] = {"number": Columned.evals}
    texts = (rule("X-1", **arguments)(show), rule("X-1", **arguments)(look_again))
    bounded = Model("columned", "columns", Columned, texts).at()
    world, found = bounded.initial[0], []
    show_first, _, _, look_at_second = bounded.instances
    for chosen in (show_first, show_first, look_at_second):
        after = bounded.step(world, chosen)
        assert after is not None
        world = after
        found.append({cell: value for cell, value in bounded.describe(world).items() if "shown" in cell})

    assert {"shown.status": "complete", "shown.at[worker1]": "NONE", "shown.at[worker2]": "NONE"} == {
        cell: value for cell, value in found[0].items() if cell != "shown.is_shown"
    }
    assert {
        "shown.status": "pending",
        "shown.at[worker1]": "NONE",
        "shown.at[worker2]": "node2",
        "shown.is_shown": True,
    } == found[1]
    assert {**found[0], "shown.is_shown": True} == found[2]


def test_columns_of_one_say_of_which() -> None:
    bounded = Model("columned", "columns", Columned, ()).at()
    world: Any = bounded.world(bounded.initial[0])

    assert EvalView.of(world.shown) == EvalView.of(world, 1)
    with pytest.raises(
        StyleError, match=r"Shown\.of\(Columned, \.\.\.\) is given 0 ids: say of which of the evals"
    ):
        Shown.of(world, is_shown=True)
    with pytest.raises(StyleError, match="is given 2 ids: say of which of the evals"):
        EvalView.of(world, 0, 1)
    with pytest.raises(StyleError, match="is given 1 ids: it is of no one member of a set"):
        EvalView.of(world.shown, 0)
    with pytest.raises(ModelError, match="Odd is of one of the nodes, but status is no table of all of them"):
        type("Odd", (EvalColumns, Record), {}, of_one=Things.nodes)
    with pytest.raises(ModelError, match="Odd is of one of the evals, but is_new is no table of all of them"):
        type("Odd", (Newness,), {}, of_one=Things.evals)


def test_slips_are_refused() -> None:
    wrong = "statsu"

    def mistype(s: Recorded, t: Recorded) -> None:
        setattr(t.store, wrong, 1)

    def read_after(s: Recorded, t: Recorded) -> None:
        t.require(t.seen[0].paused)

    def write_before(s: Recorded, t: Recorded) -> None:
        s.seen[0] = s.store

    def assign_other(s: Recorded, t: Recorded) -> None:
        t.store = s.store.held  # type: ignore[assignment] # the slip

    def assign_all(s: Recorded, t: Recorded) -> None:
        t.seen = s.store

    def compare_other(s: Recorded, t: Recorded) -> None:
        t.require(s.store == s.looks)

    def branch(s: Any, t: Recorded) -> None:
        if s.store:
            t.store.clear()

    slips = [
        (mistype, "StoreView has no field 'statsu'.*did you mean status"),
        (read_after, "seen.paused is read on t"),
        (write_before, "of s cannot be assigned to"),
        (assign_other, "is assigned to a record of StoreView"),
        (assign_all, r"assign to seen\[\.\.\.\]"),
        (compare_other, "which is none"),
        (branch, "branched on"),
    ]
    for text, said in slips:
        with pytest.raises(StyleError, match=said):
            make(text)


def test_a_question_that_is_not_called_is_no_value() -> None:
    def forget_to_call(s: Any, t: Recorded) -> None:
        t.require(not_(s.store.is_clear == True))  # noqa: E712 -- the slip

    with pytest.raises(StyleError, match=r"is_clear is compared, and not called: write is_clear\("):
        make(forget_to_call)


def test_ids_of_two_sets_are_not_mixed_up_in_records() -> None:
    def mix(s: Recorded, t: Recorded, worker: Id, node: Id) -> None:
        t.seen[node] = s.store

    with pytest.raises(StyleError, match="mixed up"):
        make(mix, worker=Recorded.workers, node=Recorded.nodes)


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(ModelError, match="takes a subclass of Record"):
        record(Things)  # type: ignore[type-var] # the slip
    with pytest.raises(ModelError, match="names 'colour'"):
        record(StoreView, first={"colour": 1})
    with pytest.raises(ModelError, match="is no field"):
        type("Lined", (Record,), {"line": queue(Things.workers, "who is next")})
    with pytest.raises(ModelError, match="a name that every record uses"):
        type("Odd", (Record,), {"clear": field(FLAG, init=False, about="clear")})


def test_a_record_over_strange_sets_is_refused() -> None:
    with pytest.raises(ModelError, match="which its world does not declare"):
        type("Small", (World,), {"held": record(Held)})


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_records_are_within_records_for_each_of_a_set() -> None:
    class Row(Record):
        at = field(opt(Things.nodes), init=NONE, about="node")

    class Table(Record):
        rows = record(Row, Things.evals)
        is_full = field(FLAG, init=False, about="there is no room")

    class Tables(Things):
        here = record(Table)
        there = record(Table, Things.workers)

    def copy(s: Tables, t: Tables, worker: Id, number: Id) -> None:
        """Copy one row, or all."""
        t.here.rows[number].at = 1
        t.there[worker].rows[number] = s.here.rows[number]
        t.there[worker] = Table(
            rows=lambda one: Row(at=ite(one == number, 0, s.here.rows[one].at)), is_full=True
        )

    def has_copied(s: Tables, worker: Id) -> Value:
        return s.there[worker] == s.here

    arguments: dict[str, Any] = {"worker": Tables.workers, "number": Tables.evals}
    bounded = Model("tables", "tables", Tables, (rule("X-1", **arguments)(copy),)).at()
    after = bounded.step(bounded.initial[0], bounded.instances[0])

    assert after is not None
    found = {name for name, value in bounded.describe(after).items() if value in {"node1", "node2", True}}
    assert {"here.rows[eval1].at", "there[worker1].rows[eval1].at", "there[worker1].is_full"} == found
    world: Any = bounded.world(after)
    assert not has_copied(world, 0)
    assert not has_copied(world, 1)
