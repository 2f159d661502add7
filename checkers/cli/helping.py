"""How help texts are wrapped: between words only, so that ``--until-coverage`` stays in one line."""

from __future__ import annotations

from collections.abc import Iterable
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
    """The context of a command whose help breaks no word."""

    formatter_class = _Formatter


def show_whole_words(command: click.Command) -> click.Command:
    """Give a command the help that breaks no word."""
    command.context_class = HelpContext
    return command
