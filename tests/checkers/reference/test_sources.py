"""Finding texts in their files."""

import pytest

from nomadspec.checkers.reference.sources import ROOT, find_text, list_called, locate
from nomadspec.invariants.small.core import stale_token_changes_nothing
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.small.core import ack, flip_node, nack


def test_a_text_is_shown_with_its_decorators() -> None:
    lines = find_text(nack.file, nack.line).splitlines()

    assert lines[0].startswith('@rule("Core!Nack"')
    assert "    release(t, worker)" == lines[-1]


def test_a_line_where_no_function_begins_is_a_defect() -> None:
    with pytest.raises(ImpossibleError, match="No function begins in line 1"):
        find_text(nack.file, 1)


def test_the_functions_that_a_text_calls_are_found() -> None:
    assert ["holds_token", "release"] == [helper.__name__ for helper in list_called(ack.text)]
    assert [] == [helper.__name__ for helper in list_called(flip_node.text)]


def test_an_adapter_is_looked_through() -> None:
    called = list_called(stale_token_changes_nothing.text)

    assert ["holds_token"] == [helper.__name__ for helper in called]


def test_what_is_no_function_calls_nothing() -> None:
    assert () == list_called(print)


def test_files_are_named_from_the_root() -> None:
    assert "model/small/core.py" == locate(ack.file)
    assert "notebook.py" == locate("/elsewhere/notebook.py")
    assert (ROOT / "pyproject.toml").exists()
