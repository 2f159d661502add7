"""Hands in processes of their own, which are copies of this one.

What is said goes through pipes; bulks go through memory that both ends see, one piece for each direction.
Successors must outlast the next answer, and go from one hand to another: they lie in memory that all see, and
what a hand writes there at once is told without being copied.
"""

from __future__ import annotations

import mmap
import multiprocessing
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nomadspec.checkers.explore.sharded.common import ALIGNED, FLAGS, PIECE_BYTES, Common, take_from
from nomadspec.checkers.explore.sharded.crew import Crew, LostHandError
from nomadspec.checkers.explore.sharded.messages import Place
from nomadspec.checkers.process_messages import decode, encode, hear, tell
from nomadspec.checkers.stopping import stand_apart
from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    from nomadspec.checkers.explore.sharded.common import TakeMemory
    from nomadspec.checkers.explore.sharded.hand import Hand
    from nomadspec.checkers.explore.sharded.messages import Bulk, Taken

_EXPAND: Final = "expand"


_Span: TypeAlias = tuple[bool, int, int]
"""Where a bulk lies: whether in the memory that all see, from which byte on, and how many there are."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the system said where it refused a hand something."""

    number: int | None
    reason: str | None


class ProcessCrew(Crew):
    """Hands in as many processes."""

    works_alone = True

    def __init__(
        self, make_hand: Callable[[Sequence[int], TakeMemory], Hand], hands: int, shards: int
    ) -> None:
        """Start the processes; each makes its own hand, with memory that all of them see."""
        super().__init__(hands, shards)
        context = multiprocessing.get_context("fork")
        common = Common(hands)
        self._lines: list[_Line] = []
        self._processes = []
        self._expanding = range(0)
        for number in range(hands):
            ours, theirs = context.Pipe()
            line = _Line(ours, _Pieces(common, number))
            make = partial(make_hand, range(number, shards, hands), partial(take_from, common, number))
            process = context.Process(
                target=_serve, args=(make, line.reverse(theirs), [*self._lines, line]), daemon=True
            )
            process.start()
            theirs.close()
            self._lines.append(line)
            self._processes.append(process)

    def ask(self, hands: Sequence[int], word: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Let hands work at the same time, and wait for all of them."""
        self._tell(hands, word, arguments)
        return self._hear(hands)

    def begin_expanding(self, slices: Sequence[tuple[Bulk, int]], open_questions: Sequence[int]) -> None:
        """Have steps taken; no hand may be asked for anything else before the answer was fetched."""
        self._expanding = range(len(slices))
        self._tell(self._expanding, _EXPAND, [(*one, open_questions) for one in slices])

    def finish_expanding(self) -> list[Taken]:
        """Fetch the answer."""
        return self._hear(self._expanding)

    def _tell(self, hands: Sequence[int], word: str, arguments: Sequence[tuple[Any, ...]]) -> None:
        try:
            for hand, given in zip(hands, arguments, strict=True):
                self._lines[hand].send((word, given), is_kept=False)
        except ConnectionError as problem:
            raise LostHandError from problem

    def _hear(self, hands: Sequence[int]) -> list[Any]:
        try:
            answers = [self._lines[hand].receive() for hand in hands]
        except (EOFError, ConnectionError) as problem:
            raise LostHandError from problem
        for answer in answers:
            if isinstance(answer, Refusal):
                raise OSError(answer.number, answer.reason)
            if isinstance(answer, ModelError):
                raise answer
        return answers

    def list_processes(self) -> list[int]:
        """List the numbers of the processes."""
        return [process.pid or 0 for process in self._processes]

    def close(self) -> None:
        """End the processes."""
        for line in self._lines:
            line.close()
        for process in self._processes:
            process.join()


class _Pieces:
    """The memory of one line."""

    def __init__(self, common: Common, number: int) -> None:
        self.forth = mmap.mmap(-1, PIECE_BYTES, flags=FLAGS)
        self.back = mmap.mmap(-1, PIECE_BYTES, flags=FLAGS)
        self.common = common
        self.number = number


class _Line:
    """One end of the line between two processes."""

    def __init__(self, connection: Connection, pieces: _Pieces, *, is_hand: bool = False) -> None:
        self._connection = connection
        self._pieces = pieces
        self._ours = pieces.back if is_hand else pieces.forth
        self._theirs = pieces.forth if is_hand else pieces.back

    def reverse(self, connection: Connection) -> _Line:
        """Make the other end."""
        return _Line(connection, self._pieces, is_hand=True)

    def send(self, message: object, *, is_kept: bool) -> None:
        """Say something; bulks that find no room in the memory go through the pipe."""
        common, number = self._pieces.common, self._pieces.number
        spans: list[_Span] = []
        end = common.find_free(number) - number * PIECE_BYTES if is_kept else 0

        def place(bulk: memoryview) -> int | None:
            nonlocal end
            view = bulk.cast("B")
            lies_at = None if view.readonly else common.find(Place(view).address)
            if lies_at is not None:
                spans.append((True, lies_at, view.nbytes))
                return len(spans) - 1
            begin = -(-end // ALIGNED) * ALIGNED
            if begin + view.nbytes > PIECE_BYTES:
                return None
            end = begin + view.nbytes
            if is_kept:
                begin += number * PIECE_BYTES
                common.write(begin, view)
            else:
                self._ours[begin : begin + view.nbytes] = view
            spans.append((is_kept, begin, view.nbytes))
            return len(spans) - 1

        text = encode(message, place)
        tell(self._connection, (text, spans))

    def receive(self) -> Any:  # noqa: ANN401 -- whatever was said
        """Hear what is said; bulks are there until more is said the same way."""
        text, spans = hear(self._connection)
        theirs = memoryview(self._theirs)
        bulks = [
            self._pieces.common.view(begin, size) if is_common else theirs[begin : begin + size]
            for is_common, begin, size in spans
        ]
        return decode(text, bulks.__getitem__)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def _serve(make_hand: Callable[[], Hand], line: _Line, others: Sequence[_Line]) -> None:
    """Do what is said until nobody is there; Ctrl-C is for whoever leads the search."""
    stand_apart()
    for other in others:
        other.close()
    hand = make_hand()
    with suppress(EOFError, ConnectionError):
        while True:
            word, given = line.receive()
            line.send(_do(hand, word, given), is_kept=word == _EXPAND)


def _do(hand: Hand, word: str, given: tuple[Any, ...]) -> object:
    """Do one thing; a full disk is an answer too, and that a text of the model fails."""
    try:
        return getattr(hand, word)(*given)
    except OSError as problem:
        return Refusal(problem.errno, problem.strerror)
    except ModelError as problem:
        return problem
