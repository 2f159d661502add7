"""The group of all verbs: what ``nomadspec --help`` shows, and how a verb is found."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from nomadspec.checkers.cli.help_texts import show_whole_words
from nomadspec.checkers.cli.verbs import MEANT, SECTIONS, list_verbs
from nomadspec.model.errors import EXIT_USAGE, UnknownNameError, UsageError
from nomadspec.version import __version__

PROGRAM: Final = "nomadspec"
COMPLETION_VARIABLE: Final = "_NOMADSPEC_COMPLETE"
"""By this variable a shell asks for completions; ``nomadspec completion`` prints the script that sets it."""

_OVERVIEW: Final = """An executable specification of Nomad's scheduling control plane.

\b
Examples:
  nomadspec verify                              check everything, one verdict
  nomadspec models                              list the models
  nomadspec explore --model core --scope small  visit all worlds of a scope
  nomadspec explore --model core --scope unchecked --story-out s.json
  nomadspec story s.json                        replay what was found

The exit code is the verdict: 0 holds, 1 violated, 2 wrong call, 3 unreadable file, 4 inconclusive,
5 a defect of nomadspec. Results go to stdout, progress to stderr. Every command takes --json and --help.
"""


class Overview(click.Group):
    """The group of all verbs: it knows their names and imports them one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click hands it over
        """List the verbs without importing them."""
        return [verb.name for verb in list_verbs()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- as above
        """Import a verb."""
        if cmd_name not in {verb.name for verb in list_verbs()}:
            return None
        command = import_module(f"nomadspec.checkers.cli.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"the verb {cmd_name} holds no click command")
        return show_whole_words(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb of a call; an unknown one gets the nearest names, and `help VERB` its help."""
        names = self.list_commands(ctx)
        if args[:1] == ["help"] and not ctx.resilient_parsing:
            if not args[1:]:
                click.echo(ctx.get_help())
                ctx.exit()
            args = [args[1], "--help"]
        if args and not args[0].startswith("-") and args[0] not in names and not ctx.resilient_parsing:
            if args[0] in MEANT:
                raise UsageError(f"There is no verb named {args[0]!r}; {MEANT[args[0]]}.")
            raise UnknownNameError("verb", args[0], names)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- as above
        """Write the sections of the overview from the list alone."""
        for title, verbs in SECTIONS:
            with formatter.section(title):
                formatter.write_dl([(verb.name, verb.about) for verb in verbs])


@click.group(
    cls=Overview,
    help=_OVERVIEW,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, "-V", "--version", prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def overview(context: click.Context) -> None:
    """Show the overview where no verb was given."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(EXIT_USAGE)
