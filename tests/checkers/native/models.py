"""Small worlds with what is hard for machine code: wide cells, cells without bits, faults, many questions."""

from dataclasses import replace

from nomadspec.model.language.domain import FLAG, NONE, SKIP, Id, opt, upto
from nomadspec.model.language.logic import Value, all_of, any_of, for_all, iff, implies, ite, not_, total
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always, sometimes, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, index, queue, size


class Shelf(World):
    """Boxes of any width on a shelf, with cells that can hold one value only."""

    many = size(3, "how many boxes there are")
    top = size(6, "the most that a box holds")
    boxes = index("box", many, "the boxes, whose order shows")
    owners = ids("owner", 2, "who can own the shelf")

    nothing = field(boxes, upto(0), init=0, about="a cell without bits before the others")
    content = field(boxes, upto(top), init=0, about="what is in the box")
    owner = field(opt(owners, SKIP), init=SKIP, about="whose shelf it is; SKIP before anybody asked")
    saved = field(opt(owners, SKIP), init=NONE, about="a copy of the owner, elsewhere in the world")
    is_open = field(boxes, FLAG, init=False, about="the box is open")
    void = field(boxes, upto(0), init=0, about="a cell without bits at the end")


@rule("S-1", box=Shelf.boxes)
def fill(s: Shelf, t: Shelf, box: Id) -> None:
    """An open box is filled a bit more, or emptied when it is full; the next box is shut."""
    t.require(s.is_open[box])
    t.content[box] = ite(s.content[box] == s.top, 0, s.content[box] + s.top // 2)
    t.void[box] = s.nothing[box]
    t.is_open[box] = False


@rule("S-2", box=Shelf.boxes)
def open_box(s: Shelf, t: Shelf, box: Id) -> None:
    """A box is opened while fewer than two are open."""
    t.require(not_(s.is_open[box]), total(s.is_open[other] for other in s.boxes) < 2)
    t.is_open[box] = True


@rule("S-3", owner=opt(Shelf.owners, SKIP))
def hand_over(s: Shelf, t: Shelf, owner: Id) -> None:
    """The shelf changes hands, and who had it is remembered."""
    t.require(s.owner != owner, any_of(s.is_open[0], all_of(s.content[1] == 0, s.saved != owner)))
    t.saved = s.owner
    t.owner = owner


@rule("S-4")
def swap(s: Shelf, t: Shelf) -> None:
    """Everything moves one box on."""
    t.require(for_all(not_(s.is_open[box]) for box in s.boxes))
    for box in s.boxes:
        t.content[box] = s.content[box - 1 if box else s.many - 1]


@always("S-1", why="it breaks on purpose")
def is_never_full(s: Shelf) -> Value:
    """Some box is not full."""
    return not_(for_all(s.content[box] == s.top for box in s.boxes))


@always("S-3", why="an owner who was remembered is remembered by what the copy holds")
def copies_fit(s: Shelf) -> Value:
    """The copy is in its domain."""
    return any_of(s.saved >= NONE, s.saved == SKIP)


@step("S-3", why="it breaks on purpose")
def owners_stay(s: Shelf, n: Shelf) -> Value:
    """What is owned stays owned by somebody."""
    return implies(s.owner >= 0, any_of(n.owner >= 0, all_of(n.saved == s.owner, n.content[0] == 0)))


@sometimes("S-2", why="boxes are opened")
def first_and_last_are_open(s: Shelf) -> Value:
    """The first and the last box are open, with the same content."""
    return all_of(s.is_open[0], s.is_open[2], iff(s.content[0] == 0, s.content[2] == 0))


SHELF = Model(
    "shelf",
    "boxes on a shelf",
    Shelf,
    (fill, open_box, hand_over, swap),
    properties=(is_never_full, copies_fit, owners_stay, first_and_last_are_open),
    scopes=(
        Scope("word", "in one word", {}),
        Scope("wide", "boxes of 40 bits, in three words", {"top": (1 << 40) - 2}),
        Scope("wider", "boxes of 60 bits, in five words", {"many": 4, "top": (1 << 60) - 2}),
        Scope("huge", "numbers that no word holds", {"top": (1 << 70) - 2}),
    ),
)


class Jar(World):
    """Marbles in a jar that is too small, and people who push in."""

    people = ids("person", 2, "who stands in line")
    room = size(5, "how many marbles go in")
    rounds = size(40, "how long it takes")
    marbles = field(upto(room), init=0, about="marbles in the jar")
    clock = field(upto(rounds), init=0, about="the time")
    noise = field(upto(7), init=0, about="what makes more worlds")
    line = queue(people, "who waits")


@rule("J-1")
def tick(s: Jar, t: Jar) -> None:
    """Time goes on."""
    t.require(s.clock < s.rounds)
    t.clock = s.clock + 1


@rule("J-2", noise=upto(7))
def rustle(s: Jar, t: Jar, noise: Value) -> None:
    """Something rustles."""
    t.noise = noise


@rule("J-3")
def drop(s: Jar, t: Jar) -> None:
    """Late, marbles are dropped into the jar without looking."""
    t.require(s.clock >= s.rounds - 2)
    t.marbles = s.marbles + 3


@rule("J-4")
def overfill(s: Jar, t: Jar) -> None:
    """Late, more marbles are put into the jar than it ever holds."""
    t.require(s.clock == s.rounds)
    t.marbles = 9


@rule("J-5", person=Jar.people)
def push_in(s: Jar, t: Jar, person: Id) -> None:
    """Late, somebody joins the line, twice if need be."""
    t.require(s.clock >= s.rounds - 1)
    t.line.push(person)


@always("J-3", why="it breaks on purpose")
def is_early(s: Jar) -> Value:
    """There is time left."""
    return s.clock < s.rounds - 2


CALM = Model("jar", "a jar", Jar, (tick, rustle))
SPILT = Model("jar", "a jar that spills", Jar, (tick, rustle, drop), (is_early,))
BURST = Model("jar", "a jar that bursts", Jar, (tick, rustle, overfill), (is_early,))
JOSTLED = Model("jar", "a line that is pushed", Jar, (tick, rustle, push_in), (is_early,))


def _make_question(number: int) -> Property:
    kind = (always, sometimes)[number % 2]

    @kind("J-1", why=f"question {number}")
    def ask(s: Jar) -> Value:
        """Ask about the time and the noise."""
        asked = s.clock + s.noise == number // 2
        return not_(asked) if kind == always else asked

    return replace(ask, name=f"question_{number}")


QUESTIONS = tuple(_make_question(number) for number in range(99))
CURIOUS = Model("jar", "a jar about which much is asked", Jar, (tick, rustle), QUESTIONS)


class Stack(World):
    """A tall stack, whose height is a deep sum."""

    height = size(340, "how many plates there can be")
    places = index("place", height, "places")
    is_laid = field(places, FLAG, init=False, about="a plate lies there")


@rule("P-1", place=upto(3))
def lay(s: Stack, t: Stack, place: Value) -> None:
    """One of the first plates is laid on those that are there."""
    t.require(not_(s.is_laid[place]), total(s.is_laid[other] for other in s.places) == place)
    t.is_laid[place] = True


@always("P-1", why="plates do not fly")
def nothing_flies(s: Stack) -> Value:
    """What lies below the highest plate is laid, by a deep choice."""
    known: Value = True
    for place in range(s.height - 1):
        known = ite(s.is_laid[place + 1], all_of(s.is_laid[place], known), known)
    return known


STACK = Model("stack", "a stack of plates", Stack, (lay,), (nothing_flies,), is_at_rest=lambda _: True)
