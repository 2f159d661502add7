"""Reads files of recordings: one JSON object a line, plain or compressed."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from nomadspec.checkers.oracle.limits import (
    LIMITS,
    Limits,
    refuse_document,
    refuse_entries,
    refuse_line,
    refuse_size,
)
from nomadspec.checkers.oracle.strict_json import Json, parse_json
from nomadspec.checkers.regular_files import demand_ordinary, look_at, open_ordinary
from nomadspec.model.errors import InputError, UnreadableError

if TYPE_CHECKING:
    from nomadspec.checkers.oracle.context import Document

_PACKED: Final = (".gz", ".xz")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file of recordings."""

    file: str
    number: int
    document: Document

    @property
    def id(self) -> str:
        """Give the name of the recording, or its line where it has none."""
        return str(self.document.get("id", f"line {self.number}"))


def scan_lines(path: Path, limits: Limits = LIMITS) -> Iterator[Line | InputError]:
    """Read the lines of a file; what is no JSON object is told in its place, and the next line is read."""
    number = 0
    try:
        for line in read_bytes(path, limits):
            number += 1
            if isinstance(line, InputError):
                yield line
            elif line.strip():
                yield parse_line(line, str(path), number, limits)
    except InputError as error:
        at = error.at or (f"line {number + 1}" if number else "")
        yield UnreadableError(str(path), error.problem, at=at, hint=error.hint)


def read_lines(path: Path, limits: Limits = LIMITS) -> Iterator[Line]:
    """Read the lines of a file, all of which must be JSON objects."""
    for line in scan_lines(path, limits):
        if isinstance(line, InputError):
            raise line
        yield line


def read_document(path: Path, limits: Limits = LIMITS) -> Json:
    """Read a file that is one JSON document."""
    lines: list[str] = []
    left = limits.line_bytes
    for number, line in enumerate(read_bytes(path, limits), 1):
        if isinstance(line, InputError):
            raise refuse_document(str(path), limits)
        left -= len(line) + 1
        if left < 0:
            raise refuse_document(str(path), limits)
        lines.append(_decode(line, str(path), number))
    return parse_json("\n".join(lines), str(path), "", limits)


def stem_of(path: Path) -> str:
    """Give the bare name of a file, without what tells its format and packing."""
    name = path.name
    for ending in (*_PACKED, ".ndjson", ".json"):
        name = name.removesuffix(ending)
    return name


@contextmanager
def open_packed(path: Path, limits: Limits = LIMITS) -> Iterator[BinaryIO]:
    """Open a file by the packing that its name tells; one that is too large before that is not begun."""
    with open_ordinary(path) as file:
        if os.fstat(file.fileno()).st_size > limits.file_bytes:
            raise refuse_size(str(path), limits)
        match path.suffix:
            case ".gz":
                with io.BufferedReader(gzip.GzipFile(fileobj=file)) as unpacked:
                    yield unpacked
            case ".xz":
                with io.BufferedReader(lzma.open(file)) as unpacked:
                    yield unpacked
            case _:
                yield file


def find_file(folder: Path, name: str) -> Path | None:
    """Find a file of a folder, packed or not, by the name that it has when it is not."""
    candidates = (folder / f"{name}{packing}" for packing in ("", *_PACKED))
    return next((path for path in candidates if path.is_file()), None)


def read_bytes(path: Path, limits: Limits) -> Iterator[bytes | UnreadableError]:
    """Read lines, and say in its place which one is too long; what never ends is refused."""
    total = 0
    try:
        with open_packed(path, limits) as file:
            for number in range(1, limits.entries + 1):
                line, size = _read_bounded(file, limits.line_bytes, limits.file_bytes - total)
                total += size
                if total > limits.file_bytes:
                    raise refuse_size(str(path), limits)
                if not size:
                    return
                yield line if size <= limits.line_bytes else refuse_line(str(path), number, limits)
            if file.read(1):
                raise refuse_entries(str(path), limits)
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableError(str(path), f"it is damaged: {error}") from None
    except OSError as error:
        raise UnreadableError(str(path), f"it cannot be read: {error.strerror or error}") from None


def demand_end(path: Path, limits: Limits) -> None:
    """Refuse pipes and devices, which may never end, and what is too large before it is read."""
    about = look_at(path)
    if not stat.S_ISDIR(about.st_mode):
        demand_ordinary(path, about)
    if stat.S_ISREG(about.st_mode) and about.st_size > limits.file_bytes:
        raise refuse_size(str(path), limits)


def _read_bounded(file: BinaryIO, most: int, left: int) -> tuple[bytes, int]:
    """Read a line and count its bytes; of one that is too long only the beginning is kept."""
    line = file.readline(most + 1)
    size = len(line)
    part = line
    while size > most and not part.endswith(b"\n") and size <= left:
        part = file.readline(most + 1)
        size += len(part)
        if not part:
            break
    return line.rstrip(b"\r\n"), size


def _decode(line: bytes, file: str, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError(file, f"it is damaged: {error}", at=f"line {number}") from None


def parse_line(line: bytes, file: str, number: int, limits: Limits = LIMITS) -> Line | InputError:
    """Read one line; what is no JSON object is told in its place."""
    at = f"line {number}"
    try:
        document = parse_json(_decode(line, file, number), file, at, limits)
    except UnreadableError as error:
        return error
    if not isinstance(document, dict):
        return UnreadableError(file, "a recording is a JSON object, and this is none", at=at)
    return Line(file, number, document)
