"""The part of a call that says what it is about: the model, the scope, sizes that differ, the profile."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from nomadspec.checkers.cli.numbers import COUNT, read_count
from nomadspec.checkers.escaping import join_words
from nomadspec.invariants.catalogue import RESOURCES, list_model_names

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.model import Model


@dataclass(frozen=True, slots=True)
class Choice:
    """A bounded model as it was asked for."""

    model: str
    """A name of the catalogue, or ``path.py:NAME``."""
    scope: str | None = None
    sizes: Mapping[str, int] | None = None
    profile: str | None = None

    def load(self) -> Model:
        """Load the model."""
        from nomadspec.checkers.report.loading import load_model

        return load_model(self.model)

    def bound(self) -> BoundedModel:
        """Load the model and bound it; what its texts print meanwhile is no result."""
        from nomadspec.checkers.report.loading import naming_file
        from nomadspec.checkers.usual_profile import bind_as_usual

        model = self.load()
        with naming_file(self.model), redirect_stdout(sys.stderr):
            if self.profile is None:
                return bind_as_usual(model, self.scope, sizes=self.sizes)
            return model.at(self.scope, sizes=self.sizes, profile=self.profile)

    def line(self, verb: str, *others: str) -> str:
        """Write the command line that asks for the same again, with other arguments of the verb behind it."""
        words = ["nomadspec", verb, "--model", self.model]
        words += ["--scope", self.scope] if self.scope else []
        for name, value in (self.sizes or {}).items():
            words += ["--set", f"{name}={value}"]
        words += ["--profile", self.profile] if self.profile else []
        return join_words([*words, *others])


class SizeType(click.ParamType[tuple[str, int]]):
    """A size as it is set on the command line: ``NAME=VALUE``."""

    name = "NAME=VALUE"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        """Read the name and the number."""
        name, _, digits = str(value).partition("=")
        number = read_count(digits)
        if not name.strip() or number is None:
            self.fail(f"{value!r} should read NAME=VALUE with {COUNT}, such as flips=1", param, ctx)
        return name.strip(), number


class Word(click.ParamType[str]):
    """A word to look for; an empty one, as of a variable of a shell that is not set, is a mistake."""

    name = "word"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a word that has no letter."""
        if not str(value).strip():
            self.fail("a word to look for is empty; leave it out to list all", param, ctx)
        return str(value)


def complete_model(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- click hands them over
    """List the models that a shell may complete; anything else may be a file."""
    names = [CompletionItem(name) for name in list_model_names(with_classics=True) if name.startswith(typed)]
    return names or [CompletionItem(typed, type="file")]


def complete_scope(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- as above
    """List the scopes of the model that was named."""
    return [
        CompletionItem(scope.name, help=scope.why)
        for model in _models_of(ctx)
        for scope in model.scopes
        if scope.name.startswith(typed)
    ]


def complete_property(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- as above
    """List the properties of the model that was named, or of all."""
    named = {prop.name: prop.why for model in _models_of(ctx) for prop in model.properties}
    if ctx.params.get("model") in {None, RESOURCES}:
        from nomadspec.invariants.cluster.resources.claims import CLAIMS

        named |= {claim.name: claim.why for claim in CLAIMS}
    return [CompletionItem(name, help=why) for name, why in named.items() if name.startswith(typed)]


def complete_rule(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- as above
    """List the rules of the model that was named, or of all."""
    named = {rule.name: rule.about for model in _models_of(ctx) for rule in model.rules}
    return [CompletionItem(name, help=about) for name, about in named.items() if name.startswith(typed)]


def _models_of(ctx: click.Context) -> list[Model]:
    from nomadspec.checkers.report.loading import load_model

    given = ctx.params.get("model")
    if given == RESOURCES:
        return []
    return [load_model(name) for name in ([given] if given else list_model_names())]


MOST_PROPERTIES: Final = 100
"""A model with more is large: binding, proving and sampling it takes minutes, so it must be asked for."""


def is_large(model: Model) -> bool:
    """True if a model is too large for what nobody asked for by name."""
    return len(model.properties) > MOST_PROPERTIES


def model_option(*, is_required: bool = True) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb ``--model``."""
    meaning = "A model of `nomadspec models`, or path.py:NAME for one of your own."
    return click.option(
        "--model",
        "-m",
        required=is_required,
        metavar="NAME",
        help=meaning if is_required else f"{meaning}  [default: all]",
        shell_complete=complete_model,
    )


def takes_choice(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb ``--model``, ``--scope``, ``--set`` and ``--profile``, and hand it a ``choice``."""

    @model_option()
    @bounding_options
    @functools.wraps(verb)
    def with_choice(
        *arguments: Any,
        model: str,
        scope: str | None,
        sizes: Sequence[tuple[str, int]],
        profile: str | None,
        **others: Any,
    ) -> int:
        from nomadspec.checkers.report.loading import blaming_own

        with blaming_own(model):
            return verb(*arguments, choice=Choice(model, scope, dict(sizes), profile), **others)

    return with_choice


def bounding_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb ``--scope``, ``--set`` and ``--profile``."""
    options = (
        click.option(
            "--scope",
            "-s",
            metavar="NAME",
            help="A scope of the model.  [default: its first one]",
            shell_complete=complete_scope,
        ),
        click.option(
            "--set",
            "sizes",
            type=SizeType(),
            multiple=True,
            metavar="NAME=VALUE",
            help="Override a size of the scope; repeatable.",
        ),
        click.option(
            "--profile",
            metavar="NAME",
            help="intended, nomad-2.0 or the ID of a quirk; append '+ID' or '-ID' to add or remove a quirk."
            "  [default: the scope's own, else nomad-2.0]",
        ),
    )
    for option in reversed(options):
        verb = option(verb)
    return verb


def check_properties(bounded: BoundedModel, names: Sequence[str]) -> None:
    """Refuse names that no property bears; ``deadlock`` and the promises are what every model has."""
    from nomadspec.model.language.model_promises import PROMISES
    from nomadspec.model.language.story import DEADLOCK

    for name in names:
        if name not in {DEADLOCK, *PROMISES}:
            bounded.model.find_property(name)


def load_models(reference: str | None) -> dict[str, Model]:
    """Load the model that was named, or all of the package."""
    from nomadspec.checkers.report.loading import load_model

    names = list_model_names() if reference is None else [reference]
    return {name: load_model(name) for name in names}
