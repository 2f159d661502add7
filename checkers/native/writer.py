"""Writing LLVM's assembly: named values, blocks, and terms that are computed once where they are needed."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

from nomadspec.checkers.native.words import WIDEST, WideError
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.domain import Interval

Value: TypeAlias = str
"""A name or a constant, as it stands in the text."""

Operand: TypeAlias = "Term | int"
"""What a traced value may be: a term, a number or a flag."""

_SIGN_BIT: Final = 1 << 63
_MOST_SCOPES: Final = 50
"""How deep parts of parts are looked at one by one; deeper ones are computed as a whole."""


class Writer:
    """The text of one function, which reads a world that lies in some values."""

    def __init__(self, words: Words, intervals: Sequence[Interval]) -> None:
        """Begin an empty text; ``load`` gives it a world."""
        self.lines: list[str] = []
        self._words = words
        self._intervals = intervals
        self._world: list[Value] = []
        self._scopes: list[dict[int, Value]] = [{}]
        self._names = 0

    def name(self, stem: str = "v") -> str:
        """Make a name that nothing else has."""
        self._names += 1
        return f"{stem}{self._names}"

    def let(self, operation: str) -> Value:
        """Compute a value."""
        value = f"%{self.name()}"
        self.lines.append(f"  {value} = {operation}")
        return value

    def do(self, operation: str) -> None:
        """Do something that gives no value."""
        self.lines.append(f"  {operation}")

    def begin(self, block: str) -> None:
        """Begin a block; the one before must have ended by a branch."""
        self.lines.append(f"{block}:")

    def go(self, block: str) -> None:
        """End a block by going on at another."""
        self.do(f"br label %{block}")

    def fork(self, condition: Value, then: str, otherwise: str) -> None:
        """End a block by going on at one of two."""
        self.do(f"br i1 {condition}, label %{then}, label %{otherwise}")

    @contextmanager
    def only_if(self, condition: Value) -> Iterator[None]:
        """Write what happens only under a condition; values computed there are forgotten after it."""
        then, after = self.name("then"), self.name("after")
        self.fork(condition, then, after)
        self.begin(then)
        with self.scope():
            yield
        self.go(after)
        self.begin(after)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forget afterwards which terms were computed meanwhile."""
        self._scopes.append({})
        yield
        self._scopes.pop()

    def load(self, world: Sequence[Value]) -> None:
        """Say in which values the words of the world are."""
        self._world = list(world)
        self._scopes = [{}]

    def world(self, word: int) -> Value:
        """Give a word of the world."""
        return self._world[word]

    def shift(self, bits: Value, distance: int) -> Value:
        """Move bits up, or down where the distance is negative."""
        if not distance:
            return bits
        return self.let(f"shl i64 {bits}, {distance}" if distance > 0 else f"lshr i64 {bits}, {-distance}")

    def unite(self, parts: Sequence[Value]) -> Value:
        """Put bits together."""
        united = parts[0] if parts else "0"
        for part in parts[1:]:
            united = self.let(f"or i64 {united}, {part}")
        return united

    # terms

    def flag(self, term: Operand) -> Value:
        """Compute a flag."""
        if not isinstance(term, Term):
            return "true" if term else "false"
        return self._term(term)

    def number(self, term: Operand) -> Value:
        """Compute a number."""
        return self._term(term) if isinstance(term, Term) else str(int(term))

    def ensure(self, term: Operand, holds: str, fails: str, *, goes_on: bool = True) -> None:
        """Go on at one of two blocks, looking at no more parts of the term than it takes.

        The text goes on where the term holds (or fails): what was computed on every way there stays known.
        """
        if not _is_composed(term) or len(self._scopes) > _MOST_SCOPES:
            self.fork(self.flag(term), holds, fails)
            return
        is_and = term.op == "and"
        parts = sorted(term.args, key=_weigh)
        if is_and is not goes_on:
            # one part is enough to go on, so that only the first is looked at on every way
            first, *parts = parts
            following = self.name("part")
            with self.scope() if _is_composed(first) else nullcontext():
                self.ensure(first, *self._aim(following, holds, fails, is_and=is_and), goes_on=is_and)
            self.begin(following)
        with self.scope() if is_and is not goes_on else nullcontext():
            for at, part in enumerate(parts):
                is_last = at == len(parts) - 1
                following = (holds if is_and else fails) if is_last else self.name("part")
                self.ensure(part, *self._aim(following, holds, fails, is_and=is_and), goes_on=is_and)
                if not is_last:
                    self.begin(following)

    @staticmethod
    def _aim(following: str, holds: str, fails: str, *, is_and: bool) -> tuple[str, str]:
        return (following, fails) if is_and else (holds, following)

    def raw(self, cell: int) -> Value:
        """Compute the bits of a cell: its value less its lowest one."""
        spot = self._words.spots[cell]
        if not spot.mask:
            return str(spot.fixed)
        value = self._world[spot.word]
        if spot.shift:
            value = self.let(f"lshr i64 {value}, {spot.shift}")
        return self.let(f"and i64 {value}, {spot.mask}")

    def _term(self, term: Term) -> Value:
        """Compute a term after its parts, however deep they are."""
        known = self._find(term)
        if known is not None:
            return known
        waiting = [term]
        while waiting:
            parts = [] if self._find(waiting[-1]) else self._list_missing(waiting[-1])
            waiting += parts
            if not parts:
                done = waiting.pop()
                self._scopes[-1][done.id] = self._find(done) or self._compute(done)
        return self._scopes[-1][term.id]

    def _find(self, term: Term) -> Value | None:
        for scope in reversed(self._scopes):
            known = scope.get(term.id)
            if known is not None:
                return known
        return None

    def _list_missing(self, term: Term) -> list[Term]:
        """List the parts that are not computed yet, the first last; a cell that lies ready needs none."""
        if term.op == "cell" or _is_plain_comparison(term):
            return []
        return [part for part in reversed(term.args) if isinstance(part, Term) and not self._find(part)]

    def _compute(self, term: Term) -> Value:  # noqa: C901, PLR0911 -- one operator a return
        if max(-term.low, term.high) > WIDEST:
            raise WideError
        match term.op, term.args:
            case "cell", _:
                return self._read(next(iter(term.reads)), is_flag=term.is_flag)
            case "eq", (left, right):
                return self._equal(left, right)
            case "le", (left, right):
                return self.let(f"icmp sle i64 {self.number(left)}, {self.number(right)}")
            case "add", (left, right):
                return self.let(f"add i64 {self.number(left)}, {self.number(right)}")
            case "mul", (value, factor):
                return self.let(f"mul i64 {self.number(value)}, {int(factor)}")
            case "neg", (value,):
                return self.let(f"sub i64 0, {self.number(value)}")
            case "number", (value,):
                return self.let(f"zext i1 {self.flag(value)} to i64")
            case "not", (value,):
                return self.let(f"xor i1 {self.flag(value)}, true")
            case ("and" | "or") as op, flags:
                return self._fold(op, [self.flag(flag) for flag in flags])
            case "ite", (condition, then, otherwise):
                return self._choose(term, condition, then, otherwise)
            case _:
                raise ImpossibleError(f"There is no machine code for {term.op}.")

    def _read(self, cell: int, *, is_flag: bool) -> Value:
        if is_flag:
            return self.let(f"icmp ne i64 {self.raw(cell)}, 0")
        low = self._intervals[cell].low
        raw = self.raw(cell)
        return raw if not low else self.let(f"add i64 {raw}, {low}")

    def _equal(self, left: Operand, right: Operand) -> Value:
        if _is_cell_with_value(left, right):
            return self._is_cell(next(iter(left.reads)), int(right))
        if (isinstance(left, Term) and left.is_flag) or isinstance(left, bool):
            return self.let(f"icmp eq i1 {self.flag(left)}, {self.flag(right)}")
        return self.let(f"icmp eq i64 {self.number(left)}, {self.number(right)}")

    def _is_cell(self, cell: int, value: int) -> Value:
        """True while a cell has a value, compared where it lies."""
        spot = self._words.spots[cell]
        wanted = value - self._intervals[cell].low
        if not spot.mask:
            return "true" if wanted == spot.fixed else "false"
        bits = self.let(f"and i64 {self._world[spot.word]}, {signed(spot.mask << spot.shift)}")
        return self.let(f"icmp eq i64 {bits}, {signed(wanted << spot.shift)}")

    def _fold(self, op: str, flags: list[Value]) -> Value:
        value = flags[0]
        for flag in flags[1:]:
            value = self.let(f"{op} i1 {value}, {flag}")
        return value

    def _choose(self, term: Term, condition: Operand, then: Operand, otherwise: Operand) -> Value:
        chosen = self.flag(condition)
        if term.is_flag:
            return self.let(f"select i1 {chosen}, i1 {self.flag(then)}, i1 {self.flag(otherwise)}")
        return self.let(f"select i1 {chosen}, i64 {self.number(then)}, i64 {self.number(otherwise)}")


def _is_plain_comparison(term: Term) -> bool:
    return term.op == "eq" and _is_cell_with_value(*term.args)


def _is_cell_with_value(left: Operand, right: Operand) -> TypeGuard[Term]:
    is_cell = isinstance(left, Term) and left.op == "cell" and not left.is_flag
    return is_cell and not isinstance(right, Term)


def _is_composed(part: Operand) -> TypeGuard[Term]:
    return isinstance(part, Term) and part.op in {"and", "or"}


def _weigh(part: Operand) -> int:
    """Guess what it costs to compute a part: how many cells it reads."""
    return len(part.reads) if isinstance(part, Term) else 0


def signed(bits: int) -> int:
    """Write the bits of a word as LLVM reads them: as a signed number."""
    return bits - 2 * _SIGN_BIT if bits >= _SIGN_BIT else bits
