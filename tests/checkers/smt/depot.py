"""A model whose objects are numbered as they are made: boxes that come to shelves one after the other."""

from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt
from nomadspec.model.language.logic import Value, all_of, count, exists, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always, lemma, step
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, index, size, tally


class Depot(World):
    """Boxes are put on shelves, and those that are due are called in the order of their numbers."""

    shelves = ids("shelf", 2, "where boxes stand")
    most = size(3, "boxes that can be made")
    boxes = index("box", most, "boxes, in the order in which they were made")
    room = size(1, "boxes that a shelf holds", least=1)

    made = field(counter(most), init=0, about="boxes made so far", budget=True)
    at = field(boxes, opt(shelves), init=NONE, about="the shelf where the box stands")
    is_due = field(boxes, FLAG, init=False, about="the box is to leave")
    is_called = field(boxes, FLAG, init=False, about="the box is the next to leave")
    used = tally(at, "boxes on a shelf")


def leaves(s: Depot, box: Id, shelf: Id) -> Value:
    """True while a box makes room on a shelf."""
    return all_of(s.is_due[box], s.at[box] == shelf)


@rule("DEPOT-01", makes=Depot.made, shelf=Depot.shelves)
def exchange(s: Depot, t: Depot, shelf: Id) -> None:
    """A new box comes to a shelf when those that are due have left it."""
    t.require(s.used[shelf] - count(leaves(s, x, shelf) for x in s.boxes) < s.room)
    for box in s.boxes:
        t.when(all_of(s.is_due[box], s.at[box] == shelf)).at[box] = NONE
    t.at[s.made] = shelf
    t.made = s.made + 1


@rule("DEPOT-02", box=Depot.boxes)
def fall_due(s: Depot, t: Depot, box: Id) -> None:
    """A box is to leave."""
    t.require(s.at[box] != NONE)
    t.is_due[box] = True


@rule("DEPOT-03")
def call_first(s: Depot, t: Depot) -> None:
    """Of the boxes that are due, the oldest is called."""
    for box in s.boxes:
        is_first = not_(exists(all_of(other < box, s.is_due[other]) for other in s.boxes))
        t.is_called[box] = all_of(s.is_due[box], is_first)


@always("DEPOT-01", why="a shelf breaks under more")
def no_shelf_breaks(s: Depot) -> Value:
    """No shelf has more boxes than it holds."""
    return for_all(s.used[m] <= s.room for m in s.shelves)


@lemma("DEPOT-01", why="a number that was not given out names nothing")
def boxes_are_made(s: Depot) -> Value:
    """Only boxes that were made stand anywhere."""
    return for_all(implies(s.at[x] != NONE, x < s.made) for x in s.boxes)


@step("DEPOT-03", why="who is due must not wait for nobody")
def someone_is_called(s: Depot, n: Depot) -> Value:
    """Some box is called as long as one is due, unless the step is about something else."""
    is_left = for_all(s.is_called[x] == n.is_called[x] for x in s.boxes)
    is_due = exists(s.is_due[x] for x in s.boxes)
    return implies(all_of(is_due, not_(is_left)), exists(n.is_called[x] for x in s.boxes))


RULES = (exchange, fall_due, call_first)
PROPERTIES = (no_shelf_breaks, boxes_are_made, someone_is_called)


def depot(*rules: Rule, properties: tuple[Property, ...] = PROPERTIES) -> Model:
    """Make a model of the depot with these rules, or with all."""
    return Model("depot", "a depot", Depot, rules or RULES, properties, (Scope("small", "for tests"),))
