"""Small worlds for the tests of the explorer."""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, NONE, SKIP, Id, counter, opt, upto
from nomadspec.model.language.logic import Value, all_of, exists, for_all, implies, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, eventually, lemma, sometimes, step
from nomadspec.model.language.rule import Fairness, Rule, rule, strong, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, index, queue, size

# deadlocks


class Forks(World):
    """Two people take two forks in opposite orders."""

    taken = field(upto(3), init=0, about="bit 1: the left fork is taken; bit 2: the right one")
    is_done = field(FLAG, init=False, about="everybody has eaten")


@rule("F-1", first=FLAG)
def take(s: Forks, t: Forks, first: Value) -> None:
    """A fork is taken."""
    t.require(s.taken < 3, not_(s.is_done))
    t.require(s.taken != (1 if first else 2))
    t.taken = s.taken + (1 if first else 2)


@rule("F-2")
def eat(s: Forks, t: Forks) -> None:
    """One who waits no longer eats."""
    t.require(s.taken == 1)
    t.is_done = True


def has_eaten(s: Forks) -> Value:
    """True while nobody is hungry."""
    return s.is_done


FORKS = Model("forks", "people who wait for each other", Forks, (take, eat), is_at_rest=has_eaten)


# several initial worlds


class Dial(World):
    """A dial that is set by hand and runs down."""

    top = size(3, "how far the dial can be turned")
    at = field(upto(top), init=0, about="where the dial stands")
    turned = field(counter(2), init=0, about="how often it was turned back", budget=True)


@rule("W-1", to=upto(3))
def wind(s: Dial, t: Dial, to: Value) -> None:
    """The dial is set."""
    t.require(to <= s.top, to >= 1)
    t.at = to


@rule("W-2", fair=weak())
def run_down(s: Dial, t: Dial) -> None:
    """The dial moves on."""
    t.require(s.at > 0)
    t.at = s.at - 1


@rule("W-3", spends=Dial.turned)
def turn_back(s: Dial, t: Dial) -> None:
    """The dial is turned to its top."""
    t.require(s.at == 1)
    t.at = s.top


@always("W-1", why="it breaks on purpose")
def is_low(s: Dial) -> Value:
    """The dial is below its top."""
    return s.at < s.top


@step("W-3", why="it breaks on purpose")
def only_falls(s: Dial, n: Dial) -> Value:
    """The dial only falls."""
    return n.at <= s.at


@lemma("W-3", why="it breaks on purpose, and only helps a proof")
def is_never_turned(s: Dial) -> Value:
    """Nobody turns the dial back."""
    return s.turned == 0


@sometimes("W-2", why="a dial that never stops is broken")
def has_stopped(s: Dial) -> Value:
    """The dial stands at nought."""
    return s.at == 0


@sometimes("W-2", why="it is never reached")
def is_past_its_top(s: Dial) -> Value:
    """The dial stands above its top."""
    return s.at > s.top


@eventually("W-2", why="a dial runs down")
def stops(s: Dial) -> Value:
    """The dial stands at nought."""
    return s.at == 0


DIAL = Model(
    "dial",
    "a dial that runs down",
    Dial,
    (run_down, turn_back),
    properties=(is_low, only_falls, is_never_turned, has_stopped, is_past_its_top, stops),
    starts=(wind,),
    is_at_rest=lambda s: s.at == 0,
)


# endless paths


class Gate(World):
    """A gate that swings, and somebody who wants to go through."""

    is_open = field(FLAG, init=False, about="the gate is open")
    is_inside = field(FLAG, init=False, about="somebody went through")


@eventually("G-2", why="who wants to go through does at last")
def goes_through(s: Gate) -> Value:
    """Somebody went through."""
    return s.is_inside


def make_gate(swing_fair: Fairness | None, enter_fair: Fairness | None) -> Model:
    """Make the gate with some fairness."""

    @rule("G-1", fair=swing_fair)
    def swing(s: Gate, t: Gate) -> None:
        """The gate swings."""
        t.require(not_(s.is_inside))
        t.is_open = not_(s.is_open)

    @rule("G-2", fair=enter_fair)
    def enter(s: Gate, t: Gate) -> None:
        """Somebody goes through the open gate."""
        t.require(s.is_open, not_(s.is_inside))
        t.is_inside = True

    rules: tuple[Rule, ...] = (swing, enter)
    return Model("gate", "a swinging gate", Gate, rules, (goes_through,), is_at_rest=lambda s: s.is_inside)


GATE_OPEN = make_gate(weak(), strong())
GATE_SHUT = make_gate(weak(), weak())
GATE_STILL = make_gate(None, strong())


class Rooms(World):
    """A hall with two rooms; the way out leads from the second."""

    at = field(upto(2), init=0, about="0 is the hall")
    is_out = field(FLAG, init=False, about="the way out was taken")


