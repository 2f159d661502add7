"""Tests say something: each asserts, none is skipped or expected to fail."""

import ast

import pytest

from tests.tidy.source import Source, list_functions

SPEAKS = {"raises", "warns", "fail", "run_state_machine_as_test"}
"""Calls that assert by themselves; so does every helper whose name begins with `check_` or `assert_`."""

NOT_RUN = ("mark.sk" + "ip", "mark.xf" + "ail", "pytest.sk" + "ip(")
"""How tests are left out."""


def find_mute(source: Source) -> list[str]:
    """List the tests of a file that cannot fail, and those that do not run."""
    found = []
    is_suspect = any(word in source.text for word in NOT_RUN)
    for function in list_functions(source.parse()):
        text = ast.unparse(function) if is_suspect else ""
        if any(word in text for word in NOT_RUN):
            found.append(f"{source.at(function)}: {function.name}: make it pass, or delete it")
        if function.name.startswith("test_") and not _speaks(function):
            found.append(f"{source.at(function)}: {function.name}: asserts nothing")
    return found


def _speaks(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    nodes = list(ast.walk(function))
    names = [_name(node.func) for node in nodes if isinstance(node, ast.Call)]
    asserting = any(name in SPEAKS or name.startswith(("check_", "assert_")) for name in names)
    return asserting or any(isinstance(node, ast.Assert) for node in nodes)


def _name(called: ast.expr) -> str:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


@pytest.mark.parametrize("body", ["pass", "compute(3)", "pytest.sk" + "ip('no')\n    assert 1"])
def test_a_mute_test_is_found(body: str) -> None:
    assert 1 == len(find_mute(Source("test_x.py", f"def test_x():\n    {body}\n")))
