"""The questions as parametrised tests: who asks for the fixture ``conform_case`` gets one after the other.

Nothing happens in suites that do not ask for it, and nothing else is imported before they do.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from nomadspec.checkers.conform.judging import Question
    from nomadspec.checkers.conform.program import Program
    from nomadspec.model.specification.profiles import Profile

CASE: Final = "conform_case"
"""The fixture that is a question."""
MARK: Final = "conform"
"""The mark that says which questions a test is given."""

_COUNT: Final = 20


@dataclass(frozen=True, slots=True)
class Case:
    """One question, with what judges an answer to it."""

    question: Question
    profile: Profile

    @property
    def kind(self) -> str:
        """The kind of the question, such as ``constraints/operands``."""
        return self.question.kind.name

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked, as JSON."""
        return dict(self.question.asked)

    def check(self, answer: object) -> None:
        """Fail unless the model allows an answer; skip what the model cannot decide."""
        __tracebackhide__ = True
        from click import unstyle

        from nomadspec.checkers.conform.conversation import Said, judge_row
        from nomadspec.checkers.conform.conversation_text import describe_row
        from nomadspec.checkers.conform.judging import Terms

        row = judge_row(self.question, answer, Terms(self.profile))
        if row.is_wrong or row.said is Said.DEFECT:
            pytest.fail(unstyle(describe_row(row)), pytrace=False)
        if row.said is not Said.AGREED:
            pytest.skip(f"{row.said}: {row.reason}")


@dataclass(frozen=True, slots=True)
class Asking:
    """A program that is asked."""

    program: Program

    def __call__(self, case: Case) -> object:
        """Ask a question and give the answer; skip what the program does not support."""
        __tracebackhide__ = True
        from nomadspec.checkers.conform.program import FailedError

        if case.kind not in self.program.greet().kinds:
            pytest.skip(f"the program does not name {case.kind}")
        try:
            reply = self.program.ask(case.question)
        except FailedError as error:
            pytest.fail(f"{case.kind} {case.question.id}: {error}", pytrace=False)
        if reply.unsupported is not None:
            pytest.skip(f"unsupported: {reply.unsupported}")
        if reply.error is not None:
            pytest.fail(f"{case.kind} {case.question.id}: it says: {reply.error}", pytrace=False)
        return reply.answer


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; each may be left out."""
    group = parser.getgroup("nomadspec", "questions of nomadspec")
    group.addoption("--conform", metavar="CMD", help="the program that the fixture `conform_program` asks")
    group.addoption(
        "--conform-recordings", action="append", default=[], metavar="PATH", help="ask what these ask"
    )
    group.addoption(
        "--conform-family", action="append", default=[], metavar="FAMILY[/FILE]", help="ask these alone"
    )
    group.addoption(
        "--conform-seed", type=int, default=0, metavar="SEED", help="which questions are made (0)"
    )
    group.addoption(
        "--conform-profile",
        metavar="PROFILE",
        default="nomad-2.0",
        help="what answers are judged by (nomad-2.0)",
    )
    group.addoption("--conform-count", type=int, metavar="COUNT", help=f"so many of each kind ({_COUNT})")


def pytest_configure(config: pytest.Config) -> None:
    """Name the mark, so that strict suites know it."""
    config.addinivalue_line(
        "markers",
        f"{MARK}(*families, seed=0, count={_COUNT}, recordings=()): which questions `{CASE}` is",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for a question one after the other."""
    if CASE not in metafunc.fixturenames:
        return
    options, mark = metafunc.config.option, metafunc.definition.get_closest_marker(MARK)
    said: dict[str, Any] = dict(mark.kwargs) if mark else {}
    families = tuple(options.conform_family) or (mark.args if mark else ())
    recordings = tuple(options.conform_recordings) or tuple(map(str, said.get("recordings", ())))
    count = options.conform_count or said.get("count", _COUNT)
    seed = options.conform_seed or said.get("seed", 0)
    cases = list_cases(families, recordings, seed, count, options.conform_profile)
    ids = [f"{case.kind}:{case.question.id}" for case in cases]
    metafunc.parametrize(CASE, cases, ids=ids)


@cache
def list_cases(
    families: Sequence[str], recordings: Sequence[str], seed: int, count: int, profile_name: str
) -> list[Case]:
    """List questions, of recordings or made up; what cannot be read ends the run."""
    from nomadspec.checkers.conform.conversation import Score
    from nomadspec.checkers.conform.judging import Terms
    from nomadspec.checkers.conform.made_questions import Coverage, make_questions
    from nomadspec.checkers.conform.recorded_questions import find_kinds, list_recorded
    from nomadspec.model.errors import InputError, UsageError
    from nomadspec.model.specification.profiles import find_profile

    try:
        terms, coverage = Terms(find_profile(profile_name)), Coverage()
        kinds = find_kinds(families, is_made=not recordings)
        if not recordings:
            made = make_questions(kinds, seed, count, terms, coverage)
            return [Case(question, terms.profile) for question in made]
        cases = []
        for question in list_recorded(map(Path, recordings), kinds, terms, Score(), coverage):
            if isinstance(question, InputError):
                raise question
            cases.append(Case(question, terms.profile))
    except (InputError, UsageError) as error:
        raise pytest.Collector.CollectError(str(error)) from None
    return cases


@pytest.fixture(scope="session")
def conform_program(request: pytest.FixtureRequest) -> Iterator[Asking]:
    """Ask the program of ``--conform``: it is called with a case, and gives its answer."""
    from nomadspec.checkers.conform.program import Program

    options = request.config.option
    command = options.conform
    if not command:
        raise pytest.UsageError(
            "the fixture `conform_program` asks a program: say which one with --conform CMD"
        )
    with Program(shlex.split(command), profile=options.conform_profile) as program:
        yield Asking(program)
