"""Whatever a program does, its question is named and the next one is asked."""

import os
import sys
from pathlib import Path

import pytest

from nomadspec.checkers.conform.judging import Question
from nomadspec.checkers.conform.program import FailedError, Program
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.errors import UnreadableError, UsageError
from tests.checkers.conform.talking import AMPLE_S, MODEL, allow_time, make_some, speaking

SILENT = "sys.stdin.read()"
"""Waits for more questions than the one that it was asked."""


@pytest.fixture(autouse=True)
def _has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_time(monkeypatch)


def ask(name: str = "q1") -> Question:
    return Question(name, read_kind("constraints/operands"), {"operand": "=", "left": "a", "right": "a"})


def find_failure(program: Program, question: Question) -> str:
    with pytest.raises(FailedError) as caught:
        program.ask(question)
    return str(caught.value)


def test_a_program_answers_fails_and_supports_as_it_says(tmp_path: Path) -> None:
    body = (
        "said = {'q1': {'answer': {}}, 'q2': {'unsupported': 'x'}, 'q3': {'error': 'y'}}\n"
        "say(id=asked['id'], **said[asked['id']])"
    )
    with speaking(tmp_path, body) as program:
        replies = [program.ask(ask(name)) for name in ("q1", "q2", "q3")]

    assert [({}, None, None), (None, "x", None), (None, None, "y")] == [
        (each.answer, each.unsupported, each.error) for each in replies
    ]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("sys.stderr.write('oh no\\n'); sys.exit(7)", "it ended with the code 7, saying 'oh no'"),
        ("os.kill(os.getpid(), 9)", "it ended with the code -9"),
        (SILENT, "no answer within 0.5 s"),
        ("print('{\"id\"', flush=True)", "a malformed line: this is no JSON: "),
        ("print('[1]', flush=True)", "a malformed line: the line is no JSON object"),
        ("say(id='other', answer={})", "a malformed line: the line is about the question 'other'"),
        ("say(id=asked['id'])", "a malformed line: a line has exactly one of answer, unsupported, error"),
        ("say(id=asked['id'], answer={}, error='x')", "and this one has 2"),
        (
            "sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush()",
            "the line is damaged: invalid start byte",
        ),
        ("print('[' * 5000, flush=True)", "a malformed line: "),
        (
            "print('{\"id\": \"q1\", \"answer\": ' + '[' * 200 + ']' * 200 + '}', flush=True)",
            "nested more than 100",
        ),
        ("print('{\"id\": NaN}', flush=True)", "NaN is no number of JSON"),
        ('print(\'{"id": 1, "id": 2}\', flush=True)', "the member 'id' is there twice"),
        ("print('x' * 3_000_000, flush=True)", "a line of more than 1 MiB"),
    ],
)
def test_a_question_without_an_answer_is_told_and_the_next_one_is_asked(
    tmp_path: Path, body: str, complaint: str
) -> None:
    whole = f"if asked['id'] == 'q1':\n    {body}\nelse:\n    say(id=asked['id'], answer=dict(result=True))"
    patience_s = 0.5 if body == SILENT else AMPLE_S
    with speaking(tmp_path, whole, question_s=patience_s, limits=Limits(line_mib=1)) as program:
        assert complaint in find_failure(program, ask())
        program._question_s = AMPLE_S

        assert {"result": True} == program.ask(ask("q2")).answer
        assert 2 == program.starts


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ('{"protocol": "nomadspec-conform/9", "kinds": []}', "'nomadspec-conform/9'"),
        ('{"protocol": "nomadspec-conform/1", "kinds": ["nothing"]}', "there is no kind 'nothing'"),
        ('{"protocol": "nomadspec-conform/1", "kinds": "all"}', "`kinds` is a list of texts"),
        ('{"protocol": "nomadspec-conform/1", "kinds": [], "without": 1}', "`without` is an object"),
        ("hello", "this is no JSON"),
    ],
)
def test_a_wrong_hello_is_unreadable(said: str, complaint: str) -> None:
    program = Program([sys.executable, "-c", f"print({said!r}, flush=True); input()"], profile="nomad-2.0")
    with pytest.raises(UnreadableError, match="it does not say what it is") as caught:
        program.greet()

    assert complaint in str(caught.value)


def test_a_program_that_cannot_be_started_is_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be started: No such file"):
        Program([str(tmp_path / "nowhere")], profile="nomad-2.0").greet()


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    """A pipe that it holds open ends with it, and without a word."""
    os.mkfifo(tmp_path / "pipe")
    pipe = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    child = (
        "import os, time\n"
        f"pipe = os.open({str(tmp_path / 'pipe')!r}, os.O_WRONLY)\n"
        "print('begun', flush=True)\n"
        f"time.sleep({AMPLE_S})\n"
        "os.write(pipe, b'still here')"
    )
    body = (
        "import subprocess\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE, text=True)\n"
        "print(child.stdout.readline(), flush=True)\n" + SILENT
    )
    with speaking(tmp_path, body) as program:
        assert "a malformed line" in find_failure(program, ask())
    os.set_blocking(pipe, True)

    assert b"" == os.read(pipe, 10)
    os.close(pipe)


def test_questions_larger_than_a_pipe_are_asked() -> None:
    (question,) = make_some("alloc-names/cases", 1)
    large = Question("large", question.kind, {**question.asked, "existing": ["web.main[0]"] * 20_000})
    with Program(MODEL, profile="nomad-2.0", question_s=AMPLE_S) as program:
        answer = program.ask(large).answer

    assert {"0": 19_999} == answer["initial"]["duplicates"]
