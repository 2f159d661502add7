"""``python -m nomadspec``: the command line, where the program is not on the path."""

from nomadspec.checkers.cli.main import main

if __name__ == "__main__":
    main()
