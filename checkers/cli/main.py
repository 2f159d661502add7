"""The entry point of ``nomadspec``: runs a command line and turns its end into an exit code.

It imports nothing that takes long, so that Ctrl-C is answered from the first moment on.
"""

import os
import signal
import sys
from collections.abc import Iterable, Sequence

from nomadspec.checkers.cli.early_arguments import asks_for
from nomadspec.checkers.cli.ray_shutdown import outlive, tell_ending
from nomadspec.checkers.cli.streams import leave_streams, open_streams
from nomadspec.checkers.stopping import SIGNALS, shield, shielded, take_signals


def run(arguments: Sequence[str]) -> int:
    """Run a command line and give its exit code; nothing is raised."""
    from nomadspec.checkers.checked_texts_on_disk import CheckedTextsOnDisk
    from nomadspec.checkers.cli.boundary import Boundary
    from nomadspec.checkers.cli.overview import COMPLETION_VARIABLE, PROGRAM, overview
    from nomadspec.model.language.checked_texts import keeping_checked_texts

    instruction = os.environ.get(COMPLETION_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(overview, {}, PROGRAM, COMPLETION_VARIABLE, instruction)
    boundary = Boundary(wants_json=asks_for("--json", arguments))
    with (
        boundary,
        keeping_checked_texts(CheckedTextsOnDisk()),
        overview.make_context(PROGRAM, list(arguments)) as context,
    ):
        code = overview.invoke(context)
        boundary.exit_code = code if isinstance(code, int) else 0
        sys.stdout.flush()
    return boundary.exit_code


def main(mask: Iterable[int] | None = None) -> None:
    """Run the command line of this process; a mask is set once signals are heard, for some wait till then."""
    open_streams()
    outlived = outlive() if asks_for("--ray", sys.argv[1:]) else None
    if outlived is not None:
        sys.exit(outlived)
    take_signals()
    try:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        read_ending()
        code = run(sys.argv[1:])
    except KeyboardInterrupt as wish:
        shield()
        code = tell(wish)
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # what is left is to go
    leave_streams()
    tell_ending(code)
    sys.exit(code)


def read_ending() -> None:
    """Import what tells of an end; half of it could tell of none, so that a signal waits for that moment.

    The first name of a character that Python reads has it import them all, and it takes a signal meanwhile
    for an error of the text in which the name stands.
    """
    with shielded():
        from nomadspec.checkers.cli import boundary, overview  # noqa: F401 -- they are there from now on

        rb"\N{SPACE}".decode("unicode_escape")


def tell(wish: KeyboardInterrupt) -> int:
    """Tell that the program was stopped before it could begin, and give the exit code."""
    from nomadspec.checkers.cli.boundary import Boundary

    with Boundary(wants_json=asks_for("--json", sys.argv[1:])) as boundary:
        raise wish
    return boundary.exit_code
