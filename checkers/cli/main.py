"""The entry point of ``nomadspec``: runs a command line and turns its end into an exit code.

It imports nothing that takes long, so that Ctrl-C is answered from the first moment on.
"""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

EXIT_INTERRUPTED: Final = 130
"""Ctrl-C before there was anything to report, as shells expect it."""
INTERRUPTED: Final = "Interrupted before there was anything to report."


def run(arguments: Sequence[str]) -> int:
    """Run a command line and give its exit code; nothing is raised."""
    from click.shell_completion import shell_complete

    from nomadspec.checkers.cli.boundary import Boundary
    from nomadspec.checkers.cli.overview import COMPLETION_VARIABLE, PROGRAM, overview

    instruction = os.environ.get(COMPLETION_VARIABLE)
    if instruction:
        return shell_complete(overview, {}, PROGRAM, COMPLETION_VARIABLE, instruction)
    boundary = Boundary(wants_json="--json" in arguments)
    with boundary, overview.make_context(PROGRAM, list(arguments)) as context:
        code = overview.invoke(context)
        sys.stdout.flush()
        boundary.exit_code = code if isinstance(code, int) else 0
    return boundary.exit_code


def main() -> None:
    """Run the command line of this process."""
    open_streams()
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write(f"nomadspec: {INTERRUPTED}\n")
        code = EXIT_INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is to go
    sys.exit(code)


def open_streams() -> None:
    """Let vanish what is written to a stream that was closed before the start."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 -- until the end