@rule("R-1", fair=weak("room"), room=upto(2))
def visit(s: Rooms, t: Rooms, room: Value) -> None:
    """Somebody goes from the hall to a room."""
    t.require(s.at == 0, room >= 1, not_(s.is_out))
    t.at = room


@rule("R-2", fair=weak())
def come_back(s: Rooms, t: Rooms) -> None:
    """Somebody goes back to the hall."""
    t.require(s.at > 0)
    t.at = 0


@rule("R-3", fair=strong())
def leave(s: Rooms, t: Rooms) -> None:
    """Somebody takes the way out."""
    t.require(s.at == 2, not_(s.is_out))
    t.is_out = True


@eventually("R-3", why="nobody stays for ever")
def gets_out(s: Rooms) -> Value:
    """The way out was taken."""
    return s.is_out


ROOMS = Model("rooms", "two rooms", Rooms, (visit, come_back, leave), (gets_out,))


class Lamps(World):
    """Lamps that are switched by their owners, and a bell that nobody has to ring."""

    lamps = ids("lamp", 2, "lamps")
    is_lit = field(lamps, FLAG, init=False, about="the lamp is lit")
    has_rung = field(FLAG, init=False, about="the bell has rung")


@rule("L-1", fair=weak("lamp"), lamp=Lamps.lamps)
def switch(s: Lamps, t: Lamps, lamp: Id) -> None:
    """A lamp is switched."""
    t.is_lit[lamp] = not_(s.is_lit[lamp])


@rule("L-2")
def ring(s: Lamps, t: Lamps) -> None:
    """The bell rings."""
    t.require(for_all(s.is_lit[lamp] for lamp in s.lamps))
    t.has_rung = True


def is_dark(s: Lamps, lamp: Id) -> Value:
    """True while a lamp is dark."""
    return not_(s.is_lit[lamp])


@eventually("L-1", why="every lamp is lit at last", given=is_dark, lamp=Lamps.lamps)
def is_lit_at_last(s: Lamps, lamp: Id) -> Value:
    """The lamp is lit."""
    return s.is_lit[lamp]


@eventually("L-2", why="it breaks on purpose")
def rings(s: Lamps) -> Value:
    """The bell has rung."""
    return s.has_rung


LAMPS = Model("lamps", "lamps and a bell", Lamps, (switch, ring), (is_lit_at_last, rings))


class Relay(World):
    """A runner goes round three places; a baton can be passed at the second."""

    runners = ids("runner", 2, "runners")
    at = field(upto(2), init=0, about="where the runner is; 0 is home")
    holder = field(runners, FLAG, init=False, about="has had the baton")
    is_finished = field(FLAG, init=False, about="the race is over")


@rule("B-1", fair=weak())
def step_on(s: Relay, t: Relay) -> None:
    """The runner leaves home for good and then goes to and fro."""
    t.at = ite(s.at == 1, 2, 1)


@rule("B-2", fair=strong("runner"), runner=Relay.runners)
def pass_baton(s: Relay, t: Relay, runner: Id) -> None:
    """The baton is passed, or passed back."""
    t.require(s.at == 2)
    t.holder[runner] = not_(s.holder[runner])


@rule("B-3")
def finish(s: Relay, t: Relay) -> None:
    """The race is over."""
    t.require(for_all(s.holder[runner] for runner in s.runners))
    t.is_finished = True


@eventually("B-3", why="it breaks on purpose")
def finishes(s: Relay) -> Value:
    """The race is over."""
    return s.is_finished


def is_away(s: Relay, runner: Id) -> Value:
    """True while the runner is away and has the baton."""
    return all_of(s.at == 2, s.holder[runner])


@eventually("B-1", why="it breaks on purpose", given=is_away, runner=Relay.runners)
def comes_home(s: Relay, runner: Id) -> Value:
    """The runner without a baton is at home."""
    return all_of(s.at == 0, not_(s.holder[runner]))


RELAY = Model(
    "relay", "a race that nobody has to end", Relay, (step_on, pass_baton, finish), (finishes, comes_home)
)


# symmetry


class Letter(IntEnum):
    """What became of a letter."""

    DRAFT = 0
    SENT = 1


