"""The program that is asked: it is started, spoken to line by line, and started again when it broke off."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from typing import IO, Final, Self

from nomadspec.checkers.conform.judging import Question
from nomadspec.checkers.conform.protocol import (
    Hello,
    Reply,
    SpeechError,
    read_hello,
    read_reply,
    write_greeting,
    write_question,
)
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.model.errors import UnreadableError, UsageError

HELLO_S: Final = 30.0
"""So long a program may take to say what it is."""
QUESTION_S: Final = 10.0
"""So long it may take to answer, unless told otherwise."""

_LEAVE_S: Final = 2.0
"""So long it may take to end once there is nothing more to read."""
_COMPLAINTS: Final = 20
"""So many lines of what it writes to stderr are kept."""
_COMPLAINT_BYTES: Final = 400


class FailedError(Exception):
    """A program gave no answer to a question: it ended, took too long, or broke the protocol."""


@dataclass(slots=True)
class _Process:
    """One run of the program, with the threads that read and write its streams."""

    process: subprocess.Popen[bytes]
    limits: Limits
    lines: Queue[bytes | None] = field(default_factory=Queue)
    to_write: Queue[bytes | None] = field(default_factory=Queue)
    complaints: deque[bytes] = field(default_factory=lambda: deque(maxlen=_COMPLAINTS))
    threads: list[threading.Thread] = field(default_factory=list)
    is_too_long: bool = False

    def begin(self) -> None:
        """Start the threads."""
        for work in (self._read_lines, self._read_complaints, self._write_lines):
            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            self.threads.append(thread)

    def _read_lines(self) -> None:
        stream = _get(self.process.stdout)
        with suppress(OSError, ValueError):
            while line := stream.readline(self.limits.line_bytes + 1):
                if len(line) > self.limits.line_bytes:
                    self.is_too_long = True
                    break
                self.lines.put(line)
        self.lines.put(None)

    def _read_complaints(self) -> None:
        stream = _get(self.process.stderr)
        with suppress(OSError, ValueError):
            while line := stream.readline(_COMPLAINT_BYTES):
                self.complaints.append(line)

    def _write_lines(self) -> None:
        stream = _get(self.process.stdin)
        with suppress(OSError, ValueError):
            while (line := self.to_write.get()) is not None:
                stream.write(line)
                stream.flush()
        with suppress(OSError, ValueError):
            stream.close()

    def end(self) -> None:
        """Let the program end; what is left of it after a while is ended, with all that it started."""
        self.to_write.put(None)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(_LEAVE_S)
        self.kill()

    def kill(self) -> None:
        """End the program and its group at once, and let go of its streams."""
        self.to_write.put(None)
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        for thread in self.threads:
            thread.join(_LEAVE_S)
        for stream in (self.process.stdout, self.process.stderr):
            with suppress(OSError):
                _get(stream).close()


def _get(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise OSError("the stream was not opened")
    return stream


class Program:
    """A program that answers questions; it is started again when it broke off."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        profile: str,
        limits: Limits = LIMITS,
        question_s: float = QUESTION_S,
    ) -> None:
        """Keep how it is started; it is, with the first question."""
        self.command = tuple(command)
        self.starts = 0
        self._profile = profile
        self._limits = limits
        self._question_s = question_s
        self._running: _Process | None = None
        self._hello: Hello | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def greet(self) -> Hello:
        """Start the program if it does not run, and give what it says of itself."""
        if self._running is None or self._hello is None:
            self._running = self._start()
            try:
                line = self._speak(self._running, write_greeting(self._profile), HELLO_S)
                self._hello = read_hello(line, self._limits)
            except SpeechError as error:
                self._break_off()
                raise self._refuse(str(error)) from None
            except FailedError as error:
                raise self._refuse(str(error)) from None
        return self._hello

    def ask(self, question: Question) -> Reply:
        """Ask a question; a program that gives no answer is ended, and started again for the next one."""
        self.greet()
        running = self._running
        if running is None:
            raise FailedError("it does not run")
        try:
            line = self._speak(running, write_question(question), self._question_s)
            return read_reply(line, question, self._limits)
        except SpeechError as error:
            self._break_off()
            raise FailedError(f"a malformed line: {error}") from None

    def close(self) -> None:
        """Let the program end."""
        if self._running is not None:
            self._running.end()
            self._running = None

    def _start(self) -> _Process:
        self.starts += 1
        try:
            process = subprocess.Popen(  # noqa: S603 -- the command that the user gave
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",
            )
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or error
            raise UsageError(f"The program {self.command[0]!r} cannot be started: {problem}.") from None
        running = _Process(process, self._limits)
        running.begin()
        return running

    def _speak(self, running: _Process, line: str, seconds: float) -> bytes:
        """Say a line and wait for the next one."""
        running.to_write.put(line.encode() + b"\n")
        try:
            answer = running.lines.get(timeout=seconds)
        except Empty:
            self._break_off()
            raise FailedError(f"no answer within {seconds:g} s") from None
        if answer is None:
            raise FailedError(self._describe_end(running))
        return answer

    def _describe_end(self, running: _Process) -> str:
        if running.is_too_long:
            self._break_off()
            return f"a line of more than {self._limits.line_mib} MiB"
        with suppress(subprocess.TimeoutExpired):
            running.process.wait(_LEAVE_S)
        code = running.process.returncode
        self._break_off()
        said = b"".join(running.complaints).decode(errors="replace").strip().splitlines()
        ended = "it closed its output" if code is None else f"it ended with the code {code}"
        return f"{ended}{f', saying {said[-1]!r}' if said else ''}"

    def _break_off(self) -> None:
        if self._running is not None:
            self._running.kill()
            self._running = None

    def _refuse(self, problem: str) -> UnreadableError:
        return UnreadableError(
            " ".join(self.command),
            f"it does not say what it is: {problem}",
            hint="docs/how-to/judge-an-implementation.md says what the first line is",
        )
