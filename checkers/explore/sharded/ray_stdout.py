"""Keeps what Ray says off stdout, where the result stands: Ray tells there of processes that it lost."""

from __future__ import annotations

import sys
import threading
from typing import Any, Final, TextIO, cast

_RAY: Final = "ray_"
"""Begins the names of the threads in which Ray speaks."""


class _Ours:
    """A stream as it was, but for what Ray writes, which goes to stderr."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if threading.current_thread().name.startswith(_RAY):
            return sys.stderr.write(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- whatever a stream has
        return getattr(self._stream, name)


def keep_stdout() -> None:
    """Let Ray write to stderr what it would write to stdout from now on."""
    if not isinstance(sys.stdout, _Ours):
        sys.stdout = cast("TextIO", _Ours(sys.stdout))
