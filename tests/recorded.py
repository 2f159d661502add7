"""Reads the recordings beside the tests, and judges them.

A name such as ``broker/sequences`` is the family and the bare name of a file.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar, overload

import pytest

from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.oracle.limits import LIMITS
from nomadspec.checkers.oracle.reading import Line, parse_line, read_bytes
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.errors import InputError, UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0

T = TypeVar("T")

FOLDER = Path(__file__).parent / "recordings"
COMPONENTS = FOLDER / "components"
TRACES = FOLDER / "traces"
SOAKS = FOLDER / "soak"
UNREADABLE = "unreadable"


def find_recording_file(name: str) -> Path:
    """Find the file of a name such as ``broker/sequences``."""
    return COMPONENTS / f"{name}.ndjson.xz"


class Parsed(Sequence[T]):
    """What the lines of a file hold. Only those are parsed that are asked for, and each time anew.

    To parse a whole file takes longer than to judge some of its recordings, and tests change what they read.
    """

    def __init__(self, path: Path, show: Callable[[Line], T]) -> None:
        """Read the file."""
        self._path = path
        self._show = show
        self._lines = [*enumerate(read_bytes(path, LIMITS), 1)]

    def __len__(self) -> int:
        """Count the lines."""
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        """Parse a line, or several."""
        return (
            [self._parse(*each) for each in self._lines[at]]
            if isinstance(at, slice)
            else self._parse(*self._lines[at])
        )

    def _parse(self, number: int, line: bytes | InputError) -> T:
        parsed = line if isinstance(line, InputError) else parse_line(line, str(self._path), number)
        assert isinstance(parsed, Line), parsed
        return self._show(parsed)


def list_lines(path: Path) -> Sequence[Line]:
    """List the lines of a file."""
    return Parsed(path, lambda line: line)


def read_recordings(name: str) -> Sequence[Document]:
    """List all recordings of a file."""
    return Parsed(find_recording_file(name), lambda line: line.document)


EVERY_THIRD_OR_ALL = pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.deep)])
"""How many recordings are judged: of those that were drawn, each third shows a rule that is wrong."""


def judge_recordings(name: str, *, every: int = 1) -> Iterator[Judgement]:
    """Judge the recordings of a file, or each so many-th of them."""
    path = find_recording_file(name)
    kind = read_kind(name)
    for line in list_lines(path)[::every]:
        yield judge_line(kind, line, make_context(name))


def judge_document(name: str, document: Document) -> Judgement:
    """Judge a recording that a test wrote or changed."""
    return judge_line(read_kind(name), Line(name, 1, document), make_context(name))


def rule_on(name: str, document: Document) -> str:
    """Say in a word what is said of a recording that a test wrote or changed."""
    try:
        return judge_document(name, document).ruling
    except UnreadableError:
        return UNREADABLE


def find_complaint(judge: Callable[[], object]) -> str:
    """Find where a recording stops being one, after the number of its line."""
    with pytest.raises(UnreadableError) as caught:
        judge()
    return caught.value.at.removeprefix("line 1, ")


def make_context(name: str) -> Context:
    """Make the surroundings of the recordings of a file."""
    family = name.partition("/")[0]
    return Context(NOMAD_2_0, read_sibling=lambda sibling: read_recordings(f"{family}/{sibling}"))


def list_traces() -> Sequence[Path]:
    """List the folders of the recorded clusters."""
    return sorted(path for path in TRACES.iterdir() if path.is_dir())


def find_trace(name: str) -> Path:
    """Find the folder of a recorded cluster, long random runs included."""
    return next(path for path in (TRACES / name, SOAKS / name) if path.is_dir())


def assert_accepted(judgements: Iterator[Judgement]) -> None:
    """Assert that all are accepted and that there are any."""
    told = list(judgements)
    refused = [
        f"{one.id}: {one.ruling} {one.difference or one.reason}"
        for one in told
        if one.ruling != Ruling.ACCEPTED
    ]

    assert told
    assert not refused, f"{len(refused)} of {len(told)}:\n" + "\n".join(refused[:20])
