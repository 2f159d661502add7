"""The language of scenarios: a line is a statement, found by its words; what is wrong names line and word.

A pattern such as ``wait DURATION`` is made of words and of slots in capitals, some of which take only certain
words (`slots.py`); options follow in pairs of a name and a value, where the statement takes any:
``register web count 3 canary 1``.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from nomadspec.checkers.regular_files import read_text
from nomadspec.checkers.scenario.slots import describe, fits, read_slot
from nomadspec.model.errors import InputError, UnreadableError, UsageError

_MOST_ADVISED: Final = 3
"""Where more words than these may follow, they are listed, and no statement is picked as an example."""


class WordError(UsageError):
    """A word of a line does not fit; which one it is can be looked up in the line."""

    def __init__(self, word: str, problem: str) -> None:
        """Keep the word."""
        self.word = word
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of a scenario, as it stands in its file."""

    source: str
    number: int
    text: str
    words: tuple[str, ...]

    def wrong(self, position: int, problem: str) -> InputError:
        """Say what is wrong with a word; positions count from 1, and 0 is the whole line."""
        problem = problem.removesuffix(".")
        at = f"line {self.number}" + (f", word {position}" if position else "")
        return InputError(self.source, problem, at=at)

    def blame(self, error: UsageError) -> InputError:
        """Say what a statement found wrong, at the word that it names if there is one."""
        word = error.word if isinstance(error, WordError) else None
        return self.wrong(self.words.index(word) + 1 if word in self.words else 0, str(error))


Options = Mapping[str, str]
Handler = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Statement:
    """A form that lines may have, and what it does."""

    pattern: tuple[str, ...]
    about: str
    options: Mapping[str, str]
    """The options that it takes, each with what its value is."""
    run: Handler

    @property
    def shown(self) -> str:
        """The form as help shows it."""
        return " ".join(self.pattern) + (" [OPTION VALUE ...]" if self.options else "")


@dataclass(slots=True)
class Grammar:
    """The statements that there are."""

    statements: list[Statement] = field(default_factory=list)

    def statement(self, pattern: str, **options: str) -> Callable[[Handler], Handler]:
        """Register what a form does; slots and options are handed over in order."""

        def register(handler: Handler) -> Handler:
            about = (handler.__doc__ or "").strip().partition("\n")[0]
            self.statements.append(Statement(tuple(pattern.split()), about, options, handler))
            return handler

        return register

    def find(self, line: Line) -> tuple[Statement, list[Any]]:
        """Find the statement that a line is, with the values of its slots and options."""
        nearest: list[tuple[str, Statement]] = []
        far = (1, 0)
        for statement in self.statements:
            matched, problem = _match(statement, line.words)
            if not problem:
                return statement, _read_values(statement, line)
            words = sum(not part.isupper() for part in statement.pattern[:matched])
            if (words, matched) >= far:
                nearest = [*(nearest if (words, matched) == far else []), (problem, statement)]
                far = words, matched
        if not nearest:
            known = sorted({one.pattern[0] for one in self.statements if one.pattern[0].islower()})
            near = get_close_matches(line.words[0].lower(), known, n=1, cutoff=0.7)
            hint = f"did you mean {near[0]}?" if near else f"begin with one of {', '.join(known)}"
            raise line.wrong(1, f"{line.words[0]!r} begins no statement: {hint}")
        raise line.wrong(far[1] + 1, _tell_nearest(nearest, line.words, far[1]))


def _tell_nearest(nearest: Sequence[tuple[str, Statement]], words: Sequence[str], matched: int) -> str:
    """Say what is wrong with a word: of many statements that fit so far, list what may stand there."""
    patterns = [statement.pattern for _, statement in nearest]
    parts = sorted({pattern[matched] for pattern in patterns if matched < len(pattern)}, key=str.lower)
    if len(parts) > _MOST_ADVISED and matched < len(words):
        beginning = " ".join(words[:matched])
        near = get_close_matches(words[matched].lower(), parts, n=1, cutoff=0.7)
        hint = f"did you mean {near[0]}?" if near else f"{', '.join(parts)} can follow"
        return f"{words[matched]!r} cannot follow {beginning!r}: {hint}"
    problem, statement = nearest[-1]
    return f"{problem} (as in: {statement.shown})"


def _match(statement: Statement, words: Sequence[str]) -> tuple[int, str]:
    """Count the words that fit, and say what is wrong with the next one, if anything is."""
    for position, part in enumerate(statement.pattern):
        if position >= len(words):
            return position, f"the line ends where {describe(part)} was expected"
        if not fits(part, words[position]):
            return position, f"expected {describe(part)}, found {words[position]!r}"
    return _match_options(statement, words)


def _match_options(statement: Statement, words: Sequence[str]) -> tuple[int, str]:
    """Count the words up to the first that is wrong among the options, each of which may stand there once."""
    first = len(statement.pattern)
    names = words[first::2]
    if names and not statement.options:
        return first, f"nothing was expected here, found {names[0]!r}"
    for turn, name in enumerate(names):
        position = first + 2 * turn
        if name not in statement.options:
            return position, f"{name!r} is no option of it: {_advise(name, statement)}"
        if name in names[:turn]:
            return position, f"{name!r} stands there twice"
        if position + 1 == len(words):
            return len(words), f"the line ends where {statement.options[name]} was expected"
    return len(words), ""


def _advise(name: str, statement: Statement) -> str:
    near = get_close_matches(name.lower(), statement.options, n=1, cutoff=0.7)
    return f"did you mean {near[0]}?" if near else ", ".join(statement.options)


def _read_values(statement: Statement, line: Line) -> list[Any]:
    values: list[Any] = [
        read_slot(part, word)
        for part, word in zip(statement.pattern, line.words, strict=False)
        if part.isupper()
    ]
    if statement.options:
        rest = line.words[len(statement.pattern) :]
        values.append(dict(zip(rest[::2], rest[1::2], strict=True)))
    return values


def read_lines(path: Path) -> list[Line]:
    """Read a scenario: its statements, without comments and empty lines."""
    return parse_lines(read_scenario(path), str(path))


def read_scenario(path: Path) -> str:
    """Read the text of a scenario; a mark of the order of bytes at its beginning is none of it."""
    try:
        return read_text(path).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise UnreadableError(str(path), "this is no text in UTF-8", at=f"byte {error.start}") from error
    except OSError as error:
        raise UnreadableError(str(path), f"it cannot be read: {error.strerror}") from error


def parse_lines(text: str, source: str) -> list[Line]:
    """Split a text into its statements; only line ends end one."""
    lines = []
    for number, raw in enumerate(text.split("\n"), 1):
        try:
            words = tuple(shlex.split(raw, comments=True))
        except ValueError as error:
            raise InputError(source, "a quotation does not end", at=f"line {number}") from error
        if words:
            lines.append(Line(source, number, raw.strip(), words))
    return lines
