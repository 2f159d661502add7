"""Where a picture goes: to a file, to stdout, or into a JSON object."""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from nomadspec.checkers.cli.ending import try_each
from nomadspec.checkers.cli.screen import Screen, tell
from nomadspec.checkers.report.json_fields import write_file
from nomadspec.checkers.stopping import shield
from nomadspec.model.errors import UsageError

_BINARY: Final = frozenset({"png"})


def write_picture(
    picture: bytes, output: Path | None, screen: Screen, schema: str, data: Mapping[str, object]
) -> int:
    """Write a picture where it was asked for; ``data`` describes it and says its ``format``.

    Gives the exit code of a file that could not be written, which counts only where nothing else was found.
    """
    shield()
    is_binary = data["format"] in _BINARY
    beside = [] if output is None else [partial(write_file, output, picture)]
    warnings, code = try_each(beside)
    if screen.wants_json:
        content = base64.b64encode(picture).decode() if is_binary else picture.decode()
        encoding = "base64" if is_binary else "text"
        written = None if warnings else _name(output)
        whole = {**data, "encoding": encoding, "content": content, "file_written": written}
        whole |= {"warnings": warnings} if warnings else {}
        screen.show(schema, whole, lambda: "")
    elif output is None:
        if is_binary and sys.stdout.isatty():
            raise UsageError("A PNG cannot be shown on a terminal: write it to a file with -o FILE.")
        sys.stdout.buffer.write(picture)
    elif not warnings:
        tell(f"wrote {output}")
    return code


def _name(output: Path | None) -> str | None:
    return str(output) if output is not None else None
