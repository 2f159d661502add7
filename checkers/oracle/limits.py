"""How much of what is fed to the oracle is taken: bytes, lines, depth and seconds.

A limit that is reached is told in a sentence that names the option by which it is raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nomadspec.model.errors import UnreadableError

MIB: Final = 1 << 20
_HOLDERS: Final = frozenset({dict, list})


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read of a file at most, and how long is thought about one recording."""

    line_mib: int = 16
    """Bytes of one line, or of a file that is one document: in memory they may take thirty times as much."""
    file_mib: int = 1024
    """Bytes of one file, unpacked."""
    entries: int = 1_000_000
    """Lines of a file."""
    nesting: int = 100
    """Lists and objects inside one another."""
    seconds: float = 300.0
    """For one recording; 0 is no limit."""
    walk: int = 100_000
    """Files and folders inside a folder, and inside those in it."""

    @property
    def line_bytes(self) -> int:
        """Give the limit of a line in bytes."""
        return self.line_mib * MIB

    @property
    def file_bytes(self) -> int:
        """Give the limit of a file in bytes."""
        return self.file_mib * MIB


LIMITS: Final = Limits()
"""What holds where nobody asks for something else."""


def refuse_line(file: str, number: int, limits: Limits) -> UnreadableError:
    """True while a line is too long."""
    problem = f"this line is longer than {limits.line_mib} MiB"
    return UnreadableError(file, problem, at=f"line {number}", hint="allow more with --max-line MIB")


def refuse_document(file: str, limits: Limits) -> UnreadableError:
    """True while a file that is one document is too large."""
    problem = f"it is one document of more than {limits.line_mib} MiB"
    return UnreadableError(file, problem, hint="allow more with --max-line MIB")


def refuse_size(file: str, limits: Limits) -> UnreadableError:
    """True while a file is too large, packed or not."""
    problem = f"it holds more than {limits.file_mib} MiB, unpacked"
    return UnreadableError(file, problem, hint="allow more with --max-file MIB")


def refuse_entries(file: str, limits: Limits) -> UnreadableError:
    """True while there are too many lines in a file."""
    problem = f"there are more than {limits.entries:,} lines in it"
    return UnreadableError(file, problem, hint="allow more with --max-entries NUMBER")


def refuse_walk(folder: str, limits: Limits) -> UnreadableError:
    """True while there are too many files and folders in a folder, and in those inside it."""
    problem = f"there are more than {limits.walk:,} files and folders in it"
    return UnreadableError(folder, problem, hint="name a folder in it, or allow more with --max-walk NUMBER")


def refuse_nesting(file: str, at: str, limits: Limits) -> UnreadableError:
    """True while lists and objects stand too deep inside one another."""
    problem = f"lists and objects are nested more than {limits.nesting} deep"
    return UnreadableError(file, problem, at=at, hint="allow more with --max-nesting NUMBER")


def is_nested_deeper(tree: object, most: int) -> bool:
    """True if more lists and objects than so stand inside one another; level by level, not recursive."""
    level = [tree] if type(tree) in _HOLDERS else []
    depth = 0
    while level and depth <= most:
        depth += 1
        inside: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inside.extend(each.values())
            elif isinstance(each, list):
                inside.extend(each)
        level = [each for each in inside if type(each) in _HOLDERS]
    return depth > most
