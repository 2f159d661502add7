"""How help texts are wrapped, between words only, and which help a wrong call leads to."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Final

import click

_HYPHEN: Final = "\N{NON-BREAKING HYPHEN}"


class _Formatter(click.HelpFormatter):
    """A formatter that hides hyphens from the wrapping, which would break words at them."""

    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", _HYPHEN))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        hidden = [(name, about.replace("-", _HYPHEN)) for name, about in rows]
        super().write_dl(hidden, col_max, col_spacing)

    def getvalue(self) -> str:
        return super().getvalue().replace(_HYPHEN, "-")


class HelpContext(click.Context):
    """The context of a command whose help breaks no word, and which wrong calls of it lead to."""

    formatter_class = _Formatter

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Name the command in what click found wrong with its options: its parser does not always."""
        if isinstance(error, click.UsageError) and error.ctx is None:
            error.ctx = self
        return super().__exit__(kind, error, trace)


def show_whole_words(command: click.Command) -> click.Command:
    """Give a command the help that breaks no word."""
    command.context_class = HelpContext
    return command
