"""Calls that pages name are understood: verbs, options, models, scopes, sizes, profiles, properties."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from nomadspec.checkers.cli.overview import overview
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.invariants.cluster.resources.claims import CLAIMS
from nomadspec.model.errors import NomadSpecError, UnknownNameError
from nomadspec.model.language.story import DEADLOCK
from tests.tidy.source import ROOT

SHELL = re.compile(r"^```(?:sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(nomadspec\s[^`]+)`")
END = re.compile(r"\s(?:#|\\?[|;&>]|2>).*", re.DOTALL)
"""What is for the shell."""
PLACEHOLDER = re.compile(r"[A-Z]+")
"""What stands for something of the reader's: FILE, NAME, K."""


def list_calls(page: str) -> Iterator[str]:
    """List the calls of nomadspec on a page: the commands of blocks, and those in sentences."""
    for block in SHELL.finditer(page):
        for line in block[1].replace("\\\n", " ").splitlines():
            call = line.removeprefix("$ ")
            if call.startswith("nomadspec "):
                yield END.sub("", call)
    for sentence in INLINE.finditer(SHELL.sub("", page)):
        yield END.sub("", " ".join(sentence[1].split()))


def find_fault(call: str) -> str:
    """Say what is wrong with a call, if anything."""
    words = shlex.split(call)[1:]
    try:
        if "--help" not in words and not any(PLACEHOLDER.fullmatch(word) for word in words):
            check_names(read_options(overview, words))
    except (click.UsageError, NomadSpecError) as error:
        return f"{call}: {error}"
    return ""


def read_options(
    command: click.Command, words: Sequence[str], parent: click.Context | None = None
) -> Mapping[str, Any]:
    """Read a call as the command line does, without obeying it; a verb alone is only a name.

    Commands keep the help option of whoever asks first, so they are asked in their place below others.
    """
    if isinstance(command, click.Group):
        context = click.Context(command, parent=parent, **command.context_settings)
        _, inside, rest = command.resolve_command(context, list(words))
        assert inside is not None
        return read_options(inside, rest, context) if rest else {}
    return command.make_context(command.name, list(words), parent).params


def check_names(given: Mapping[str, Any]) -> None:
    """Look up what is named in a model of the package."""
    name = given.get("model") or "core"
    if name not in list_model_names(with_classics=True):
        return
    model = find_model(name)
    scope = model.find_scope(given.get("scope"))
    model.sizes_of({**scope.sizes, **dict(given.get("sizes") or ())})
    model.profile_for(scope, given.get("profile"))
    known = {prop.name for prop in model.properties} | {claim.name for claim in CLAIMS} | {DEADLOCK}
    for asked in given.get("properties") or ():
        if asked not in known:
            raise UnknownNameError("property", asked, known)


PAGES = [
    path
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("bench/*.md"),
    )
    if "nomadspec " in path.read_text() and not path.is_relative_to(ROOT / "docs" / "reference")
]
"""All that people wrote: the reference is written by the program."""


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_calls_on_pages_are_understood(page: Path) -> None:
    faults = [fault for call in list_calls(page.read_text()) if (fault := find_fault(call))]

    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "call",
    [
        "nomadspec exlpore --model core",
        "nomadspec explore --modle core",
        "nomadspec explore --model core --scope smal",
        "nomadspec explore --model core --set jbos=3",
        "nomadspec explore --model core --profile X-99",
        "nomadspec explore --model core --property nothing_is_wrong",
        "nomadspec explore --workers none",
        "nomadspec vectors chekc recordings",
    ],
)
def test_a_call_that_would_fail_is_found(call: str) -> None:
    assert find_fault(call)


def test_calls_stand_in_blocks_and_in_sentences() -> None:
    page = "Ask `nomadspec\nmodels core`.\n\n```console\n$ nomadspec rules | head\nnomadspec: no\n```\n"

    assert ["nomadspec rules", "nomadspec models core"] == list(list_calls(page))
