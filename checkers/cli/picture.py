"""Where a picture goes: to a file, to stdout, or into a JSON object."""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from nomadspec.checkers.cli.screen import Screen
from nomadspec.checkers.report.fields import write_file
from nomadspec.model.errors import UsageError

_BINARY: Final = frozenset({"png"})


def write_picture(
    picture: bytes, output: Path | None, screen: Screen, schema: str, data: Mapping[str, object]
) -> None:
    """Write a picture where it was asked for; ``data`` describes it and says its ``format``."""
    is_binary = data["format"] in _BINARY
    if output is not None:
        write_file(output, picture)
    if screen.wants_json:
        content = base64.b64encode(picture).decode() if is_binary else picture.decode()
        encoding = "base64" if is_binary else "text"
        whole = {**data, "encoding": encoding, "content": content, "file_written": _name(output)}
        screen.show(schema, whole, lambda: "")
    elif output is None:
        if is_binary and sys.stdout.isatty():
            raise UsageError("A PNG would fill the terminal with rubbish: write it to a file with -o FILE.")
        sys.stdout.buffer.write(picture)
    else:
        click.echo(f"wrote {output}", err=True)


def _name(output: Path | None) -> str | None:
    return str(output) if output is not None else None
