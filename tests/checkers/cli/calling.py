"""Calls the command line in this process and keeps what it wrote."""

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.cli.main import run


@dataclass(frozen=True)
class Called:
    """How a call ended, and what it wrote."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()

    @property
    def data(self) -> Any:
        return json.loads(self.out)


class Terminal(io.TextIOWrapper):
    """A stream that looks like a terminal, or does not."""

    def __init__(self, *, is_terminal: bool) -> None:
        self.bytes = io.BytesIO()
        self._is_terminal = is_terminal
        super().__init__(self.bytes, encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        return self._is_terminal


def call(*words: str | Path, is_terminal: bool = False) -> Called:
    """Run a command line."""
    out, err = Terminal(is_terminal=is_terminal), Terminal(is_terminal=is_terminal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = run([str(word) for word in words])
    return Called(code, out.bytes.getvalue(), err.bytes.getvalue().decode())
