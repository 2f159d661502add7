"""The page of errors."""

from nomadspec.checkers.reference.errors import compute_errors_page
from nomadspec.model import errors


def test_every_exit_code_has_a_meaning() -> None:
    codes = [value for name, value in vars(errors).items() if name.startswith("EXIT_")]

    assert all(f"\n| {code} | " in compute_errors_page() for code in codes)


def test_the_tree_is_complete() -> None:
    assert "| `InputError` | `NomadSpecError` | 3 | A file cannot be read:" in compute_errors_page()
    assert "| `UnknownNameError` | `UsageError` | 2 |" in compute_errors_page()
