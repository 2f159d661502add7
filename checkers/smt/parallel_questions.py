"""Questions that are asked side by side, each in a process of its own that begins as a copy of this one.

What a solver answers can depend on what was made in its context before. Here each question finds the same
context, so its answer is the same however many run at once, and whichever was first.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, TypeVar

import z3

from nomadspec.checkers.process_messages import hear, tell
from nomadspec.checkers.processors import can_fork
from nomadspec.checkers.stopping import stand_apart
from nomadspec.model.errors import ImpossibleError, NomadSpecError

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Question = TypeVar("Question")
Result = TypeVar("Result")


def ask_in_parallel(
    ask: Callable[[Question], Result], questions: Iterable[Question], workers: int | None
) -> Generator[tuple[Question, Result | None]]:
    """Give each question with its answer, in the order in which they come; None where a process was lost.

    The next question is looked for when somebody can ask it. Without workers, and where no process can be
    copied, all is done here, one after the other. What is still under way when nobody wants to know any more
    is ended.
    """
    if workers is None or not can_fork():
        yield from ((question, ask(question)) for question in questions)
        return
    under_way: dict[Connection, tuple[Question, BaseProcess]] = {}
    waiting = iter(questions)
    try:
        _send(ask, waiting, workers, under_way)
        while under_way:
            for line in [one for one in wait([*under_way]) if isinstance(one, Connection)]:
                question, process = under_way.pop(line)
                result = _hear(line, process)
                _send(ask, waiting, workers, under_way)
                yield question, result
    finally:
        for _, process in under_way.values():
            process.terminate()
        for _, process in under_way.values():
            process.join()


def _send(
    ask: Callable[[Question], Result],
    waiting: Iterator[Question],
    workers: int,
    under_way: dict[Connection, tuple[Question, BaseProcess]],
) -> None:
    """Start as many questions as there are workers without one."""
    context = multiprocessing.get_context("fork")
    while len(under_way) < workers:
        try:
            question = next(waiting)
        except StopIteration:
            return
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_do, args=(ask, question, theirs), daemon=True)
        process.start()
        theirs.close()
        under_way[ours] = question, process


def _do(ask: Callable[[Any], object], question: object, line: Connection) -> None:
    """Ask one question; Ctrl-C is for whoever waits for it."""
    stand_apart()
    gc.freeze()  # what the collector looks at would be copied
    result: object = None
    problem: object = None
    try:
        result = ask(question)
    except NomadSpecError as found:
        problem = found  # it is raised where somebody waits
    except z3.Z3Exception as found:
        problem = str(found)
    with suppress(ConnectionError):
        tell(line, (result, problem))


def _hear(line: Connection, process: BaseProcess) -> Any:  # noqa: ANN401 -- whatever came of it
    """Hear the answer to a question; None where somebody killed the process, or memory was short."""
    result = problem = None
    with line, suppress(EOFError):
        result, problem = hear(line)
    process.join()
    if isinstance(problem, NomadSpecError):
        raise problem
    if problem is not None:
        raise z3.Z3Exception(problem)
    if process.exitcode is not None and process.exitcode > 0:
        raise ImpossibleError("A process that asked the solver ended with the error above.")
    return result
