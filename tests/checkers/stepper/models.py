"""Small worlds for the tests of the fast path."""

from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt, upto
from nomadspec.model.language.logic import Value, all_of, exists, for_all, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, sometimes, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, queue, size


class Desk(World):
    """Clerks look at a board, keep what they saw and stand in line."""

    clerks = ids("clerk", 2, "who looks")
    notes = ids("note", 3, "what hangs on the board")
    most = size(2, "how often the board changes")

    board = field(notes, opt(clerks), init=NONE, about="who put the note up")
    changed = field(counter(most), init=0, about="how often the board has changed")
    narrow = field(upto(1), init=0, about="a copy of the changes that has room for one only")
    seen = field(clerks, notes, opt(clerks), init=NONE, about="the board as the clerk remembers it")
    is_busy = field(clerks, FLAG, init=False, about="the clerk has looked")
    line = queue(clerks, "who waits")


@rule("D-1", note=Desk.notes, clerk=Desk.clerks)
def put(s: Desk, t: Desk, note: Id, clerk: Id) -> None:
    """A clerk puts a note up or takes it down."""
    t.require(s.changed < s.most)
    t.changed = s.changed + 1
    t.when(s.board[note] == NONE).board[note] = clerk
    t.when(s.board[note] == clerk).board[note] = NONE


@rule("D-2", clerk=Desk.clerks)
def look(s: Desk, t: Desk, clerk: Id) -> None:
    """A clerk remembers the board and joins the line."""
    t.require(not_(s.is_busy[clerk]))
    t.seen[clerk] = s.board
    t.is_busy[clerk] = True
    t.line.push(clerk)


@rule("D-3", clerk=Desk.clerks)
def leave(s: Desk, t: Desk, clerk: Id) -> None:
    """The first in line leaves, and forgets unless a note is the clerk's own."""
    t.require(s.line.head(clerk))
    t.when(for_all(s.seen[clerk, note] != clerk for note in s.notes)).seen[clerk] = NONE
    t.is_busy[clerk] = False
    t.line.pop(clerk)


@rule("D-4")
def copy(s: Desk, t: Desk) -> None:
    """The count is copied to where there is no room for all of it."""
    t.require(s.narrow == 0)
    t.narrow = s.changed


@always("D-2", why="a clerk who waits has looked")
def waiting_is_busy(s: Desk) -> Value:
    """Nobody waits who has not looked."""
    return for_all(s.is_busy[clerk] == s.line.has(clerk) for clerk in s.clerks)


@always("D-1", why="it breaks on purpose")
def third_note_is_missing(s: Desk) -> Value:
    """Not every note is up."""
    return exists(s.board[note] == NONE for note in s.notes)


@step("D-1", why="the count never falls")
def changes_grow(s: Desk, n: Desk) -> Value:
    """The count grows or stays."""
    return s.changed <= n.changed


@step("D-3", why="it breaks on purpose")
def memory_stays(s: Desk, n: Desk) -> Value:
    """Nobody forgets who put a note up."""
    return for_all(
        all_of(n.seen[clerk, note] == s.seen[clerk, note]) for clerk in s.clerks for note in s.notes
    )


@sometimes("D-2", why="both wait")
def both_wait(s: Desk) -> Value:
    """Both clerks wait."""
    return for_all(s.line.has(clerk) for clerk in s.clerks)


@sometimes("D-1", why="it is never reached")
def too_many_changes(s: Desk) -> Value:
    """The board has changed thrice."""
    return s.changed == 3


DESK = Model(
    name="desk",
    about="clerks look at a board",
    world=Desk,
    rules=(put, look, leave),
    properties=(
        waiting_is_busy,
        third_note_is_missing,
        changes_grow,
        memory_stays,
        both_wait,
        too_many_changes,
    ),
)

CRAMPED = Model(name="cramped", about="a copy without room", world=Desk, rules=(put, copy))
