"""``nomadspec completion``: the script that lets a shell complete names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.model.errors import ImpossibleError


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
@takes_screen
def command(shell: str, screen: Screen) -> int:
    """Print the completion script for SHELL: verbs, options, models, scopes, properties and rules.

    \b
    Put one of these into your shell's start-up file:
      bash  eval "$(nomadspec completion bash)"
      zsh   eval "$(nomadspec completion zsh)"
      fish  nomadspec completion fish | source
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.cli.overview import COMPLETION_VARIABLE, PROGRAM, overview

    kind = get_completion_class(shell)
    if kind is None:
        raise ImpossibleError(f"click knows no completion for {shell}.")
    script = kind(overview, {}, PROGRAM, COMPLETION_VARIABLE).source().strip()
    screen.show("completion", {"shell": shell, "script": script}, lambda: script)
    return 0
