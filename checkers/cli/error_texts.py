"""What an error is called on the command line: an exit code and a sentence, or an object of JSON."""

from __future__ import annotations

import errno
import re
from difflib import get_close_matches
from typing import Final

import click

from nomadspec.checkers.cli.early_arguments import INTERRUPTED
from nomadspec.checkers.written_by import TOOL
from nomadspec.model.errors import (
    EXIT_INCONCLUSIVE,
    EXIT_INTERNAL,
    EXIT_UNREADABLE,
    EXIT_USAGE,
    InputError,
    NomadSpecError,
    UnknownNameError,
    end_sentence,
)

TRACEBACK_VARIABLE: Final = "NOMADSPEC_TRACEBACK"
"""Set it to see where an error came from."""

_MEANT: Final = {"--format": "--json", "--output": "--out"}
"""What is meant by an option that other programs have."""
_WHICH_MODELS: Final = "`nomadspec models` lists the models; one of your own is --model FILE.py:NAME."
_SHOWN: Final = 150
_ENDLESS: Final = re.compile(rf"\S{{{3 * _SHOWN},}}")
_NEAR: Final = 0.75
"""So much of the names of two options is alike where one is a slip of the other."""


def explain(error: BaseException) -> tuple[int, str]:
    """Give the exit code and the sentence that an error stands for, without the middle of endless words."""
    code, sentence = _explain(error)
    return code, _ENDLESS.sub(lambda word: f"{word[0][:_SHOWN]}...{word[0][-_SHOWN:]}", sentence)


def _explain(error: BaseException) -> tuple[int, str]:  # noqa: PLR0911 -- one kind of error a return
    match error:
        case NomadSpecError():
            return error.exit_code, str(error)
        case click.UsageError():
            where = error.ctx.command_path if error.ctx else "nomadspec"
            return EXIT_USAGE, f"{_tell_wrong_call(error)} `{where} --help` shows what it takes."
        case click.ClickException():
            return EXIT_USAGE, error.format_message()
        case KeyboardInterrupt() | click.Abort() | RuntimeError(__cause__=KeyboardInterrupt()):
            return EXIT_INCONCLUSIVE, INTERRUPTED
        case MemoryError():
            return EXIT_INCONCLUSIVE, "There was not enough memory to go on; try a smaller scope."
        case OSError(errno=errno.ENAMETOOLONG | errno.ELOOP):
            reason = f"no file can have this name ({error.strerror}); name another"
            return EXIT_UNREADABLE, f"{error.filename}: {reason}."
        case FileNotFoundError(
            filename=None
        ):  # so the system answers where it is asked for the folder of a process
            return EXIT_INCONCLUSIVE, "The folder in which this was called is gone; call it in another."
        case OSError():
            where = f"{error.filename}: " if error.filename is not None else ""
            cause = error.strerror or error
            return (
                EXIT_INCONCLUSIVE,
                f"{where}the system refuses to go on ({cause}); mend that and call again.",
            )
    return EXIT_INTERNAL, (
        f"This is a defect of nomadspec ({type(error).__name__}: {error}); "
        f"please report it with what {TRACEBACK_VARIABLE}=1 shows."
    )


def _tell_wrong_call(error: click.UsageError) -> str:
    """Say what is wrong; of an unknown option which may be meant, where click names what is hardly alike."""
    if not isinstance(error, click.NoSuchOption):
        message = end_sentence(" ".join(error.format_message().split()).rstrip(","))
        is_model = isinstance(error, click.MissingParameter) and error.param and "--model" in error.param.opts
        return f"{message} {_WHICH_MODELS}" if is_model else message
    name = error.option_name
    params = error.ctx.command.params if error.ctx else []
    known = [option for param in params for option in param.opts if option.startswith("--")]
    meant = _MEANT.get(name)
    near = [meant] if meant in known else get_close_matches(name, known, cutoff=_NEAR)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"No such option {name!r}.{hint}"


def data_of(error: BaseException, exit_code: int, sentence: str) -> dict[str, object]:
    """Write an error as an object: docs/reference/json/error.json says what its fields mean."""
    data: dict[str, object] = {
        "schema": "nomadspec/error/1",
        "tool": TOOL,
        "verdict": "inconclusive",
        "exit_code": exit_code,
        "error": type(error).__name__,
        "message": sentence,
    }
    if isinstance(error, UnknownNameError):
        data |= {"name": error.name, "known": list(error.known)}
    if isinstance(error, InputError):
        data |= {"file": error.file, "at": error.at}
    return data
