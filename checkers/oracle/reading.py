"""Reads files of recordings: one JSON object a line, plain or compressed."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from nomadspec.checkers.oracle.context import Document
from nomadspec.model.errors import InputError

Json = Any
"""What JSON can hold."""

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


def read_lines(path: Path) -> Iterator[Line]:
    """Read the lines of a file; what is no JSON object is told with its line."""
    for number, text in enumerate(_read_texts(path), start=1):
        if text.strip():
            yield Line(str(path), number, _read_object(text, str(path), number))


def read_document(path: Path) -> Json:
    """Read a file that is one JSON document."""
    text = "\n".join(_read_texts(path))
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(str(path), f"this is no JSON: {error}") from None


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


def _read_texts(path: Path) -> Iterator[str]:
    try:
        with open_packed(path) as file:
            for line in file:
                yield line.decode()
    except OSError as error:
        raise InputError(str(path), f"it cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(str(path), f"it is damaged: {error}") from None


def _read_object(text: str, file: str, number: int) -> Document:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(file, f"this is no JSON: {error}", at=f"line {number}") from None
    if not isinstance(document, dict):
        raise InputError(file, "a recording is a JSON object, and this is none", at=f"line {number}")
    return document
