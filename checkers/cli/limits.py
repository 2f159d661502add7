"""``--max-line`` and the like: how much of what a verb is fed it takes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.oracle.limits import LIMITS, Limits

_SIZES = WholeRange(1, 1 << 30)


def takes_sizes(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options that bound the size of its input, and hand it ``limits``."""

    @click.option(
        "--max-line",
        "line_mib",
        type=_SIZES,
        default=LIMITS.line_mib,
        show_default=True,
        metavar="MIB",
        help="Refuse lines, and JSON files that are one document, longer than this.",
    )
    @click.option(
        "--max-file",
        "file_mib",
        type=_SIZES,
        default=LIMITS.file_mib,
        show_default=True,
        metavar="MIB",
        help="Refuse files larger than this, unpacked.",
    )
    @click.option(
        "--max-entries",
        "entries",
        type=_SIZES,
        default=LIMITS.entries,
        show_default=True,
        metavar="NUMBER",
        help="Refuse files with more lines.",
    )
    @click.option(
        "--max-nesting",
        "nesting",
        type=WholeRange(1, 250),
        default=LIMITS.nesting,
        show_default=True,
        metavar="NUMBER",
        help="Refuse JSON nested deeper than this.",
    )
    @functools.wraps(verb)
    def with_limits(
        *arguments: Any, line_mib: int, file_mib: int, entries: int, nesting: int, **others: Any
    ) -> int:
        limits = Limits(line_mib, file_mib, entries, nesting)
        return verb(*arguments, limits=limits, **others)

    return with_limits


def takes_seconds(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the option that bounds how long it thinks, and hand it ``seconds``."""
    return click.option(
        "--max-seconds",
        "seconds",
        type=FiniteRange(0),
        default=LIMITS.seconds,
        show_default=True,
        metavar="NUMBER",
        help="Give up on one recording after this many seconds; 0: never.",
    )(verb)


def takes_walk(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the option that bounds its walks through folders, and hand it ``walk``."""
    return click.option(
        "--max-walk",
        "walk",
        type=_SIZES,
        default=LIMITS.walk,
        show_default=True,
        metavar="NUMBER",
        help="Refuse folders with more files and folders in them, at all depths.",
    )(verb)


def takes_limits(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options that bound its input and its time, and hand it ``limits``."""
    return takes_sizes(takes_seconds(_join(verb, "seconds")))


def takes_folder_limits(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb that reads folders ``--max-walk`` besides, and hand it all as ``limits``."""
    return takes_limits(takes_walk(_join(verb, "walk")))


def _join(verb: Callable[..., int], name: str) -> Callable[..., int]:
    """Let a verb be handed a limit of this name with the others."""

    @functools.wraps(verb)
    def with_limits(*arguments: Any, limits: Limits, **others: Any) -> int:
        return verb(*arguments, limits=replace(limits, **{name: others.pop(name)}), **others)

    return with_limits
