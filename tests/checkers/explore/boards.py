"""Small random models: a board with pieces that are alike, and rules that look at few cells and write few."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import eq, ge, ne

from hypothesis import strategies as st

from nomadspec.model.language.domain import NONE, Id, opt, upto
from nomadspec.model.language.logic import Value, all_of, for_all, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always, eventually, sometimes, step
from nomadspec.model.language.rule import Fairness, Rule, rule, strong, weak
from nomadspec.model.language.world import World, field, ids


class Board(World):
    """Pieces with a mark, three dials, and a piece that is chosen."""

    pieces = ids("piece", 2, "the pieces")
    mark = field(pieces, upto(2), init=0, about="the mark of a piece")
    left = field(upto(2), init=0, about="one dial")
    right = field(upto(2), init=0, about="another dial")
    above = field(upto(2), init=0, about="a third dial")
    chosen = field(opt(pieces), init=NONE, about="the chosen piece")


@dataclass(frozen=True)
class Look:
    """A condition: a place, how it is compared, and with what."""

    place: str
    how: Callable[[Value, int], Value]
    value: int

    def holds(self, s: Value, piece: Id | None = None) -> Value:
        if self.place == "chosen":
            return self.how(s.chosen, NONE if piece is None or self.value == 0 else piece)
        if self.place != "mark":
            return self.how(getattr(s, self.place), self.value)
        if piece is not None:
            return self.how(s.mark[piece], self.value)
        return for_all(self.how(s.mark[one], self.value) for one in s.pieces)


@dataclass(frozen=True)
class Write:
    """An assignment: a place, and its new value (3: that of the other dial)."""

    place: str
    value: int

    def happens(self, s: Value, t: Value, piece: Id | None = None) -> None:
        value = (s.right if self.place == "left" else s.left) if self.value == 3 else self.value
        if self.place == "chosen":
            t.chosen = NONE if piece is None or self.value == 0 else piece
        elif self.place != "mark":
            setattr(t, self.place, value)
        elif piece is not None:
            t.mark[piece] = value
        else:
            for one in s.pieces:
                t.mark[one] = value


@dataclass(frozen=True)
class Move:
    """What a rule looks at and writes, for each piece or once."""

    is_for_each: bool
    looks: tuple[Look, ...]
    writes: tuple[Write, ...]
    fair: str

    def make(self, number: int) -> Rule:
        def move(s: Board, t: Board, piece: Id) -> None:
            """A piece moves."""
            t.require(*(look.holds(s, piece) for look in self.looks))
            for write in self.writes:
                write.happens(s, t, piece)

        def turn(s: Board, t: Board) -> None:
            """The board changes."""
            t.require(*(look.holds(s) for look in self.looks))
            for write in self.writes:
                write.happens(s, t)

        text = move if self.is_for_each else turn
        text.__name__ = f"{text.__name__}_{number}"
        fair = self._fairness()
        make = rule("B-1", fair=fair, piece=Board.pieces) if self.is_for_each else rule("B-1", fair=fair)
        return make(text)

    def _fairness(self) -> Fairness | None:
        each = ("piece",) if self.is_for_each and self.fair.endswith("each") else ()
        make = {"weak": weak, "strong": strong}.get(self.fair.removesuffix("each"))
        return None if make is None else make(*each)


_PLACES = st.sampled_from(("mark", "mark", "left", "right", "above", "chosen"))
LOOKS = st.builds(Look, _PLACES, st.sampled_from((eq, eq, ne, ge)), st.integers(0, 2)).map(
    lambda look: Look(look.place, eq, look.value) if look.place == "chosen" and look.how is ge else look
)
_FAIRNESS = st.sampled_from(("", "weak", "weakeach", "strong", "strongeach"))
_WILD = st.builds(
    Move,
    st.booleans(),
    st.lists(LOOKS, max_size=2).map(tuple),
    st.lists(st.builds(Write, _PLACES, st.integers(0, 3)), min_size=1, max_size=2).map(tuple),
    _FAIRNESS,
)


def _move_on(place: str, old: int, new: int, more: list[Look], fair: str) -> Move:
    """Make a rule that moves one place on, and may look at others."""
    return Move(place == "mark", (Look(place, eq, old), *more), (Write(place, new),), fair)


_LOCAL = st.builds(
    _move_on,
    st.sampled_from(("mark", "left", "right", "above")),
    st.integers(0, 1),
    st.integers(1, 2),
    st.lists(LOOKS, max_size=1),
    _FAIRNESS,
)
_MOVES = _LOCAL | _LOCAL | _WILD


def _make_properties(looks: tuple[Look, ...], pair: tuple[Look, Look]) -> tuple[Property, ...]:
    def says(s: Board) -> Value:
        """True while not all of it is so."""
        return not_(all_of(*(look.holds(s) for look in looks)))

    def steps(s: Board, n: Board) -> Value:
        """True while the one is not followed by the other."""
        return not_(all_of(pair[0].holds(s, None), pair[1].holds(n, None)))

    def happens(s: Board) -> Value:
        """True while all of it is so."""
        return all_of(*(look.holds(s) for look in looks))

    def comes(s: Board) -> Value:
        """True while it is so at last."""
        return pair[0].holds(s, None)

    def comes_for_each(s: Board, piece: Id) -> Value:
        """True while it is so of a piece at last."""
        return pair[0].holds(s, piece)

    def is_due(s: Board, piece: Id) -> Value:
        return pair[1].holds(s, piece)

    return (
        always("B-1", why="chance")(says),
        step("B-1", why="chance")(steps),
        sometimes("B-1", why="chance")(happens),
        eventually("B-1", why="chance")(comes),
        eventually("B-1", why="chance", given=is_due, piece=Board.pieces)(comes_for_each),
    )


def _make(moves: list[Move], looks: list[Look], pair: tuple[Look, Look]) -> Model:
    rules = tuple(move.make(number) for number, move in enumerate(moves))
    return Model("board", "chance", Board, rules, _make_properties(tuple(looks), pair))


BOARDS = st.builds(
    _make,
    st.lists(_MOVES, min_size=2, max_size=6),
    st.lists(LOOKS, min_size=1, max_size=3),
    st.tuples(LOOKS, LOOKS),
)
"""Models of at most 729 worlds, with a property of each kind."""
