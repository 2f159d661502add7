"""Recordings of which something is taken away, at places that follow from a seed."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from nomadspec.checkers.oracle.reading import find_file, read_lines

Cut = Callable[[Path, Random], None]
"""Takes something away from the files of a folder."""


def copy_cut(source: Path, target: Path, how: str, seed: int) -> Path:
    """Copy a recording, and cut the copy."""
    shutil.copytree(source, target)
    CUTS[how](target, Random(f"{source.name} {how} {seed}"))
    return target


def keep(folder: Path, name: str, choose: Callable[[Sequence[str]], Sequence[str]]) -> None:
    """Keep some lines of a file."""
    path = find_file(folder, name)
    assert path is not None
    lines = [json.dumps(line.document) for line in read_lines(path)]
    path.unlink()
    (folder / name).write_text("".join(f"{line}\n" for line in choose(lines)))


def drop(folder: Path, *names: str) -> None:
    """Take files away."""
    for name in names:
        path = find_file(folder, name)
        assert path is not None
        path.unlink()


def place(lines: Sequence[str], random: Random) -> int:
    """Choose a line somewhere in between."""
    return random.randrange(2, len(lines) - 1)


def cut_middle(folder: Path, random: Random) -> None:
    """Lose lines in the middle of a stream, of which nobody told where it broke."""

    def choose(lines: Sequence[str]) -> Sequence[str]:
        first, second = sorted((place(lines, random), place(lines, random)))
        return [*lines[:first], *lines[second + 1 :]]

    keep(folder, "events.ndjson", choose)
    drop(folder, "scenario.json")


def lose_entry(folder: Path, random: Random) -> None:
    """Lose one entry of the log."""

    def choose(lines: Sequence[str]) -> Sequence[str]:
        at = place(lines, random)
        return [*lines[:at], *lines[at + 1 :]]

    keep(folder, "raft-log.ndjson", choose)


CUTS: Mapping[str, Cut] = {
    "a stream that is joined late": lambda folder, random: keep(
        folder, "events.ndjson", lambda lines: lines[place(lines, random) :]
    ),
    "a stream that ends early": lambda folder, random: keep(
        folder, "events.ndjson", lambda lines: lines[: place(lines, random)]
    ),
    "a stream with a gap": cut_middle,
    "a log that begins late": lambda folder, random: keep(
        folder, "raft-log.ndjson", lambda lines: lines[place(lines, random) :]
    ),
    "a log that ends early": lambda folder, random: keep(
        folder, "raft-log.ndjson", lambda lines: lines[: place(lines, random)]
    ),
    "a log with a gap": lose_entry,
    "a log without state": lambda folder, _: drop(folder, "raft-state.json", "final.json"),
    "no description": lambda folder, _: drop(folder, "scenario.json"),
    "no dump before": lambda folder, _: drop(folder, "initial.json"),
    "the stream alone": lambda folder, _: drop(
        folder, "raft-log.ndjson", "raft-state.json", "final.json", "initial.json", "scenario.json"
    ),
    "two dumps alone": lambda folder, _: drop(
        folder, "raft-log.ndjson", "raft-state.json", "events.ndjson", "scenario.json"
    ),
}
"""What may be missing of a recording, and how."""
