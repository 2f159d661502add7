"""Where the program begins, as a script and as ``python -m nomadspec``: what would stop it waits at first."""

import signal

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    """Read the program, and run it; only then is there something that can answer Ctrl-C."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    from nomadspec.checkers.cli.main import main as run  # noqa: PLC0415 -- this takes most of the start

    run(mask)


if __name__ == "__main__":
    main()
