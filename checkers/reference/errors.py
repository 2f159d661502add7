"""The page of errors and exit codes."""

from typing import Final

from nomadspec.checkers.reference.markdown import begin, code, heading, items, page, table
from nomadspec.model import errors
from nomadspec.model.errors import NomadSpecError

_ABOUT = (
    "The exit code is the verdict. All errors that the program raises on purpose form one tree; the "
    "message says in one sentence what happened and what to do, and the class determines the exit code."
)
_MEANINGS: Final = {
    "EXIT_HOLDS": "holds: every property that was asked for, in the scope that is printed with it",
    "EXIT_VIOLATED": "violated: a story shows it",
    "EXIT_USAGE": "wrong call: a name that does not exist, or options that do not fit",
    "EXIT_UNREADABLE": "a file cannot be read, or a model is written wrongly",
    "EXIT_INCONCLUSIVE": "inconclusive: a bound, time, memory or a signal ended it, or a solver gave up",
    "EXIT_INTERNAL": "a defect of this program: please report it",
}
_SHELL: Final = ("141: whoever read the output went away before anything else was found",)


def compute_errors_page() -> str:
    """Write the page of errors and exit codes."""
    codes = [(str(getattr(errors, name)), meaning) for name, meaning in _MEANINGS.items()]
    return page(
        "Errors and exit codes",
        _ABOUT,
        heading(2, "Exit codes", "exit-codes"),
        table(["code", "means"], codes),
        "Two more follow the conventions of the shell:",
        items(_SHELL),
        "Set `NOMADSPEC_TRACEBACK=1` to see where an error came from.",
        heading(2, "The tree of errors", "tree"),
        table(["error", "is", "code", "when"], _rows(NomadSpecError, "Exception")),
    )


def _rows(error: type[NomadSpecError], parent: str) -> list[tuple[str, str, str, str]]:
    row = (code(error.__name__), code(parent), str(error.exit_code), begin(error.__doc__ or ""))
    below = (child for child in error.__subclasses__() if child.__module__ == errors.__name__)
    return [row, *(line for child in below for line in _rows(child, error.__name__))]
