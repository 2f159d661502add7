"""Verbs with words of their own: who leaves the word out is told which is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from nomadspec.checkers.cli.help_texts import show_whole_words
from nomadspec.checkers.escaping import join_words
from nomadspec.model.errors import EXIT_USAGE, UnknownNameError, UsageError


class Words(click.Group):
    """The words of a verb, such as ``run`` of ``scenario``; ``usual`` is what is done with a file."""

    def __init__(self, *args: Any, usual: str = "", **kwargs: Any) -> None:
        """Keep the usual word."""
        super().__init__(*args, **kwargs)
        self.usual = usual

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the call; without a word, the help lists the words."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit(EXIT_USAGE)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a word, whose help breaks no word either."""
        command = super().get_command(ctx, cmd_name)
        return command and show_whole_words(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the word of a call; for a file in its place the usual one is suggested."""
        known = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in known and not ctx.resilient_parsing:
            if self.usual and Path(args[0]).exists():
                meant = join_words([*ctx.command_path.split(), self.usual, *args])
                raise UsageError(f"Say what to do with {args[0]}: `{meant}`, for example.")
            raise UnknownNameError(f"word of `{ctx.command_path}`", args[0], known)
        return super().resolve_command(ctx, args)
