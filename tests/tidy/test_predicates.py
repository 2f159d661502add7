"""Docstrings of predicates say when they are true, and none begins with a question."""

import ast
import re

import pytest

from tests.tidy.source import Source, list_functions, list_sources

FOLDERS = ("model", "invariants", "checkers", "nomadspec")
ANSWERS = {"bool", "Flag"}
NAMES = re.compile(r"_*(?:is|has)_")
FORM = re.compile(r"True (?:while|where|if) ")
"""How a docstring of a predicate begins: docs/contributing/naming.md."""

QUESTION = re.compile(r"(?:Tell|Say|Ask|State|Check|Find out|Determine|Whether|Return)\b")
"""How none begins that gives a yes or a no: an act says what it does, all others are predicates."""

DECLARED = {"always", "eventually", "lemma", "sometimes", "step", "unless", "until"}
"""Decorators of properties, which are sentences that promise something."""


def list_misshapen(source: Source) -> list[str]:
    """List the predicates of a file whose docstrings have another form; ruff knows which need one."""
    return [
        f"{source.at(function)}: {function.name}: {said.splitlines()[0]!r}"
        for function in list_functions(source.parse())
        if (said := ast.get_docstring(function))
        and not _is_declared(function)
        and _is_misshapen(function, said)
    ]


def _is_misshapen(function: ast.FunctionDef | ast.AsyncFunctionDef, said: str) -> bool:
    answer = ast.unparse(function.returns) if function.returns else ""
    if NAMES.match(function.name):
        return not FORM.match(said)
    return answer in ANSWERS and bool(
        QUESTION.match(said) or (said.startswith("True") and not FORM.match(said))
    )


def _is_declared(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in DECLARED
        for one in function.decorator_list
    )


def test_docstrings_of_predicates_say_when_they_are_true() -> None:
    found = [said for source in list_sources(*FOLDERS) for said in list_misshapen(source)]

    assert [] == found


@pytest.mark.parametrize(
    "text",
    [
        'def is_ready(node) -> bool:\n    """Tell whether a node is ready."""',
        'def fits(node) -> bool:\n    """Whether it fits."""',
        'def is_known(value) -> Value:\n    """Say where a value is known."""',
        'class Node:\n    @property\n    def is_up(self) -> bool:\n        """Give a flag."""',
        'def waits(s) -> Flag:\n    """True for a worker that waits."""',
    ],
)
def test_a_predicate_of_another_form_is_found(text: str) -> None:
    assert list_misshapen(Source("x.py", text))


@pytest.mark.parametrize(
    "text",
    [
        'def is_ready(s, node) -> Flag:\n    """True while a node is ready."""',
        'def take(lock) -> bool:\n    """Take a lock; true if nobody has it."""',
        '@always("X", why="y")\ndef is_kept(s) -> Flag:\n    """A job is kept."""',
        "def is_ready(node) -> bool:\n    return node.ready",
    ],
)
def test_a_predicate_of_this_form_an_act_and_a_promise_are_not(text: str) -> None:
    assert [] == list_misshapen(Source("x.py", text))