class Club(World):
    """People who know each other, mentors, and guests who carry letters: every way in which ids are used."""

    people = ids("person", 3, "members, who stand in cells and twice in an index")
    guests = ids("guest", 2, "guests, who are an index only")
    dogs = ids("dog", 2, "dogs, who stand in cells too")
    length = size(2, "lines of a letter")
    lines = index("line", length, "the lines of a letter, whose order shows")
    most = size(2, "how often people meet")

    knows = field(people, people, FLAG, init=False, about="the first knows the second")
    mentor = field(opt(people), init=NONE, about="who was asked first")
    owner = field(dogs, opt(people, SKIP), init=SKIP, about="whose dog it is; SKIP before anybody looked")
    leader = field(opt(dogs), init=NONE, about="the dog that walks first")
    letter = field(guests, Letter, init=Letter.DRAFT, about="what became of the guest's letter")
    text = field(guests, lines, opt(people), init=NONE, about="who is named in a line")
    walks = field(guests, dogs, FLAG, init=False, about="the guest walks the dog")
    meetings = field(counter(most), init=0, about="how often people met", budget=True)
    line = queue(guests, "who waits at the door")


@rule("C-1", spends=Club.meetings, one=Club.people, other=Club.people)
def meet(s: Club, t: Club, one: Id, other: Id) -> None:
    """Somebody gets to know somebody."""
    t.require(one != other)
    t.knows[one, other] = True
    t.when(s.mentor == NONE).mentor = one


@rule("C-2", dog=Club.dogs, person=Club.people)
def adopt(s: Club, t: Club, dog: Id, person: Id) -> None:
    """A dog goes to somebody whom the mentor knows."""
    t.require(s.owner[dog] == SKIP, s.mentor != NONE)
    t.owner[dog] = NONE
    t.when(s.knows[s.mentor, person]).owner[dog] = person
    t.when(s.leader == NONE).leader = dog


@rule("C-3", guest=Club.guests, line=Club.lines, person=Club.people)
def name_in_letter(s: Club, t: Club, guest: Id, line: Id, person: Id) -> None:
    """A guest writes a line about somebody who has a dog."""
    t.require(s.letter[guest] == Letter.DRAFT, s.text[guest, line] == NONE)
    t.require(exists(s.owner[dog] == person for dog in s.dogs))
    t.text[guest, line] = person
    t.letter[guest] = Letter.SENT
    for dog in s.dogs:
        t.walks[guest, dog] = s.owner[dog] == person
    t.line.push(guest)


@always("C-1", why="nobody need be told who he is")
def nobody_meets_himself(s: Club) -> Value:
    """Nobody got to know himself."""
    return for_all(not_(s.knows[one, one]) for one in s.people)


@always("C-3", why="it breaks on purpose")
def guests_walk_apart(s: Club) -> Value:
    """No dog is walked by two guests."""
    return for_all(
        implies(all_of(s.walks[one, dog], s.walks[other, dog]), one == other)
        for one in s.guests
        for other in s.guests
        for dog in s.dogs
    )


@step("C-2", why="it breaks on purpose")
def leader_stays(s: Club, n: Club) -> Value:
    """No leader is chosen."""
    return n.leader == s.leader


@sometimes("C-3", why="letters are sent")
def everybody_has_written(s: Club) -> Value:
    """Each guest has sent a letter."""
    return for_all(s.letter[guest] == Letter.SENT for guest in s.guests)


CLUB = Model(
    "club",
    "people, guests and dogs",
    Club,
    (meet, adopt, name_in_letter),
    properties=(nobody_meets_himself, guests_walk_apart, leader_stays, everybody_has_written),
    scopes=(
        Scope("small", "few of all", {"people": 2, "most": 1}),
        Scope("people", "more people", {"people": 3, "guests": 1, "length": 1, "most": 2}),
        Scope("dogs", "more dogs", {"people": 2, "dogs": 3, "guests": 1, "length": 1, "most": 1}),
        Scope("guests", "more guests", {"people": 2, "dogs": 1, "guests": 3, "length": 1, "most": 1}),
    ),
    is_at_rest=lambda _: True,
)


class Grid(World):
    """Two sets that only ever are indexes, of one and the same table."""

    rows = ids("row", 3, "rows")
    columns = ids("column", 2, "columns")
    is_marked = field(rows, columns, FLAG, init=False, about="the square is marked")


@rule("S-1", row=Grid.rows, column=Grid.columns)
def mark(s: Grid, t: Grid, row: Id, column: Id) -> None:
    """A square is marked or cleared."""
    t.is_marked[row, column] = not_(s.is_marked[row, column])


GRID = Model("grid", "squares", Grid, (mark,))


@rule("S-2", row=Grid.rows)
def mark_first(s: Grid, t: Grid, row: Id) -> None:
    """The first square of a row is marked, which names a column."""
    t.require(not_(s.is_marked[row, 0]))
    t.is_marked[row, 0] = True


LOPSIDED = Model("lopsided", "squares of which some are special", Grid, (mark, mark_first))


@always("S-1", why="it names a row, which it may not")
def first_row_is_clear(s: Grid) -> Value:
    """The first row is clear."""
    return for_all(not_(s.is_marked[0, column]) for column in s.columns)


BIASED = Model("biased", "squares with a special row", Grid, (mark,), (first_row_is_clear,))
