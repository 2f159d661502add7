"""Errands that are run side by side, each in a process of its own that begins as a copy of this one.

What a solver answers can depend on what was made in its context before. Here each errand finds the same
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

Errand = TypeVar("Errand")
Result = TypeVar("Result")


def run_errands(
    run: Callable[[Errand], Result], errands: Iterable[Errand], workers: int | None
) -> Generator[tuple[Errand, Result | None]]:
    """Give each errand with what came of it, in the order in which they end; None where a process was lost.

    The next errand is looked for when somebody can run it. Without workers, and where no process can be
    copied, all is done here, one after the other. What is still under way when nobody wants to know any more
    is ended.
    """
    if workers is None or not can_fork():
        yield from ((errand, run(errand)) for errand in errands)
        return
    under_way: dict[Connection, tuple[Errand, BaseProcess]] = {}
    waiting = iter(errands)
    try:
        _send(run, waiting, workers, under_way)
        while under_way:
            for line in [one for one in wait([*under_way]) if isinstance(one, Connection)]:
                errand, process = under_way.pop(line)
                result = _hear(line, process)
                _send(run, waiting, workers, under_way)
                yield errand, result
    finally:
        for _, process in under_way.values():
            process.terminate()
        for _, process in under_way.values():
            process.join()


def _send(
    run: Callable[[Errand], Result],
    waiting: Iterator[Errand],
    workers: int,
    under_way: dict[Connection, tuple[Errand, BaseProcess]],
) -> None:
    """Start as many errands as there are workers without one."""
    context = multiprocessing.get_context("fork")
    while len(under_way) < workers:
        try:
            errand = next(waiting)
        except StopIteration:
            return
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_do, args=(run, errand, theirs), daemon=True)
        process.start()
        theirs.close()
        under_way[ours] = errand, process


def _do(run: Callable[[Any], object], errand: object, line: Connection) -> None:
    """Run one errand; Ctrl-C is for whoever waits for it."""
    stand_apart()
    gc.freeze()  # what the collector looks at would be copied
    result: object = None
    problem: object = None
    try:
        result = run(errand)
    except NomadSpecError as found:
        problem = found  # it is raised where somebody waits
    except z3.Z3Exception as found:
        problem = str(found)
    with suppress(ConnectionError):
        tell(line, (result, problem))


def _hear(line: Connection, process: BaseProcess) -> Any:  # noqa: ANN401 -- whatever came of it
    """Hear what came of an errand; None where somebody killed the process, or memory was short."""
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
