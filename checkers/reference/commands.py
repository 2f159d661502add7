"""The pages of the command line: the help of every verb, and the schemas of what ``--json`` prints."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from nomadspec.checkers.cli.overview import PROGRAM, overview
from nomadspec.checkers.cli.verbs import SECTIONS
from nomadspec.checkers.reference.markdown import begin, block, code, heading, page, table
from nomadspec.model.errors import ImpossibleError

_WIDTH: Final = 100
_ABOUT: Final = "Every command of `nomadspec`, with its `--help`."
_SCHEMAS_ABOUT: Final = (
    "A JSON Schema describes what each command prints with `--json`. The `schema` field of an object names "
    "its version: a change that a reader could notice gives a new one."
)


def compute_commands_page() -> str:
    """Write the page of the command line."""
    with _context_of(overview, PROGRAM) as context:
        parts = [block(overview.get_help(context), "text")]
        for section, verbs in SECTIONS:
            parts.append(heading(2, section, f"section-{section.lower().replace(' ', '-')}"))
            parts += [_verb_part(context, verb.name) for verb in verbs]
    return page("Command line", _ABOUT, *parts)


def _verb_part(parent: click.Context, name: str) -> str:
    command = overview.get_command(parent, name)
    if command is None:
        raise ImpossibleError(f"The verb {name} is listed and not there.")
    return "\n\n".join([heading(3, code(name), name), *_list_helps(parent, command, name)])


def _list_helps(parent: click.Context, command: click.Command, name: str) -> Iterator[str]:
    """Give the help of a verb, then that of each verb inside it."""
    with _context_of(command, name, parent) as context:
        yield block(command.get_help(context), "text")
        inner = command.commands if isinstance(command, click.Group) else {}
        for name_inside, inside in inner.items():
            yield from _list_helps(context, inside, name_inside)


def _context_of(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    settings = {**command.context_settings, "max_content_width": _WIDTH, "terminal_width": _WIDTH}
    return click.Context(command, info_name=name, parent=parent, **settings)


def compute_schemas_page(root: Path) -> str:
    """Write the index of the schemas."""
    rows = []
    for path in sorted((root / "docs/reference/json").glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        rows.append(
            (f"[{path.name}](json/{path.name})", begin(schema.get("description", schema.get("title", ""))))
        )
    return page("JSON", _SCHEMAS_ABOUT, table(["schema", "describes"], rows))
