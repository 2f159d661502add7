"""Everything that can go wrong, as one tree.

NomadSpecError                something went wrong and the message says what to do
├── UsageError        exit 2  the call asks for something that is not there or does not fit
│   └── UnknownNameError      no such model, scope, property, rule, quirk, size, ...
│       └── NothingFoundError words that no name has, nor anything else that was searched
├── InputError        exit 3  a file cannot be read: which one, where in it, what was expected
│   ├── UnreadableError       a file is not there, is damaged, or holds no text or JSON
│   └── ChoiceError           choices that were recorded were not open, or do not suffice
├── ModelError        exit 3  a model is written wrongly: which rule or property, and how to write it
│   ├── StyleError            a rule branches on a value of the world, or steps out of the operator style
│   │   └── NamingError       a text names, orders or mixes up ids of declared sets
│   └── DomainError           a rule writes a value that its field does not admit
│       ├── CounterError      a rule counts further than the scope does
│       └── QueueError        a rule pushes what is in a queue, or pops what is not its head
├── UnavailableError  exit 4  what the work is to be done with does not start, or is gone
├── DisabledError     exit 1  a story asks for a step that its rule does not allow
└── ImpossibleError   exit 5  two engines disagree, or a promise of this package is broken: please report it

Messages are one sentence for people; the fields carry the values for programs.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar, Final

EXIT_HOLDS: Final = 0
EXIT_VIOLATED: Final = 1
EXIT_USAGE: Final = 2
EXIT_UNREADABLE: Final = 3
EXIT_INCONCLUSIVE: Final = 4
EXIT_INTERNAL: Final = 5

_FEW: Final = 12
"""So many names still fit a sentence."""


class NomadSpecError(Exception):
    """The root: every error that this package raises on purpose."""

    exit_code: ClassVar[int] = EXIT_INTERNAL


class UsageError(NomadSpecError):
    """The call asks for something that is not there or does not fit."""

    exit_code = EXIT_USAGE


class UnknownNameError(UsageError):
    """A name that nothing bears; the nearest ones are suggested."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        """Keep the kind of thing, the name that was given and the names that exist."""
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        super().__init__(f"There is no {kind} named {name!r}; {suggest(name, self.known)}")


class NothingFoundError(UnknownNameError):
    """Words that nothing has, neither as its name nor within what is said of it."""

    def __init__(self, kind: str, words: str, known: Iterable[str], searched: str, every: str) -> None:
        """Keep kind, words and the names that exist; say what was searched, and what lists them all."""
        super().__init__(kind, words, known)
        near = suggest_near(words, self.known) or f"`{every}` lists all."
        this = "all these words" if len(re.split("[-_ ]", words)) > 1 else "this word"
        self.args = (f"No {kind} is named {words!r}, and none has {this} or synonyms in {searched}; {near}",)


class InputError(NomadSpecError):
    """A file cannot be read: which one, where in it, and what was expected there."""

    exit_code = EXIT_UNREADABLE

    def __init__(self, file: str, problem: str, *, at: str = "", hint: str = "") -> None:
        """Keep the file, the position or path inside it, the problem and what to do about it."""
        self.file = file
        self.at = at
        self.problem = problem
        self.hint = hint
        place = f"{file}, at {at}" if at else file
        super().__init__(end_sentence(f"{place}: {problem}{f'; {hint}' if hint else ''}"))


class UnreadableError(InputError):
    """A file is not there, is damaged, or holds no text or JSON: nothing can be said of what is in it."""


class ChoiceError(InputError):
    """Choices that were recorded were not open to whoever makes them again, or do not suffice."""


class ModelError(NomadSpecError):
    """A model is written wrongly: which rule or property, and how to write it."""

    exit_code = EXIT_UNREADABLE


class StyleError(ModelError):
    """A rule branches on a value of the world, or steps out of the operator style."""


class NamingError(StyleError):
    """A text names or orders ids that are interchangeable, or mixes up those of two sets."""


class UnknownValueError(StyleError):
    """A text asks a value of the world what it cannot answer as long as it is not known."""


class UncalledError(StyleError):
    """A text takes for a value what it has to call."""


class DomainError(ModelError):
    """A rule writes a value that its field does not admit."""


class CounterError(DomainError):
    """A rule counts further than the scope does."""


class QueueError(DomainError):
    """A rule pushes what is in the queue already, or pops what is not its head."""


class StrayError(DomainError):
    """A rule asks a table for what it has not."""


class UnavailableError(NomadSpecError):
    """What the work is to be done with, such as a cluster, does not start or is gone: nothing was found."""

    exit_code = EXIT_INCONCLUSIVE


class DisabledError(NomadSpecError):
    """A step was asked for that its rule does not allow in this world."""

    exit_code = EXIT_VIOLATED


class ImpossibleError(NomadSpecError):
    """Two engines disagree, or a promise of this package is broken."""

    exit_code = EXIT_INTERNAL


def end_sentence(text: str) -> str:
    """End a sentence with a full stop, unless it has an end of its own; what was cut short has none."""
    has_end = text.endswith((".", "?", "!")) and not text.endswith("...")
    return text if has_end else f"{text}."


def _spell(name: str) -> str:
    """Write a name as it is, or as Python does where it holds what is not shown, such as a line break."""
    return name if name.isprintable() else repr(name)


def suggest_near(name: str, names: Iterable[str], likeness: float = 0.7) -> str:
    """End a sentence with the nearest of the known names; with nothing where none is as like as that."""
    lowered = {candidate.lower(): candidate for candidate in names}
    near = [lowered[match] for match in get_close_matches(name.lower(), lowered, n=3, cutoff=likeness)]
    return f"did you mean {' or '.join(map(_spell, near))}?" if near else ""


def suggest(name: str, names: Iterable[str]) -> str:
    """End a sentence with the nearest of the known names, with all when they are few, else the first ones."""
    known = tuple(names)
    near = suggest_near(name, known, 0.5)
    if near:
        return near
    if not known:
        return "there are none."
    listed = sorted(known) if len(known) <= _FEW else known[:_FEW]
    shown = ", ".join(map(_spell, listed))
    return f"known are {shown}{' and others' if len(known) > _FEW else ''}."
