"""``python -m nomadspec.checkers.oracle.sharpness [PATH...]``: how many corrupted recordings are rejected."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from nomadspec.checkers.oracle.check import judge_line, reader_beside
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.corrupt import Corruption, list_corruptions
from nomadspec.checkers.oracle.equivalence import find_row
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.oracle.reading import Line, read_lines, stem_of
from nomadspec.checkers.oracle.registry import Kind, find_kind
from nomadspec.model.errors import EXIT_HOLDS, EXIT_VIOLATED, UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0

LEAST: Final = 0.99
"""So large a part of the corruptions must be rejected."""

_SEED: Final = 20
_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Survivor:
    """A corruption that was not rejected."""

    id: str
    ruling: Ruling
    corruption: Corruption


@dataclass(slots=True)
class Sharpness:
    """How many corruptions of recordings of one kind were rejected."""

    kind: str
    recordings: int = 0
    rejected: int = 0
    forgiven: int = 0
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Count the corruptions that had to be rejected."""
        return self.rejected + len(self.survivors)

    @property
    def share(self) -> float:
        """Give the part of them that was."""
        return self.rejected / self.total if self.total else 0.0

    @property
    def is_sharp(self) -> bool:
        """True if enough were."""
        return self.share >= LEAST

    def __str__(self) -> str:
        return (
            f"{self.kind}: {self.rejected} of {self.total} rejected ({self.share:.2%}) "
            f"in {self.recordings} recordings, {self.forgiven} forgiven"
        )


def measure(
    kind: Kind,
    lines: Iterable[Line],
    make_context: Callable[[], Context],
    *,
    most: int | None = None,
    seed: int = _SEED,
) -> Sharpness:
    """Corrupt recordings and judge them; of each recording at most so many corruptions."""
    told = Sharpness(kind.name)
    for line in lines:
        if judge_line(kind, line, make_context()).ruling is not Ruling.ACCEPTED:
            continue  # a judge that rejects what was recorded is not sharp, it is wrong
        told.recordings += 1
        for one in list_corruptions(kind.name, line.document, seed=seed, most=most):
            ruling = _rule_on(kind, Line(line.file, line.number, one.document), make_context())
            if ruling in {None, Ruling.REJECTED}:
                told.rejected += 1
            elif find_row(kind.name, one.path, one.before, one.after):
                told.forgiven += 1
            elif ruling is not None:
                told.survivors.append(Survivor(line.id, ruling, one))
    return told


def _rule_on(kind: Kind, line: Line, context: Context) -> Ruling | None:
    """Judge a recording; None where it can no longer be read as one, which gives it away as well."""
    try:
        return judge_line(kind, line, context).ruling
    except UnreadableError:
        return None


def main(arguments: Sequence[str]) -> int:
    """Corrupt the recordings of files and list what was not rejected."""
    is_sharp = True
    for path in map(Path, arguments):
        kind = find_kind(path.absolute().parent.name, stem_of(path))
        if kind is None or kind.is_data:
            continue
        beside = reader_beside(path)
        told = measure(kind, read_lines(path), partial(Context, NOMAD_2_0, read_sibling=beside))
        is_sharp = is_sharp and told.is_sharp
        sys.stdout.write(f"{told}\n")
        for one in told.survivors[:_SHOWN]:
            changed = one.corruption
            sys.stdout.write(
                f"  {one.ruling} {one.id} {changed.path} {changed.how}: "
                f"{str(changed.before)[:80]} -> {str(changed.after)[:80]}\n"
            )
    return EXIT_HOLDS if is_sharp else EXIT_VIOLATED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
