"""What is known of a command line before it is read."""

from collections.abc import Sequence
from typing import Final

INTERRUPTED: Final = "Interrupted before there was anything to report."


def asks_for(option: str, arguments: Sequence[str]) -> bool:
    """True if a command line has an option; what stands behind ``--`` is for somebody else."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return option in arguments[:end]
