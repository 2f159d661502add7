"""The page of errors."""

from nomadspec.checkers.reference.errors import compute_errors_page
from nomadspec.model import errors

PAGE = compute_errors_page()


def test_every_exit_code_has_a_meaning() -> None:
    codes = [value for name, value in vars(errors).items() if name.startswith("EXIT_")]

    assert all(f"\n| {code} | " in PAGE for code in codes)


def test_the_tree_is_complete() -> None:
    assert "| `InputError` | `NomadSpecError` | 3 | A file cannot be read:" in PAGE
    assert "| `UnknownNameError` | `UsageError` | 2 |" in PAGE
