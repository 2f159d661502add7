"""How a verb ends: what was found comes first, and what goes to files beside it cannot change it.

A file that cannot be written is a warning, on stderr and in the object of ``--json``. It decides the exit
code only where nothing was found, for then the file was all that was left to go wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from nomadspec.checkers.cli.error_texts import explain
from nomadspec.checkers.cli.screen import tell
from nomadspec.checkers.stopping import shield
from nomadspec.model.errors import NomadSpecError

if TYPE_CHECKING:
    from nomadspec.checkers.cli.screen import Screen


def finish(
    screen: Screen,
    schema: str,
    data: Mapping[str, object],
    text: Callable[[], str],
    code: int,
    *beside: Callable[[], None],
) -> int:
    """Show a result, write what was asked for beside it, and give the exit code of both.

    An object of JSON has to name what failed, so it is printed when the files were tried; text comes first.
    """
    shield()
    if screen.wants_json:
        warnings, worst = try_each(beside)
        more = {"warnings": warnings} if warnings else {}
        screen.show(schema, {**data, **more}, text, code or worst)
    else:
        screen.show(schema, data, text, code)
        _, worst = try_each(beside)
    return code or worst


def try_each(writers: Sequence[Callable[[], None]]) -> tuple[list[str], int]:
    """Write one file after the other; say on stderr what failed; give the sentences and a code."""
    found = [problem for write in writers if (problem := _try(write)) is not None]
    for _, sentence in found:
        tell(f"nomadspec: warning: {sentence}")
    return [sentence for _, sentence in found], next((code for code, _ in found), 0)


def _try(write: Callable[[], None]) -> tuple[int, str] | None:
    try:
        write()
    except (NomadSpecError, OSError) as problem:
        return explain(problem)
    return None
