"""What texts call, and where they stand."""

from nomadspec.checkers.reference.sources import ROOT, list_called, locate
from nomadspec.invariants.small.core import stale_token_changes_nothing
from nomadspec.model.small.core import ack, flip_node


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
