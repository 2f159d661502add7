"""The successors of stored worlds, as machine code.

Instances are tried in their order. Neighbours that share a conjunct of their guards share its test. A
successor is appended to the chunk with the position of its instance and the number of the world before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.native.choice import DECLARATION
from nomadspec.checkers.native.guards import share_guards
from nomadspec.checkers.native.steps import write_is_open, write_note, write_step_checks
from nomadspec.checkers.native.writer import Writer, signed
from nomadspec.model.language.logic import all_of, any_of, exists, implies, not_
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value as Logical
    from nomadspec.model.language.trace import TracedInstance

HEAD = (
    "define i64 @expand(ptr %worlds, i64 %first, i64 %end, ptr %out, ptr %entries, i64 %room, "
    "ptr %notes, ptr %open) {"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked while successors are made."""

    steps: Mapping[int, Sequence[Logical]]
    """For each question about steps, what tracing found for each instance."""
    rest: Logical | None
    """Whether a world may have no successor; None where nobody asks."""
    stuck: int
    """The number of the question about worlds without successors."""
    fault: int
    """The number under which faults are noted."""
    is_chosen: bool = False
    """Whether only some of the successors are kept."""


class Expander:
    """Writes the function that appends the successors of some worlds to a chunk."""

    def __init__(self, bounded: BoundedModel, words: Words, asked: Asked) -> None:
        """Take the traced rules of a model."""
        self._bounded = bounded
        self._words = words
        self._asked = asked
        self._places = {traced.instance.number: at for at, traced in enumerate(bounded.traced)}
        self._out = Writer(words, bounded.frame.intervals)
        self._queues = _list_queues(bounded)
        self._functions: list[str] = []

    def list_checks(self) -> list[str]:
        """List the functions that it calls, once it is written."""
        return self._functions

    def text(self) -> str:
        """Write the function, but not those that it calls."""
        out, width = self._out, self._words.count
        out.begin("entry")
        out.do("%made = alloca i64")
        out.do("store i64 0, ptr %made")
        out.go("loop")
        out.begin("loop")
        out.do("%world = phi i64 [ %first, %entry ], [ %following, %next ]")
        begun = out.let("load i64, ptr %made")
        is_left = out.let("icmp ult i64 %world, %end")
        has_room = out.let(f"icmp ult i64 {begun}, %room")
        out.fork(out.let(f"and i1 {is_left}, {has_room}"), "body", "done")
        out.begin("body")
        place = out.let(f"mul i64 %world, {width}")
        out.load([self._load_word("%worlds", place, at) for at in range(width)])
        self._write_instances([(traced, list(traced.guard)) for traced in self._bounded.traced])
        self._write_stuck(begun)
        if self._asked.is_chosen:
            home = out.let(f"getelementptr i64, ptr %worlds, i64 {place}")
            out.do(f"call void @choose(ptr {home}, i64 {begun}, ptr %made, ptr %out, ptr %entries)")
        out.go("next")
        out.begin("next")
        out.do("%following = add i64 %world, 1")
        out.go("loop")
        out.begin("done")
        out.do(f"store i64 {out.let('load i64, ptr %made')}, ptr %notes")
        out.do("ret i64 %world")
        out.begin("broken")
        out.do(f"store i64 {begun}, ptr %notes")
        out.do("ret i64 %world")
        declarations = [find_declaration(function) for function in self._functions]
        declarations += [DECLARATION] if self._asked.is_chosen else []
        return "\n".join([*declarations, HEAD, *out.lines, "}"])

    def _load_word(self, base: str, place: str, at: int) -> str:
        index = place if not at else self._out.let(f"add i64 {place}, {at}")
        return self._out.let(f"load i64, ptr {self._out.let(f'getelementptr i64, ptr {base}, i64 {index}')}")

    def _write_instances(self, items: list[tuple[TracedInstance, list[Term]]]) -> None:
        for shared, group in share_guards(items):
            if shared is None:
                self._write_effect(group[0][0])
                continue
            with self._out.only_if(self._out.flag(shared)):
                self._write_instances(group)

    def _write_effect(self, traced: TracedInstance) -> None:
        out = self._out
        position = traced.instance.number
        with out.scope():
            self._write_faults(traced)
            made = out.let("load i64, ptr %made")
            self._write_call(position, made)
            place = out.let(f"mul i64 {made}, {self._words.count}")
            for at, word in enumerate(self._write_words(traced)):
                index = place if not at else out.let(f"add i64 {place}, {at}")
                out.do(f"store i64 {word}, ptr {out.let(f'getelementptr i64, ptr %out, i64 {index}')}")
            entry = out.let(f"or i64 %world, {position << 32}")
            out.do(f"store i64 {entry}, ptr {out.let(f'getelementptr i64, ptr %entries, i64 {made}')}")
            out.do(f"store i64 {out.let(f'add i64 {made}, 1')}, ptr %made")

    def _write_words(self, traced: TracedInstance) -> list[str]:
        """Compute the words of the successor."""
        by_word: dict[int, list[int]] = {}
        for cell in traced.writes:
            by_word.setdefault(self._words.spots[cell].word, []).append(cell)
        return [
            self._write_word(traced, at, by_word[at]) if at in by_word else self._out.world(at)
            for at in range(self._words.count)
        ]

    def _write_word(self, traced: TracedInstance, at: int, cells: list[int]) -> str:
        out, spots, intervals = self._out, self._words.spots, self._bounded.frame.intervals
        gone = constant = 0
        moves: dict[tuple[int, int], int] = {}
        parts = []
        for cell in cells:
            spot, value, low = spots[cell], traced.writes[cell], intervals[cell].low
            if not spot.mask:
                continue  # a cell with one value has no bits; what else is written there is a fault
            gone |= spot.mask << spot.shift
            if not isinstance(value, Term):
                constant |= (int(value) - low & spot.mask) << spot.shift
            elif value.op == "cell" and self._is_same_domain(cell, value):
                source = spots[next(iter(value.reads))]
                key = source.word, spot.shift - source.shift
                moves[key] = moves.get(key, 0) | source.mask << source.shift
            else:
                parts.append(self._write_value(value, low, spot.shift))
        for (word, distance), mask in moves.items():
            parts.append(out.shift(out.let(f"and i64 {out.world(word)}, {signed(mask)}"), distance))
        kept = out.let(f"and i64 {out.world(at)}, {signed(~gone & (1 << 64) - 1)}")
        return out.unite([kept, *([str(signed(constant))] if constant else []), *parts])

    def _write_value(self, value: Term, low: int, shift: int) -> str:
        out = self._out
        bits = out.let(f"zext i1 {out.flag(value)} to i64") if value.is_flag else out.number(value)
        if low:
            bits = out.let(f"sub i64 {bits}, {low}")
        return out.shift(bits, shift)

    def _is_same_domain(self, cell: int, value: Term) -> bool:
        ours = self._bounded.frame.intervals[cell]
        theirs = self._bounded.frame.intervals[next(iter(value.reads))]
        return (ours.is_flag, ours.low, ours.high) == (theirs.is_flag, theirs.low, theirs.high)

    def _write_faults(self, traced: TracedInstance) -> None:
        """Stop before the world where the interpreter would complain; it is asked for the words."""
        for fault in self._list_faults(traced):
            if fault is False:
                continue
            out = self._out
            broken, fine = out.name("fault"), out.name("fine")
            out.fork(out.flag(fault), broken, fine)
            out.begin(broken)
            made = out.let("load i64, ptr %made")
            write_note(out, self._asked.fault, traced.instance.number, made)
            out.go("broken")
            out.begin(fine)

    def _list_faults(self, traced: TracedInstance) -> list[Logical]:
        if traced.failure is not None:
            return [True]
        intervals = self._bounded.frame.intervals
        faults: list[Logical] = []
        for cell, value in traced.writes.items():
            interval = intervals[cell]
            low, high = (value.low, value.high) if isinstance(value, Term) else (value, value)
            if low < interval.low or high > interval.high:
                faults.append(any_of(value < interval.low, value > interval.high))
        after = traced.after(self._bounded.cell_terms)
        written = [ranks for ranks in self._queues if not traced.writes.keys().isdisjoint(ranks)]
        return faults + [not_(_is_in_order(after[ranks.start : ranks.stop])) for ranks in written]

    def _write_call(self, position: int, made: str) -> None:
        """Ask the questions about steps that this instance can answer otherwise than by yes."""
        at = self._places[position]
        asked = [(question, values[at]) for question, values in self._asked.steps.items()]
        asked = [(question, value) for question, value in asked if value is not True]
        if asked:
            writer = Writer(self._words, self._bounded.frame.intervals)
            self._functions.append(write_step_checks(writer, self._words.count, position, asked))
            worlds = ", ".join(f"i64 {self._out.world(at)}" for at in range(self._words.count))
            given = f"{worlds}, i64 %world, i64 {made}, ptr %notes, ptr %open"
            self._out.do(f"call void @steps{position}({given})")

    def _write_stuck(self, begun: str) -> None:
        rest = self._asked.rest
        if rest is None or rest is True:
            return
        out = self._out
        made = out.let("load i64, ptr %made")
        has_none = out.let(f"icmp eq i64 {made}, {begun}")
        with (
            out.only_if(has_none),
            out.only_if(write_is_open(out, self._asked.stuck)),
            out.only_if(out.let(f"xor i1 {out.flag(rest)}, true")),
        ):
            write_note(out, self._asked.stuck, 0, made)


def find_declaration(function: str) -> str:
    """Find what others must say to call a function."""
    head = function.partition("\n")[0]
    return head.replace("define", "declare", 1).removesuffix("{").replace(" noinline", "")


def _list_queues(bounded: BoundedModel) -> list[range]:
    placed = (bounded.frame.placed[queue.name] for queue in bounded.frame.schema.queues)
    return [range(place.base, place.base + place.span) for place in placed]


def _is_in_order(ranks: Sequence[Logical]) -> Logical:
    """True while the ranks that are not 0 are 1, 2, ... each once."""
    pairs = [implies(one == other, one == 0) for at, one in enumerate(ranks) for other in ranks[at + 1 :]]
    follows = [any_of(one <= 1, exists(other == one - 1 for other in ranks)) for one in ranks]
    return all_of(*pairs, *follows)
