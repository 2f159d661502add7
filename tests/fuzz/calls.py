"""Damaged command lines: each option of each verb, with a value that it was not made for."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import click

from nomadspec.checkers.cli.early_arguments import asks_for
from nomadspec.checkers.cli.main import run
from nomadspec.checkers.cli.overview import overview
from nomadspec.model.errors import EXIT_HOLDS, EXIT_INTERNAL, EXIT_VIOLATED
from tests.fuzz.findings import ANSWERED, Outcome, Told, tell_defect
from tests.recorded import FOLDER

DOCS: Final = FOLDER.parents[1] / "docs"
_EXAMPLES: Final = DOCS / "how-to" / "examples"
_DRAIN: Final = f"{_EXAMPLES}/drain.py:DRAIN"
_CALLS: Final[tuple[tuple[str, ...], ...]] = (
    *(("explore", "--model", "2pc", "--set", "rms=1", "--states", "300", "--time", "1"),) * 3,
    ("simulate", "--model", "2pc", "--set", "rms=1", "--walks", "3", "--steps", "9", "--time", "0.2"),
    ("refine", "--model", "2pc", "--set", "rms=1", "--by", f"{_EXAMPLES}/atomic_commit.py", "--time", "1"),
    ("follow", f"{_EXAMPLES}/drain.ndjson", "--model", _DRAIN, "--time", "1"),
    ("follow", f"{_EXAMPLES}/drain-wrong.ndjson", "--model", _DRAIN, "--time", "1"),
    ("steps", "--model", "2pc", "--set", "rms=1"),
    ("steps", "--model", _DRAIN),
    ("vectors", "check", "RECORDINGS"),
    ("vectors", "refine", "RECORDINGS"),
    ("vectors", "show", "RECORDINGS", "line 1"),
    ("vectors", "make", "made", "--family", "gc", "--count", "1"),
    ("models",),
    ("models", "2pc"),
    ("properties",),
    ("findings",),
    ("rules",),
    ("scenario", "run", "SCENARIO", "--max-seconds", "5"),
    ("scenario", "judge", "SCENARIO"),
    ("scenario", "words"),
    ("story", "STORY"),
    ("schedule", "CALL"),
    ("dag", "CALL"),
    ("replay", "TRACE"),
    ("diagram", "node"),
    ("completion", "bash"),
    # What takes minutes is asked about a model that is not there.
    ("verify", "--model", "nobody"),
    ("mutants", "--model", "nobody"),
    ("prove", "nothing", "--model", "2pc"),
    ("conform", "--recordings", "nowhere", "--", "nobody"),
)
"""Calls that are answered soon, for each verb."""

_ODD: Final[tuple[str, ...]] = (
    "",
    " ",
    "-",
    "--",
    "-1",
    "0",
    "-0",
    "0.5",
    "1e400",
    "-1e400",
    "nan",
    "inf",
    "1_0",
    "0x10",
    "\u0663",
    "\u00b2",
    "9" * 5000,
    "=",
    "rms=",
    "=1",
    "rms=0",
    "rms=-1",
    "rms=\u0663",
    f"rms={'9' * 5000}",
    f"rms={2**63}",
    "k" * 300,
    "k/" * 3000,
    f"{'k' * 300}.py",
    f"{'k' * 300}.svg",
    f"{'k' * 300}.py:X",
    f"{'../' * 300}nobody",
    ".",
    "..",
    "~",
    "nobody.py:X",
    ".py",
    ":",
    "/dev/null",
    "/dev/full",
    "/dev/fd/0",
    "/proc/x",
    "loop",
    "loop.py",
    "pipe",
    "pipe.py:X",
    "pipe.svg",
    "empty",
    "empty.py",
    "halves.py",
    "folder",
    "folder.py",
    "folder.svg",
    "gone/file.json",
    "http://[::1",
    "http://127.0.0.1:1/v1",
    "//[",
    "%",
    "%s%n{0}",
    "{",
    "${",
    "\x1b[2K\raccepted",
    "\u202eabc\u2066",
    "a\nb",
    "a\tb",
    "\udcff\udc80",
    "*",
    "[",
    "(" * 5000,
    "s" * 300,
    "s." * 3000,
    "1 / 0",
    "s.x",
    "s",
    "not " * 3000 + "s",
    "[" * 90 + "]" * 90,
    "lambda: 0",
    "s := 1",
    "yield",
    "x y",
    "f(",
    "f(a",
    "f()",
    "f(a, b)",
    "'",
    '"',
    "\\",
    "+",
    "+X",
    "-X",
    "nomad-2.0+",
    "intended-X",
    "+".join(["X"] * 500),
    "x=1e400",
    "x=nan",
    "x=",
    "=x",
)
"""What stands where a word of a command line should."""

_WORK: Final = frozenset(
    {
        "--time",
        "--walks",
        "--steps",
        "--states",
        "--workers",
        "--acts",
        "--count",
        "--sample",
        "--bmc",
        "--for",
    }
)
"""More of these is more work, which takes as long as it takes."""
_FEW: Final = ("", "-1", "0", "1", "1e-9", "nan", "x", "\u0663", "9e", "inf ", "0x1")
_LONG_WORK: Final = frozenset({"verify", "mutants", "prove", "conform"})
"""Verbs that work for minutes where the word that names nothing is missing."""
_NEVER: Final = frozenset({"--ray", "--follow", "--help", "--effort", "--full", "--audit"})
"""What needs a cluster or a server, waits, or is more work."""


def make_call(rng: Random) -> tuple[bytes, bool]:
    """Make a command line, and damage a word or a few."""
    words = list(rng.choice(_CALLS))
    options = _list_options(tuple(words))
    for _ in range(rng.choice((1, 1, 2, 3))):
        _damage_call(words, options, rng)
    if rng.random() < 0.3:
        words.append("--json")
    return json.dumps(words).encode(), False


def _damage_call(words: list[str], options: Sequence[tuple[str, tuple[str, ...]]], rng: Random) -> None:
    at = rng.randrange(1, len(words) + 1)
    match rng.randrange(8):
        case 0 if at < len(words):
            before = words[at - 1]
            words[at] = rng.choice(_FEW if before in _WORK else _ODD)
        case 1 if at < len(words) and words[at - 1] not in _WORK and words[0] not in _LONG_WORK:
            del words[at]
        case 2:
            words.insert(at, rng.choice(_ODD))
        case _ if options:
            name, values = rng.choice(options)
            words += [name, rng.choice(values)] if values else [name]


@cache
def _list_options(words: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """List the options of a verb, each with values that it may be given; flags have none."""
    command: click.Command = overview
    for word in words:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    options = [one for one in command.params if isinstance(one, click.Option)]
    return [(name, _list_values(one)) for one in options for name in one.opts if _NEVER.isdisjoint(one.opts)]


def _list_values(option: click.Option) -> tuple[str, ...]:
    if option.is_flag:
        return ()
    if _WORK.intersection(option.opts):
        return _FEW
    if isinstance(option.type, click.Choice):
        return (*option.type.choices, *_ODD[:9])
    return _ODD


def call(content: bytes, place: Path, files: Mapping[str, Path]) -> Told:
    """Call the program in a folder in which odd things lie."""
    folder = _fill(place / "called")
    words = [str(files.get(word, word)) for word in json.loads(content)]
    with chdir(folder):
        return watch(words)


def _fill(folder: Path) -> Path:
    """Lay out what may be named: a circle of links, a pipe, what is empty, and what is no text."""
    if folder.is_dir():
        return folder
    for name in ("folder", "folder.py", "folder.svg"):
        (folder / name).mkdir(parents=True)
    for name in ("loop", "loop.py"):
        (folder / name).symlink_to(name)
    for name in ("pipe", "pipe.py", "pipe.svg"):
        os.mkfifo(folder / name)
    for name in ("empty", "empty.py"):
        (folder / name).touch()
    (folder / "halves.py").write_bytes(b"X = '\xff\x00'\n")
    return folder


def watch(words: list[str]) -> Told:
    """Run a command line, and look at what it shows."""
    with _caught() as (out, err):
        code = run(words)
    if out.has_picture():
        return ANSWERED
    shown = out.getvalue() + err.getvalue()
    verb = " ".join(word for word in words[:2] if word.isalpha() and len(word) < _LONG)
    if code == EXIT_INTERNAL:
        begin = max(shown.find("this program failed"), shown.find("This is a defect"))
        return tell_defect(shown[max(begin, 0) :])
    flaw = next(_list_flaws(words, code, shown, out.getvalue()), None)
    return ANSWERED if flaw is None else Told(Outcome.WRONG, f"{verb} {flaw}")


def _list_flaws(words: list[str], code: int, shown: str, out: str) -> Iterator[str]:
    plain = _COLOR.sub("", shown) if "--color" in words else shown
    if not plain.replace("\n", "").replace("\t", "").isprintable():  # DOT is written with tabs
        yield "lets through what a terminal obeys"
    if _wants_json(words) and not _is_one_object(out):
        yield "prints no object, or more than one"
    if not asks_for("--json", words) and _ERROR in out:
        yield "prints an object that nobody asked for"
    if _TRACE in shown:
        yield "shows where in the program it failed"
    if code not in {EXIT_HOLDS, EXIT_VIOLATED} and not shown.strip():
        yield f"ends with {code} and says nothing"


_LONG: Final = 12
_TRACE: Final = "Traceback (most recent call last)"
_ERROR: Final = '"schema": "nomadspec/error/1"'
_COLOR: Final = re.compile(r"\x1b\[[\d;]*m")


def _wants_json(words: Sequence[str]) -> bool:
    """Tell whether JSON was asked for, and the word is no argument and no value of an option before it."""
    at = words.index("--json") if "--json" in words else 0
    return at > 0 and "--" not in words[:at] and not words[at - 1].startswith("-")


def _is_one_object(text: str) -> bool:
    """Tell whether there is one, or, where each recording has its own, one in each line."""
    for parts in ([text], text.splitlines()):
        with suppress(ValueError):
            return all(isinstance(json.loads(part), dict) for part in parts)
    return False


class _Output(io.TextIOWrapper):
    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True, newline="\n")

    def has_picture(self) -> bool:
        """Tell whether pixels were written, which are no text."""
        return self._get_bytes().startswith(b"\x89PNG")

    def getvalue(self) -> str:
        return self._get_bytes().decode()

    def _get_bytes(self) -> bytes:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue()


@contextmanager
def _caught() -> Iterator[tuple[_Output, _Output]]:
    out, err = _Output(), _Output()
    with redirect_stdout(out), redirect_stderr(err):
        yield out, err
    sys.stdout.flush()
