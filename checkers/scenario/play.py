"""Playing a scenario: every line in its turn; what is wrong with one names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from nomadspec.checkers.atomic_files import write_whole
from nomadspec.checkers.oracle.folder_walk import walk
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.time_limit import TooLongError, patience
from nomadspec.checkers.python_gc import collecting_seldom
from nomadspec.checkers.scenario import statements
from nomadspec.checkers.scenario.grammar import GRAMMAR
from nomadspec.checkers.scenario.language import Line, Statement, read_lines
from nomadspec.checkers.scenario.run import EndlessError, Run
from nomadspec.checkers.stopping import interruptible
from nomadspec.model.errors import UnreadableError, UsageError
from nomadspec.model.specification.profiles import Profile

SUFFIX: Final = ".scenario"
ENDLESS: Final = "endless"
"""What stops a run whose cluster goes on and on in no time."""


def list_statements() -> tuple[Statement, ...]:
    """List what a line can say, by subject."""
    subjects = [f"{statements.__name__}.{name}" for name in statements.__all__]
    return tuple(sorted(GRAMMAR.statements, key=lambda each: subjects.index(each.run.__module__)))


def list_files(paths: Iterable[Path], limits: Limits = LIMITS) -> Iterator[Path | UnreadableError]:
    """List the scenarios that paths name: files, and in folders all that end in .scenario."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        is_empty = True
        try:
            for found in walk(path, limits, lambda _folder: False):
                if isinstance(found, UnreadableError) or (isinstance(found, Path) and found.suffix == SUFFIX):
                    is_empty = False
                    yield found
        except UnreadableError as error:
            yield error
        else:
            if is_empty:
                yield UnreadableError(str(path), f"there is no file in it that ends in {SUFFIX}")


def play(path: Path, profile: Profile, run: Run | None = None) -> Run:
    """Play the scenario of a file."""
    return play_lines(read_lines(path), profile, path.parent, run=run)


def play_lines(
    lines: list[Line],
    profile: Profile,
    folder: Path | None = None,
    *,
    run: Run | None = None,
    max_seconds: float = 0,
) -> Run:
    """Play a scenario, in a run of its own or in one that is handed over; its files lie in a folder.

    It takes so many seconds at most, where a number is given; one that is stopped is told as far as it came.
    """
    run = run or Run(profile, folder or Path())
    # All lines are understood before the first one is played.
    found = [GRAMMAR.find(line) for line in lines]

    def play_them() -> None:
        for line, (statement, values) in zip(lines, found, strict=True):
            run.line = line.number
            try:
                statement.run(run, *values)
            except UsageError as error:
                raise line.blame(error) from error

    go_on(run, play_them, max_seconds)
    return run


def go_on(run: Run, work: Callable[[], None], max_seconds: float = 0) -> None:
    """Go on with a run, and note what stops it: a person, its time, or a cluster that never rests."""
    try:
        with interruptible(), patience(max_seconds), collecting_seldom():
            work()
    except TooLongError:
        run.stopped_by = "time"
    except EndlessError as error:
        run.stopped_by, run.stopped_because = ENDLESS, str(error)
    except KeyboardInterrupt:
        run.stopped_by = "interrupt"


def rewrite(text: str, run: Run) -> str:
    """Write the text of a scenario anew, with what was found in place of what was expected."""
    lines = text.removesuffix("\n").split("\n")
    for unmet in run.unmet:
        if not unmet.is_exact:
            continue
        old = lines[unmet.line - 1]
        before, comment = _split_comment(old)
        indent = before[: len(before) - len(before.lstrip())]
        lines[unmet.line - 1] = f"{indent}expect {unmet.found}{comment}"
    return "\n".join(lines) + "\n"


def _split_comment(line: str) -> tuple[str, str]:
    """Split a line at the mark of its comment; one inside of quotations is none."""
    quote = ""
    for position, letter in enumerate(line):
        if letter == "#" and not quote:
            return line[:position], f"  {line[position:]}"
        if letter in "'\"":
            quote = "" if letter == quote else quote or letter
    return line, ""


def rewrite_file(path: Path, text: str, run: Run) -> None:
    """Write what was found into the file of a scenario, whose text was played."""
    write_whole(path, rewrite(text, run).encode())
