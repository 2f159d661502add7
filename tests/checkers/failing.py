"""Models that break what every model promises, each in a way of its own, a few steps from the beginning."""

from dataclasses import replace

from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import Value, count, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, eventually, sometimes, step
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.world import World, field, ids, queue, size


class Counter(World):
    """Clerks, their line, and a number that grows."""

    clerks = ids("clerk", 3, "who queues up")
    most = size(3, "the highest number")
    number = field(upto(most), init=0, about="how often a bell rang")
    is_open = field(FLAG, init=False, about="the counter is open")
    line = queue(clerks, about="who waits")


@rule("C-1", fair=weak())
def open_up(s: Counter, t: Counter) -> None:
    """The counter opens."""
    t.require(not_(s.is_open))
    t.is_open = True


@rule("C-2", clerk=Counter.clerks)
def line_up(s: Counter, t: Counter, clerk: Id) -> None:
    """A clerk who does not wait yet joins the line."""
    t.require(s.is_open, not_(s.line.has(clerk)))
    t.line.push(clerk)


@rule("C-3")
def ring(s: Counter, t: Counter) -> None:
    """The bell rings once more, without anybody who looks at how often it may."""
    t.require(s.is_open)
    t.number = s.number + 1


@rule("C-4", clerk=Counter.clerks)
def push_in(s: Counter, t: Counter, clerk: Id) -> None:
    """A clerk joins the line, as if nobody could stand there already."""
    t.require(s.is_open)
    t.line.push(clerk)


@rule("C-5", clerk=Counter.clerks)
def serve(s: Counter, t: Counter, clerk: Id) -> None:
    """A clerk is served, as if whoever waits were first."""
    t.require(s.line.has(clerk))
    t.line.pop(clerk)


@rule("C-6", clerk=Counter.clerks)
def close(s: Counter, t: Counter, clerk: Id) -> None:
    """The counter closes, and the last one is sent away though nobody may be there."""
    t.require(s.is_open)
    t.is_open = False
    t.line.pop(clerk)


def divide(value: Value) -> Value:
    """Give a value back, unless it is 0: that the interpreter alone finds out, by dividing by it."""
    try:
        _ = 1 // value
    except StyleError:
        return value
    return value


divide.__module__ = "nomadspec.checkers.failing"
"""What belongs to a checker is not read before it runs; so this stands for whatever reading misses."""


_STROKES = (1, 2)
"""How often the bell rings for a first and a second visitor: for a third one nobody has said it."""


@rule("C-9", visitor=upto(2))
def ring_for(s: Counter, t: Counter, visitor: int) -> None:
    """The bell rings for a visitor once the counter is open, and whatever rang before is forgotten."""
    t.require(s.is_open)
    t.number = _STROKES[visitor]


@rule("C-7")
def share(s: Counter, t: Counter) -> None:
    """What rang is shared out among those who wait, who may be none."""
    t.require(s.is_open)
    t.require(divide(count(s.line.has(clerk) for clerk in s.clerks)) >= 0)
    t.is_open = False


@always("C-8", why="it fails on purpose where nobody waits")
def waiting_is_shared(s: Counter) -> Value:
    """The bell is shared out among those who do not wait."""
    return divide(2 - count(s.line.has(clerk) for clerk in s.clerks)) >= 0


@step("C-8", why="it fails on purpose in a step")
def lines_are_shared(s: Counter, n: Counter) -> Value:
    """The bell did not ring as often as there is a share for those who do not wait after it."""
    return s.number != divide(2 - count(n.line.has(clerk) for clerk in n.clerks))


@sometimes("C-8", why="it can be reached")
def is_opened(s: Counter) -> Value:
    """The counter is open."""
    return s.is_open


@eventually("C-8", why="its goal fails on purpose")
def is_shared_at_last(s: Counter) -> Value:
    """Six do not wait, of three."""
    return divide(3 - count(s.line.has(clerk) for clerk in s.clerks)) == 6


def rest(s: Counter) -> Value:
    """True while it may end once everybody waits; asked of an empty line, that fails."""
    return divide(count(s.line.has(clerk) for clerk in s.clerks)) >= 0


GROWING = Model("growing", "a bell without end", Counter, (open_up, line_up, ring), (is_opened,))
PUSHED = Model("pushed", "a line that is pushed", Counter, (open_up, push_in), (is_opened,))
SERVED = Model("served", "anybody is served first", Counter, (open_up, line_up, serve), (is_opened,))
EMPTIED = Model("emptied", "nobody is served", Counter, (open_up, close), (is_opened,))
STRUCK = Model("struck", "a bell for each visitor", Counter, (open_up, line_up, ring_for), (is_opened,))
SHARED = Model("shared", "a share for nobody", Counter, (open_up, line_up, share), (is_opened,))
ASKED = Model("asked", "a question that fails", Counter, (open_up, line_up), (is_opened, waiting_is_shared))
COMPARED = replace(ASKED, name="compared", properties=(is_opened, lines_are_shared))
PROMISED = replace(
    ASKED, name="promised", properties=(is_opened, is_shared_at_last), is_at_rest=lambda _: True
)
RESTING = Model("resting", "a rest that fails", Counter, (line_up,), (is_opened,), is_at_rest=rest)
