"""Hands in processes of their own, which are copies of this one.

What is said goes through pipes; bulks go through memory that both ends see, one piece for each direction and
one more for successors, which must outlast the next answer.
"""

from __future__ import annotations

import mmap
import multiprocessing
import pickle
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from nomadspec.checkers.explore.sharded.crew import Crew

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    from nomadspec.checkers.explore.sharded.hand import Hand
    from nomadspec.checkers.explore.sharded.messages import Bulk, Taken

_ROOM: Final = 1 << 30
"""How many addresses each piece of memory takes; only what is written takes memory."""

_FLAGS: Final = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
_ALIGNED: Final = 64
_EXPAND: Final = "expand"


class LostHandError(Exception):
    """A process that had a part in the search has ended: somebody killed it, or memory was short."""


class ProcessCrew(Crew):
    """Hands in as many processes."""

    works_alone = True

    def __init__(self, make_hand: Callable[[Sequence[int]], Hand], hands: int, shards: int) -> None:
        """Start the processes; each makes its own hand."""
        super().__init__(hands, shards)
        context = multiprocessing.get_context("fork")
        self._lines: list[_Line] = []
        self._processes = []
        self._expanding = range(0)
        for number in range(hands):
            ours, theirs = context.Pipe()
            line = _Line(ours, _Pieces())
            process = context.Process(
                target=_serve,
                args=(make_hand, range(number, shards, hands), line.reverse(theirs), [*self._lines, line]),
                daemon=True,
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
            if isinstance(answer, BaseException):
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

    def __init__(self) -> None:
        self.forth = mmap.mmap(-1, _ROOM, flags=_FLAGS)
        self.back = mmap.mmap(-1, _ROOM, flags=_FLAGS)
        self.kept = mmap.mmap(-1, _ROOM, flags=_FLAGS)


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
        piece = self._pieces.kept if is_kept else self._ours
        spans: list[tuple[int, int]] = []
        end = 0

        def place(bulk: pickle.PickleBuffer) -> bool:
            nonlocal end
            with bulk.raw() as view:
                begin, size = -(-end // _ALIGNED) * _ALIGNED, view.nbytes
                if begin + size > _ROOM:
                    return True
                piece[begin : begin + size] = view
            spans.append((begin, size))
            end = begin + size
            return False

        text = pickle.dumps(message, protocol=5, buffer_callback=place)
        self._connection.send_bytes(pickle.dumps((text, spans, is_kept)))

    def receive(self) -> Any:  # noqa: ANN401 -- whatever was said
        """Hear what is said; bulks are there until more is said the same way."""
        text, spans, is_kept = pickle.loads(self._connection.recv_bytes())  # noqa: S301 -- our own process wrote it
        piece = memoryview(self._pieces.kept if is_kept else self._theirs)
        return pickle.loads(text, buffers=[piece[begin : begin + size] for begin, size in spans])  # noqa: S301 -- as above

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def _serve(
    make_hand: Callable[[Sequence[int]], Hand], shards: Sequence[int], line: _Line, others: Sequence[_Line]
) -> None:
    """Do what is said until nobody is there; Ctrl-C is for whoever leads the search."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    hand = make_hand(shards)
    with suppress(EOFError, ConnectionError):
        while True:
            word, given = line.receive()
            line.send(_do(hand, word, given), is_kept=word == _EXPAND)


def _do(hand: Hand, word: str, given: tuple[Any, ...]) -> object:
    """Do one thing; a full disk is an answer too."""
    try:
        return getattr(hand, word)(*given)
    except OSError as problem:
        return problem
