"""A copy of a record that forgets a column cannot be written; what is worked out can."""

from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import FLAG, NONE, Id, opt, upto
from nomadspec.model.language.logic import ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, feature, field, ids


class Sets(World):
    """What there is."""

    workers = ids("worker", 2, "workers")
    nodes = ids("node", 2, "nodes")
    allocs = ids("alloc", 2, "allocations")
    doors = feature("nodes are closed", default=False)


class Room(Record):
    """What nodes have room for."""

    used = field(Sets.nodes, upto(3), init=0, about="what is used of the node")
    free = field(Sets.nodes, upto(3), init=0, about="what is free on the node")


class View(Record):
    """What a worker sees."""

    room = record(Room)
    place = field(Sets.allocs, Sets.nodes, FLAG, init=False, about="the allocation is on the node")
    index = field(upto(3), init=0, about="the number of the last write")


class Door(Record):
    """What is seen of doors."""

    wide = field(Sets.nodes, FLAG, init=False, about="it is wide")
    shut = field(Sets.nodes, FLAG, init=False, about="it is shut", on=Sets.doors)


class Columns:
    """What there is of each allocation."""

    version = field(Sets.allocs, upto(3), init=0, about="version of the allocation")
    node = field(Sets.allocs, opt(Sets.nodes), init=NONE, about="node of the allocation")


class AllocColumns(Columns, Record, of_one=Sets.allocs):
    """What there is of one allocation."""


class AllocView(AllocColumns):
    """What is seen of one allocation."""

    is_old = field(FLAG, init=False, about="it was seen long ago")


class Both(Columns, Record):
    """What is seen of all allocations."""


class Cell(Columns, Sets):
    """Workers that see a store."""

    store = record(View)
    seen = record(View, Sets.workers)
    spare = record(Room)
    alloc = record(AllocView, Sets.workers)
    all = record(Both)
    door = record(Door)
    other = record(Door)
    is_busy = field(Sets.workers, FLAG, init=False, about="the worker plans")


def load(text: Callable[..., None], **sizes: int) -> bool:
    """Load a model with one rule; true if it can happen."""
    text.__doc__ = "Something is seen."
    made = rule("X-1", worker=Cell.workers, alloc=Cell.allocs)(text)
    return bool(Model("cell", "a cell", Cell, (made,)).at(sizes=sizes).traced)


def copy_cells(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    for node in s.nodes:
        t.seen[worker].room.used[node] = s.store.room.used[node]


def copy_rows(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    for one in s.allocs:
        t.seen[worker].place[one] = s.store.place[one]


def copy_table(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    view = s.store
    t.seen[worker].room.used = view.room.used


def copy_number(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.when(s.is_busy[worker]).seen[worker].index = s.store.index


def copy_or_keep(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.seen[worker].index = ite(s.is_busy[worker], s.store.index, s.seen[worker].index)


def copy_part(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.seen[worker].room = s.store.room


def copy_all_but_one(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    copy_part(s, t, worker, alloc)
    copy_number(s, t, worker, alloc)


def copy_into_spare(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.spare.used = s.store.room.used


def copy_one(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.alloc[worker].version = s.version[alloc]


def copy_columns(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.all.version = s.version


ROOM = (
    "seen[...] takes room.used over from store, and forgets the rest of View (room.free, place, index): "
    "assign the whole record, t.seen[...] = s.store, or say that the rest stays, t.seen[...] = "
    "View.of(s.seen[...], room=...)."
)
COPIES = {
    copy_cells: ROOM,
    copy_table: ROOM,
    copy_rows: "takes place over from store, and forgets the rest of View (room.used, room.free, index):",
    copy_number: "takes index over from store, and forgets the rest of View (room.used, room.free, place):",
    copy_or_keep: "takes index over from store, and forgets the rest of View (room.used, room.free, place):",
    copy_part: "takes room.used, room.free over from store, and forgets the rest of View (place, index):",
    copy_all_but_one: "takes room.used, room.free, index over from store, and forgets the rest of View",
    copy_into_spare: "spare takes used over from store.room, and forgets the rest of Room (free):",
    copy_one: "and forgets the rest of AllocView (node): assign the whole record, t.alloc[...] = "
    "AllocView.of(s, ...), or say that the rest stays, t.alloc[...] = AllocView.of(s.alloc[...], version=",
    copy_columns: "all takes version over from the columns of the world, and forgets the rest of Both "
    "(node): assign the whole record, t.all = Both.of(s), or say",
}


@pytest.mark.parametrize("text", COPIES, ids=lambda text: text.__name__)
def test_a_copy_that_forgets_a_column_is_refused(text: Callable[..., None]) -> None:
    with pytest.raises(StyleError) as refused:
        load(text)

    assert COPIES[text] in str(refused.value)


def test_the_line_of_a_copy_is_told() -> None:
    with pytest.raises(StyleError) as refused:
        load(copy_table)

    line = copy_table.__code__.co_firstlineno + 2
    assert str(refused.value).startswith(f"Rule CopyTable ({__file__}:{line}): seen[...] takes")


def assign(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.seen[worker] = s.store
    t.alloc[worker] = AllocView.of(s, alloc, is_old=False)


def assign_part_of_one(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.spare = s.seen[worker].room


def let_stay(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.seen[worker] = View.of(s.seen[worker], index=s.store.index)
    t.alloc[worker] = AllocView.of(s.alloc[worker], version=s.version[alloc])


def work_out(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.seen[worker].index = ite(s.store.index < 2, s.store.index, 2)
    for node in s.nodes:
        t.seen[worker].room.used[node] = s.store.room.free[node]


def work_out_rest(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.seen[worker].room = s.store.room
    t.seen[worker].index = 0
    for node in s.nodes:
        t.seen[worker].place[alloc, node] = False


def clear_rest(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    t.seen[worker].clear()
    t.seen[worker].index = s.store.index


def learn_of_one(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    for node in s.nodes:
        t.seen[worker].place[alloc, node] = s.store.place[alloc, node]


def learn_from_others(s: Any, t: Any, worker: Id, alloc: Id) -> None:
    for other in s.workers:
        if other != worker:
            t.seen[worker].index = s.seen[other].index


@pytest.mark.parametrize(
    "text",
    [
        assign,
        assign_part_of_one,
        let_stay,
        work_out,
        work_out_rest,
        clear_rest,
        learn_of_one,
        learn_from_others,
    ],
    ids=lambda text: text.__name__,
)
def test_what_forgets_nothing_is_not_refused(text: Callable[..., None]) -> None:
    assert load(text)


def test_what_only_one_member_makes_a_copy_is_not_refused() -> None:
    assert load(learn_of_one, allocs=1)
    assert load(copy_cells, nodes=1)


def test_a_column_that_a_scope_leaves_out_is_forgotten_where_it_is() -> None:
    def copy_wide(s: Any, t: Any, worker: Id, alloc: Id) -> None:
        t.door.wide = s.other.wide

    copy_wide.__doc__ = "Something is seen."
    made = Model("cell", "a cell", Cell, (rule("X-1", worker=Cell.workers, alloc=Cell.allocs)(copy_wide),))
    made.at()
    with pytest.raises(StyleError, match=r"door takes wide over from other, .* Door \(shut\): "):
        made.at(sizes={"doors": 1})
