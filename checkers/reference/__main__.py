"""``python -m nomadspec.checkers.reference [--check]``: write the reference pages, or say which are stale."""

import sys
from collections.abc import Sequence

from nomadspec.checkers.reference.pages import list_stale, write_pages
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.model.errors import EXIT_HOLDS, EXIT_USAGE, EXIT_VIOLATED, NomadSpecError


def main(arguments: Sequence[str]) -> int:
    """Write the pages; with ``--check`` only compare."""
    if list(arguments) not in ([], ["--check"]):
        sys.stderr.write("usage: python -m nomadspec.checkers.reference [--check]\n")
        return EXIT_USAGE
    if not (ROOT / "docs/reference").is_dir():
        sys.stderr.write("The reference pages belong to a checkout of the repository, and this is none.\n")
        return EXIT_USAGE
    try:
        pages = list_stale(ROOT) if arguments else write_pages(ROOT)
    except NomadSpecError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    for page in pages:
        sys.stdout.write(f"{page} {'is stale' if arguments else 'written'}\n")
    return EXIT_VIOLATED if arguments and pages else EXIT_HOLDS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
