"""Reads files of recordings: one JSON object a line, plain or compressed."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from nomadspec.checkers.oracle.context import Document
from nomadspec.model.errors import InputError, UnreadableError

Json = Any
"""What JSON can hold."""

_PACKED: Final = (".gz", ".xz")
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB]\w{2}\\u[dD][c-fC-F]\w{2}|(?P<half>u[dD][89a-fA-F]\w{2})|.)", re.DOTALL
)
"""What a backslash begins inside JSON: a character of two halves, half of one, or anything else."""
_HALF: Final = "this holds half a character: {}"


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


def scan_lines(path: Path) -> Iterator[Line | InputError]:
    """Read the lines of a file; what is no JSON object is told in its place, and the next line is read."""
    number = 0
    try:
        for line in _read_bytes(path):
            number += 1
            if line.strip():
                yield _read_object(line, str(path), number)
    except InputError as error:
        at = f"line {number + 1}" if number else ""
        yield UnreadableError(str(path), error.problem, at=at)


def read_lines(path: Path) -> Iterator[Line]:
    """Read the lines of a file, all of which must be JSON objects."""
    for line in scan_lines(path):
        if isinstance(line, InputError):
            raise line
        yield line


def read_document(path: Path) -> Json:
    """Read a file that is one JSON document."""
    lines = [_decode(line, str(path), number) for number, line in enumerate(_read_bytes(path), 1)]
    for number, line in enumerate(lines, 1):
        half = _find_half(line)
        if half:
            raise UnreadableError(str(path), _HALF.format(half), at=f"line {number}")
    text = "\n".join(lines)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(str(path), f"this is no JSON: {error}") from None


def stem_of(path: Path) -> str:
    """Give the bare name of a file, without what tells its format and packing."""
    name = path.name
    for ending in (*_PACKED, ".ndjson", ".json"):
        name = name.removesuffix(ending)
    return name


def open_packed(path: Path) -> BinaryIO:
    """Open a file by the packing that its name tells."""
    match path.suffix:
        case ".gz":
            return io.BufferedReader(gzip.open(path))
        case ".xz":
            return io.BufferedReader(lzma.open(path))
    return path.open("rb")


def find_file(folder: Path, name: str) -> Path | None:
    """Find a file of a folder, packed or not, by the name that it has when it is not."""
    candidates = (folder / f"{name}{packing}" for packing in ("", *_PACKED))
    return next((path for path in candidates if path.is_file()), None)


def _read_bytes(path: Path) -> Iterator[bytes]:
    try:
        with open_packed(path) as file:
            for line in file:
                yield line.rstrip(b"\r\n")
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableError(str(path), f"it is damaged: {error}") from None
    except OSError as error:
        raise UnreadableError(str(path), f"it cannot be read: {error.strerror or error}") from None


def _decode(line: bytes, file: str, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError(file, f"it is damaged: {error}", at=f"line {number}") from None


def _read_object(line: bytes, file: str, number: int) -> Line | InputError:
    at = f"line {number}"
    try:
        text = _decode(line, file, number)
    except UnreadableError as error:
        return error
    half = _find_half(text)
    if half:
        return UnreadableError(file, _HALF.format(half), at=at)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        return UnreadableError(file, f"this is no JSON: {error}", at=at)
    if not isinstance(document, dict):
        return UnreadableError(file, "a recording is a JSON object, and this is none", at=at)
    return Line(file, number, document)


def _find_half(text: str) -> str:
    """Find the first escape that stands for half a character only, which is no text; empty without any."""
    if "\\ud" not in text and "\\uD" not in text:
        return ""
    halves = (match.group() for match in _ESCAPE.finditer(text) if match["half"])
    return next(halves, "")
